"""OpenAI's Responses API: calls are items of one flat list, arguments as JSON text.

A row is a response, a list of items, or one item. An item of a custom tool is no call
here: what it holds is free text, and no contract says anything of it.

Source: OpenAI Responses API, item ``{type: function_call, call_id, name, arguments}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import Shape
from toolgauge.audit.shapes.members import named_call

if TYPE_CHECKING:
    from toolgauge.audit.calls import Found
    from toolgauge.contract import Path

# A tuple: what stands there may be of any type, and lists have no hash.
_ITEMS = (
    *("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"),
    *("message", "reasoning"),
)


def read_openai_responses(row: Any) -> Found | None:
    """Read every ``function_call`` of a row's items."""
    items = _items(row)
    if items is None:
        return None
    return tuple(
        named_call(item, path, tool="name", arguments="arguments")
        for item, path in items
        if item["type"] == "function_call"
    )


def _items(row: Any) -> list[tuple[dict[str, Any], Path]] | None:
    """Find the items of a row that have a type, and where they stand."""
    listed: Any = row
    base: Path = ()
    if isinstance(row, dict):
        if row.get("type") in _ITEMS:
            return [(row, ())]
        is_response = row.get("object") == "response"
        listed, base = (row.get("output") if is_response else None), ("output",)
    if not isinstance(listed, list):
        return None
    found: list[tuple[dict[str, Any], Path]] = [
        (each, (*base, index))
        for index, each in enumerate(listed)
        if isinstance(each, dict) and "type" in each
    ]
    is_known = bool(base) or any(each["type"] in _ITEMS for each, _ in found)
    return found if is_known else None


SHAPE = Shape(
    name="openai-responses",
    title="items of OpenAI's Responses API",
    read=read_openai_responses,
)
