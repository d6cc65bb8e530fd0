"""Any validator becomes a contract.

Imports no validator library: each adapter is loaded when an object of its library
turns up.
"""

from __future__ import annotations

from toolgauge.standard._agreement import (
    Disagreement,
    disagreement,
    disagreements,
    iter_disagreements,
)
from toolgauge.standard._protocol import (
    TARGET,
    VERSION,
    Adapted,
    Adapter,
    JsonSchemas,
    Props,
    Standard,
    ToJsonSchema,
)
from toolgauge.standard._resolve import resolve_json_schema
from toolgauge.standard._vendors import standardize
from toolgauge.standard.errors import (
    ContextUnavailable,
    DisabledTool,
    GuardUnavailable,
    InvalidAnswer,
    InvalidStandard,
    MissingLibrary,
    NoJsonSchema,
    UncallableSignature,
    Unconvertible,
    UnknownValidator,
    UnresolvedAnnotation,
    UnsupportedTarget,
)

__all__ = [
    "TARGET",
    "VERSION",
    "Adapted",
    "Adapter",
    "ContextUnavailable",
    "DisabledTool",
    "Disagreement",
    "GuardUnavailable",
    "InvalidAnswer",
    "InvalidStandard",
    "JsonSchemas",
    "MissingLibrary",
    "NoJsonSchema",
    "Props",
    "Standard",
    "ToJsonSchema",
    "UncallableSignature",
    "Unconvertible",
    "UnknownValidator",
    "UnresolvedAnnotation",
    "UnsupportedTarget",
    "disagreement",
    "disagreements",
    "iter_disagreements",
    "resolve_json_schema",
    "standardize",
]
