"""An MCP server of tools in this process: a gate, and nothing else.

It keeps no state between requests, so it answers either era, and also a client
that never shook hands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.streamable_http import REQUEST_CANCELLED
from mcp.shared.inbound import MCP_PARAM_HEADER_PREFIX
from starlette.requests import Request as HttpRequest

from toolgauge.contract import UnknownTool
from toolgauge.contract.version import own_version
from toolgauge.envelope import CanonicalCode, is_id
from toolgauge.envelope.mcp import MODERN_VERSIONS
from toolgauge.serve.mcp.contracts import header_fault
from toolgauge.serve.mcp.eras import SESSION, by_name, envelope_fault, negotiated, with_stamp
from toolgauge.serve.mcp.outputs import to_wire
from toolgauge.serve.mcp.replies import (
    EXECUTION_OFF,
    Reply,
    failed,
    invalid_params,
    is_json,
    of_outcome,
    refusal,
    unknown_method,
)
from toolgauge.serve.messages import header

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.types import Receive, Scope

    from toolgauge.envelope import Notification, Request
    from toolgauge.gate import Gate


_LOG = logging.getLogger(__name__)

_PARAM_HEADER = MCP_PARAM_HEADER_PREFIX.lower()
_CAPABILITIES: Mapping[str, Any] = {"tools": {"listChanged": False}}
_UNCACHED: Mapping[str, Any] = {"ttlMs": 0, "cacheScope": "private"}


class LocalServer:
    """Answers requests from a gate.

    Args:
        gate: The tools.
        name: What the server calls itself.
        allow_execute: Whether tools may be run at all.
    """

    def __init__(self, gate: Gate, *, name: str = "toolgauge", allow_execute: bool = True) -> None:
        self.gate: Gate = gate
        self.info: dict[str, Any] = {"name": name, "version": own_version()}
        self._allow_execute = allow_execute
        self._methods: dict[str, Callable[..., Awaitable[Reply]]] = {
            "initialize": self._initialize,
            "ping": self._ping,
            "tools/list": self._list,
            "tools/call": self._call,
        }
        self._modern: dict[str, Callable[..., Awaitable[Reply]]] = {
            "server/discover": self._discover,
            "tools/list": self._list,
            "tools/call": self._call,
        }

    async def reply(
        self,
        request: Request,
        version: str,
        caller: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Answer one request.

        Args:
            request: From the reader.
            version: What the request speaks; one of the newer era has its envelope
                held against the protocol here.
            caller: What the transport knows of the client, for providers and
                handlers that ask.
            headers: Of HTTP, where the newer era demands some.
        """
        is_modern = version in MODERN_VERSIONS
        if is_modern and (fault := envelope_fault(request, headers)) is not None:
            return fault
        method = (self._modern if is_modern else self._methods).get(request.method)
        if method is None:
            return unknown_method(request.method)
        params = request.params if isinstance(request.params, Mapping) else {}
        reply = None
        if is_modern and headers is not None and request.method == "tools/call":
            reply = await self._header_fault(params, caller, headers)
        reply = reply or await method(params, version, caller)
        if is_modern and reply.result is not None:
            more = _UNCACHED if request.method != "tools/call" else {}
            return replace(reply, result=with_stamp({**more, **reply.result}, self.info))
        return reply

    async def _initialize(self, params: Mapping[str, Any], version: str, caller: object) -> Reply:
        """Shake hands. Nothing is remembered."""
        del version, caller
        requested = params.get("protocolVersion")
        if not isinstance(requested, str):
            return invalid_params("initialize needs protocolVersion, a string")
        return Reply(
            result={
                "protocolVersion": negotiated(requested),
                "capabilities": _CAPABILITIES,
                "serverInfo": self.info,
            }
        )

    async def _ping(self, params: Mapping[str, Any], version: str, caller: object) -> Reply:
        del params, version, caller
        return Reply(result={})

    async def _discover(self, params: Mapping[str, Any], version: str, caller: object) -> Reply:
        """Tell what is served, as the newer era asks for it."""
        del params, version, caller
        return Reply(
            result={
                "supportedVersions": list(MODERN_VERSIONS),
                "capabilities": _CAPABILITIES,
            }
        )

    async def _list(self, params: Mapping[str, Any], version: str, caller: object) -> Reply:
        """List all tools on one page; one that JSON cannot say hides no other."""
        if params.get("cursor") is not None:
            return invalid_params("Invalid cursor: the list has one page")
        try:
            tools = await self.gate.catalog.tools(caller)
        except Exception:  # noqa: BLE001 - a provider is the user's own code
            _LOG.exception("the provider of tools failed")
            return failed("Internal error")
        shown = [to_wire(tool, version) for tool in tools]
        result = {"tools": shown}
        if not is_json(result):
            result = {"tools": [each for each in shown if is_json(each)]}
        return Reply(result=result)

    async def _header_fault(
        self, params: Mapping[str, Any], caller: object, headers: Mapping[str, str]
    ) -> Reply | None:
        """Hold what a call repeats in headers against its arguments."""
        arguments = params.get("arguments")
        if not arguments and not any(key.startswith(_PARAM_HEADER) for key in headers):
            return None
        try:
            tool = await self.gate.catalog.find(str(params.get("name")), caller)
        except UnknownTool:
            return None  # said by the call itself
        return header_fault(tool, arguments, headers)

    async def _call(self, params: Mapping[str, Any], version: str, caller: object) -> Reply:
        """Take a call through the gate."""
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            return invalid_params("tools/call needs name, a string")
        if arguments is not None and not isinstance(arguments, Mapping):
            return invalid_params("arguments of tools/call are an object", name=name)
        if not self._allow_execute:
            return refusal(CanonicalCode.UNAUTHORIZED, message=EXECUTION_OFF, name=name)
        walked = await self.gate.walk(name, {} if arguments is None else arguments, caller)
        return of_outcome(name, walked, version)


