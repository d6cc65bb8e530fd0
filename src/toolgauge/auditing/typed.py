"""Read JSON straight into types that hold only what a schema accepts.

A typed parser accepts a value in the time that plain parsing takes. It is only ever
believed when it accepts: a value that it rejects is left to the schema engine. A type
says less than its schema does: whatever it cannot say is left out of it.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from toolgauge.contract.extent import iter_values
from toolgauge.contract.schema.document import REFERENCES, SchemaDocument
from toolgauge.contract.schema.keywords import TYPES_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolgauge.contract import CompiledSchema

Given: TypeAlias = "Raw | str"
"""Arguments as they stand in a row: JSON, or JSON in a text."""

ReadArguments: TypeAlias = "Callable[[Given], object]"

NOT_READ = (msgspec.MsgspecError, ValueError, RecursionError)
"""What a reader raises for everything that it does not know to be right."""

read_any: Callable[[bytes | Given], Any] = msgspec.json.Decoder().decode
"""Reads any JSON to the same value as ``parse_json``, all digits of an integer too; it
raises one of ``NOT_READ`` for some more: numbers that no double holds, great depth."""

_OLDEST_DRAFT = 6
"""Draft-04 writes ``exclusiveMinimum`` as a boolean, and has no ``const``."""

_ASSERTING = frozenset(
    {
        *(*TYPES_OF, *REFERENCES, "allOf", "anyOf", "oneOf", "not", "if", "const", "enum", "type"),
        *("format", "contentEncoding", "contentMediaType"),
    }
)
"""Every keyword that may refuse a value, in any draft."""

_LIMITS = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
_TEXT_LENGTHS = {"minLength": "min_length", "maxLength": "max_length"}
_LIST_LENGTHS = {"minItems": "min_length", "maxItems": "max_length"}

_SAYABLE = frozenset(
    {
        *("additionalProperties", "items", "pattern", "properties", "required", "type"),
        *(*_LIMITS, *_TEXT_LENGTHS, *_LIST_LENGTHS),
    }
)
"""Those that the type of one class of values can say; what looks at another is vacuous."""

_SCALARS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": None,
}

_EXACT_TO = 2**53
"""Below, a double keeps the order of any integer and a bound."""

_MAX_TYPES = 2_000
"""A schema of more subschemas is left to the engine."""

_PLAIN_PATTERN = re.compile(
    r"""\^
    (?: (?: [\w\ @#%&=:;,'"<>/!~`-] | \\[.\-/dw] | \[ (?: [\w\ .@:/+,#%=-] | \\[.\-/dw] )+ \] )
        (?: \{ \d{1,2} (?: , \d{1,2} )? \} )?
    )*
    (?: (?: \\[dw] | \[ (?: [\w\ .@:/+,#%=-] | \\[.\-/dw] )+ \] ) [+*] )?
    \$""",
    re.VERBOSE | re.ASCII,
)
"""Patterns that two dialects read alike, and that no text keeps busy: anchored, each
piece a character or a class, and nothing repeated without end but the last piece."""


_ANYTHING: dict[str, Any] = {}
_NOTHING: dict[str, Any] = {"not": {}}


class Reader(NamedTuple):
    """Reads arguments of one tool.

    Attributes:
        read: A function of JSON that raises one of ``NOT_READ`` for everything that it
            does not know to be an object which the schema accepts.
        is_shallow: Whether nothing that it accepts can nest too deep.
    """

    read: ReadArguments
    is_shallow: bool


def arguments_reader(
    compiled: CompiledSchema, schema: object, *, formats: bool, levels: int
) -> Reader | None:
    """Make the function that reads arguments a schema surely accepts.

    Args:
        compiled: The compiled schema.
        schema: The same, as parsed JSON.
        formats: Whether ``format`` is asserted.
        levels: How deep a value may nest.

    Returns:
        ``None`` where no type says enough.
    """
    if compiled.problem is not None or compiled.dialect.number < _OLDEST_DRAFT:
        return None
    try:
        types = SchemaTypes(schema, formats=formats)
        made = types.of(schema, "object")
        is_shallow = not types.has_any and types.holders <= levels
        return Reader(msgspec.json.Decoder(made).decode, is_shallow)
    except (Untyped, TooLarge, TypeError, ValueError, NotImplementedError):
        # The last ones are the parser's, for types and names that it cannot do.
        return None


class Untyped(Exception):
    """No type says enough of a subschema."""


class TooLarge(Exception):
    """Making the types would take too long."""


def struct(name: str, fields: list[Any], rename: dict[str, str]) -> type[msgspec.Struct]:
    """Make the type of an object that has no members but these.

    No value is skipped unread, so nothing that the strict parser refuses gets by.

    Raises:
        TypeError: If the parser cannot do one of the types.
        ValueError: If it cannot do one of the names.
    """
    return msgspec.defstruct(name, fields, rename=rename, forbid_unknown_fields=True, gc=False)


class SchemaTypes:
    """Makes the types of one schema's subschemas.

    Attributes:
        has_any: Whether any of them holds values of any depth.
        holders: How many hold other values: none nests deeper than all together.
    """

    def __init__(self, root: object, *, formats: bool) -> None:
        self._document = SchemaDocument(root)
        self._asserting = _ASSERTING if formats else _ASSERTING - {"format"}
        self._left = _MAX_TYPES
        self._referred: dict[tuple[str, str | None], Any] = {}
        self.has_any: bool = False
        self.holders: int = 0

    def of(self, schema: object, only: str | None = None) -> Any:
        """Make a type that holds nothing which the schema refuses.

        Args:
            schema: A subschema.
            only: The one class of values that is wanted, ``None`` for any.

        Raises:
            Untyped: If there is no such type.
            TooLarge: If there are too many.
        """
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        if not isinstance(schema, dict):
            schema = _ANYTHING if schema is True else _NOTHING
        keywords = self._asserting.intersection(schema)
        if not keywords:
            self.has_any = True
            return dict[str, Any] if only == "object" else Any
        if keywords == {"$ref"}:
            return self._target(schema["$ref"], only)
        if keywords == {"allOf"} and len(schema["allOf"]) == 1:
            return self.of(schema["allOf"][0], only)
        if not keywords.isdisjoint({"anyOf", "oneOf"}):
            return self._branches(schema, keywords, only)
        if not keywords.isdisjoint({"enum", "const"}):
            return _literal(schema, keywords, only)
        if not keywords <= _SAYABLE:
            raise Untyped
        kinds = [kind for kind in _kinds(schema) if only in {None, kind}]
        return _union(self._kind(kind, schema) for kind in kinds)

    def _target(self, reference: object, only: str | None) -> Any:
        """Make the type of what is referred to, once; a schema in itself has none."""
        if self._has_bases or not isinstance(reference, str):
            raise Untyped
        key = reference, only
        made = self._referred.get(key)
        if made is None:
            self._referred[key] = Untyped
            try:
                made = self.of(self._document.point(reference), only)
            except LookupError:
                raise Untyped from None
            self._referred[key] = made
        if made is Untyped:
            raise Untyped
        return made

    @cached_property
    def _has_bases(self) -> bool:
        """Whether anything below the root may be what references are relative to."""
        # In all values: engines differ in where they look for an `$id`.
        return any(
            isinstance(each, dict) and isinstance(each.get("$id", each.get("id")), str)
            for each in islice(iter_values(self._document.root), 1, None)
        )

    def _branches(self, schema: dict[str, Any], keywords: frozenset[str], only: str | None) -> Any:
        """Join the branches that have a type; those of ``oneOf`` must not overlap."""
        if len(keywords) != 1:
            raise Untyped
        if "anyOf" in keywords:
            return _union(self._sayable(schema["anyOf"], only))
        seen: set[str] = set()
        for each in schema["oneOf"]:
            if not isinstance(each, dict) or "type" not in each:
                raise Untyped
            kinds = {"number" if kind == "integer" else kind for kind in _kinds(each)}
            if not seen.isdisjoint(kinds):
                raise Untyped
            seen |= kinds
        return _union(self._sayable(schema["oneOf"], only))

    def _sayable(self, branches: Iterable[object], only: str | None) -> Iterator[Any]:
        for each in branches:
            try:
                yield self.of(each, only)
            except Untyped:
                continue

    def _kind(self, kind: str, schema: dict[str, Any]) -> Any:
        """Make the type of one class of values."""
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            self.holders += 1
            items = self.of(schema.get("items", True))
            made = list[items]  # type: ignore[valid-type]  # made at run time
            return _annotated(made, _terms(schema, _LIST_LENGTHS, _whole))
        if kind == "string":
            terms = _terms(schema, _TEXT_LENGTHS, _whole)
            return _annotated(str, terms | _terms(schema, {"pattern": "pattern"}, _portable))
        if kind == "integer":
            return _annotated(int, _terms(schema, _LIMITS, _whole))
        terms = _terms(schema, _LIMITS, _real) if kind == "number" else {}
        # Past the bounds of a limit, a double keeps the order, too.
        return _annotated(float, terms) if terms else _SCALARS[kind]

    def _object(self, schema: dict[str, Any]) -> Any:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        others = schema.get("additionalProperties", True)
        self.holders += 1
        if not properties and not required and others is not False:
            return dict[str, self.of(others)]  # type: ignore[misc]  # made at run time
        fields: list[Any] = []
        rename: dict[str, str] = {}
        # Members that are not named are refused, and so asked of the engine.
        for name in dict.fromkeys([*required, *properties]):
            field = f"f{len(rename)}"
            try:
                made = self.of(properties[name]) if name in properties else self.of(others)
            except Untyped:
                if name in required:
                    raise
                continue
            rename[field] = name
            fields.append((field, made) if name in required else (field, made | UnsetType, UNSET))
        return struct("Object", fields, rename)


def _kinds(schema: dict[str, Any]) -> list[str]:
    """Name the classes of values that a type may hold."""
    named = schema.get("type")
    if isinstance(named, str):
        return [named]
    if isinstance(named, list):
        return [each for each in named if each != "integer" or "number" not in named]
    if "properties" in schema:
        return ["object"]
    if "items" in schema:
        return ["array"]
    raise Untyped


def _literal(schema: dict[str, Any], keywords: frozenset[str], only: str | None) -> Any:
    if only is not None or (not keywords <= {"type", "enum"} and not keywords <= {"type", "const"}):
        raise Untyped
    listed = schema["enum"] if "enum" in schema else [schema["const"]]
    kinds = _kinds(schema) if "type" in schema else _SCALARS
    classes = {"string": str, "integer": int, "number": int, "null": type(None)}
    wanted = {classes[kind] for kind in kinds if kind in classes}
    known = tuple(each for each in listed if type(each) in wanted)
    if not known:
        raise Untyped
    return Literal[known]


def _union(made: Iterable[Any]) -> Any:
    types = tuple(made)
    if not types:
        raise Untyped
    return Union[types]  # noqa: UP007 - of as many as there are


def _annotated(kind: Any, terms: dict[str, Any]) -> Any:
    return Annotated[kind, Meta(**terms)] if terms else kind


def _terms(
    schema: dict[str, Any], names: dict[str, str], read: Callable[[Any], Any]
) -> dict[str, Any]:
    return {term: read(schema[name]) for name, term in names.items() if name in schema}


def _whole(bound: object) -> int:
    if isinstance(bound, int) and abs(bound) < _EXACT_TO:
        return bound
    raise Untyped


def _real(bound: object) -> float:
    if isinstance(bound, int | float) and abs(bound) < _EXACT_TO:
        return float(bound)
    raise Untyped


def _portable(pattern: Any) -> str:
    """Write a pattern so that Python reads it as ECMA-262 does."""
    # Python warns that two hyphens in a class may come to mean something.
    if _PLAIN_PATTERN.fullmatch(pattern) is None or "--" in pattern:
        raise Untyped
    return f"(?a){pattern[:-1]}\\Z"
