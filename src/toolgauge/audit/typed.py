"""Reads JSON straight into types that hold only what a schema accepts.

A typed parser says yes in the time that plain parsing takes. It is only ever
believed when it says yes: what it refuses is asked of those who know why.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Raw

from toolgauge.audit.schema_types import SchemaTypes, TooLarge, Untyped, struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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

_SCALAR = str | int | float | bool | None


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


def row_reader(
    tool: str, arguments: str, members: Mapping[str, bool], *, is_text: bool
) -> Callable[[bytes], Any] | None:
    """Make the function that reads a row whose members are all known.

    Args:
        tool: The member that names the tool: ``.tool`` of what is read.
        arguments: The member that holds the arguments: ``.arguments``, unparsed.
        members: Further members that a row may have, and whether they hold more than
            a scalar.
        is_text: Whether the arguments stand in the row as text.

    Returns:
        A function of JSON that raises one of ``NOT_READ`` for any other row; ``None``
        where a name is none that the parser knows to look for.
    """
    fields: list[Any] = [("tool", str), ("arguments", str if is_text else Raw)]
    rename = {"tool": tool, "arguments": arguments}
    for number, (name, is_deep) in enumerate(members.items()):
        fields.append((f"m{number}", Any if is_deep else _SCALAR, None))
        rename[f"m{number}"] = name
    try:
        return msgspec.json.Decoder(struct("Row", fields, rename)).decode
    except (TypeError, ValueError):
        return None


def member_getter(members: Mapping[str, bool], name: str) -> Callable[[Any], Any]:
    """Give what gets a further member of a row; ``None`` where the row has none."""
    return attrgetter(f"m{list(members).index(name)}")
