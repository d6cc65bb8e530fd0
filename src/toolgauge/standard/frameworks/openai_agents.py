"""The OpenAI Agents SDK's ``FunctionTool``."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from agents.tool_context import ToolContext

from toolgauge.contract import Tool, dump_json
from toolgauge.standard.errors import DisabledTool, GuardUnavailable
from toolgauge.standard.frameworks import reject_guarded


def convert(tool: Any) -> Tool:
    """Return the tool as ours.

    A function that asks for the run's context gets one without the application's own
    object (``context=None``). What the tool raises is turned into a text by the SDK,
    unless its ``failure_error_function`` is ``None``.

    Approval, guardrails and a function that says whether the tool is enabled belong to
    the SDK's own run: with one of these, the tool is listed and checked, not run.

    Raises:
        DisabledTool: It is not enabled.
    """
    if tool.is_enabled is False:
        raise DisabledTool(tool.name)

    async def run(arguments: Any) -> object:
        if tool.is_enabled is not True:
            raise GuardUnavailable(tool.name, "is_enabled")
        reject_guarded(tool, "needs_approval", "tool_input_guardrails", "tool_output_guardrails")
        raw = dump_json(arguments).decode()
        context: ToolContext[Any] = ToolContext(
            context=None,
            tool_name=tool.name,
            tool_call_id=f"call_{uuid4().hex}",
            tool_arguments=raw,
        )
        found: object = await tool.on_invoke_tool(context, raw)
        return found

    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.params_json_schema,
        handler=run,
    )
