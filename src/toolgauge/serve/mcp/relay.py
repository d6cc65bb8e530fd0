"""Passes requests on to an upstream server, and what it says back.

Everything goes through as it is, in both directions. Looked at are ``tools/call``
and its result, which must keep the contract that the server itself lists, and the
two things that are names of a conversation and differ on either side of us: progress
tokens and ids of subscriptions.

Here is also how many calls may be in flight, and how long each of them has left.

A call that nothing has to be awaited for is forwarded without a task (``call_at_once``).
The bench is bench/gateway.py, "One call over stdio": with a task for each call, the part
of the gateway takes a third longer.
"""

# ``_ForwardedCall`` is a part of ``Relay``, apart because it outlives a method.
# ruff: noqa: SLF001

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from mcp.shared.inbound import mcp_param_headers, x_mcp_header_map

from toolgauge.contract import Tool
from toolgauge.envelope import meta_of
from toolgauge.envelope.mcp import MODERN_VERSIONS
from toolgauge.envelope.messages import INTERNAL_ERROR, NOTIFICATIONS
from toolgauge.serve.mcp.contracts import ToolContracts
from toolgauge.serve.mcp.eras import is_disguised_call
from toolgauge.serve.mcp.replies import BUSY, BUSY_STATUS, Reply, failed, relayed, unknown_method
from toolgauge.upstream import RequestRefused, ServerFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from toolgauge.contract import Bounds
    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.upstream.client import Client
    from toolgauge.upstream.peer import Peer

_LOG = logging.getLogger(__name__)


class Slots:
    """Counts calls in flight. For one event loop.

    Args:
        limit: The most at a time.
        waits: Whether ``take`` waits for a free slot. Where the transport can hold its
            client back, as a pipe can, a call waits; elsewhere it is rejected.

    Attributes:
        taken: How many are in flight.
    """

    def __init__(self, limit: int, *, waits: bool = False) -> None:
        self.limit: int = limit
        self._waits = waits
        self.taken: int = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    def take_now(self) -> bool:
        """Take a slot if one is free and no earlier call waits for it."""
        if self.taken >= self.limit or self._queue:
            return False
        self.taken += 1
        return True

    async def take(self) -> bool:
        """Take a slot, waiting for one if this is what ``waits`` says.

        Returns:
            Whether the caller has a slot now, which it must ``give_back``.
        """
        if self.take_now():
            return True
        if not self._waits:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.give_back()
            raise
        return True

    def give_back(self) -> None:
        """Free a slot, or hand it to the call that has waited longest."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.taken -= 1

    @asynccontextmanager
    async def held(self) -> AsyncIterator[bool]:
        """Hold a slot in the body; ``False`` if none was free."""
        has_slot = await self.take()
        try:
            yield has_slot
        finally:
            if has_slot:
                self.give_back()


class Caller(Protocol):
    """The client that a request came from, while it waits for the answer."""

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or cannot be asked.
        """

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification."""


class Clock(Protocol):
    """How long a request has left: ``asyncio.Timeout``, or the like."""

    def expired(self) -> bool:
        """Whether it has run out."""

    def reschedule(self, when: float | None) -> None:
        """Let it run out at another time of the loop, or never."""


@dataclass(slots=True, kw_only=True)
class OpenCall:
    """A request that was passed on and is not answered yet.

    Attributes:
        begun_s: When it was passed on, by the clock of the event loop.
        held_before_s: For how long clients had been asked by then.
        late_s: What it is late after, in seconds.
    """

    caller: Caller
    clock: Clock
    is_stream: bool
    ident: object = None
    token: object = None
    begun_s: float = 0.0
    held_before_s: float = 0.0
    late_s: float = 0.0


class OpenCalls:
    """The open calls of one conversation, by our own ids, in the order of their beginning.

    Progress gives a call its whole time again, and a question to its client stops its
    clock, but neither for ever.

    Args:
        bounds: ``handler_timeout_s``, ``max_call_s`` and ``max_question_s``.

    Source: MCP 2025-11-25, basic/lifecycle, "Timeouts": a maximum timeout is always
    enforced, regardless of progress notifications.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._limit_s = bounds.handler_timeout_s
        self._max_call_s = max(bounds.max_call_s, bounds.handler_timeout_s)
        self._max_question_s = bounds.max_question_s
        self._longest_s = bounds.longest_call_s
        self._calls: dict[int, OpenCall] = {}
        self._questions = 0
        self._asked_at_s = 0.0
        self._held_s = 0.0

    def begin(self, own: int, call: OpenCall) -> None:
        """Take a call in."""
        call.begun_s = asyncio.get_running_loop().time()
        call.held_before_s, call.late_s = self._held_until(call.begun_s), self._limit_s
        self._calls[own] = call

    def end(self, own: int) -> None:
        """Let a call go."""
        del self._calls[own]

    def find(self, own: object) -> OpenCall | None:
        """Give the call of an id of ours that came back; some servers make text of it."""
        return self._calls.get(_as_int(own))

    def youngest(self, *, must_be_alone: bool) -> OpenCall | None:
        """Give the call that began last; where it must be alone, only if it is."""
        answered = [each for each in self._calls.values() if not each.is_stream]
        if not answered or (must_be_alone and len(answered) > 1):
            return None
        return answered[-1]

    @asynccontextmanager
    async def held(self, call: OpenCall | None) -> AsyncIterator[None]:
        """Stop the clocks while a client is asked; afterwards each call has its whole time again.

        Args:
            call: The call that the question is about, if there is one.

        Raises:
            RequestRefused: The client takes too long.
        """
        now = asyncio.get_running_loop().time()
        if not self._questions:
            self._asked_at_s = now
        self._questions += 1
        for each in self._calls.values():
            self._hold(each, now)
        left_s = self._max_question_s - (0.0 if call is None else self._held_of(call, now))
        try:
            async with asyncio.timeout(left_s):
                yield
        except TimeoutError:
            message = f"the client did not answer within {self._max_question_s:g} s"
            raise RequestRefused(INTERNAL_ERROR, message) from None
        finally:
            self._questions -= 1
            if not self._questions:
                self._held_s += asyncio.get_running_loop().time() - self._asked_at_s
                for each in self._calls.values():
                    self.wind(each)

    def wind(self, call: OpenCall) -> None:
        """Give a call its whole time again, up to its maximum, if it has not run out yet."""
        if self._questions:
            return
        now = asyncio.get_running_loop().time()
        held_s = min(self._held_of(call, now), self._max_question_s)
        self._let_end(call, now + self._limit_s, self._limit_s, self._max_call_s + held_s)

    def _hold(self, call: OpenCall, now: float) -> None:
        """Let a call end when its questions must have ended, and it has its time after them."""
        left_s = self._max_question_s - self._held_of(call, now) + self._limit_s
        self._let_end(call, now + left_s, left_s, self._longest_s)

    def _let_end(self, call: OpenCall, when: float, late_s: float, longest_s: float) -> None:
        """Let a call end at a time, and after the longest time from its beginning at last."""
        if call.is_stream or call.clock.expired():
            return
        latest = call.begun_s + longest_s
        call.late_s = round(late_s if when <= latest else longest_s, 1)
        call.clock.reschedule(min(when, latest))

    def _held_of(self, call: OpenCall, now: float) -> float:
        """Return for how long clients were asked since a call began."""
        return self._held_until(now) - call.held_before_s

    def _held_until(self, now: float) -> float:
        return self._held_s + (now - self._asked_at_s if self._questions else 0.0)


