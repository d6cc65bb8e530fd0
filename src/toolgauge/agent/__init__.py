"""The calls in one model message, run through the gate; and a small loop around that."""

from __future__ import annotations

from toolgauge.agent.calls import run_tools
from toolgauge.agent.errors import StreamCut, ToolsRefused
from toolgauge.agent.events import AgentEvent, Finished, TextDelta, ToolAnswered, ToolCalled
from toolgauge.agent.loop import MessagesClient, run_agent
from toolgauge.agent.runner import CallRunner

__all__ = [
    "AgentEvent",
    "CallRunner",
    "Finished",
    "MessagesClient",
    "StreamCut",
    "TextDelta",
    "ToolAnswered",
    "ToolCalled",
    "ToolsRefused",
    "run_agent",
    "run_tools",
]
