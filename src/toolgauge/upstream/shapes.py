"""Finding the tools in a JSON document, whichever provider's shape it has.

Every tool comes out as MCP writes it: ``name``, ``description``,
``inputSchema``. A definition that already is in that shape passes through
untouched. Sources of the shapes, read from the providers' API references:
OpenAI Chat Completions ``tools`` and Responses ``tools``, Anthropic Messages
``tools``, Gemini ``tools[].functionDeclarations``, Amazon Bedrock Converse
``toolConfig.tools``, Model Context Protocol ``tools/list``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.upstream.entries import Entry
from toolgauge.upstream.problems import kind_of, shown

if TYPE_CHECKING:
    from toolgauge.contract.pointers import Path

_SCHEMA_MEMBERS = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_TOOL_MEMBERS = frozenset({"name", "function", "toolSpec", *_SCHEMA_MEMBERS, *_DECLARATIONS})
_WRAPPERS = ("result", "toolConfig", "tools", "functions")


def read_tools(document: object) -> list[Any]:
    """Give the tools in a document, in its order, as MCP writes them.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    return [entry.wire for entry in read_entries(document)]


def read_entries(document: object) -> list[Entry]:
    """Give the definitions in a document, in its order, with their places.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    rows = _find_rows(document, ())
    entries = [each for _, each in rows]
    if entries and not any(
        isinstance(each, Mapping) and _TOOL_MEMBERS & each.keys() for each in entries
    ):
        msg = (
            f"an array of {len(entries)}, none of which is a tool; the first is {shown(entries[0])}"
        )
        raise LookupError(msg)
    return [entry for path, each in rows for entry in _expand(each, path)]


def _find_rows(document: object, path: Path) -> Sequence[tuple[Path, object]]:
    """Open the wrappers that responses and requests put around the array."""
    if isinstance(document, list):
        return [((*path, index), each) for index, each in enumerate(document)]
    if not isinstance(document, Mapping):
        raise LookupError(f"{kind_of(document)}, not an array of tools or an object with 'tools'")  # noqa: TRY004 - one class for every document without tools
    if isinstance(document.get("error"), Mapping) and "result" not in document:
        raise LookupError(f"a JSON-RPC error: {shown(document['error'].get('message'))}")
    for wrapper in _WRAPPERS:
        if isinstance(document.get(wrapper), (list, Mapping)):
            return _find_rows(document[wrapper], (*path, wrapper))
    if _TOOL_MEMBERS & document.keys():
        return ((path, document),)  # one tool, not in an array
    members = ", ".join(list(document)[:8]) or "none"
    raise LookupError(f"an object without 'tools'; its members: {members[:200]}")


def _expand(entry: object, path: Path) -> Iterator[Entry]:
    """Turn one entry into the tools that it declares: one, or Gemini's several."""
    if not isinstance(entry, Mapping):
        yield Entry(raw=entry, path=path, wire=entry)
        return
    for key in _DECLARATIONS:
        if isinstance(entry.get(key), list):
            for index, each in enumerate(entry[key]):
                raw = _with_lower_parameters(each)
                yield Entry(raw=raw, path=(*path, key, index), wire=_from_gemini(raw))
            return
    if isinstance(entry.get("function"), Mapping):
        wire = _in_wire_shape(entry["function"])
    elif isinstance(entry.get("toolSpec"), Mapping):
        wire = _from_bedrock(entry["toolSpec"])
    else:
        wire = _in_wire_shape(entry)
    yield Entry(raw=entry, path=path, wire=wire)


def _in_wire_shape(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rename the member that holds the schema, where it has another name."""
    if "inputSchema" in tool:
        return tool
    wire = dict(tool)
    for member in _SCHEMA_MEMBERS:
        if member in wire:
            wire["inputSchema"] = wire.pop(member)
            break
    if "output_schema" in wire:
        wire["outputSchema"] = wire.pop("output_schema")
    if wire.get("type") == "function":
        del wire["type"]  # says which kind of entry this is; no part of the contract
    return wire


def _from_bedrock(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """Unwrap ``{"inputSchema": {"json": {…}}}``."""
    schema = spec.get("inputSchema")
    if isinstance(schema, Mapping) and "json" in schema:
        return {**spec, "inputSchema": schema["json"]}
    return spec


def _with_lower_parameters(declaration: object) -> object:
    """Read the OpenAPI schemas of a function declaration; every place stays where it is."""
    if not isinstance(declaration, Mapping):
        return declaration
    raw = dict(declaration)
    members: tuple[str, ...] = ("responseJsonSchema", "response")
    if "parametersJsonSchema" not in raw:
        members = ("parameters", *members)
    for member in members:
        if member in raw:
            raw[member] = _with_lower_types(raw[member])
    return raw


def _from_gemini(declaration: object) -> object:
    """Read one function declaration, whose types are in lower case already."""
    if not isinstance(declaration, Mapping):
        return declaration
    wire = dict(declaration)
    for member in ("responseJsonSchema", "response"):
        if member in wire:
            wire["outputSchema"] = wire.pop(member)
    return _in_wire_shape(wire)


def _with_lower_types(schema: object) -> object:
    """Write ``"type": "OBJECT"`` as JSON Schema does, in schema positions only."""
    if not isinstance(schema, Mapping):
        return schema
    wire: dict[str, Any] = dict(schema)
    if isinstance(wire.get("type"), str):
        wire["type"] = wire["type"].lower()
    if isinstance(wire.get("properties"), Mapping):
        wire["properties"] = {k: _with_lower_types(v) for k, v in wire["properties"].items()}
    if isinstance(wire.get("anyOf"), list):
        wire["anyOf"] = [_with_lower_types(each) for each in wire["anyOf"]]
    if "items" in wire:
        wire["items"] = _with_lower_types(wire["items"])
    return wire
