"""The translation between the two eras, one class each way.

``OlderServer`` answers clients of the newer era from a server of the older one: what a
server asks its client while a call runs becomes a result that asks for input, and the
call waits until the client sends it again with the answers. What cannot be translated:
subscriptions, and a question while several clients' calls are running, since nothing
tells whose it is.

``NewerServer`` answers a client of the older era from a server that speaks the newer one
only: its handshake is made from what the server says of itself, and a result that asks
for input becomes requests to the client. What cannot be translated: subscriptions.

Source: MCP 2026-07-28, "Multi Round-Trip Requests".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp_types import LOG_LEVEL_META_KEY

from toolgauge.contract import dump_json
from toolgauge.envelope import CanonicalCode, meta_of
from toolgauge.envelope.mcp import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LATEST_MODERN_VERSION,
    MODERN_VERSIONS,
    PROTOCOL_VERSION_KEY,
    SERVER_INFO_KEY,
)
from toolgauge.envelope.messages import METHOD_NOT_FOUND
from toolgauge.serve.mcp.eras import CACHEABLE, ONLY_OLDER, RESERVED_META, negotiated, with_stamp
from toolgauge.serve.mcp.outputs import OlderOutputs
from toolgauge.serve.mcp.relay import LISTEN
from toolgauge.serve.mcp.replies import (
    Reply,
    failed,
    invalid_params,
    refusal,
    relayed,
    unknown_method,
)
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from toolgauge.serve.mcp.conversations import Conversation
    from toolgauge.serve.mcp.relay import Caller


MAX_WAITING = 100
"""Most calls that wait for a client to come back; the oldest one gives way."""

WAIT_S = 600.0
"""How long such a call waits."""

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_CAPABILITY = {
    "elicitation/create": "elicitation",
    "roots/list": "roots",
    "sampling/createMessage": "sampling",
}
_INPUT = frozenset({"inputResponses", "requestState"})


class OlderServer:
    """Answers requests of the newer era from a server of the older one.

    Args:
        conversation: With the server, which has shaken hands.
        greeting: What it said then.
    """

    def __init__(self, conversation: Conversation, greeting: Mapping[str, Any]) -> None:
        conversation.relay.client_version = LATEST_MODERN_VERSION
        self._relay = conversation.relay
        self._greeting = greeting
        self._info = greeting.get("serverInfo") or {
            "name": conversation.client.wire.label,
            "version": "",
        }
        self._waiting: dict[str, _Waiting] = {}

    async def reply(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Answer a request. See ``Relay.reply``."""
        if method == LISTEN:
            return refusal(
                CanonicalCode.NOT_FOUND,
                jsonrpc_code=METHOD_NOT_FOUND,
                message="the server behind this gateway has no subscriptions of this version",
            )
        if method in ONLY_OLDER:
            return unknown_method(method)
        if method == "server/discover":
            return Reply(result=self._completed(method, self._discovered()))
        waiting = self._taken(method, params)
        if isinstance(waiting, Reply):
            return waiting
        if waiting is None:
            waiting = self._begun(method, params, caller, ident, headers)
        else:
            waiting.question.resume(caller, (params or {}).get("inputResponses"))
        try:
            return await self._outcome(method, waiting)
        except asyncio.CancelledError:
            waiting.work.cancel()
            raise

    def _discovered(self) -> dict[str, Any]:
        """Tell what the server offers, as far as the newer era knows it."""
        capabilities = dict(self._greeting.get("capabilities") or {})
        capabilities.pop("logging", None)
        for name in ("tools", "prompts", "resources"):
            if isinstance(capabilities.get(name), Mapping):
                capabilities[name] = {}
        result: dict[str, Any] = {
            "supportedVersions": list(MODERN_VERSIONS),
            "capabilities": capabilities,
        }
        if "instructions" in self._greeting:
            result["instructions"] = self._greeting["instructions"]
        return result

    def _begun(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object,
        headers: Mapping[str, str] | None,
    ) -> _Waiting:
        """Send a request on, in a task that outlives the client's own request."""
        meta = meta_of(params)
        question = _Question(caller, meta)
        kept = {key: value for key, value in meta.items() if key not in _NOT_PASSED}
        sent = {key: value for key, value in (params or {}).items() if key not in _INPUT}
        sent.pop("_meta", None)
        if kept:
            sent["_meta"] = kept
        work = asyncio.create_task(self._relay.reply(method, sent, question, ident, headers))
        return _Waiting(work=work, question=question, identity=_identity(method, params))

    def _taken(self, method: str, params: Mapping[str, Any] | None) -> _Waiting | Reply | None:
        """Find the call that a client comes back to."""
        state = (params or {}).get("requestState")
        if state is None:
            return None
        waiting = self._waiting.get(state) if isinstance(state, str) else None
        if waiting is None or waiting.identity != _identity(method, params):
            return invalid_params("requestState is not one of this request, or came too late")
        del self._waiting[state]
        waiting.stop_timer()
        return waiting

    async def _outcome(self, method: str, waiting: _Waiting) -> Reply:
        """Wait for the answer, or for a question that comes before it."""
        asked = asyncio.ensure_future(waiting.question.next())
        try:
            await asyncio.wait({waiting.work, asked}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()
        if waiting.work.done():
            reply = waiting.work.result()
            if reply.result is None:
                return reply
            return replace(reply, result=self._completed(method, reply.result))
        return Reply(result=self._asking(waiting))

    def _asking(self, waiting: _Waiting) -> dict[str, Any]:
        """Give the result that asks for input, and keep the call until it comes."""
        state = secrets.token_urlsafe(24)
        self._waiting[state] = waiting
        while len(self._waiting) > MAX_WAITING:
            self._expire(next(iter(self._waiting)))
        waiting.timer = asyncio.get_running_loop().call_later(WAIT_S, self._expire, state)
        return with_stamp(
            {
                "resultType": "input_required",
                "inputRequests": waiting.question.pending(),
                "requestState": state,
            },
            self._info,
        )

    def _expire(self, state: str) -> None:
        """Give a call up that nobody came back to."""
        waiting = self._waiting.pop(state, None)
        if waiting is not None:
            waiting.stop_timer()
            waiting.work.cancel()

    def _completed(self, method: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """Complete a result as the newer era wants it."""
        hints = {"ttlMs": 0, "cacheScope": "private"} if method in CACHEABLE else {}
        # What the older era has under this name says nothing of a result's kind.
        return with_stamp({**hints, **result, "resultType": "complete"}, self._info)


_NOT_PASSED = frozenset({*RESERVED_META, LOG_LEVEL_META_KEY})


@dataclass(slots=True, kw_only=True)
class _Waiting:
    """A call that is at work in the server, between two requests of its client."""

    work: asyncio.Task[Reply]
    question: _Question
    identity: bytes
    timer: asyncio.TimerHandle | None = None

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


class _Question:
    """The client as the server sees it: asked in a result, answering in a request."""

    def __init__(self, caller: Caller, meta: Mapping[str, Any]) -> None:
        self._caller = caller
        able = meta.get(CLIENT_CAPABILITIES_KEY)
        self._able: Mapping[str, Any] = able if isinstance(able, Mapping) else {}
        level = meta.get(LOG_LEVEL_META_KEY)
        self._lowest = _LEVELS.index(level) if level in _LEVELS else len(_LEVELS)
        self._asked: dict[str, tuple[str, Mapping[str, Any] | None, asyncio.Future[Any]]] = {}
        self._count = 0
        self._event = asyncio.Event()

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Wait for the client to come back with an answer."""
        if method == "ping":
            return {}
        if _CAPABILITY.get(method) not in self._able:
            raise RequestRefused(METHOD_NOT_FOUND, f"the client does not answer {method[:100]}")
        self._count += 1
        key = f"question-{self._count}"
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[key] = (method, params, answer)
        self._event.set()
        try:
            return await answer
        finally:
            self._asked.pop(key, None)

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Pass a notification on; log lines only if this request wants them."""
        if method == "notifications/message":
            level = (params or {}).get("level")
            if level not in _LEVELS or _LEVELS.index(level) < self._lowest:
                return
        await self._caller.tell(method, params)

    async def next(self) -> None:
        """Wait until there is something to ask."""
        await self._event.wait()

    def pending(self) -> dict[str, Any]:
        """Give what is to be asked, by key."""
        self._event.clear()
        return {
            key: {"method": method, **({} if params is None else {"params": params})}
            for key, (method, params, _) in self._asked.items()
        }

    def resume(self, caller: Caller, responses: object) -> None:
        """Take the client's answers; what it left out is asked again."""
        self._caller = caller
        given = responses if isinstance(responses, Mapping) else {}
        for key, (_, _, answer) in self._asked.items():
            if key in given and not answer.done():
                answer.set_result(given[key])
            else:
                self._event.set()


def _identity(method: str, params: Mapping[str, Any] | None) -> bytes:
    """Name what a request is about, so that no state continues another one."""
    about = {k: v for k, v in (params or {}).items() if k not in _INPUT and k != "_meta"}
    return dump_json([method, about])


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
        self._relay = conversation.relay
        self._label = conversation.client.wire.label
        self.version: str = negotiated(params.get("protocolVersion"))
        self._relay.client_version = self.version
        self._discovered = discovered
        self._outputs = OlderOutputs()
        self._meta: dict[str, Any] = {
            PROTOCOL_VERSION_KEY: LATEST_MODERN_VERSION,
            CLIENT_INFO_KEY: params.get("clientInfo") or {"name": "client", "version": ""},
            CLIENT_CAPABILITIES_KEY: params.get("capabilities") or {},
        }

    def greeting(self) -> dict[str, Any]:
        """Give the answer to the client's handshake."""
        info = meta_of(self._discovered).get(SERVER_INFO_KEY)
        result: dict[str, Any] = {
            "protocolVersion": self.version,
            "capabilities": self._discovered.get("capabilities") or {},
            "serverInfo": info or {"name": self._label, "version": ""},
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
            if result is None:
                return reply
            if result.get("resultType") != "input_required":
                return replace(reply, result=self._outputs.rewritten(method, params, result))
            try:
                more = await self._answers(result, caller)
            except RequestRefused as refused:
                return relayed(refused)
        return failed(f"the server asked for input more than {MAX_ROUNDS} times")

    async def _answers(self, result: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        """Ask the client what a result asks for, and give what the next request carries."""
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
