"""One tool while it is lowered: a private copy, where each part came from, what was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from toolgauge.contract import dump_json, parse_json
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.contract.schema.document import SchemaDocument, followed, subschema_at
from toolgauge.contract.schema.subschemas import Reach, iter_places, iter_subschemas
from toolgauge.lowering._report import GATE, NARROWER, NOTHING, WIDER, Loss
from toolgauge.lowering.errors import CannotLower

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolgauge.contract import Path

MAX_NODES = 10_000
"""Subschemas of one draft: inlining references multiplies them."""

_MAX_WORK = 100_000
"""Work that all passes together may make of one tool, in units of about ten microseconds,
beyond a few looks at each subschema."""

_BYTES_A_STEP = 64
_CHARS_A_STEP = 4_096
_POINTER_CHARS_A_STEP = 64
_MAX_HOPS = 64
_MAX_JSON_DEPTH = 254
_MAX_DEPTH = 240
"""The writer stops at 254 levels, and a map holds the schema a few levels down."""


class Slot(NamedTuple):
    """A place that holds a subschema, so that another one can be put there.

    Attributes:
        holder: The object or list that holds it.
        key: Its key or index there.
        keyword: The keyword of the parent: ``"properties"``, ``"items"``, …
        parent: The subschema above.
        schema: The subschema itself, a boolean possibly.
    """

    holder: Any
    key: str | int
    keyword: str
    parent: dict[str, Any]
    schema: Any

    def put(self, schema: Any) -> None:
        """Put another subschema there."""
        self.holder[self.key] = schema


class Draft:
    """One tool on its way to a provider.

    Passes change ``schema`` in place. A subschema is known by its identity, so a
    pass that keeps the same ``dict`` keeps the knowledge of where it came from.
    After adding or removing subschemas a pass calls ``touch``.

    Attributes:
        label: The tool's name as given; losses carry it.
        name: The name for the provider.
        description: The description for the provider, ``None`` for none.
        schema: The input schema.
        losses: What was lost so far.
        marks: What the current pass did to values, by the identity of the subschema.
    """

    def __init__(self, name: str, description: str | None, schema: dict[str, Any]) -> None:
        self.label: str = name
        self.name: str = name
        self.description: str | None = description
        self._given: dict[str, Any] = schema
        self._document = SchemaDocument(schema)
        # Through text: two places of a JSON value never share an object after it.
        self.schema: dict[str, Any] = fresh(schema)
        self._work: int = 0
        self.losses: list[Loss] = []
        self.marks: dict[int, Mapping[str, Any]] = {}
        self._alive: list[Any] = []
        self._slots: list[Slot] | None = None
        self._nodes: list[dict[str, Any]] = []
        self._keywords: set[str] = set()
        self._origins: dict[int, Path] = SchemaDocument(self.schema).paths

    def touch(self) -> None:
        """Forget what was known of the structure."""
        if self._slots is not None:
            # Identities must not be used again while origins are known by them.
            self._alive += self._nodes
        self._slots = None

    @property
    def slots(self) -> Sequence[Slot]:
        """Every place that holds a subschema, parents before children; the root has none."""
        self._look()
        return self._slots or ()

    @property
    def nodes(self) -> Sequence[dict[str, Any]]:
        """Every subschema that is no boolean, the root first, parents before children."""
        self._look()
        return self._nodes

    @property
    def keywords(self) -> set[str]:
        """Every keyword that any subschema had when the structure last changed."""
        self._look()
        return self._keywords

    def having(self, *keywords: str) -> list[dict[str, Any]]:
        """Give the subschemas that have one of some keywords."""
        return [each for each in self.nodes if any(word in each for word in keywords)]

    def origin(self, node: object) -> Path:
        """Tell where in the schema as given a subschema came from."""
        return self._origins.get(id(node), ())

    def iter_origins(self) -> Iterable[Path]:
        """Give where all subschemas that are known came from."""
        return self._origins.values()

    def know(self, node: dict[str, Any], path: Path) -> None:
        """Say where in the schema as given a subschema came from."""
        self._alive.append(node)
        self._origins.setdefault(id(node), path)

    def derive(self, node: Any, source: object) -> Any:
        """Say that a new subschema stands for one that is known; give it back."""
        self._alive.append(node)
        self._origins[id(node)] = self.origin(source)
        return node

    def copy(self, node: dict[str, Any]) -> dict[str, Any]:
        """Copy a subschema and all below it, with the knowledge where it came from."""
        text = self._text(node)
        self.charge(1 + len(text) // _BYTES_A_STEP)
        made: dict[str, Any] = parse_json(text, max_depth=_MAX_JSON_DEPTH)
        for old, new in zip(iter_subschemas(node), iter_subschemas(made), strict=True):
            self._origins[id(new)] = self.origin(old)
        self._alive.append(made)
        return made

    def follow(self, reference: object) -> dict[str, Any] | None:
        """Give the subschema that a local reference leads to, ``None`` for nowhere."""
        if isinstance(reference, str):
            self.charge(len(reference) // _POINTER_CHARS_A_STEP)
        found = followed(self.schema, reference)
        return found if isinstance(found, dict) else None

    def resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        """Follow references that stand alone until something else is found."""
        for _ in range(_MAX_HOPS):
            target = self.follow(node.get("$ref"))
            if target is None:
                return node
            node = target
        return self.refuse("a reference leads to itself", "give the definition a type")

    def leads_to(self, start: object, goal: dict[str, Any]) -> bool:
        """Tell whether one subschema is reached from another, through references too."""
        return any(node is goal for node in self.iter_reached((start,)))

    def iter_reached(self, starts: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Yield subschemas, those below them and those referred to, each once.

        What is merely defined below them is not reached.
        """
        row = [each for each in starts if isinstance(each, dict)]
        seen = {id(each) for each in row}
        for node in row:  # it grows while we look
            self.charge(1)
            yield node
            below = [each.schema for each in iter_places(node) if each.reach is not Reach.NONE]
            below.append(followed(self.schema, node.get("$ref")))
            for each in below:
                if isinstance(each, dict) and id(each) not in seen:
                    seen.add(id(each))
                    row.append(each)

    def text(self) -> bytes:
        """Write the schema."""
        return self._text(self.schema)

    def mark(self, node: dict[str, Any], **record: Any) -> None:
        """Note that values at a subschema change, and how; the record is JSON.

        With ``whole=True`` the value changes as one: nothing below it is looked at.
        """
        self._alive.append(node)
        self.marks[id(node)] = record

    def lose(
        self,
        node: object,
        what: str,
        *steps: str | int,
        kind: str = WIDER,
        by: str = GATE,
    ) -> None:
        """Note a loss at a subschema; its path ends where the schema as given does."""
        loss = Loss(
            tool=self.label,
            path=self._existing((*self.origin(node), *steps)),
            what=what,
            kind=kind,
            made_good_by=by,
        )
        if loss not in self.losses[-50:]:
            self.losses.append(loss)

    def drop(self, node: dict[str, Any], keyword: str) -> Any:
        """Take a keyword off a subschema, note what is lost, and return its value.

        Of several keywords that go, ``patternProperties`` goes last: what is said of
        further members holds for those of a pattern then.
        """
        value = node.pop(keyword)
        self.lose(node, f"{keyword} is no longer enforced", keyword)
        if keyword == "patternProperties" and node.get("additionalProperties", True) not in (
            True,
            {},
        ):
            words = "members that a pattern names are held to what further members are"
            self.lose(node, words, keyword, kind=NARROWER, by=NOTHING)
        return value

    def given(self, node: object) -> Any:
        """Give what the schema as given has where a subschema came from."""
        found: Any = self._given
        for step in self._existing(self.origin(node)):
            found = found[step]
        return found

    def tell(self, node: dict[str, Any], words: str) -> None:
        """Add a sentence to the description of a subschema, once."""
        old = node.get("description")
        if isinstance(old, str):
            self.charge(len(old) // _CHARS_A_STEP)
        if not isinstance(old, str) or not old.strip():
            node["description"] = words
        elif words not in old:
            node["description"] = f"{old.rstrip()} {words}"

    def refuse(self, reason: str, fix: str) -> NoReturn:
        """Give the tool up."""
        raise CannotLower(reason, fix)

    def _text(self, node: dict[str, Any]) -> bytes:
        if is_deeper_than(node, _MAX_DEPTH):
            self.refuse(f"the schema nests deeper than {_MAX_DEPTH} levels", "flatten its objects")
        return dump_json(node)

    def charge(self, work: int) -> None:
        """Charge for work before it is done: a schema can ask for more than anyone waits for.

        Raises:
            CannotLower: If the work of all passes is more than ``_MAX_WORK``.
        """
        self._work += work
        if self._work > _MAX_WORK:
            self.refuse(
                f"the schema is too costly to lower: it takes more than {_MAX_WORK} units of work",
                "split the tool, or use fewer references to large definitions",
            )

    def _existing(self, path: Path) -> Path:
        """Give as much of a path as leads to something in the schema as given.

        What is not beside a reference is looked for where that leads.
        """
        here: Any = self._given
        found: Path = ()
        for step in path:
            here, found, is_there = self._owner(here, found, step)
            if not is_there:
                break
            here, found = here[step], (*found, step)
        return found

    def _owner(self, here: Any, path: Path, step: str | int) -> tuple[Any, Path, bool]:
        """Find what has a member, a value or what it refers to: that, its place, and whether."""
        start = (here, path, False)
        for _ in range(_MAX_HOPS):
            try:
                here[step]
            except (LookupError, TypeError):
                reference = here.get("$ref") if isinstance(here, dict) else None
            else:
                return here, path, True
            if not isinstance(reference, str):
                break
            self.charge(len(reference) // _POINTER_CHARS_A_STEP)
            pointer = self._document.pointer_of(reference)
            here = None if pointer is None else subschema_at(self._given, pointer)
            path = self._document.paths.get(id(here), ())
            if id(here) not in self._document.paths:
                break
        return start

    def _look(self) -> None:
        if self._slots is not None:
            return
        nodes, slots = [self.schema], []
        keywords: set[str] = set()
        for node in nodes:  # it grows while we look
            if len(nodes) > MAX_NODES:
                self.refuse(
                    f"the schema grows past {MAX_NODES} subschemas",
                    "split the tool, or use fewer references to large definitions",
                )
            keywords.update(node)
            for place in iter_places(node):
                keyword = str(place.path[0])
                last = place.path[-1]
                holder = node if len(place.path) == 1 else node[keyword]
                slots.append(Slot(holder, last, keyword, node, place.schema))
                if isinstance(place.schema, dict):
                    nodes.append(place.schema)
        self._slots, self._nodes, self._keywords = slots, nodes, keywords


def fresh(value: Any) -> Any:
    """Copy a JSON value, so that no two places share an object."""
    return parse_json(dump_json(value), max_depth=_MAX_JSON_DEPTH)
