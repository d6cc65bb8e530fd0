"""Results that a server delivers later, through a task, and the tool each belongs to.

Source: MCP 2025-11-25, "Tasks" (``tasks/result``); MCP 2026-07-28, extension
``io.modelcontextprotocol/tasks`` (``tasks/get``, ``notifications/tasks``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract import Tool

MAX_TASKS = 1_000
"""Most tasks that are remembered; the oldest is forgotten, and its result not validated."""

_HOLDERS = frozenset({"tasks/get", "notifications/tasks"})


class TaskResults:
    """The tools whose calls became tasks, by task id."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def is_task(self, tool: Tool, found: object, *, may_be_task: bool) -> bool:
        """Tell whether a call was answered with a task, and remember it.

        Args:
            tool: The tool that was called.
            found: The result of ``tools/call``.
            may_be_task: Whether the older era's client asked for a task.
        """
        if not isinstance(found, Mapping):
            return False
        task = found if found.get("resultType") == "task" else found.get("task")
        if task is not found and not may_be_task:
            return False
        ident = task.get("taskId") if isinstance(task, Mapping) else None
        if not isinstance(ident, str):
            return False
        self._tools[ident] = tool
        if len(self._tools) > MAX_TASKS:
            del self._tools[next(iter(self._tools))]
        return True

    def result_in(
        self, method: str, params: Mapping[str, Any] | None, found: object
    ) -> tuple[Tool, object] | None:
        """Return a tool and its result, if this message delivers the result of a task.

        Args:
            method: Of the request that was answered, or of a notification.
            params: Of the same.
            found: The result of the request; the ``params`` of a notification.
        """
        ident = (params or {}).get("taskId")
        tool = self._tools.get(ident) if isinstance(ident, str) else None
        if tool is None or not isinstance(found, Mapping):
            return None
        if method == "tasks/result":
            return tool, found
        if method in _HOLDERS and isinstance(found.get("result"), Mapping):
            return tool, found["result"]
        return None
