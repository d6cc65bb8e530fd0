"""The nouns and the verdict: what a tool promises, and what breaks the promise.

Imports no other room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.catalog import Catalog, ToolsProvider
from toolgauge.contract.contained import CONTAINED
from toolgauge.contract.errors import (
    CodeAborted,
    InvalidJson,
    InvalidProvider,
    InvalidTool,
    ToolgaugeError,
    ToolInputInvalid,
    UnknownTool,
)
from toolgauge.contract.fingerprints import fingerprint
from toolgauge.contract.issues import Issue, Places
from toolgauge.contract.jsontext import dump_json, parse_json
from toolgauge.contract.pointers import Path, from_pointer, resolve, to_pointer
from toolgauge.contract.reading import read_input_schema, read_tool
from toolgauge.contract.results import (
    Annotations,
    CallContext,
    CallResult,
    Failure,
    HandleCall,
    Handler,
    Result,
    Success,
    Validate,
    current_call,
    enter_call,
    leave_call,
)
from toolgauge.contract.schema import SchemaCompiler, compile_schema
from toolgauge.contract.tools import Tool
from toolgauge.contract.undeclared import undeclared

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.containment import Containment, contains
    from toolgauge.contract.schema.engine import CompiledSchema
    from toolgauge.contract.schema.meta import pattern_issues, schema_issues

__all__ = [
    "CONTAINED",
    "DEFAULT_BOUNDS",
    "Annotations",
    "Bounds",
    "CallContext",
    "CallResult",
    "Catalog",
    "CodeAborted",
    "CompiledSchema",
    "Containment",
    "Failure",
    "HandleCall",
    "Handler",
    "InvalidJson",
    "InvalidProvider",
    "InvalidTool",
    "Issue",
    "Path",
    "Places",
    "Result",
    "SchemaCompiler",
    "Success",
    "Tool",
    "ToolInputInvalid",
    "ToolgaugeError",
    "ToolsProvider",
    "UnknownTool",
    "Validate",
    "compile_schema",
    "contains",
    "current_call",
    "dump_json",
    "enter_call",
    "fingerprint",
    "from_pointer",
    "leave_call",
    "parse_json",
    "pattern_issues",
    "read_input_schema",
    "read_tool",
    "resolve",
    "schema_issues",
    "to_pointer",
    "undeclared",
]


def __getattr__(name: str) -> object:
    """Load the engines when they are first asked for."""
    if name == "CompiledSchema":
        from toolgauge.contract.schema.engine import CompiledSchema  # noqa: PLC0415

        return CompiledSchema
    if name in {"Containment", "contains"}:
        from toolgauge.contract.schema.containing import containment  # noqa: PLC0415

        return getattr(containment, name)
    if name in {"pattern_issues", "schema_issues"}:
        from toolgauge.contract.schema import meta  # noqa: PLC0415

        return getattr(meta, name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
