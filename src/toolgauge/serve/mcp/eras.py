"""The two eras of the Model Context Protocol, and which of them a request belongs to.

Up to 2025-11-25 a client shakes hands first and a session remembers it; from
2026-07-28 on every request says itself what it speaks, in ``params._meta``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    DEFAULT_NEGOTIATED_VERSION,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

from toolgauge.envelope import CanonicalCode
from toolgauge.serve.mcp.replies import Reply, refusal

if TYPE_CHECKING:
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
    PROTOCOL_VERSION_META_KEY,
    CLIENT_INFO_META_KEY,
    CLIENT_CAPABILITIES_META_KEY,
)
"""What the newer era adds to every request."""

__all__ = [
    "CACHEABLE",
    "CLIENT_CAPABILITIES_META_KEY",
    "CLIENT_INFO_META_KEY",
    "DEFAULT_NEGOTIATED_VERSION",
    "HANDSHAKE_PROTOCOL_VERSIONS",
    "LATEST_HANDSHAKE_VERSION",
    "LATEST_MODERN_VERSION",
    "MODERN_PROTOCOL_VERSIONS",
    "ONLY_OLDER",
    "PROTOCOL_VERSION_META_KEY",
    "RESERVED_META",
    "SERVER_INFO_META_KEY",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "envelope_fault",
    "is_disguised_call",
    "is_modern",
    "meta_of",
    "negotiated",
    "with_stamp",
]


def meta_of(params: object) -> Mapping[str, Any]:
    """Give ``_meta`` of parameters, empty where there is none."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, Mapping) else {}


def is_modern(request: Request) -> bool:
    """Tell whether a request claims to be of the newer era.

    The key is reserved for it, so that its presence alone decides; what is wrong
    with the rest of the envelope is said by ``envelope_fault``.
    """
    return PROTOCOL_VERSION_META_KEY in meta_of(request.params)


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
    return str(requested) if requested in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION


def with_stamp(result: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a result as the newer era wants every one: its type, and who answers."""
    meta = result.get("_meta")
    meta = meta if isinstance(meta, Mapping) else {}
    return {
        "resultType": "complete",
        **result,
        "_meta": {SERVER_INFO_META_KEY: info, **meta},
    }
