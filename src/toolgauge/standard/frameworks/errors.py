"""The exceptions of tools of other frameworks.

ToolgaugeError
├── DisabledTool        a tool is switched off by its framework
└── GuardUnavailable    a tool has a guard that only its framework's own run asks
"""

from __future__ import annotations

from toolgauge.contract import ToolgaugeError


class DisabledTool(ToolgaugeError):
    """A tool is switched off by its framework.

    Attributes:
        tool: The tool's name.
    """

    def __init__(self, tool: str) -> None:
        super().__init__(tool)
        self.tool: str = tool

    def __str__(self) -> str:
        return f"tool {self.tool!r} is switched off: its is_enabled is False"


class GuardUnavailable(ToolgaugeError):
    """A tool has a guard that only its framework's own run asks, and is not run without.

    Attributes:
        tool: The tool's name.
        guard: The attribute that sets the guard: ``"needs_approval"``.
    """

    def __init__(self, tool: str, guard: str) -> None:
        super().__init__(tool, guard)
        self.tool: str = tool
        self.guard: str = guard

    def __str__(self) -> str:
        return (
            f"tool {self.tool!r} has {self.guard!r}, which only its own framework's run asks; "
            "it is listed and checked here, and not run"
        )
