"""The shapes of tools, calls, results and recorded rows of each provider.

A format is a record of plain functions in a file of its own; this room does no
I/O and imports no provider's SDK.
"""

from __future__ import annotations

from toolgauge.wire._calls import (
    MISSING,
    CallMembers,
    Malformed,
    RecordedCall,
    WireCall,
    malformed,
    qualified,
    read_arguments,
)
from toolgauge.wire._format import Declared, Format, OpenEntry, WireResult, WriteEntry
from toolgauge.wire._recorded import ARGUMENTS_KEYS, Shape
from toolgauge.wire._registry import (
    TOOL_MEMBERS,
    WRAPPERS,
    declared,
    detect,
    format_of,
    formats,
    from_tools,
    is_foreign,
    unpacked,
    unwrapped,
)
from toolgauge.wire.errors import UnknownFormat, UnknownMessage, UnreadableMessage
from toolgauge.wire.manifest import render_manifest

__all__ = [
    "ARGUMENTS_KEYS",
    "MISSING",
    "TOOL_MEMBERS",
    "WRAPPERS",
    "CallMembers",
    "Declared",
    "Format",
    "Malformed",
    "OpenEntry",
    "RecordedCall",
    "Shape",
    "UnknownFormat",
    "UnknownMessage",
    "UnreadableMessage",
    "WireCall",
    "WireResult",
    "WriteEntry",
    "declared",
    "detect",
    "format_of",
    "formats",
    "from_tools",
    "is_foreign",
    "malformed",
    "qualified",
    "read_arguments",
    "render_manifest",
    "unpacked",
    "unwrapped",
]
