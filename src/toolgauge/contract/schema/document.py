"""One schema document: where its subschemas lie, what they are called, where references lead.

Nothing is fetched or compiled. What a ``$dynamicRef`` means is decided while a value is
validated; here it leads wherever it may lead.

Source: JSON Schema core 2020-12 sections 8.2 and 9.2, and the same in the older drafts,
which write an anchor as an ``$id`` that is only a fragment, and draft-04 ``id`` for ``$id``.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urljoin

from toolgauge.contract.pointers import resolve, to_pointer
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.dialects import Dialect

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
ANCHORS: Final = ("$anchor", "$dynamicAnchor")
IDS: Final = ("$id", "id")
RELATIVE: Final = frozenset({*REFERENCES, *IDS})
"""A subschema with none of these means the same wherever it lies."""

_NOWHERE: Any = object()


class Subschema(NamedTuple):
    """One subschema of a document.

    Attributes:
        schema: The subschema.
        path: Where it lies in the document.
        base: The URI that references in it are relative to, ``""`` where there is none.
    """

    schema: dict[str, Any]
    path: Path
    base: str


class SchemaDocument:
    """One schema document, which must not change while this is in use.

    Args:
        root: JSON Schema as parsed JSON.
        dialect: Its dialect, which tells what is an ``$id``; ``None`` for all that some draft
            takes for one.
        spend: Called with the characters of each reference before it is followed; each is
            found once. What it raises ends the work.
        is_strict: Whether a pointer that hides a ``/``, ``~`` or ``%`` in an escape leads
            nowhere: engines differ in when they decode these.
    """

    def __init__(
        self,
        root: Any,
        *,
        dialect: Dialect | None = None,
        spend: Callable[[int], None] | None = None,
        is_strict: bool = False,
    ) -> None:
        self.root: Any = root
        self.dialect: Dialect | None = dialect
        self._spend = spend
        self._is_strict = is_strict
        self._pointed: dict[str, Any] = {"#": root}
        self._named: dict[str, list[dict[str, Any]]] = defaultdict(list, {"": [root]})
        self._anchored: dict[str, list[dict[str, Any]]] = defaultdict(list)

    @cached_property
    def subschemas(self) -> tuple[Subschema, ...]:
        """Every subschema that is an object and that a keyword holds, outer ones first."""
        return tuple(self.iter_subschemas())

    def iter_subschemas(self) -> Iterator[Subschema]:
        """Yield the same, for those who may stop before the end."""
        row = [Subschema(self.root, (), "")] if isinstance(self.root, dict) else []
        while row:
            below: list[Subschema] = []
            for schema, path, outer in row:
                base = self._inside(schema, outer)
                yield Subschema(schema, path, base)
                below += [
                    Subschema(place.schema, path + place.path, base)
                    for place in iter_places(schema)
                    if isinstance(place.schema, dict)
                ]
            row = below

    @cached_property
    def paths(self) -> dict[int, Path]:
        """Where each of the subschemas lies, by its ``id()``."""
        # Without their bases, which cost as much again.
        found: list[tuple[dict[str, Any], Path]] = []
        if isinstance(self.root, dict):
            found.append((self.root, ()))
        for schema, path in found:  # it grows while we look
            found += [
                (place.schema, path + place.path)
                for place in iter_places(schema)
                if isinstance(place.schema, dict)
            ]
        return {id(schema): path for schema, path in found}

    @cached_property
    def _pointers(self) -> dict[str, str]:
        """The pointer of each resource by its URI, and of each anchor by that and its name."""
        found: dict[str, str] = {}
        for schema, path, base in self.subschemas:
            pointer = to_pointer(path)
            found.setdefault(base, pointer)
            for name in self._anchors(schema):
                found.setdefault(f"{base}#{name}", pointer)
        return found

    def point(self, reference: object) -> Any:
        """Give what a JSON Pointer points at: ``"#/$defs/a"``.

        Raises:
            LookupError: If the reference is none, or leads nowhere.
        """
        found = self._find(reference)
        if found is _NOWHERE:
            raise LookupError(reference)
        return found

    def follow(self, reference: object) -> Any:
        """Give the subschema that a reference leads to, a boolean possibly; ``None`` for none."""
        found = self._find(reference)
        return found if isinstance(found, dict | bool) else None

    def _find(self, reference: object) -> Any:
        if not isinstance(reference, str):
            return _NOWHERE
        if reference not in self._pointed:
            self._charge(reference)
            found = _NOWHERE
            if not self._is_strict or _is_plain(reference):
                with suppress(LookupError):
                    found = pointed(self.root, reference)
            self._pointed[reference] = found
        return self._pointed[reference]

    def pointer_of(self, reference: str, base: str = "") -> str | None:
        """Write what a reference names as a JSON Pointer from the root: ``"/$defs/a"``.

        Args:
            reference: A pointer, an anchor, or a URI with or without these.
            base: What it is relative to.

        Returns:
            ``None`` where no subschema of this document has the name. There may be nothing at
            the pointer.
        """
        address, fragment = _split(base, reference)
        if fragment and not fragment.startswith("/"):
            return self._pointers.get(f"{address}#{fragment}")
        outer = self._pointers.get(address)
        return None if outer is None else outer + fragment

    def enter(self, schema: dict[str, Any], base: str) -> str:
        """Note the names that a subschema gives itself, for ``targets``.

        Args:
            schema: The subschema.
            base: The base URI around it.

        Returns:
            The base URI inside of it.
        """
        inside = self._inside(schema, base)
        own = self._id(schema)
        if own is not None and not _is_anchor(own):
            self._named[inside].append(schema)
        for name in self._anchors(schema):
            self._anchored[name].append(schema)
        return inside

    def targets(self, reference: str, base: str) -> list[dict[str, Any]]:
        """Find all that a reference may lead to, of what was entered and below that.

        Which ``$id`` counts differs by draft, and a ``$dynamicRef`` is decided while the
        engine runs. So a name that is not found where it should be stands for everything
        that has the same fragment.
        """
        address, fragment = _split(base, reference)
        if fragment and not fragment.startswith("/"):
            return _unique(self._anchored.get(fragment, ()))
        found = self._below(self._named.get(address) or self._named[""], fragment)
        if not found:
            named = (*self._named.values(), *self._anchored.values())
            found = self._below(chain.from_iterable(named), fragment)
        return _unique(found)

    def _below(self, roots: Iterable[dict[str, Any]], pointer: str) -> list[dict[str, Any]]:
        """Look up a pointer in each of several schemas."""
        found: list[dict[str, Any]] = []
        for root in roots:
            self._charge(pointer)
            with suppress(LookupError, ValueError):
                target = resolve(root, pointer)
                if isinstance(target, dict):
                    found.append(target)
        return found

    def iter_reached(self, visit: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
        """Yield every subschema, also data that a reference makes one, each once.

        Args:
            visit: Called with the number of members of each before it is yielded.
        """
        seen: set[int] = set()
        row = [self.root]
        while row:
            here = row.pop()
            if not isinstance(here, dict) or id(here) in seen:
                continue
            seen.add(id(here))
            if visit is not None:
                visit(len(here))
            yield here
            row += [place.schema for place in iter_places(here)]
            for each in REFERENCES:
                if each in here:
                    with suppress(LookupError):
                        row.append(self.point(here[each]))

    def _id(self, schema: dict[str, Any]) -> str | None:
        """Give what a subschema calls itself."""
        if self.dialect is None:
            own = schema.get("$id", schema.get("id"))
        elif self.dialect.ignores_siblings and "$ref" in schema:
            own = None
        else:
            own = schema.get(self.dialect.id_keyword)
        return own if isinstance(own, str) else None

    def _inside(self, schema: dict[str, Any], base: str) -> str:
        """Give the base URI inside of a subschema."""
        own = self._id(schema)
        return base if own is None or _is_anchor(own) else _split(base, own)[0]

    def _anchors(self, schema: dict[str, Any]) -> list[str]:
        """Give the names of a subschema that are fragments."""
        names = [(self._id(schema) or "").partition("#")[2], *map(schema.get, ANCHORS)]
        return [each for each in names if each and isinstance(each, str)]

    def _charge(self, reference: str) -> None:
        if self._spend is not None:
            self._spend(len(reference))


def pointed(root: Any, reference: object) -> Any:
    """Give what a JSON Pointer in the fragment of a URI points at: ``"#/$defs/a"``.

    Raises:
        LookupError: If the reference is none, or leads nowhere.
    """
    if isinstance(reference, str) and reference.startswith("#"):
        with suppress(ValueError):
            return resolve(root, unquote(reference[1:]))
    raise LookupError(reference)


def followed(root: Any, reference: object) -> Any:
    """Give the subschema that a reference leads to, in a document that may still change."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    return subschema_at(root, unquote(reference[1:]))


def subschema_at(root: Any, pointer: str) -> Any:
    """Give the subschema at a JSON Pointer, a boolean possibly; ``None`` for none."""
    with suppress(LookupError, ValueError):
        found = resolve(root, pointer)
        if isinstance(found, dict | bool):
            return found
    return None


def _is_anchor(own: str) -> bool:
    """Tell whether an ``$id`` is an anchor, as up to draft-07."""
    return len(own) > 1 and own.startswith("#")


def _is_plain(reference: str) -> bool:
    """Tell whether no ``/``, ``~`` or ``%`` of a pointer hides in an escape."""
    with suppress(ValueError):
        pointer = unquote(reference, errors="strict")
        return "%" not in pointer and all(
            pointer.count(each) == reference.count(each) for each in "/~"
        )
    return False


def _split(base: str, reference: str) -> tuple[str, str]:
    """Resolve a reference against a base URI; give the URI and the decoded fragment."""
    if reference.startswith("#"):
        # `urljoin` knows no fragments of a `urn:`.
        return base, unquote(reference[1:])
    with suppress(ValueError):
        reference = urljoin(base, reference)
    address, _, fragment = reference.partition("#")
    return address, unquote(fragment)


def _unique(schemas: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({id(each): each for each in schemas}.values())
