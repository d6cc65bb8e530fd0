"""LangChain's ``BaseTool``: ``@tool``, ``StructuredTool`` and subclasses of one's own.

The schema is the one that LangChain shows to models (``tool_call_schema``): without the
arguments that it injects. The tool checks its arguments itself, when it runs; it is
asked beforehand, so that a wrong argument is a fault of the call and not of the tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages import ToolMessage
from langchain_core.tools import Tool as OneTextTool
from langchain_core.utils.pydantic import get_fields

from toolgauge.contract import Failure, Result, Success, Tool
from toolgauge.standard._answers import make_issue
from toolgauge.standard._resolve import resolve_json_schema
from toolgauge.standard._vendors import standardize
from toolgauge.standard.frameworks import error_result

_ONE_TEXT = {
    "type": "object",
    "properties": {"__arg1": {"type": "string"}},
    "required": ["__arg1"],
    "additionalProperties": False,
}
"""What LangChain shows to models for a tool that takes one text and has no schema."""


def convert(tool: Any) -> Tool:
    """Return the tool as ours.

    Raises:
        NoJsonSchema: Its arguments cannot be written as JSON Schema.
    """
    declared = _declared(tool)
    standard = standardize(declared)
    check = None if isinstance(declared, Mapping) else standard.__standard_schema__.validate
    injected = _injected(tool, declared)

    def validate(arguments: Any) -> Result[Any]:
        found: Any = check(arguments) if check is not None else None
        if isinstance(found, Failure):
            return found
        # A schema without them takes them all the same, and the tool would, too.
        issues = tuple(
            make_issue("is injected by LangChain and not the caller's to give", (key,))
            for key in arguments
            if key in injected
        )
        # The tool converts its arguments when it runs: it gets them as they came.
        return Failure(issues) if issues else Success(arguments)

    async def run(arguments: Any) -> object:
        # Not `ainvoke`: it takes arguments that look like a whole call for one.
        handles = tool.handle_tool_error or tool.handle_validation_error
        # With an id the answer tells whether it is an error that the tool has put in words.
        call_id = f"call_{uuid4().hex}" if handles else None
        found: object = await tool.arun(arguments, tool_call_id=call_id)
        return _read(found) if isinstance(found, ToolMessage) else found

    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=resolve_json_schema(standard, tool=tool.name),
        handler=run,
        validate=validate,
    )


def _declared(tool: Any) -> Any:
    """Return what models are shown of the arguments: a model class or a JSON Schema."""
    if isinstance(tool, OneTextTool) and tool.args_schema is None:
        return _ONE_TEXT
    return tool.tool_call_schema


def _read(message: ToolMessage) -> object:
    """Return a message as a result: its content, or what went wrong as an error."""
    if message.status != "error":
        return message.content
    return error_result(str(message.text))


def _injected(tool: Any, declared: Any) -> frozenset[str]:
    """Return every key that would set an argument which models are not shown."""
    # What the function itself asks for is let by even where the schema has no such field.
    names: frozenset[str] = getattr(tool, "_injected_args_keys", frozenset())
    if isinstance(declared, Mapping):
        return names
    shown = get_fields(declared)
    fields = get_fields(tool.get_input_schema()).items()
    return names.union(*(_keys(name, field) for name, field in fields if name not in shown))


def _keys(name: str, field: Any) -> Iterator[str]:
    """Return the keys that fill one field of a pydantic model: its name and its aliases."""
    yield name
    for alias in (field.alias, getattr(field, "validation_alias", None)):
        for each in getattr(alias, "choices", (alias,)):
            key = getattr(each, "path", (each,))[0]
            if isinstance(key, str):
                yield key
