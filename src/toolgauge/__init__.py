"""The contract gate between language models and the tools they call.

What is used most is here; each room's own package has the rest. Importing this
package loads no validator library, no MCP SDK and no server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import (
    CallResult,
    InvalidJson,
    InvalidProvider,
    InvalidTool,
    Issue,
    Tool,
    ToolgaugeError,
    UnknownTool,
)
from toolgauge.gate import Gate

if TYPE_CHECKING:
    from toolgauge.serve import build_routes, build_ui_routes, create_app, create_mount

__all__ = [
    "CallResult",
    "Gate",
    "InvalidJson",
    "InvalidProvider",
    "InvalidTool",
    "Issue",
    "Tool",
    "ToolgaugeError",
    "UnknownTool",
    "build_routes",
    "build_ui_routes",
    "create_app",
    "create_mount",
]

_FROM_SERVE = frozenset({"build_routes", "build_ui_routes", "create_app", "create_mount"})


def __getattr__(name: str) -> object:
    """Load the HTTP side when it is first asked for."""
    if name in _FROM_SERVE:
        from toolgauge import serve  # noqa: PLC0415 - Starlette is not for everybody

        return getattr(serve, name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
