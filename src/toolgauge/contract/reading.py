"""Reads tools of any shape: our own, mappings, the objects of SDKs and frameworks.

Nothing of theirs is imported: a tool is whatever has a name. What such an object does
when it is read is its own code: where that fails, only that tool is none.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from toolgauge.contract.contained import CONTAINED
from toolgauge.contract.errors import CodeAborted, InvalidJson, InvalidTool
from toolgauge.contract.issues import Issue
from toolgauge.contract.jsontext import as_json_value, parse_json, without_nulls
from toolgauge.contract.plain import MAX_WRITTEN_DEPTH, NoJsonForm, PastBounds, as_plain, is_plain
from toolgauge.contract.pointers import to_pointer
from toolgauge.contract.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.pointers import Path

T = TypeVar("T")

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

_HINTS = {
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
    "read_only_hint": "readOnlyHint",
    "title": "title",
}
"""MCP's annotations by how attributes of Python are spelled."""

_HOLDING = ("tools", "list_tools", "get_tools", "toolsets", "create_initialization_options")
"""Members of servers, agents and toolsets, and of no tool."""


def why_no_tool(source: object) -> str | None:
    """Say what an object is that is easily taken for a tool; ``None`` for all others.

    A function, a class or a holder of tools is one all the same where it describes a tool.
    """
    if isinstance(source, Tool | Mapping):
        return None
    is_code = inspect.isroutine(source) or isinstance(source, type)
    if not is_code and not any(_member(source, each) is not None for each in _HOLDING):
        return None
    if describes_tool(source):
        return None
    if is_code:
        name = getattr(source, "__name__", type(source).__name__)
        kind = "class" if isinstance(source, type) else "function"
        return f"the {kind} {name!r}, not a tool (@toolgauge.tool makes one of a function)"
    return f"a {type(source).__name__}, which holds tools and is none"


def describes_tool(source: object) -> bool:
    """Check whether an object has a tool's name, description and input schema.

    A schema that is a class does not count: agents have one too.
    """
    if isinstance(source, Tool):
        return True
    try:
        name, description = _member(source, "name"), _member(source, "description")
        schema = _first(source, _names_of(source, _INPUT_SCHEMA))
    except InvalidTool:
        return False
    if not isinstance(name, str) or not isinstance(description, str | None):
        return False
    return schema is not None and not isinstance(schema, type) and not inspect.isroutine(schema)


def read_name(source: object) -> str | None:
    """Return a tool's name, or ``None`` where it has none that is text."""
    try:
        name = _member(source, "name")
    except InvalidTool:
        return None
    return name if isinstance(name, str) else None


def read_tool(source: object, *, is_bounded: bool = False) -> Tool:
    """Read a tool from whatever describes one.

    Args:
        source: A ``Tool`` (given back as it is if it is JSON), a mapping, or an object
            with attributes such as those of the MCP SDK.
        is_bounded: Whether a schema that nests too deep or is too large to be written
            makes it no tool, rather than one that can be reported.

    Raises:
        InvalidTool: If it has no name that is text, holds tools and is none, has a
            part that JSON has no form for, or raises when it is read.
    """
    return _contained(_read_bounded if is_bounded else _read_tool, source)


def _read_bounded(source: object) -> Tool:
    tool = _read_tool(source)
    for member, schema in (
        ("inputSchema", tool.input_schema),
        ("outputSchema", tool.output_schema),
    ):
        _part(schema, member)
    return tool


def _read_tool(source: object) -> Tool:
    if isinstance(source, Tool):
        return source if is_json(source) else _json_tool(source)
    other = why_no_tool(source)
    if other is not None:
        raise InvalidTool("", (Issue(message=f"it is {other}"),))
    name = _member(source, "name")
    if not isinstance(name, str):
        message = f"a tool needs a name that is text, not {type(name).__name__}"
        raise InvalidTool("", (Issue(path=("name",), message=message),))
    return of_json(source if is_json(source) else _members(source))


def is_json(source: object) -> bool:
    """Check whether a mapping, or a tool of ours, is parsed JSON throughout."""
    if isinstance(source, Tool):
        return is_plain([getattr(source, each) for each in _OWN_PARTS])
    return type(source) is dict and is_plain(source)


_OWN_PARTS = ("name", "description", "input_schema", "output_schema", "annotations", "extra")