_WATCH_AFTER_S = 0.2
"""A call that takes longer than this is watched for a client that hangs up."""


class ClientLeft(Exception):
    """The client hung up while its call was running."""


class Direct:
    """Answers requests from a local server, and cancels what is taken back.

    Args:
        local: The tools.
    """

    def __init__(self, local: LocalServer) -> None:
        self._local = local
        self._running: dict[tuple[bytes, object], anyio.CancelScope] = {}

    async def reply(
        self, request: Request, version: str, scope: Scope, receive: Receive, *, is_newer: bool
    ) -> Reply:
        """Answer one request.

        Raises:
            ClientLeft: The client hung up.
        """
        caller = HttpRequest(scope)
        headers = by_name(scope) if is_newer else None
        if request.method != "tools/call":
            return await self._local.reply(request, version, caller, headers)
        key = (header(scope, SESSION) or b"", request.id)
        with anyio.CancelScope() as cancelled, _watched(receive, cancelled) as left:
            self._running[key] = cancelled
            try:
                return await self._local.reply(request, version, caller, headers)
            finally:
                if self._running.get(key) is cancelled:
                    del self._running[key]
        if left:
            raise ClientLeft
        return refusal(
            CanonicalCode.INTERNAL_ERROR,
            jsonrpc_code=REQUEST_CANCELLED,
            message="Request cancelled",
        )

    def has(self, key: tuple[bytes, object]) -> bool:
        """Whether a call of this key, a session and an id, is running."""
        return key in self._running

    def take_back(self, notification: Notification, scope: Scope) -> None:
        """Cancel the call that a notification names, if it is of the same session."""
        session = header(scope, SESSION)
        if notification.method != "notifications/cancelled" or session is None:
            return
        ident = (notification.params or {}).get("requestId")
        running = self._running.get((session, ident)) if is_id(ident) else None
        if running is not None:
            running.cancel()


@contextmanager
def _watched(receive: Receive, scope: anyio.CancelScope) -> Iterator[list[bool]]:
    """Cancel what takes long when its client hangs up; the list then is not empty."""
    left: list[bool] = []
    watchers: list[asyncio.Task[None]] = []

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.append(True)
        scope.cancel()

    loop = asyncio.get_running_loop()
    timer = loop.call_later(_WATCH_AFTER_S, lambda: watchers.append(loop.create_task(watch())))
    try:
        yield left
    finally:
        timer.cancel()
        for watcher in watchers:
            watcher.cancel()
