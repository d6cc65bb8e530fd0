"""Reading the tools in a provider's request, whichever provider's it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from toolgauge.contract import read_tool
from toolgauge.wire._definitions import SCHEMA_MEMBERS, in_mcp_shape
from toolgauge.wire._format import Declared
from toolgauge.wire._messages import as_json, described
from toolgauge.wire._registry import formats
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.contract import Tool

WRAPPERS = ("result", "toolConfig", "tools", "functions")
"""What stands around a list of tools: JSON-RPC responses, Bedrock, requests, the
older requests of OpenAI."""

TOOL_MEMBERS = frozenset(
    {
        "name",
        "function",
        "toolSpec",
        "functionDeclarations",
        "function_declarations",
        *SCHEMA_MEMBERS,
    }
)
"""An object with none of these is no tool of any provider."""

_FIRST = ("gemini", "openai-chat", "bedrock")
"""These wrap a definition, so they are asked before those that rename a member."""


def declared(entry: Mapping[str, object]) -> Sequence[Declared]:
    """Read one entry of a list: one tool, or Gemini's several."""
    known = formats()
    for name in (*_FIRST, *(each for each in known if each not in _FIRST)):
        found = known[name].opens(entry)
        if found is not None:
            return found
    return (Declared((), entry, in_mcp_shape(entry)),)


def is_foreign(entry: Mapping[str, object]) -> bool:
    """Tell an entry that declares no function of the caller's.

    The provider runs it itself, it marks a place for the cache, or it takes free text.

    Example:
        >>> is_foreign({"type": "web_search"}), is_foreign({"name": "add"})
        (True, False)
    """
    return any(each.is_foreign(entry) for each in formats().values())


def unwrapped(document: object) -> object:
    """Give what stands in all ``WRAPPERS`` of parsed JSON."""
    while isinstance(document, Mapping):
        inner = next(
            (document[key] for key in WRAPPERS if isinstance(document.get(key), list | Mapping)),
            None,
        )
        if inner is None:
            break
        document = inner
    return document


def from_tools(tools: object) -> list[Tool]:
    """Read tools as they stand in a provider's request, of any format.

    Args:
        tools: The list, or what stands around it: ``{"tools": [...]}``, a
            ``tools/list`` result, ``toolConfig``. An SDK's objects are read too.

    Raises:
        UnreadableMessage: If there is no list.
        InvalidTool: If an entry has no name that is text.

    Example:
        >>> [each.name for each in from_tools([{"name": "add", "input_schema": {}}])]
        ['add']
    """
    found = unwrapped(as_json(tools))
    if not isinstance(found, list):
        raise UnreadableMessage("tools", f"{described(found)}; expected a list of tools")
    return [read_tool(each.wire) for each in _all_declared(found)]


def _all_declared(entries: Iterable[object]) -> Iterable[Declared]:
    for entry in entries:
        if isinstance(entry, Mapping):
            yield from declared(entry)
        else:
            yield Declared((), entry, entry)
