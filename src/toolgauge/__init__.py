"""The contract gate between language models and the tools they call.

The names here are the public ones; the packages below are private (docs/stability.md).
Importing this package loads no validator library, no MCP SDK and no server: what
needs one is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from toolgauge.contract import (
    Bounds,
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
    from toolgauge.agent import Finished, TextDelta, ToolAnswered, ToolCalled, run_agent, run_tools
    from toolgauge.auditing import (
        Audit,
        Contracts,
        Dialect,
        Job,
        RowReader,
        audit,
        audit_batch,
        find_inputs,
    )
    from toolgauge.auditing.engines.local import local_engine
    from toolgauge.changes import Change, Changes, Lock, compare, dump_lock, lock_of, read_lock
    from toolgauge.envelope import CanonicalError, Recorder
    from toolgauge.gate import Gate, Outcome, SchemaRegistry, Verdict
    from toolgauge.lowering import Loss, Lowered, Pass, Restored, Restorer, lower, restorer_from_map
    from toolgauge.rules import Definition, Finding, Report, Rule, Target, check, targets
    from toolgauge.serve import (
        LogFeed,
        bearer_auth,
        build_routes,
        build_ui_routes,
        create_app,
        create_mount,
        serve_stdio,
    )
    from toolgauge.serve.mcp import create_mcp_app
    from toolgauge.standard import (
        Adapter,
        JsonSchemas,
        NoJsonSchema,
        Props,
        disagreement,
        resolve_json_schema,
        standardize,
    )
    from toolgauge.standard.define import define_tool, tool
    from toolgauge.wire import (
        Format,
        UnknownMessage,
        WireCall,
        WireResult,
        detect,
        format_of,
        formats,
        from_tools,
        render_manifest,
    )

    __version__: str

__all__ = [
    "Adapter",
    "Audit",
    "Bounds",
    "CallContext",
    "CallResult",
    "CanonicalError",
    "Change",
    "Changes",
    "Contracts",
    "Definition",
    "Dialect",
    "Failure",
    "Finding",
    "Finished",
    "Format",
    "Gate",
    "InvalidJson",
    "InvalidProvider",
    "InvalidTool",
    "Issue",
    "Job",
    "JsonSchemas",
    "Lock",
    "LogFeed",
    "Loss",
    "Lowered",
    "NoJsonSchema",
    "Outcome",
    "Pass",
    "Props",
    "Recorder",
    "Report",
    "Restored",
    "Restorer",
    "RowReader",
    "Rule",
    "SchemaRegistry",
    "Success",
    "Target",
    "TextDelta",
    "Tool",
    "ToolAnswered",
    "ToolCalled",
    "ToolInputInvalid",
    "ToolgaugeError",
    "UnknownMessage",
    "UnknownTool",
    "Verdict",
    "WireCall",
    "WireResult",
    "audit",
    "audit_batch",
    "bearer_auth",
    "build_routes",
    "build_ui_routes",
    "check",
    "compare",
    "create_app",
    "create_mcp_app",
    "create_mount",
    "current_call",
    "define_tool",
    "detect",
    "disagreement",
    "dump_lock",
    "find_inputs",
    "format_of",
    "formats",
    "from_tools",
    "local_engine",
    "lock_of",
    "lower",
    "read_lock",
    "render_manifest",
    "resolve_json_schema",
    "restorer_from_map",
    "run_agent",
    "run_tools",
    "serve_stdio",
    "standardize",
    "targets",
    "tool",
]

_HOMES = {
    "agent": "Finished TextDelta ToolAnswered ToolCalled run_agent run_tools",
    "auditing": "Audit Contracts Dialect Job RowReader audit audit_batch find_inputs",
    "auditing.engines.local": "local_engine",
    "changes": "Change Changes Lock compare dump_lock lock_of read_lock",
    "envelope": "CanonicalError Recorder",
    "gate": "Gate Outcome SchemaRegistry Verdict",
    "lowering": "Loss Lowered Pass Restored Restorer lower restorer_from_map",
    "rules": "Definition Finding Report Rule Target check targets",
    "serve": "LogFeed bearer_auth build_routes build_ui_routes create_app create_mount serve_stdio",
    "serve.mcp": "create_mcp_app",
    "standard": (
        "Adapter JsonSchemas NoJsonSchema Props disagreement resolve_json_schema standardize"
    ),
    "standard.define": "define_tool tool",
    "wire": (
        "Format UnknownMessage WireCall WireResult detect format_of formats "
        "from_tools render_manifest"
    ),
}
"""The package that defines each name that is loaded when it is first used."""

_LAZY = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a name when it is first used; a program that only gates needs no other."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    if name == "__version__":
        from toolgauge.contract.version import own_version  # noqa: PLC0415 - slow to import

        return own_version()
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    """List the public names, also those that are not loaded yet."""
    return sorted({*globals(), *__all__, "__version__"})
