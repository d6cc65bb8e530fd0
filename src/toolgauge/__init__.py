"""The contract gate between language models and the tools they call.

What is used most is here; each room's own package has the rest. Importing this
package loads no validator library, no MCP SDK and no server.
"""

from __future__ import annotations

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
    from toolgauge.gate import Gate
    from toolgauge.serve import build_routes, build_ui_routes, create_app, create_mount
    from toolgauge.standard import standardize
    from toolgauge.standard.define import define_tool, tool

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
    "create_app",
    "create_mount",
    "current_call",
    "define_tool",
    "standardize",
    "tool",
]

_FROM_SERVE = frozenset({"build_routes", "build_ui_routes", "create_app", "create_mount"})
_FROM_DEFINE = frozenset({"define_tool", "tool"})


def __getattr__(name: str) -> object:
    """Load what a worker or a script need not have when it is first asked for."""
    if name == "Gate":
        from toolgauge.gate import Gate  # noqa: PLC0415 - it brings an event loop

        return Gate
    if name in _FROM_SERVE:
        from toolgauge import serve  # noqa: PLC0415 - Starlette is not for everybody

        return getattr(serve, name)
    if name in _FROM_DEFINE:
        from toolgauge.standard import define  # noqa: PLC0415 - whoever only gates defines nothing

        return getattr(define, name)
    if name == "standardize":
        from toolgauge.standard import standardize  # noqa: PLC0415 - the same

        return standardize
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
