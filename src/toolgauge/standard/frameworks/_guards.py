"""Guards that a framework puts before its own tools, and asks in its own runs only."""

from __future__ import annotations

from typing import Any

from toolgauge.standard.frameworks.errors import GuardUnavailable


def refuse_guarded(tool: Any, *guards: str) -> None:
    """Refuse to run a tool that has one of these guards.

    Asked with each call: a guard may be set after the tool was taken.

    Args:
        tool: The framework's own.
        guards: Attributes of the tool. One is set where it is anything but missing,
            ``None``, ``False`` or empty.

    Raises:
        GuardUnavailable: If it has.
    """
    for guard in guards:
        if getattr(tool, guard, None):
            raise GuardUnavailable(tool.name, guard)
