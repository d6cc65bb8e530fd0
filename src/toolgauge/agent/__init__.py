"""The calls in one model message, run through the gate; and a small loop around that."""

from __future__ import annotations

from toolgauge.agent.errors import StreamCut, ToolsRefused
from toolgauge.agent.loop import (
    AgentEvent,
    Finished,
    MessagesClient,
    TextDelta,
    ToolAnswered,
    ToolCalled,
    run_agent,
)
from toolgauge.agent.runner import CallRunner, run_tools

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