def of_json(members: Any) -> Tool:
    """Return the tool that parsed JSON describes; it has a name that is text."""
    description, annotations = members.get("description"), members.get("annotations")
    return Tool(
        name=members["name"],
        description=description if isinstance(description, str) else "",
        input_schema=_as_object(_first(members, _INPUT_SCHEMA)),
        output_schema=parse_schema(_first(members, _OUTPUT_SCHEMA)),
        annotations=without_nulls(annotations) if isinstance(annotations, dict) else {},
        extra={
            key: value for key, value in members.items() if key not in _READ and value is not None
        },
    )


def _members(source: object) -> dict[str, Any]:
    """Collect what an object says of a tool, as JSON under the names of MCP."""
    output = _first(source, _names_of(source, _OUTPUT_SCHEMA))
    if isinstance(output, type):
        output = None  # LangChain's, of what a chain returns
    return {
        **_extra(source),
        "name": _member(source, "name"),
        "description": _member(source, "description"),
        "inputSchema": _input_schema(source),
        "outputSchema": _schema(output, "outputSchema"),
        "annotations": _annotations(_member(source, "annotations")),
    }


def _json_tool(tool: Tool) -> Tool:
    """Return a tool of ours with its parts turned into JSON."""
    return replace(
        tool,
        input_schema=_schema(tool.input_schema, "inputSchema"),
        output_schema=_schema(tool.output_schema, "outputSchema"),
        annotations=_annotations(tool.annotations),
        extra=_extra(tool.extra, known=frozenset()),
    )


def read_input_schema(source: object) -> Any:
    """Return the input schema of whatever describes a tool, without reading the rest.

    A missing schema and the two boolean ones are written as objects (decision
    D9), one that is JSON text is parsed; everything else is given as it is, broken or not.

    Raises:
        InvalidTool: As ``read_tool``.
    """
    if isinstance(source, Tool):
        return source.input_schema
    if type(source) is dict:
        # What nearly all are, and asked for with each request.
        own = source.get(_INPUT_SCHEMA[0])
        if type(own) is dict:
            return own
    found = _contained(_given_input_schema, source)
    # The compiler writes it as JSON in any case, and turns what is in it into JSON then.
    return found if type(found) is dict else _contained(_input_schema, source)


def _input_schema(source: object) -> Any:
    return _as_object(_schema(_given_input_schema(source), "inputSchema"))


def _given_input_schema(source: object) -> Any:
    schema = _first(source, _names_of(source, _INPUT_SCHEMA))
    if schema is None or isinstance(schema, type):
        schema = _declared(source, schema)
    return schema


def _as_object(schema: Any) -> Any:
    """Write a missing and a boolean schema as an object."""
    found = parse_schema(schema)
    if found is None or found is True:
        return {}
    return {"not": {}} if found is False else found


def _schema(schema: object, member: str) -> Any:
    """Turn a schema into JSON; one past the bounds is kept, to be reported where it is used."""
    try:
        return _part(schema, member)
    except InvalidTool as error:
        if isinstance(error.__cause__, PastBounds):
            return schema
        raise


def parse_schema(schema: Any) -> Any:
    """Return the JSON Schema that a text holds; what is no such text is given back as it is.

    Data sets in columns keep schemas as text.

    Example:
        >>> parse_schema('{"type": "object"}'), parse_schema("object")
        ({'type': 'object'}, 'object')
    """
    if not isinstance(schema, str):
        return schema
    try:
        found = parse_json(schema, max_depth=MAX_WRITTEN_DEPTH)
    except InvalidJson:
        return schema
    return found if isinstance(found, dict | bool) else schema


def why_no_schema(text: str) -> str:
    """Say what a text is in which ``parse_schema`` finds no schema.

    Example:
        >>> why_no_schema("[]")
        'text that holds no JSON object'
    """
    try:
        parse_json(text, max_depth=MAX_WRITTEN_DEPTH)
    except InvalidJson as error:
        return f"text that is not JSON ({error.reason})"
    return "text that holds no JSON object"


def has_schema_text(source: object) -> bool:
    """Check whether a schema of a tool is JSON text, which is read as what it holds."""
    try:
        found = [
            _first(source, _names_of(source, each)) for each in (_INPUT_SCHEMA, _OUTPUT_SCHEMA)
        ]
    except InvalidTool:
        return False
    return any(isinstance(each, str) and parse_schema(each) is not each for each in found)


