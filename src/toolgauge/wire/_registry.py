"""Find the formats, one file each in ``formats``, and read what any of them writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolgauge.contract import InvalidJson, parse_json, read_tool
from toolgauge.contract.records import records_in
from toolgauge.wire import formats as folder
from toolgauge.wire._calls import as_json, described, module_of
from toolgauge.wire._format import SCHEMA_MEMBERS, Declared, in_mcp_shape
from toolgauge.wire.errors import UnknownFormat, UnknownMessage, UnreadableMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import Tool
    from toolgauge.wire._format import Format


@cache
def formats() -> Mapping[str, Format]:
    """Return every format by its name, sorted."""
    found: list[Format] = records_in(folder.__name__, "FORMAT")
    return MappingProxyType({each.name: each for each in sorted(found, key=lambda one: one.name)})


def format_of(name: str) -> Format:
    """Return the format of a name; ``_`` and capitals are read as ``-`` and small letters.

    Raises:
        UnknownFormat: If there is none.
    """
    found = formats().get(name.strip().lower().replace("_", "-"))
    if found is None:
        raise UnknownFormat(name, tuple(formats()))
    return found


def detect(message: object) -> Format:
    """Find the format of a model's message or response.

    An object of a provider's SDK is of that provider's format. Parsed JSON is
    recognized by its members; a message of Mistral counts as one of OpenAI's, which
    has the same members and takes the same results.

    Raises:
        UnknownMessage: If it is of no format, or could be of several: a message
            that is only text looks the same nearly everywhere.

    Example:
        >>> detect({"role": "assistant", "content": [{"toolUse": {"name": "add"}}]}).name
        'bedrock'
    """
    module = f"{module_of(message)}."
    known = [(name, each) for each in formats().values() for name in each.modules]
    # A package of another one comes first.
    for name, each in sorted(known, key=lambda pair: -len(pair[0])):
        if module.startswith(f"{name}."):
            return each
    found = as_json(message)
    candidates = [each for each in formats().values() if each.claims(found)]
    if len(candidates) != 1:
        raise UnknownMessage(described(found), tuple(each.name for each in candidates))
    return candidates[0]


def declared(entry: object) -> Sequence[Declared]:
    """Read one entry of a list: one tool, or Gemini's several; also as JSON text."""
    entry = unpacked(entry)
    if not isinstance(entry, Mapping):
        return (Declared(raw=entry, wire=entry),)
    texts = [each for each in _MEMBERS if isinstance(entry.get(each), str)]
    if texts:
        entry = {**entry, **{each: unpacked(entry[each]) for each in texts}}
    for each in formats().values():
        found = each.opens(entry)
        if found is not None:
            return found
    return (Declared(raw=entry, wire=in_mcp_shape(entry)),)


def is_foreign(entry: object) -> bool:
    """Return whether an entry declares no function of the caller's.

    The provider runs it itself, it marks a place for the cache, or it takes free text.

    Example:
        >>> is_foreign({"type": "web_search"}), is_foreign({"name": "add"})
        (True, False)
    """
    entry = unpacked(entry)
    return isinstance(entry, Mapping) and any(each.is_foreign(entry) for each in formats().values())


WRAPPERS: tuple[str, ...] = (
    *("result", "tools", "tools_json"),
    *dict.fromkeys(name for each in formats().values() for name in each.wrappers),
)
"""Members that hold a list of tools: JSON-RPC responses, requests, those of one provider."""

_MAX_DEPTH = 200
"""Deepest nesting of JSON text in a document, as of a file of tools."""

TOOL_MEMBERS: frozenset[str] = frozenset(
    ("name", *SCHEMA_MEMBERS, *(name for each in formats().values() for name in each.members))
)
"""An object with none of these is no tool of any provider."""

_MEMBERS = tuple(sorted({name for each in formats().values() for name in each.members}))


def unwrapped(document: object) -> object:
    """Return the value inside all ``WRAPPERS`` of parsed JSON."""
    document = unpacked(document)
    while isinstance(document, Mapping):
        opened = (unpacked(document.get(key)) for key in WRAPPERS)
        inner = next((each for each in opened if isinstance(each, list | Mapping)), None)
        if inner is None:
            break
        document = inner
    return document


def unpacked(value: object) -> object:
    """Return the array or object that JSON text holds; any other value unchanged.

    Example:
        >>> unpacked('[{"name": "add"}]')
        [{'name': 'add'}]
    """
    if not isinstance(value, str):
        return value
    try:
        found = parse_json(value, max_depth=_MAX_DEPTH)
    except InvalidJson:
        return value
    return found if isinstance(found, list | dict) else value


def from_tools(tools: object) -> list[Tool]:
    """Read tools from a provider's request, of any format.

    Args:
        tools: The list, or what holds it: ``{"tools": [...]}``, a
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
    return [
        read_tool(each.wire) for entry in found if not is_foreign(entry) for each in declared(entry)
    ]
