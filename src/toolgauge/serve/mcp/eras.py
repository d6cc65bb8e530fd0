"""The two eras of the Model Context Protocol, and which of them a request belongs to.

Up to 2025-11-25 a client shakes hands first and a session remembers it; from
2026-07-28 on every request says itself what it speaks, in ``params._meta``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.inbound import (
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
)

from toolgauge.envelope import CanonicalCode, meta_of
from toolgauge.envelope.mcp import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    PROTOCOL_VERSION_KEY,
    SERVER_INFO_KEY,
)
from toolgauge.serve.mcp.replies import Reply, refusal
from toolgauge.serve.messages import header

if TYPE_CHECKING:
    from starlette.types import Scope

    from toolgauge.envelope import Request


CACHEABLE = frozenset(
    {
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "server/discover",
        "tools/list",
    }
)
"""Methods whose results say how long they may be kept (2026-07-28, "Caching")."""

ONLY_OLDER = frozenset(
    {"initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"}
)
"""Methods that the newer era has removed."""

RESERVED_META = (
    PROTOCOL_VERSION_KEY,
    CLIENT_INFO_KEY,
    CLIENT_CAPABILITIES_KEY,
)
"""What the newer era adds to every request."""


def is_modern(request: Request) -> bool:
    """Tell whether a request claims to be of the newer era.

    The key is reserved for it, so that its presence alone decides; what is wrong
    with the rest of the envelope is said by ``envelope_fault``.
    """
    return PROTOCOL_VERSION_KEY in meta_of(request.params)


def is_disguised_call(method: str) -> bool:
    """Tell a method that a lenient server might read as ``tools/call`` though it is not.

    What is not ``tools/call`` is forwarded without being validated, so nothing that
    may be taken for it is: other letter case, other separators, a prefix of a proxy.
    """
    folded = unicodedata.normalize("NFKC", method).casefold()
    letters = "".join(each for each in folded if each.isalnum())
    return method != "tools/call" and letters.endswith("toolscall")


def envelope_fault(request: Request, headers: Mapping[str, str] | None = None) -> Reply | None:
    """Hold a request of the newer era against what it must carry.

    Args:
        request: The request.
        headers: Of HTTP, by lower-case name; ``None`` where there are none.
    """
    verdict = classify_inbound_request(request.message, headers=headers)
    if not isinstance(verdict, InboundLadderRejection):
        return None
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=verdict.code,
        message=verdict.message,
        data=verdict.data,
    )


def negotiated(requested: object) -> str:
    """Give the version to answer a handshake with: the same, or the newest that has one.

    Source: MCP 2025-11-25, lifecycle, "Version Negotiation".
    """
    return str(requested) if requested in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION


def with_stamp(result: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a result as the newer era wants every one: its type, and who answers."""
    meta = result.get("_meta")
    meta = meta if isinstance(meta, Mapping) else {}
    return {
        "resultType": "complete",
        **result,
        "_meta": {SERVER_INFO_KEY: info, **meta},
    }


SESSION = MCP_SESSION_ID_HEADER.lower().encode()
_VERSION = MCP_PROTOCOL_VERSION_HEADER.lower().encode()
_BLANKS = b" \t"
_OLDER = frozenset(HANDSHAKE_VERSIONS)


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
