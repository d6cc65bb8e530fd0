"""A server that speaks the newer era only, for a client of the older one.

Its handshake is made from what the server says of itself; a result that asks for
input becomes requests to the client. What cannot be translated: subscriptions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp_types import LOG_LEVEL_META_KEY

from toolgauge.serve.mcp.eras import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    LATEST_MODERN_VERSION,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
    meta_of,
    negotiated,
)
from toolgauge.serve.mcp.replies import Reply, failed, invalid_params, relayed, unknown_method
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from toolgauge.serve.mcp.conversations import Conversation
    from toolgauge.serve.mcp.open_calls import Caller

MAX_ROUNDS = 10
"""How often one request may ask for input."""

_STATE_ONLY_S = 0.1


class NewerServer:
    """Answers requests of one client of the older era from a server of the newer one.

    Args:
        conversation: With the server.
        discovered: What it says of itself.
        params: The client's handshake.
    """

    def __init__(
        self,
        conversation: Conversation,
        discovered: Mapping[str, Any],
        params: Mapping[str, Any],
    ) -> None:
        self.conversation: Conversation = conversation
        self._relay = conversation.relay
        self.version: str = negotiated(params.get("protocolVersion"))
        self._relay.client_version = self.version
        self._discovered = discovered
        self._meta: dict[str, Any] = {
            PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
            CLIENT_INFO_META_KEY: params.get("clientInfo") or {"name": "client", "version": ""},
            CLIENT_CAPABILITIES_META_KEY: params.get("capabilities") or {},
        }

    def greeting(self) -> dict[str, Any]:
        """Give the answer to the client's handshake."""
        label = self.conversation.wire.label
        info = meta_of(self._discovered).get(SERVER_INFO_META_KEY)
        result: dict[str, Any] = {
            "protocolVersion": self.version,
            "capabilities": self._discovered.get("capabilities") or {},
            "serverInfo": info or {"name": label, "version": ""},
        }
        if "instructions" in self._discovered:
            result["instructions"] = self._discovered["instructions"]
        return result

    async def reply(  # noqa: PLR0911 - one answer per method
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Answer a request. See ``Relay.reply``."""
        if method == "ping":
            return Reply(result={})
        if method == "logging/setLevel":
            level = (params or {}).get("level")
            if not isinstance(level, str):
                return invalid_params("logging/setLevel needs level, a string")
            self._meta[LOG_LEVEL_META_KEY] = level
            return Reply(result={})
        if method in {"resources/subscribe", "resources/unsubscribe"}:
            return unknown_method(method)
        more: dict[str, Any] = {}
        for _ in range(MAX_ROUNDS):
            sent = {**(params or {}), "_meta": {**meta_of(params), **self._meta}, **more}
            reply = await self._relay.reply(method, sent, caller, ident, headers)
            result = reply.result
            if result is None or result.get("resultType") != "input_required":
                return reply
            try:
                more = await self._answers(result, caller)
            except RequestRefused as refused:
                return relayed(refused)
        return failed(f"the server asked for input more than {MAX_ROUNDS} times")

    async def _answers(self, result: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        """Ask the client what a result asks for, and give what the next request carries.

        Raises:
            RequestRefused: It does not answer.
        """
        more: dict[str, Any] = {}
        wanted = result.get("inputRequests")
        if isinstance(wanted, Mapping) and wanted:
            more["inputResponses"] = {
                key: await self._relay.ask(caller, str(each.get("method")), each.get("params"))
                for key, each in wanted.items()
                if isinstance(each, Mapping)
            }
        else:
            await asyncio.sleep(_STATE_ONLY_S)
        if "requestState" in result:
            more["requestState"] = result["requestState"]
        return more
