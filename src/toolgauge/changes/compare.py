"""Two lists of tools, compared by what callers may send and will get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.changes.change import Change, Changes, in_order
from toolgauge.changes.lock import Lock
from toolgauge.changes.schemas import Direction, schema_changes
from toolgauge.changes.texts import member_changes, shown
from toolgauge.contract import Tool, contains, read_tool
from toolgauge.contract.extent import MAX_DEFINITION_BYTES, is_larger_than
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.contract.schema.containing.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

Tools: TypeAlias = "Lock | Iterable[Tool | Mapping[str, Any] | object]"


def compare(old: Tools, new: Tools, *, formats: bool = False) -> Changes:
    """Say what changed between two lists of tools, and whom it breaks.

    Arguments are always objects, so ``{}`` and ``{"type": "object"}`` are the same
    input schema here. Of tools that share a name the first one counts, as everywhere.

    Args:
        old: Tools, what ``read_tool`` reads as such, or a lock.
        new: The same.
        formats: Whether ``format`` is asserted (decision X4).

    Raises:
        InvalidTool: If something in a list has no name.

    Example:
        >>> old = {"name": "search", "inputSchema": {"type": "object"}}
        >>> new = {"name": "search", "inputSchema": {"type": "object", "required": ["q"]}}
        >>> [(each.kind, each.pointer, each.witness) for each in compare([old], [new]).changes]
        [('input-narrowed', '/inputSchema/required', {})]
    """
    olds, news = _by_name(old), _by_name(new)
    found: list[Change] = []
    gone = [tool for name, tool in olds.items() if name not in news]
    added = {name: tool for name, tool in news.items() if name not in olds}
    heirs = _by_content(added.values(), {tool.description for tool in gone})
    for tool in gone:
        alike = heirs.get(_content(tool))
        heir = alike.pop(0) if alike else None
        found.append(_removed(tool, heir))
        if heir is not None:
            found += [replace(each, tool=tool.name) for each in member_changes(tool, heir)]
            del added[heir.name]
    found += [
        Change(kind="tool-added", severity="compatible", tool=name, message="tool added")
        for name in added
    ]
    for name, tool in olds.items():
        if name in news:
            found += _tool_changes(tool, news[name], formats=formats)
    return in_order(found)


def _by_name(source: Tools) -> dict[str, Tool]:
    found: dict[str, Tool] = {}
    for each in source.tools if isinstance(source, Lock) else source:
        tool = read_tool(each)
        found.setdefault(tool.name, tool)
    return found


def _by_content(
    tools: Iterable[Tool], descriptions: set[str]
) -> dict[tuple[str, bytes] | None, list[Tool]]:
    """Find tools with one of some descriptions by that and their schemas."""
    found: dict[tuple[str, bytes] | None, list[Tool]] = {}
    for each in tools:
        content = _content(each) if each.description in descriptions else None
        if content is not None:
            found.setdefault(content, []).append(each)
    return found


def _content(tool: Tool) -> tuple[str, bytes] | None:
    """Give what a renamed tool keeps, ``None`` for what cannot be compared."""
    if _is_too_large(tool):
        return None
    try:
        schemas = canonical_text([tool.input_schema, tool.output_schema])
    except (RecursionError, TypeError, ValueError):
        return None
    return tool.description, schemas


def _is_too_large(tool: Tool) -> bool:
    return is_larger_than(
        [tool.description, tool.input_schema, tool.output_schema, tool.annotations, tool.extra]
    )


def _removed(tool: Tool, heir: Tool | None) -> Change:
    if heir is None:
        return Change(
            kind="tool-removed",
            severity="breaking",
            tool=tool.name,
            message="tool removed: every call of it fails",
            fix="keep the tool until nobody calls it",
        )
    return Change(
        kind="tool-renamed",
        severity="breaking",
        tool=tool.name,
        path=("name",),
        message=f"tool renamed to {heir.name!r}, with the same description and schemas: "
        "calls by the old name fail",
        fix=f"offer the tool under both names until nobody calls {tool.name!r}",
    )


def _tool_changes(old: Tool, new: Tool, *, formats: bool) -> list[Change]:
    """Give what changed in one tool."""
    if _is_too_large(old) or _is_too_large(new):
        return [_too_large(old.name)]
    budget = Budget()
    before, after = _arguments(old.input_schema), _arguments(new.input_schema)
    found = _side(before, after, "input", "inputSchema", budget, formats=formats)
    if old.output_schema is None or new.output_schema is None:
        found += _output_presence(old, new, budget, formats=formats)
    else:
        found += _side(
            old.output_schema,
            new.output_schema,
            "output",
            "outputSchema",
            budget,
            formats=formats,
        )
    found += member_changes(old, new)
    return [replace(each, tool=old.name) for each in found]


def _too_large(name: str) -> Change:
    return Change(
        kind="input-unproven",
        severity="unproven",
        tool=name,
        message=f"too costly to compare: the definition takes more than {MAX_DEFINITION_BYTES} "
        "bytes of memory",
        fix="shorten its lists and texts; treat it as breaking until it is clear",
    )


def _side(  # noqa: PLR0913 - both schemas, where they lie, and how to compare them
    old: Any, new: Any, direction: Direction, member: str, budget: Budget, *, formats: bool
) -> list[Change]:
    """Give the changes of one schema, at their places in the tool's definition."""
    return [
        replace(
            each,
            path=(member, *each.path),
            places=tuple((member, *place) for place in each.places),
        )
        for each in schema_changes(old, new, direction, budget, formats=formats)
    ]


def _arguments(schema: Any) -> Any:
    """Say in the schema what the protocol says anyway: arguments are an object."""
    if not isinstance(schema, dict) or "$ref" in schema:
        return schema
    kind = schema.get("type", "object")
    is_object = kind == "object" or (isinstance(kind, list) and "object" in kind)
    return {**schema, "type": "object"} if is_object else schema


def _output_presence(old: Tool, new: Tool, budget: Budget, *, formats: bool) -> list[Change]:
    """Word an output schema that came or went: without one a result is anything."""
    if old.output_schema is None and new.output_schema is None:
        return []
    if old.output_schema is None:
        message = "output schema added: results were anything, and now keep to it"
        return [
            Change(
                kind="output-schema-added",
                severity="compatible",
                path=("outputSchema",),
                message=message,
            )
        ]
    found = contains(old.output_schema, True, formats=formats, budget=budget)  # noqa: FBT003 - a schema
    tail = f": results may be anything now, also {shown(found.witness)}"
    return [
        Change(
            kind="output-schema-removed",
            severity="breaking",
            path=("outputSchema",),
            message="output schema removed" + (tail if found.answer == "no" else ""),
            has_witness=found.answer == "no",
            witness=found.witness,
            fix="keep the output schema for as long as results keep to it",
        )
    ]
