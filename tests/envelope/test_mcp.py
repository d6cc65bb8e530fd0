"""The protocol's constants are those of the official SDK."""

from __future__ import annotations

import mcp_types
from mcp_types import version

from toolgauge.envelope import mcp


def test_the_constants_are_those_of_the_sdk() -> None:
    """Versions in their order, members of ``_meta``, and codes."""
    assert version.HANDSHAKE_PROTOCOL_VERSIONS == mcp.HANDSHAKE_VERSIONS
    assert version.MODERN_PROTOCOL_VERSIONS == mcp.MODERN_VERSIONS
    assert version.LATEST_HANDSHAKE_VERSION == mcp.LATEST_HANDSHAKE_VERSION
    assert version.LATEST_MODERN_VERSION == mcp.LATEST_MODERN_VERSION
    assert mcp_types.PROTOCOL_VERSION_META_KEY == mcp.PROTOCOL_VERSION_KEY
    assert mcp_types.CLIENT_INFO_META_KEY == mcp.CLIENT_INFO_KEY
    assert mcp_types.CLIENT_CAPABILITIES_META_KEY == mcp.CLIENT_CAPABILITIES_KEY
    assert mcp_types.SERVER_INFO_META_KEY == mcp.SERVER_INFO_KEY
    assert mcp_types.UNSUPPORTED_PROTOCOL_VERSION == mcp.UNSUPPORTED_PROTOCOL_VERSION
