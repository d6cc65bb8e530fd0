"""Data sets that write tools in their own way, one file each.

To add one: a file here that defines ``DIALECT``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.contract.records import records_in
from toolgauge.contract.schema.subschemas import with_subschemas

if TYPE_CHECKING:
    from toolgauge.auditing.verdicts import ReadRow

__all__ = ["DIALECTS", "Dialect", "map_types"]


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
    found = with_subschemas(schema, lambda each: _mapped(each, names, made, depth + 1))
    written = schema.get("type")
    if isinstance(written, str) and written in names:
        standard = names[written]
        made[f"type {written!r} read as {standard or 'anything'!r}"] += 1
        if standard is None:
            del found["type"]
        else:
            found["type"] = standard
    return found


# Last: a dialect's file imports what is above.
DIALECTS: dict[str, Dialect] = {each.name: each for each in records_in(__name__, "DIALECT")}
"""Every dialect by the name that ``--dialect`` takes."""
