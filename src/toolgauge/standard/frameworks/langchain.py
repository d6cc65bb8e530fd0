"""LangChain's ``BaseTool``: ``@tool``, ``StructuredTool`` and subclasses of one's own.

The schema is the one that LangChain shows to models (``tool_call_schema``): without the
arguments that it injects. The tool checks its arguments itself, when it runs; it is
asked beforehand, so that a wrong argument is a fault of the call and not of the tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgauge.contract import Failure, Result, Success, Tool
from toolgauge.standard._resolve import resolve_json_schema
from toolgauge.standard._vendors import standardize


def convert(tool: Any) -> Tool:
    """Give the tool as ours.

    Raises:
        NoJsonSchema: Its arguments cannot be written as JSON Schema.
    """
    declared = tool.tool_call_schema
    standard = standardize(declared)
    check = standard.__standard_schema__.validate

    def validate(arguments: object) -> Result[Any]:
        found: Any = check(arguments)
        # The tool converts its arguments when it runs: it gets them as they came.
        return found if isinstance(found, Failure) else Success(arguments)

    async def run(arguments: Any) -> object:
        found: object = await tool.ainvoke(arguments)
        return found

    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=resolve_json_schema(standard, tool=tool.name),
        handler=run,
        validate=None if isinstance(declared, Mapping) else validate,
    )
