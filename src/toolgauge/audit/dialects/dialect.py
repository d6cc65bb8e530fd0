"""What a dialect is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.audit.calls import ReadRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one family of data sets writes tools and calls.

    Attributes:
        name: What ``--dialect`` calls it.
        title: What it is, for people.
        schema: A tool's parameters as the data set writes them, to a JSON Schema and
            the number of times that each mapping was made: ``"'dict' read as
            'object'"``. The input is not changed.
        read: Reads the calls of a row, where the data set has a shape of its own.
        tools_key: The member of a row that holds its tools.
        tools_key: The member of a row that holds its tools.
    """

    name: str
    title: str
    schema: Callable[[Any], tuple[Any, Counter[str]]]
    read: ReadRow | None = None
    tools_key: str = "tools"


def map_types(schema: Any, names: Mapping[str, str | None]) -> tuple[Any, Counter[str]]:
    """Replace the names of types in a schema; data and names of parameters stay.

    Args:
        schema: A schema, or what a data set has in place of one.
        names: The data set's name to JSON Schema's; ``None`` where it means anything.

    Returns:
        A copy with standard names, and how often each was replaced.
    """
    made: Counter[str] = Counter()
    return _mapped(schema, names, made, 0), made


_MAX_DEPTH = 64


def _mapped(schema: Any, names: Mapping[str, str | None], made: Counter[str], depth: int) -> Any:
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "type" and isinstance(value, str) and value in names:
            standard = names[value]
            made[f"type {value!r} read as {standard or 'anything'!r}"] += 1
            if standard is not None:
                found[key] = standard
        elif key in _MAPS and isinstance(value, dict):
            found[key] = {
                name: _mapped(each, names, made, depth + 1) for name, each in value.items()
            }
        elif key in _LISTS and isinstance(value, list):
            found[key] = [_mapped(each, names, made, depth + 1) for each in value]
        elif key in _SCHEMAS:
            found[key] = _mapped(value, names, made, depth + 1)
        else:
            found[key] = value
    return found


_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_SCHEMAS = frozenset({"items", "additionalProperties", "not", "contains"})