def as_definition(source: object) -> Any:
    """Return a definition as parsed JSON: a mapping in its own shape, others in MCP's.

    Raises:
        InvalidTool: As ``read_tool``, for what is no mapping; for a mapping, if it holds
            what JSON has no form for.
    """
    return _contained(_as_definition, source)


def _as_definition(source: object) -> Any:
    if not isinstance(source, Mapping):
        return read_tool(source).to_detail()
    if is_plain(source):
        return source
    members = dict(source)
    if not isinstance(members.get("annotations"), Mapping):
        members["annotations"] = _annotations(members.get("annotations")) or None
    # Code is no part of a definition, nor is what is not there.
    found = {key: each for key, each in members.items() if not (each is None or callable(each))}
    return _part(found, "")


def plain(value: object) -> Any:
    """Turn a part of a definition, and all that is in it, into parsed JSON.

    A pydantic 2 object is dumped in JSON mode under its aliases, a pydantic 1
    object with ``dict()``; nulls of *their* fields are left out. Nulls of plain
    mappings are kept: ``default: null`` and ``const: null`` mean something
    (decision D3).

    Raises:
        InvalidTool: If JSON has no form for it.
    """
    return _part(value, "")


def plain_result(value: object) -> Any:
    """Turn a result into a mapping if it is a model, where a null is a value."""
    if value is None or isinstance(value, dict | list | str | int | float | type):
        return value
    return as_json_value(value)


def _contained(read: Callable[[object], T], source: object) -> T:
    """Read an object of somebody else's; what its own code raises is about that tool alone."""
    try:
        with CONTAINED:
            return read(source)
    except InvalidTool:
        raise
    except Exception as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception, *path: str) -> InvalidTool:
    where = f"reading its {path[0]}" if path else "reading it"
    kind = error.kind if isinstance(error, CodeAborted) else type(error).__name__
    return InvalidTool("", (Issue(path=path, message=f"{where} raises {kind}"),))


def _part(value: object, member: str) -> Any:
    """Turn one member of a definition into parsed JSON.

    Raises:
        InvalidTool: JSON has no form for a part of it.
    """
    try:
        return as_plain(value)
    except NoJsonForm as error:
        path: Path = (member, *error.path) if member else error.path
        message = f"{to_pointer(path)}: {error.reason}"
        raise InvalidTool("", (Issue(path=path, message=message),)) from error


def _member(source: object, name: str) -> object:
    """Return a member of a mapping, or an attribute, ``None`` where there is none.

    Raises:
        InvalidTool: It is a property that raises.
    """
    if isinstance(source, dict):
        return source.get(name)
    try:
        with CONTAINED:
            found = getattr(source, name, None)
            # Asking whether a class is an abstract one is slow, and rarely needed.
            return source.get(name) if found is None and isinstance(source, Mapping) else found
    except Exception as error:
        raise _unreadable(error, name) from error


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


def _annotations(found: object) -> dict[str, Any]:
    """Read annotations; text and the like say nothing, and a hint never disappears.

    Raises:
        InvalidTool: They are an object that nobody can read.
    """
    if found is None or isinstance(found, str | int | float | list):
        return {}
    try:
        members = _part(found, "annotations")
    except InvalidTool:
        if isinstance(found, Mapping):
            raise
        # An object whose class has the hints, perhaps.
        members = _part(_hints_of(found), "annotations")
        if not members:
            raise
    if not isinstance(members, dict):
        return {}
    if not isinstance(found, Mapping):
        members = {_HINTS.get(key, key): value for key, value in members.items()}
    return without_nulls(members)


def _hints_of(found: object) -> dict[str, Any]:
    """Collect MCP's annotations that an object has as attributes."""
    spelled = ((name, wire) for pair in _HINTS.items() for name, wire in (pair, (pair[1],) * 2))
    return {wire: value for name, wire in spelled if (value := _member(found, name)) is not None}


def _extra(source: object, known: frozenset[str] = _READ) -> dict[str, Any]:
    """Collect what else a definition holds: everything of a mapping, MCP's of an object.

    Code is no part of a definition, and so is what JSON has no form for.
    """
    if isinstance(source, Mapping):
        given = {key: value for key, value in source.items() if key not in known}
    else:
        given = {wire: _member(source, attribute) for wire, attribute in _EXTRA}
    found: dict[str, Any] = {}
    for key, value in given.items():
        if value is None or callable(value):
            continue
        try:
            found[key] = _part(value, key)
        except InvalidTool:
            continue
    return found