def _as_int(value: object) -> int:
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else -1


LISTEN = "subscriptions/listen"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"


class Relay:
    """One conversation with an upstream server, in the name of one client or of many.

    Args:
        contracts: Holds calls against the server's own promises.
        bounds: How long a request may take.
        slots: Counts calls in flight.
        standalone: Who hears what belongs to no request, ``None`` where many
            clients share the conversation and nobody may hear another's.

    Attributes:
        client: The connection to the server.
        peer: The conversation over it.
        client_version: What its clients speak, ``None`` for the same.
    """

    def __init__(
        self, contracts: Contracts, bounds: Bounds, slots: Slots, standalone: Caller | None
    ) -> None:
        self.client: Client
        self.peer: Peer
        self.client_version: str | None = None
        self._limit_s = bounds.handler_timeout_s
        self._slots = slots
        self._standalone = standalone
        self._calls = OpenCalls(bounds)
        self._tools = ToolContracts(contracts, self._page, bounds)
        self._list_meta: Mapping[str, Any] = {}

    def attach(self, client: Client) -> None:
        """Use this connection. Comes before the first request."""
        self.client, self.peer = client, client.peer

    async def reply(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Answer a request with what the server says to it.

        Args:
            method: As the client sent it.
            params: As the client sent them.
            caller: The client.
            ident: The client's id of the request; names a subscription.
            headers: Of HTTP, where the client's era repeats arguments there.
        """
        try:
            if method == "tools/call":
                return await self._call(params, caller, ident, headers)
            if is_disguised_call(method):
                return unknown_method(method)
            found = await self.forward(method, params, caller, ident)
            if method == "tools/list":
                self._tools.book.overhear((params or {}).get("cursor"), found)
            held = self._tools.held_back(method, params, found, self.client.version)
            return held or Reply(result=found)
        except RequestRefused as refused:
            return relayed(refused)
        except ServerFailed as gone:
            _LOG.warning("%s", gone)
            return failed(f"{gone.label}: {gone.reason}")
        except TimeoutError as late:
            return failed(self._lateness(*late.args))

    async def forward(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a request on and give its result as it came.

        Raises:
            RequestRefused: The server answered with an error.
            ServerFailed: It is gone.
            TimeoutError: It is late. Progress, and a question to the client, give it
                more time.
        """
        own = self.peer.next_id()
        is_stream = method == LISTEN
        token = meta_of(params).get("progressToken")
        if token is not None:
            params = _with_meta(params, progressToken=own)
        clock = asyncio.timeout(None if is_stream else self._limit_s)
        call = OpenCall(caller=caller, clock=clock, is_stream=is_stream, ident=ident, token=token)
        try:
            async with clock:
                self._calls.begin(own, call)
                try:
                    return await self.peer.request(own, method, params, headers)
                finally:
                    self._calls.end(own)
        except TimeoutError:
            raise TimeoutError(call.late_s) from None

    def call_at_once(
        self,
        params: Mapping[str, Any] | None,
        caller: Caller,
        done: Callable[[Reply], None],
    ) -> Callable[[], None] | Reply | None:
        """Forward a call synchronously, if nothing has to be awaited.

        Args:
            params: As the client sent them.
            caller: The client.
            done: Called with the reply; never before this returns.

        Returns:
            What cancels the call, or the reply to one that is rejected; ``None`` if
            something has to be awaited, so that ``reply`` must be called instead.
        """
        if not self.peer.can_begin or not self._slots.take_now():
            return None
        tool = self._tools.admitted_now(params, self._spoken)
        if not isinstance(tool, Tool):
            self._slots.give_back()
            return tool
        own = self.peer.next_id()
        token = meta_of(params).get("progressToken")
        sent = params if token is None else _with_meta(params, progressToken=own)
        call = _ForwardedCall(self, own, tool, done, may_be_task="task" in (params or {}))
        if not self.peer.begin(own, "tools/call", sent, call.answered):
            self._slots.give_back()
            return None
        call.begin(OpenCall(caller=caller, clock=call, is_stream=False, token=token))
        return call.take_back

    def _lateness(self, *late_s: float) -> str:
        """Return the message for a server that took longer than this, or than one request may."""
        seconds = late_s[0] if late_s else self._limit_s
        return self.peer.noted(f"{self.peer.label} gave no answer within {seconds:g} s")

    async def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Forward a notification of a client.

        ``notifications/cancelled`` is not forwarded: cancel ``reply`` instead.
        """
        if not method.startswith(NOTIFICATIONS) or is_disguised_call(method):
            _LOG.warning("%s is not forwarded: it is no notification", method[:100])
        elif method != "notifications/cancelled":
            await self.peer.notify(method, params)

    async def asked(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Let the client answer a request of the server.

        Raises:
            RequestRefused: It says no, or nobody can be asked.
        """
        call = self._spoken_of()
        caller = call.caller if call is not None else self._standalone
        if caller is None:
            raise RequestRefused(INTERNAL_ERROR, "there is no one client to ask")
        return await self.ask(caller, method, params, call)

    async def ask(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any] | None,
        call: OpenCall | None = None,
    ) -> Any:
        """Send a client a request, and wait for its answer for as long as a question may take.

        Raises:
            RequestRefused: It says no, takes too long, or is asked too much.
        """
        async with self._calls.held(call):
            return await caller.ask(method, params)

    async def told(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Pass a notification of the server to whom it is for."""
        if method == "notifications/tools/list_changed":
            self._tools.book.forget()
        if self._tools.held_back(method, params, params, self.client.version) is not None:
            _LOG.warning("%s is not forwarded: its result violates the output schema", method)
            return
        meta = meta_of(params)
        if method == "notifications/progress":
            await self._progressed(method, params or {})
        elif SUBSCRIPTION_KEY in meta:
            listening = self._calls.find(meta[SUBSCRIPTION_KEY])
            if listening is not None:
                named = _with_meta(params, **{SUBSCRIPTION_KEY: listening.ident})
                await listening.caller.tell(method, named)
        elif (call := self._spoken_of()) is not None and method in _OF_A_REQUEST:
            await call.caller.tell(method, params)
        elif self._standalone is not None:
            await self._standalone.tell(method, params)

    async def _call(
        self,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object,
        received: Mapping[str, str] | None,
    ) -> Reply:
        """Pass a call on if it keeps the contract, and its result back if that does."""
        self._list_meta = {k: v for k, v in meta_of(params).items() if k != "progressToken"}
        tool = await self._tools.admitted(params, self._spoken, received)
        if isinstance(tool, Reply):
            return tool
        async with self._slots.held() as has_slot:
            if not has_slot:
                return failed(BUSY, name=tool.name, tool=tool, status=BUSY_STATUS)
            try:
                headers = self._param_headers(tool, (params or {}).get("arguments"))
                found = await self.forward("tools/call", params, caller, ident, headers)
            except (RequestRefused, ServerFailed) as error:
                found = error
            except TimeoutError as late:
                return failed(self._lateness(*late.args), name=tool.name, tool=tool)
        version = self.client.version
        reply = self._tools.judged(tool, found, version, may_be_task="task" in (params or {}))
        if self._tools.is_doubtful(reply):
            return await self._tools.judged_anew(reply, tool, found, version)
        return reply

    @property
    def _spoken(self) -> str:
        """What the clients speak."""
        return self.client_version or self.client.version

    def _param_headers(self, tool: Tool, arguments: object) -> dict[str, str] | None:
        """Repeat in headers what the tool asks for there (2026-07-28)."""
        if self.client.version not in MODERN_VERSIONS or not isinstance(arguments, Mapping):
            return None
        return mcp_param_headers(x_mcp_header_map(tool.input_schema), arguments)

    async def _page(self, cursor: str | None) -> object:
        """Ask for a page of the tool list, for ourselves."""
        params: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
        if self._list_meta:
            params["_meta"] = dict(self._list_meta)
        async with asyncio.timeout(self._limit_s):
            return await self.peer.request(self.peer.next_id(), "tools/list", params)

    async def _progressed(self, method: str, params: Mapping[str, Any]) -> None:
        """Pass progress on under the client's own token."""
        call = self._calls.find(params.get("progressToken"))
        if call is None or call.token is None:
            return
        self._calls.wind(call)
        await call.caller.tell(method, {**params, "progressToken": call.token})

    def _spoken_of(self) -> OpenCall | None:
        """Guess whose call the server is working on when it speaks without saying so.

        Where many clients share the conversation, only if there is no other.
        """
        return self._calls.youngest(must_be_alone=self._standalone is None)


class _ForwardedCall:
    """A call that was forwarded and that no task waits for. It is its own clock.

    Args:
        relay: What forwarded it.
        own: Our id of the request.
        tool: What is called.
        done: Called with the reply.
        may_be_task: Whether the client asked for a task.
    """

    def __init__(
        self,
        relay: Relay,
        own: int,
        tool: Tool,
        done: Callable[[Reply], None],
        *,
        may_be_task: bool,
    ) -> None:
        self._relay = relay
        self._own = own
        self._tool = tool
        self._done = done
        self._may_be_task = may_be_task
        self._open: OpenCall | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.Task[None] | None = None

    def begin(self, call: OpenCall) -> None:
        """Run from here on."""
        self._open = call
        self._relay._calls.begin(self._own, call)
        self.reschedule(call.begun_s + call.late_s)

    def expired(self) -> bool:
        """Whether the time is over."""
        return self._timer is None

    def reschedule(self, when: float | None) -> None:
        """Let the time be over at another time of the loop, or never."""
        if self._timer is not None:
            self._timer.cancel()
        if when is not None:
            self._timer = asyncio.get_running_loop().call_at(when, self._late)

    def answered(self, found: Any) -> None:
        """Take the answer; one that an old list rejects is validated against a new one."""
        tools, version = self._relay._tools, self._relay.client.version
        reply = tools.judged(self._tool, found, version, may_be_task=self._may_be_task)
        if tools.is_doubtful(reply):
            self._again = asyncio.create_task(self._judged_anew(reply, found))
        else:
            self._end(reply)

    def _late(self) -> None:
        """Give up: the time is over."""
        relay, tool, self._timer = self._relay, self._tool, None
        late_s = () if self._open is None else (self._open.late_s,)
        relay.peer.give_up(self._own)
        self._end(failed(relay._lateness(*late_s), name=tool.name, tool=tool))

    def take_back(self) -> None:
        """Cancel the call; no reply follows."""
        self._relay.peer.give_up(self._own)
        self._leave()

    async def _judged_anew(self, reply: Reply, found: Any) -> None:
        relay = self._relay
        version = relay.client.version
        reply = await relay._tools.judged_anew(reply, self._tool, found, version)
        self._again = None
        self._end(reply)

    def _end(self, reply: Reply) -> None:
        self._leave()
        self._done(reply)

    def _leave(self) -> None:
        self.reschedule(None)
        if self._again is not None:
            self._again.cancel()
        self._relay._slots.give_back()
        self._relay._calls.end(self._own)


_OF_A_REQUEST = frozenset({"notifications/message"})


def _with_meta(params: Mapping[str, Any] | None, **members: Any) -> dict[str, Any]:
    """Replace members of ``_meta``."""
    return {**(params or {}), "_meta": {**meta_of(params), **members}}
