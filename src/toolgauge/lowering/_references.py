"""References within one schema: brought to one form first, and kept true by each pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, unquote

from toolgauge.contract import from_pointer, to_pointer
from toolgauge.contract.schema.dialects import DIALECTS, dialect_of
from toolgauge.contract.schema.document import (
    ANCHORS,
    IDS,
    REFERENCES,
    SchemaDocument,
    Subschema,
    followed,
)
from toolgauge.contract.schema.keywords import ANNOTATIONS
from toolgauge.contract.schema.subschemas import SUBSCHEMAS, iter_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.lowering._draft import Draft

_SAFE: Final = "/~!$&'()*+,;=:@?"
"""What a fragment may hold as it is (RFC 3986 section 3.5)."""

DEFINED: Final = ("$defs", "definitions")

_LEADING: Final = frozenset({*REFERENCES, "discriminator"})
_NAMING: Final = frozenset({*IDS, *ANCHORS})
_INERT: Final = ANNOTATIONS | {"$ref", "$schema", *DEFINED}
"""What may stand beside a reference where older drafts ignore all else."""

_NEEDED: Final = SUBSCHEMAS | {"enum", "const", "default", "examples", "example"}
"""Keywords whose values stay where they are, whoever refers into them."""

_DYNAMIC: Final = (
    ("$dynamicRef", "$dynamicAnchor", 2020),
    ("$recursiveRef", "$recursiveAnchor", 2019),
)
_CHARS_A_STEP: Final = 64


class Held(NamedTuple):
    """A reference, by the object that holds it and the key there, and what it leads to."""

    holder: dict[str, Any]
    key: str
    reference: str
    target: Any


def dialect_read(schema: dict[str, Any]) -> Dialect | None:
    """Name the dialect of a schema, also by an address that only resembles the draft's own."""
    known = dialect_of(schema)
    declared = schema.get("$schema")
    if known is not None or not isinstance(declared, str):
        return known
    # What draft-03 says of references is what draft-04 says.
    declared = declared.replace("draft-03", "draft-04")
    return next((each for each in DIALECTS if each.name in declared), None)


def settle(draft: Draft) -> None:
    """Bring references to one form: pointers from the root to objects that keywords hold.

    Names of subschemas are not needed then, and go. What is a subschema only because it is
    referred to moves to ``$defs``, a reference to a boolean gives way to the boolean, and
    what older drafts ignore beside a reference goes. What leads out of the schema stays.

    Source: JSON Schema core 2020-12 sections 8.2 and 9.2; draft-07 core section 8.3.
    """
    if draft.keywords.isdisjoint(_LEADING):
        return
    found = _Settling(draft)
    found.find()
    found.move()
    repoint(draft, found.held)
    draft.touch()
    found.tidy()


def held_references(draft: Draft) -> list[Held]:
    """Note what each reference leads to, and charge for looking it up now and once more."""
    if draft.keywords.isdisjoint(_HOLDING):
        return []
    return [
        Held(holder, key, reference, target)
        for node in draft.having(*_HOLDING)
        for holder, key, reference in _references(node)
        if (target := draft.follow(reference)) is not None
    ]


def repoint(draft: Draft, held: Iterable[Held]) -> None:
    """Let references lead to where their targets are after a pass.

    One that the pass changed is left, and so is one whose target is gone.
    """
    astray = [
        each
        for each in held
        if each.holder.get(each.key) == each.reference
        and followed(draft.schema, each.reference) is not each.target
    ]
    if not astray:
        return
    paths = SchemaDocument(draft.schema).paths
    for holder, key, reference, target in astray:
        if id(target) in paths:
            pointer = to_pointer(paths[id(target)])
            if unquote(reference) != f"#{pointer}":
                holder[key] = f"#{quote(pointer, safe=_SAFE)}"


def forget_gone(draft: Draft) -> None:
    """Leave out of each ``discriminator`` the names of places that are gone."""
    for node in draft.having("discriminator"):
        for mapping, key, reference in _mapped(node):
            if reference.startswith("#") and draft.follow(reference) is None:
                del mapping[key]
                if not mapping:
                    del node["discriminator"]["mapping"]


