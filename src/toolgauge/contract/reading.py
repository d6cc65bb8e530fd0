"""Reads tools of any shape: our own, mappings, the objects of SDKs and frameworks.

Nothing of theirs is imported: a tool is whatever has a name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from toolgauge.contract.errors import InvalidTool
from toolgauge.contract.issues import Issue
from toolgauge.contract.jsontext import as_json_value
from toolgauge.contract.tools import Tool

_INPUT_SCHEMA = ("inputSchema", "input_schema", "parameters", "params_json_schema")
"""How the input schema is called, first one wins: MCP, SDK 2.x and Anthropic, FastMCP,
OpenAI Agents."""

_OUTPUT_SCHEMA = ("outputSchema", "output_schema")

_EXTRA = (
    ("title", "title"),
    ("icons", "icons"),
    ("execution", "execution"),
    ("_meta", "meta"),
)
"""Further members that MCP defines: their name on the wire and on SDK objects."""

_READ = frozenset({"name", "description", "annotations", *_OUTPUT_SCHEMA, *_INPUT_SCHEMA})

_HOLDING = ("tools", "list_tools", "get_tools", "toolsets", "create_initialization_options")
"""Members of servers, agents and toolsets, and of no tool."""


def why_no_tool(source: object) -> str | None:
    """Say what an object is that is easily taken for a tool; ``None`` for all others."""
    if isinstance(source, Tool | Mapping):
        return None
    if inspect.isroutine(source) or isinstance(source, type):
        name = getattr(source, "__name__", type(source).__name__)
        kind = "class" if isinstance(source, type) else "function"
        return f"the {kind} {name!r}, not a tool (@toolgauge.tool makes one of a function)"
    if any(hasattr(source, each) for each in _HOLDING):
        return f"a {type(source).__name__}, which holds tools and is none"
    return None


def read_name(source: object) -> str | None:
    """Return a tool's name, or ``None`` where it has none that is text."""
    name = _member(source, "name")
    return name if isinstance(name, str) else None


def read_tool(source: object) -> Tool:
    """Read a tool from whatever describes one.

    Args:
        source: A ``Tool`` (given back as it is), a mapping, or an object with
            attributes such as those of the MCP SDK.

    Raises:
        InvalidTool: If it has no name that is text, or holds tools and is none.
    """
    if isinstance(source, Tool):
        return source
    other = why_no_tool(source)
    if other is not None:
        raise InvalidTool("", (Issue(message=f"it is {other}"),))
    name = read_name(source)
    if name is None:
        found = type(_member(source, "name")).__name__
        message = f"a tool needs a name that is text, not {found}"
        raise InvalidTool("", (Issue(path=("name",), message=message),))
    description = plain(_member(source, "description"))
    annotations = plain(_member(source, "annotations"))
    return Tool(
        name=name,
        description=description if isinstance(description, str) else "",
        input_schema=read_input_schema(source),
        output_schema=plain(_first(source, _names_of(source, _OUTPUT_SCHEMA))),
        annotations=_without_nulls(annotations) if isinstance(annotations, dict) else {},
        extra=_extra(source),
    )


def read_input_schema(source: object) -> Any:
    """Return the input schema of whatever describes a tool, without reading the rest.

    A missing schema and the two boolean ones are written as objects (decision
    D9); everything else is given as it is, broken or not.
    """
    if isinstance(source, Tool):
        return source.input_schema
    if type(source) is dict:
        # What nearly all are, and asked for with each request.
        own = source.get(_INPUT_SCHEMA[0])
        if type(own) is dict:
            return own
    schema = _first(source, _names_of(source, _INPUT_SCHEMA))
    if schema is None or isinstance(schema, type):
        schema = _declared(source, schema)
    if schema is None or schema is True:
        return {}
    if schema is False:
        return {"not": {}}
    return plain(schema)


def plain(value: object) -> Any:
    """Turn a model into a mapping, and leave everything else as it is.

    A pydantic 2 object is dumped in JSON mode under its aliases, a pydantic 1
    object with ``dict()``; nulls of *their* fields are left out. Nulls of plain
    mappings are kept: ``default: null`` and ``const: null`` mean something
    (decision D3). Models further down are turned when JSON is written.
    """
    if value is None or isinstance(value, dict | list | str | int | float | type):
        return value
    return as_json_value(value, exclude_none=True)


def plain_result(value: object) -> Any:
    """Do as ``plain`` to what a tool gave back, where a model's null is a value."""
    if value is None or isinstance(value, dict | list | str | int | float | type):
        return value
    return as_json_value(value)


def _member(source: object, name: str) -> object:
    if isinstance(source, dict):
        return source.get(name)
    found = getattr(source, name, None)
    # Asking whether a class is an abstract one is slow, and rarely needed.
    return source.get(name) if found is None and isinstance(source, Mapping) else found


def _names_of(source: object, names: tuple[str, ...]) -> tuple[str, ...]:
    """Ask a model of the SDK's 2.x for its own field alone.

    FastMCP gives these models the old name back, with a warning to whoever reads it.
    """
    fields = getattr(type(source), "model_fields", ())
    return names[1:2] if names[1] in fields else names


def _declared(source: object, found: object) -> object:
    """Find the schema of a tool that keeps it elsewhere, or as a model class.

    LangChain has ``tool_call_schema``, a class or JSON Schema, and ``input_schema``, a
    class; pydantic-ai has ``function_schema.json_schema``.
    """
    declared = _member(source, "tool_call_schema") or found
    if isinstance(declared, type):
        write = getattr(declared, "model_json_schema", None)
        return write() if callable(write) else declared
    return declared or getattr(_member(source, "function_schema"), "json_schema", None)


def _first(source: object, names: tuple[str, ...]) -> object:
    """Return the first of several members that is there at all."""
    for name in names:
        found = _member(source, name)
        if found is not None:
            return found
    return None


def _without_nulls(members: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value is not None}


def _extra(source: object) -> dict[str, Any]:
    """Collect what else a definition holds: everything of a mapping, MCP's of an object."""
    if isinstance(source, Mapping):
        return {
            key: plain(value)
            for key, value in source.items()
            if key not in _READ and value is not None
        }
    found: dict[str, Any] = {}
    for wire, attribute in _EXTRA:
        value = plain(getattr(source, attribute, None))
        if value is not None and not callable(value):
            found[wire] = value
    return found
