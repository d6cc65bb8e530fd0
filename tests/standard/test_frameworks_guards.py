"""What is no tool that may be run here, though its framework has one in it.

A guard that only a framework's own run asks is never left out: the tool is not run. A
server, an agent or a toolset is not taken for a tool.
"""

from __future__ import annotations

from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolOutputGuardrail,
    function_tool,
)
from fastmcp import FastMCP
from fastmcp.tools import Tool as FastMCPTool
from mcp.server import MCPServer, Server
from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai import Tool as PydanticTool

from toolgauge import Gate, UnknownTool, create_app
from toolgauge.contract import Catalog, InvalidProvider
from toolgauge.gate import Verdict
from toolgauge.standard import DisabledTool, GuardUnavailable
from toolgauge.standard.frameworks import adopt

pytestmark = pytest.mark.anyio

RAN: list[str] = []


def pay(to: str) -> str:
    """Pay."""
    RAN.append(to)
    return f"paid {to}"


async def nobody(*_: Any) -> None:
    """Omit the tool, where it is asked."""


async def whether(*_: Any) -> bool:
    """Take the tool for a safe one, where it is asked."""
    return False


def allow(_: Any) -> ToolGuardrailFunctionOutput:
    """Let everything by."""
    return ToolGuardrailFunctionOutput.allow()


def unsure(_: RunContext[Any], to: str) -> None:
    """Look at arguments."""


def openai(**options: Any) -> FunctionTool:
    """Give a tool of the Agents SDK."""
    return function_tool(pay, **options)


GUARDED: list[tuple[Any, str]] = [
    (openai(needs_approval=True), "needs_approval"),
    (openai(needs_approval=whether), "needs_approval"),
    (openai(tool_input_guardrails=[ToolInputGuardrail(allow)]), "tool_input_guardrails"),
    (openai(tool_output_guardrails=[ToolOutputGuardrail(allow)]), "tool_output_guardrails"),
    (openai(is_enabled=lambda *_: True), "is_enabled"),
    (PydanticTool(pay, requires_approval=True), "requires_approval"),
    (PydanticTool(pay, prepare=nobody), "prepare"),
    (PydanticTool(pay, args_validator=unsure), "args_validator"),
    (FunctionToolset([pay], requires_approval=True).tools["pay"], "requires_approval"),
    (FastMCPTool.from_function(pay, auth=lambda _: True), "auth"),
]


@pytest.mark.parametrize(
    ("source", "guard"), GUARDED, ids=[f"{type(e).__module__}-{guard}" for e, guard in GUARDED]
)
async def test_a_guarded_tool_is_listed_and_checked_and_not_run(source: Any, guard: str) -> None:
    """The error is for the log, and names the guard."""
    RAN.clear()
    gate = Gate([source])
    refused = await gate.call("pay", {"to": 3})
    with pytest.raises(GuardUnavailable, match=guard):
        await gate.call("pay", {"to": "Ann"})

    assert ["pay"] == [each.name for each in gate.tools()]
    assert ["/to"] == [each.pointer for each in refused.issues]
    assert [] == RAN


@pytest.mark.parametrize("make", [openai, lambda: PydanticTool(pay)])
async def test_a_guard_that_is_set_later_holds(make: Any) -> None:
    """A tool is taken once, and its guards are asked with each call."""
    source = make()
    gate = Gate([source])
    taken = await gate.call("pay", {"to": "Ann"})
    source.needs_approval = source.requires_approval = True
    with pytest.raises(GuardUnavailable):
        await gate.call("pay", {"to": "Ann"})

    assert "paid Ann" == taken.content[0]["text"]


async def test_a_disabled_tool_is_not_listed_and_unknown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """From a list and from an agent; the log says why."""
    agent = Agent(name="a", tools=[openai(is_enabled=False)])
    for tools in (agent.tools, lambda: agent.tools):
        gate = Gate(tools)
        with pytest.raises(UnknownTool) as caught:
            await gate.call("pay", {"to": "Ann"})
        outcome = await gate.walk("pay", {"to": "Ann"})

        assert [] == gate.tools()
        assert isinstance(caught.value.__cause__, DisabledTool)
        assert Verdict.UNKNOWN_TOOL is outcome.verdict
    assert "'pay' is switched off" in caplog.text


async def test_a_tool_that_is_switched_off_later_is_not_run() -> None:
    """And one that is switched on is taken."""
    source = openai()
    gate = Gate([source])
    await gate.call("pay", {"to": "Ann"})
    source.is_enabled = False
    with pytest.raises(GuardUnavailable):
        await gate.call("pay", {"to": "Ann"})

    catalog = Catalog([source], adopt=adopt)
    before = await catalog.tools()
    source.is_enabled = True

    assert ([], ["pay"]) == (before, [each.name for each in await catalog.tools()])


HOLDERS = (
    FastMCP("f"),
    MCPServer("m"),
    Server("s"),
    Agent(name="a", tools=[openai()]),
    FunctionToolset([pay]),
    FunctionToolset([pay]).approval_required(),
)


@pytest.mark.parametrize("holder", HOLDERS, ids=[type(each).__name__ for each in HOLDERS])
async def test_what_holds_tools_is_not_taken_for_one(
    holder: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Refused alone in a list and in place of one, left out beside other tools."""
    said = f"is a {type(holder).__name__}, which holds tools and is none"
    for tools in ([holder], holder):
        with pytest.raises(InvalidProvider, match=said):
            Gate(tools)
        with pytest.raises(InvalidProvider, match=said):
            create_app(tools)

    for tools in (lambda: [holder, openai()], [openai(), holder]):
        caplog.clear()
        assert ["pay"] == [each.name for each in Gate(tools).tools()]
        assert said in caplog.text
