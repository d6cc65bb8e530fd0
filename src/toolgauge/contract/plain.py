"""Definitions of tools as parsed JSON, whatever objects their parts are."""

from __future__ import annotations

import gc
from decimal import Decimal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import as_json_value, dump_json, parse_json, without_nulls

if TYPE_CHECKING:
    from toolgauge.contract.pointers import Path

MAX_WRITTEN_DEPTH = 254
"""As deep as orjson writes."""

MAX_PLACES = 250_000
"""Most members and items of a schema. One that refers to the same object in several places
has it as often: written as JSON, 40 levels of two such places fill any memory."""

_CONTAINERS = frozenset({dict, list})
_SCALARS = frozenset({str, int, float, bool, type(None), Decimal})
_PLAIN = _CONTAINERS | _SCALARS


def as_definition_value(value: object) -> Any:
    """Do as ``as_json_value`` to a part of a definition, where a field's null is no member.

    Also turns objects that are nothing but their fields: dataclasses, named tuples,
    namespaces, classes of attrs and msgspec.
    """
    cls: Any = type(value)
    if isinstance(value, SimpleNamespace):
        return without_nulls(vars(value))
    if callable(fields := getattr(cls, "_asdict", None)) and isinstance(value, tuple):
        return without_nulls(fields(value))
    found = as_json_value(value, exclude_none=True)
    names = () if found is not value or isinstance(value, type) else _field_names(cls)
    return without_nulls({wire: getattr(value, name) for wire, name in names}) if names else found


def _field_names(cls: Any) -> tuple[tuple[str, str], ...]:
    """Return the fields of a class that holds data: their name in JSON, and as an attribute."""
    if hasattr(cls, "__struct_encode_fields__"):
        return tuple(zip(cls.__struct_encode_fields__, cls.__struct_fields__, strict=True))
    names = getattr(cls, "__dataclass_fields__", None)
    if names is None:
        names = [each.name for each in getattr(cls, "__attrs_attrs__", ())]
    return tuple((each, each) for each in names)


def is_plain(value: object) -> bool:
    """Check whether a value consists of what ``parse_json`` returns, within the bounds.

    Works level by level on what the garbage collector sees, much faster than a walk.
    """
    row: list[Any] = [value]
    places = 0
    for _ in range(MAX_WRITTEN_DEPTH + 1):
        if not _PLAIN.issuperset(map(type, row)):
            return False
        holders = [each for each in row if type(each) in _CONTAINERS]
        if not holders:
            return _is_writable(value)
        places += sum(map(len, holders))
        if places > MAX_PLACES:
            return False
        row = gc.get_referents(*holders)
    return False


def _is_writable(value: object) -> bool:
    """Check for what only the writer sees: a name that is no text, a lone surrogate."""
    try:
        dump_json(value)
    except TypeError:
        return False
    return True


def as_plain(value: object) -> Any:
    """Turn a part of a definition into parsed JSON, whatever objects are in it.

    A value that is parsed JSON already is given back as it is. Nulls of objects are left
    out, those of mappings are kept (decision D3).

    Raises:
        NoJsonForm: A part has no form in JSON; ``PastBounds`` where that is its size.

    Example:
        >>> as_plain({"x": SimpleNamespace(type="string", title=None), "y": None})
        {'x': {'type': 'string'}, 'y': None}
    """
    return value if is_plain(value) else _Plain().of(value, ())


class NoJsonForm(Exception):
    """A part of a value has no form in JSON. The arguments say where, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path: Path = path
        self.reason: str = reason


class PastBounds(NoJsonForm):
    """A value nests too deep, or has too many members, to be written."""


class _Plain:
    """One walk over a value; it ends at the bounds on depth and size."""

    def __init__(self) -> None:
        self._left = MAX_PLACES

    def of(self, value: Any, path: Path) -> Any:
        """Return a value, and all that is in it, as parsed JSON."""
        if len(path) > MAX_WRITTEN_DEPTH:
            raise PastBounds(path[:1], f"it nests deeper than {MAX_WRITTEN_DEPTH} levels")
        kind = type(value)
        if kind not in _CONTAINERS:
            if kind in _SCALARS:
                return self._leaf(value, path)
            found = as_definition_value(value)
            if found is value:
                return self._leaf(value, path)
            if not isinstance(found, dict | list):
                # A model of one value; nothing else is a form.
                return self._leaf(found if type(found) in _SCALARS else value, path)
            value = found
        self._left -= len(value)
        if self._left < 0:
            raise PastBounds(path[:1], f"it has more than {MAX_PLACES} members and items")
        if isinstance(value, list):
            return [self.of(each, (*path, index)) for index, each in enumerate(value)]
        return {self._key(key, path): self.of(each, (*path, key)) for key, each in value.items()}

    def _key(self, key: object, path: Path) -> str:
        if not isinstance(key, str):
            raise NoJsonForm(path, f"a name in it is of type {type(key).__name__}, not text")
        return str.__str__(key)

    def _leaf(self, value: object, path: Path) -> Any:
        try:
            return parse_json(dump_json(value))
        except (TypeError, InvalidJson) as error:
            raise NoJsonForm(path, f"{type(value).__name__} has no form in JSON") from error
