"""What an MCP request over HTTP says in its headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER, find_duplicated_routing_header
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolgauge.serve.bodies import header

if TYPE_CHECKING:
    from starlette.types import Scope

SESSION = MCP_SESSION_ID_HEADER.lower().encode()
_VERSION = MCP_PROTOCOL_VERSION_HEADER.lower().encode()
_BLANKS = b" \t"
_OLDER = frozenset(HANDSHAKE_PROTOCOL_VERSIONS)


def version_of(scope: Scope) -> str | None:
    """Give the version that a request says it speaks, ``None`` where it says none."""
    raw = header(scope, _VERSION)
    return None if raw is None else raw.decode("latin-1")


def is_older(version: str | None) -> bool:
    """Tell whether a header is one of the older era, where it may be missing."""
    return version is None or version in _OLDER


def by_name(scope: Scope) -> dict[str, str]:
    """Give all headers, the last of each name.

    Source: RFC 9110 section 5.5: blanks around a value are no part of it. Not every
    server takes them off.
    """
    return {
        key.decode("latin-1"): value.strip(_BLANKS).decode("latin-1")
        for key, value in scope["headers"]
    }


def duplicated(scope: Scope) -> str | None:
    """Name a header that routers look at and that is there twice."""
    pairs = [(key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]]
    return find_duplicated_routing_header(pairs)


def accepts_json(scope: Scope) -> bool:
    """Tell whether an answer of JSON may be sent; without the header anything may."""
    raw = header(scope, b"accept")
    if raw is None:
        return True
    kinds = {part.partition(b";")[0].strip().lower() for part in raw.split(b",")}
    return not kinds.isdisjoint({b"application/json", b"application/*", b"*/*"})
