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
from typing import Any

from toolgauge.upstream.problems import kind_of, shown

_SCHEMA_MEMBERS = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_TOOL_MEMBERS = frozenset({"name", "function", "toolSpec", *_SCHEMA_MEMBERS, *_DECLARATIONS})
_WRAPPERS = ("result", "toolConfig", "tools", "functions")


def read_tools(document: object) -> list[Any]:
    """Give the tools in a document, in its order, as MCP writes them.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    entries = _find_entries(document)
    if entries and not any(
        isinstance(each, Mapping) and _TOOL_MEMBERS & each.keys() for each in entries
    ):
        msg = (
            f"an array of {len(entries)}, none of which is a tool; the first is {shown(entries[0])}"
        )
        raise LookupError(msg)
    return [tool for entry in entries for tool in _expand(entry)]


def _find_entries(document: object) -> Sequence[object]:
    """Open the wrappers that responses and requests put around the array."""
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        raise LookupError(f"{kind_of(document)}, not an array of tools or an object with 'tools'")  # noqa: TRY004 - one class for every document without tools
    if isinstance(document.get("error"), Mapping) and "result" not in document:
        raise LookupError(f"a JSON-RPC error: {shown(document['error'].get('message'))}")
    for wrapper in _WRAPPERS:
        if isinstance(document.get(wrapper), (list, Mapping)):
            return _find_entries(document[wrapper])
    if _TOOL_MEMBERS & document.keys():
        return (document,)  # one tool, not in an array
    members = ", ".join(list(document)[:8]) or "none"
    raise LookupError(f"an object without 'tools'; its members: {members[:200]}")


def _expand(entry: object) -> Iterator[object]:
    """Turn one entry into the tools that it declares: one, or Gemini's several."""
    if not isinstance(entry, Mapping):
        yield entry
        return
    for key in _DECLARATIONS:
        if isinstance(entry.get(key), list):
            yield from (_from_gemini(each) for each in entry[key])
            return
    if isinstance(entry.get("function"), Mapping):
        yield _in_wire_shape(entry["function"])
    elif isinstance(entry.get("toolSpec"), Mapping):
        yield _from_bedrock(entry["toolSpec"])
    else:
        yield _in_wire_shape(entry)


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


def _from_gemini(declaration: object) -> object:
    """Read one function declaration; its ``parameters`` may be an OpenAPI schema."""
    if not isinstance(declaration, Mapping):
        return declaration
    wire = dict(declaration)
    if "parameters" in wire and "parametersJsonSchema" not in wire:
        wire["parameters"] = _with_lower_types(wire["parameters"])
    for member in ("responseJsonSchema", "response"):
        if member in wire:
            wire["outputSchema"] = _with_lower_types(wire.pop(member))
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