def free_name(draft: Draft, wanted: str) -> str:
    """Give a name for a definition that is not taken, in letters that every engine reads."""
    clean = "".join(each if each.isascii() and each.isalnum() else "_" for each in wanted) or "part"
    taken = [draft.schema.get(each, {}) for each in DEFINED]
    name, number = clean, 2
    while any(name in each for each in taken):
        draft.charge(1)
        name, number = f"{clean}_{number}", number + 1
    return name


_HOLDING: Final = ("$ref", "discriminator")


def _references(node: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield the references at a subschema, each by what holds it and the key."""
    if isinstance(node.get("$ref"), str):
        yield node, "$ref", node["$ref"]
    if "discriminator" in node:
        yield from _mapped(node)


def _mapped(node: dict[str, Any]) -> list[tuple[dict[str, Any], str, str]]:
    """Give what the values of a ``discriminator`` are mapped to (OpenAPI 3.1)."""
    found = node.get("discriminator")
    mapping = found.get("mapping") if isinstance(found, dict) else None
    if not isinstance(mapping, dict):
        return []
    return [(mapping, key, each) for key, each in mapping.items() if isinstance(each, str)]


class _Hidden(NamedTuple):
    """A subschema that no keyword holds: what it is called, and the steps to where it goes from."""

    schema: dict[str, Any]
    name: str
    way: tuple[tuple[dict[str, Any], str], ...]


class _Settling:
    """What is known of one schema while its references are settled."""

    def __init__(self, draft: Draft) -> None:
        self.held: list[Held] = []
        self._draft = draft
        self._document = SchemaDocument(draft.schema, dialect=dialect_read(draft.schema))
        self._is_plain = draft.keywords.isdisjoint(_NAMING)
        self._known: dict[int, Subschema] = {}
        self._row: list[Subschema] = []
        self._hidden: dict[int, _Hidden] = {}
        self._copies: dict[str, Any] = {}
        self._emptied: set[int] = set()

    def find(self) -> None:
        """Find each reference, in what keywords hold and in what is referred to."""
        self._enter(Subschema(self._draft.schema, (), ""))
        for here in self._row:  # it grows while we look
            self._make_static(here)
            for holder, key, reference in _references(here.schema):
                is_mapped = holder is not here.schema
                target = self._target(reference, here.base, is_entered=not is_mapped)
                if isinstance(target, dict | bool):
                    self.held.append(Held(holder, key, reference, target))
                elif is_mapped:
                    self._hold_named(holder, key, reference)

    def move(self) -> None:
        """Drop what is ignored, take names off, and give what is hidden a definition."""
        names = {"$recursiveAnchor", *ANCHORS}
        if any("$dynamicRef" in each.schema for each in self._row):
            names.clear()
        own = self._document.dialect.id_keyword if self._document.dialect is not None else "$id"
        for here in self._row:
            for keyword in self._ignored(here.schema) | names | ({own} if here.path else set()):
                here.schema.pop(keyword, None)
        if not isinstance(self._draft.schema.get("$defs", {}), dict):
            return  # it is no schema, which is told in a moment
        for schema, name, way in self._hidden.values():
            for holder, step in reversed(way):
                if holder[step] is schema or holder[step] == {}:
                    del holder[step]
            self._emptied.update(id(holder) for holder, _ in way[:1] if not holder)
            self._draft.schema.setdefault("$defs", {})[free_name(self._draft, name)] = schema

    def tidy(self) -> None:
        """Put booleans where references to them are; drop definitions that nobody needs then."""
        empty = self._put_booleans()
        for slot in reversed(self._draft.slots):
            if id(slot.schema) in empty:
                slot.holder[slot.key] = False
            left = slot.holder[slot.key]
            if slot.keyword in DEFINED and (isinstance(left, bool) or id(left) in self._emptied):
                del slot.holder[slot.key]
                if not slot.holder:
                    del slot.parent[slot.keyword]
        self._draft.touch()

    def _put_booleans(self) -> set[int]:
        """Take off the references to ``true``; give what refers to ``false``, by its ``id()``."""
        holders: dict[int, list[dict[str, Any]]] = {}
        never: list[dict[str, Any]] = []
        for holder, key, _, target in self.held:
            if key != "$ref" or "$ref" not in holder:
                continue
            holders.setdefault(id(target), []).append(holder)
            if target is True:
                del holder["$ref"]
            elif target is False:
                never.append(holder)
        self._emptied -= holders.keys()
        for each in never:  # it grows while we look
            if each is self._draft.schema:
                self._draft.refuse("the schema refuses every value", "let it refer to another")
            never += holders.pop(id(each), [])
        return set(map(id, never))

    def _hold_named(self, holder: dict[str, Any], key: str, name: str) -> None:
        """Hold a name of a schema of the OpenAPI document that this one was a part of."""
        reference = f"#/components/schemas/{name}"
        target = self._at(reference[1:], is_entered=False)
        if isinstance(target, dict):
            holder[key] = reference
            self.held.append(Held(holder, key, reference, target))

    def _enter(self, start: Subschema) -> None:
        """Note a subschema and all that keywords hold below it."""
        row = [start]
        for schema, path, outer in row:  # it grows while we look
            if id(schema) in self._known:
                self._hidden.pop(id(schema), None)
                continue
            here = Subschema(schema, path, self._document.enter(schema, outer))
            self._known[id(schema)] = here
            self._row.append(here)
            self._draft.know(schema, path)
            ignored = self._ignored(schema)
            row += [
                Subschema(place.schema, path + place.path, here.base)
                for place in iter_places(schema)
                if isinstance(place.schema, dict) and place.path[0] not in ignored
            ]

    def _ignored(self, schema: dict[str, Any]) -> frozenset[str]:
        """Give what means nothing beside a reference."""
        dialect = self._document.dialect
        if "$ref" not in schema or dialect is None or not dialect.ignores_siblings:
            return frozenset()
        return frozenset(schema) - _INERT

    def _target(self, reference: str, base: str, *, is_entered: bool) -> Any:
        """Give what a reference leads to, ``None`` for nothing in this schema."""
        if self._is_plain:
            pointer = unquote(reference[1:]) if reference[:1] == "#" else None
        else:
            pointer = self._document.pointer_of(reference, base)
        if pointer is None:
            return None
        self._draft.charge(len(pointer) // _CHARS_A_STEP)
        return self._at(pointer, is_entered=is_entered)

    def _at(self, pointer: str, *, is_entered: bool) -> Any:
        """Look up a pointer; what is found and was not known becomes known."""
        here: Any = self._draft.schema
        path: tuple[str | int, ...] = ()
        last = self._row[0]
        way: list[tuple[Any, Any]] = []
        try:
            for segment in from_pointer(pointer):
                step = int(segment) if isinstance(here, list) else segment
                way.append((here, step))
                here, path = here[step], (*path, step)
                if id(here) in self._known:
                    last, way = self._known[id(here)], []
        except (LookupError, TypeError, ValueError):
            return None
        if not isinstance(here, dict) or not way or not is_entered:
            return here
        name = str(way[-1][1])
        if way[0][1] in _NEEDED or any(isinstance(holder, list) for holder, _ in way):
            if pointer not in self._copies:
                self._copies[pointer] = self._draft.copy(here)
            here, way = self._copies[pointer], []
        if id(here) not in self._known:
            self._hidden[id(here)] = _Hidden(here, name, tuple(way))
            self._enter(Subschema(here, path, last.base))
        return here

    def _make_static(self, here: Subschema) -> None:
        """Write a dynamic reference that can lead to one place only as one that is not."""
        dialect = self._document.dialect
        for keyword, anchor, draft in _DYNAMIC:
            reference = here.schema.get(keyword)
            if dialect is None or dialect.number != draft or not isinstance(reference, str):
                continue
            pointer = self._document.pointer_of(reference, here.base)
            target = None if pointer is None else followed(self._draft.schema, f"#{pointer}")
            if not isinstance(target, dict) or "$ref" in here.schema:
                continue
            name = target.get(anchor)
            alike = [each for each in self._document.subschemas if each.schema.get(anchor) == name]
            if name is None or len(alike) == 1:
                here.schema["$ref"] = here.schema.pop(keyword)
