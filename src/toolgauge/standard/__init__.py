"""Any validator becomes a contract.

Imports no validator library: each adapter is loaded when an object of its library
turns up.
"""

from __future__ import annotations

from toolgauge.standard._agreement import Disagreement, disagreement, disagreements
from toolgauge.standard._protocol import (
    TARGET,
    VERSION,
    Adapted,
    JsonSchemas,
    Props,
    Standard,
    ToJsonSchema,
)
from toolgauge.standard._resolve import resolve_json_schema
from toolgauge.standard._vendors import standardize
from toolgauge.standard.errors import (
    InvalidAnswer,
    InvalidStandard,
    MissingLibrary,
    NoJsonSchema,
    Unconvertible,
    UnknownValidator,
    UnsupportedTarget,
)

__all__ = [
    "TARGET",
    "VERSION",
    "Adapted",
    "Disagreement",
    "InvalidAnswer",
    "InvalidStandard",
    "JsonSchemas",
    "MissingLibrary",
    "NoJsonSchema",
    "Props",
    "Standard",
    "ToJsonSchema",
    "Unconvertible",
    "UnknownValidator",
    "UnsupportedTarget",
    "disagreement",
    "disagreements",
    "resolve_json_schema",
    "standardize",
]
