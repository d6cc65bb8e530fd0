"""Versions, names and codes of the Model Context Protocol, without the SDK.

There are two eras. Up to 2025-11-25 a client initializes a session first; from
2026-07-28 on every request says itself what it speaks, in ``params._meta``.

Source: MCP 2025-11-25 and 2026-07-28. A test holds these equal to the official SDK's.
"""

from __future__ import annotations

from typing import Final

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions with an ``initialize`` handshake, oldest first."""

MODERN_VERSIONS: Final = ("2026-07-28",)
"""Versions without one, oldest first."""

LATEST_HANDSHAKE_VERSION: Final = HANDSHAKE_VERSIONS[-1]
LATEST_MODERN_VERSION: Final = MODERN_VERSIONS[-1]

PROTOCOL_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"
"""Members of ``_meta`` in the newer era."""

UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
