"""The shapes of tools, calls and results of each provider.

A format is a record of plain functions in a file of its own; this room does no
I/O and imports no provider's SDK.
"""

from __future__ import annotations

from toolgauge.wire._format import Declared, Format, OpenEntry, WireCall, WireResult, WriteEntry
from toolgauge.wire._registry import detect, format_of, formats
from toolgauge.wire.errors import UnknownFormat, UnknownMessage, UnreadableMessage
from toolgauge.wire.manifest import render_manifest
from toolgauge.wire.tool_lists import (
    TOOL_MEMBERS,
    WRAPPERS,
    declared,
    from_tools,
    is_foreign,
    unwrapped,
)

__all__ = [
    "TOOL_MEMBERS",
    "WRAPPERS",
    "Declared",
    "Format",
    "OpenEntry",
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
    "render_manifest",
    "unwrapped",
]
