"""The contract gate between language models and the tools they call.

What is used most is here; each room's own package has the rest. Importing this
package loads no validator library, no MCP SDK and no server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from toolgauge.contract import (
    CallContext,
    CallResult,
    Failure,
    InvalidJson,
    InvalidProvider,
    InvalidTool,
    Issue,
    Success,
    Tool,
    ToolgaugeError,
    ToolInputInvalid,
    UnknownTool,
    current_call,
)

if TYPE_CHECKING:
    from toolgauge.agent import run_tools
    from toolgauge.changes import compare
    from toolgauge.gate import Gate
    from toolgauge.lowering import lower
    from toolgauge.rules import check
    from toolgauge.serve import build_routes, build_ui_routes, create_app, create_mount
    from toolgauge.standard import standardize
    from toolgauge.standard.define import define_tool, tool

    __version__: str

__all__ = [
    "CallContext",
    "CallResult",
    "Failure",
    "Gate",
    "InvalidJson",
    "InvalidProvider",
    "InvalidTool",
    "Issue",
    "Success",
    "Tool",
    "ToolInputInvalid",
    "ToolgaugeError",
    "UnknownTool",
    "build_routes",
    "build_ui_routes",
    "check",
    "compare",
    "create_app",
    "create_mount",
    "current_call",
    "define_tool",
    "lower",
    "run_tools",
    "standardize",
    "tool",
]

_LAZY = {
    "Gate": "gate",
    "build_routes": "serve",
    "build_ui_routes": "serve",
    "check": "rules",
    "compare": "changes",
    "create_app": "serve",
    "create_mount": "serve",
    "define_tool": "standard.define",
    "lower": "lowering",
    "run_tools": "agent",
    "standardize": "standard",
    "tool": "standard.define",
}
"""Where the names are that are loaded when they are first used, by name."""


def __getattr__(name: str) -> object:
    """Load a job when it is first used; a program that only gates needs no other."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    if name == "__version__":
        from toolgauge.contract.version import own_version  # noqa: PLC0415 - slow to import

        return own_version()
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    """List what is loaded lazily, too."""
    return sorted({*globals(), *__all__, "__version__"})
