"""Tools that live elsewhere: files, Python modules, MCP servers.

``parse_source`` tells what words on a command line name; ``open_source`` gives
the tools and the way to call them. The MCP SDK is loaded only when a server is
opened.
"""

from __future__ import annotations

from toolgauge.upstream.entries import SourceProblem, Upstream
from toolgauge.upstream.errors import (
    InvalidSource,
    MissingExtra,
    RequestRefused,
    ServerFailed,
    SourceError,
    SourceNotFound,
    SourceNotTools,
    SourceUnreadable,
)
from toolgauge.upstream.opening import open_source
from toolgauge.upstream.source import (
    CommandSource,
    FileSource,
    ModuleSource,
    Source,
    UrlSource,
    parse_source,
)
from toolgauge.wire import Declared as Entry

__all__ = [
    "CommandSource",
    "Entry",
    "FileSource",
    "InvalidSource",
    "MissingExtra",
    "ModuleSource",
    "RequestRefused",
    "ServerFailed",
    "Source",
    "SourceError",
    "SourceNotFound",
    "SourceNotTools",
    "SourceProblem",
    "SourceUnreadable",
    "Upstream",
    "UrlSource",
    "open_source",
    "parse_source",
]
