"""Passes requests on to an upstream server, and what it says back.

Everything goes through as it is, in both directions. Looked at are ``tools/call``
and its result, which must keep the contract that the server itself lists, and the
two things that are names of a conversation and differ on either side of us: progress
tokens and ids of subscriptions.
"""

# ``_ForwardedCall`` is a part of ``Relay``, apart because it outlives a method.
# ruff: noqa: SLF001

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.shared.inbound import mcp_param_headers, x_mcp_header_map

from toolgauge.contract import Tool
from toolgauge.envelope import CanonicalCode
from toolgauge.envelope.messages import NOTIFICATIONS
from toolgauge.serve.mcp.eras import MODERN_PROTOCOL_VERSIONS, is_disguised_call, meta_of
from toolgauge.serve.mcp.open_calls import OpenCall, OpenCalls, Timer
from toolgauge.serve.mcp.replies import (
    BUSY,
    BUSY_STATUS,
    Reply,
    failed,
    relayed,
    unknown_method,
)
from toolgauge.serve.mcp.task_results import TaskResults
from toolgauge.serve.mcp.tool_book import ToolBook
from toolgauge.upstream import RequestRefused, ServerFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Bounds
    from toolgauge.gate import Slots
    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.open_calls import Caller
    from toolgauge.upstream.peer import Peer

_LOG = logging.getLogger(__name__)

LISTEN = "subscriptions/listen"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
NO_SUCH_CLIENT = -32603


class Relay:
    """One conversation with an upstream server, in the name of one client or of many.

    Args:
        contracts: Holds calls against the server's own promises.
        bounds: How long a request may take.
        slots: Counts calls in flight.
        standalone: Who hears what belongs to no request, ``None`` where many
            clients share the conversation and nobody may hear another's.

    Attributes:
        peer: The server. Set before the first request.
        version: What is spoken with it.
        client_version: What its clients speak, ``None`` for the same.
    """

    def __init__(
        self, contracts: Contracts, bounds: Bounds, slots: Slots, standalone: Caller | None
    ) -> None:
        self.peer: Peer
        self.version: str = ""
        self.client_version: str | None = None
        self._contracts = contracts
        self._limit_s = bounds.handler_timeout_s
        self._slots = slots
        self._standalone = standalone
        self._calls = OpenCalls(bounds)
        self._book = ToolBook(self._page, bounds)
        self._tasks = TaskResults()
        self._list_meta: Mapping[str, Any] = {}

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
                self._book.overhear((params or {}).get("cursor"), found)
            return self._held_back(method, params, found) or Reply(result=found)
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
        tool = self._admitted_at_once(params)
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
        timer = call.timer = Timer(self._limit_s, call.late)
        call.open = OpenCall(caller=caller, clock=timer, is_stream=False, token=token)
        self._calls.begin(own, call.open)
        return call.take_back

    def _admitted_at_once(self, params: Mapping[str, Any] | None) -> Tool | Reply | None:
        """Return the tool of a call that may reach it, or the reply to one that may not.

        ``None`` if the list of tools must be read first.
        """
        asked = self._contracts.read_call(params)
        if isinstance(asked, Reply):
            return asked
        known = self._book.known(asked[0])
        if known is None:
            return None
        tool = self._contracts.admitted(known, *asked, self.client_version or self.version)
        return None if isinstance(tool, Reply) and self._book.is_old else tool

    def _judged(self, tool: Tool, found: Any, *, may_be_task: bool = False) -> Reply:
        """Return the reply to a call for what came back."""
        more: dict[str, Any] = {"name": tool.name, "tool": tool}
        if isinstance(found, RequestRefused):
            return relayed(found, **more)
        if isinstance(found, ServerFailed):
            _LOG.warning("%s", found)
            return failed(f"{found.label}: {found.reason}", **more)
        if self._tasks.is_task(tool, found, may_be_task=may_be_task):
            return Reply(result=found, **more)
        try:
            held = self._contracts.refusal_of_result(tool, found, self.version)
        except Exception:  # noqa: BLE001 - the client waits, whatever goes wrong here
            _LOG.exception("a result of tool %r could not be validated", tool.name)
            return failed("Internal error", **more)
        return Reply(result=found, **more) if held is None else held

    def _held_back(
        self, method: str, params: Mapping[str, Any] | None, found: object
    ) -> Reply | None:
        """Return the reply in place of a task's result that violates its output schema."""
        delivered = self._tasks.result_in(method, params, found)
        if delivered is None:
            return None
        return self._contracts.refusal_of_result(*delivered, self.version)

    def _is_doubtful(self, reply: Reply) -> bool:
        """Tell a result that is held back by a list which may be out of date."""
        return reply.code is CanonicalCode.INVALID_OUTPUT and self._book.is_old

    async def _judged_anew(self, reply: Reply, tool: Tool, found: Any) -> Reply:
        """Judge a result by a list that is read now; the reply stands where there is none."""
        try:
            newer = await self._book.find_anew(tool.name)
        except (RequestRefused, ServerFailed, TimeoutError):
            return reply
        return reply if newer is None else self._judged(newer, found)

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
            raise RequestRefused(NO_SUCH_CLIENT, "there is no one client to ask")
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
            self._book.forget()
        if self._held_back(method, params, params) is not None:
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
        asked = self._contracts.read_call(params)
        if isinstance(asked, Reply):
            return asked
        name, arguments = asked
        self._list_meta = {k: v for k, v in meta_of(params).items() if k != "progressToken"}
        about = (name, arguments, self.client_version or self.version, received)
        tool = self._contracts.admitted(await self._book.find(name), *about)
        if isinstance(tool, Reply) and self._book.is_old:
            # Nothing is refused by a list that may be out of date.
            tool = self._contracts.admitted(await self._book.find_anew(name), *about)
        if isinstance(tool, Reply):
            return tool
        async with self._slots.held() as has_slot:
            if not has_slot:
                return failed(BUSY, name=name, tool=tool, status=BUSY_STATUS)
            try:
                headers = self._param_headers(tool, arguments)
                found = await self.forward("tools/call", params, caller, ident, headers)
            except (RequestRefused, ServerFailed) as error:
                found = error
            except TimeoutError as late:
                return failed(self._lateness(*late.args), name=name, tool=tool)
        reply = self._judged(tool, found, may_be_task="task" in (params or {}))
        return await self._judged_anew(reply, tool, found) if self._is_doubtful(reply) else reply

    def _param_headers(self, tool: Tool, arguments: object) -> dict[str, str] | None:
        """Repeat in headers what the tool asks for there (2026-07-28)."""
        if self.version not in MODERN_PROTOCOL_VERSIONS or not isinstance(arguments, Mapping):
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
    """A call that was forwarded and that no task waits for.

    Args:
        relay: What forwarded it.
        own: Our id of the request.
        tool: What is called.
        done: Called with the reply.
        may_be_task: Whether the client asked for a task.
    """

    timer: Timer
    open: OpenCall

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
        self._again: asyncio.Task[None] | None = None

    def answered(self, found: Any) -> None:
        """Take the answer; one that an old list rejects is validated against a new one."""
        relay = self._relay
        reply = relay._judged(self._tool, found, may_be_task=self._may_be_task)
        if relay._is_doubtful(reply):
            self._again = asyncio.create_task(self._judged_anew(reply, found))
        else:
            self._end(reply)

    def late(self) -> None:
        """Give up: the time is over."""
        relay, tool = self._relay, self._tool
        relay.peer.give_up(self._own)
        self._end(failed(relay._lateness(self.open.late_s), name=tool.name, tool=tool))

    def take_back(self) -> None:
        """Cancel the call; no reply follows."""
        self._relay.peer.give_up(self._own)
        self._leave()

    async def _judged_anew(self, reply: Reply, found: Any) -> None:
        reply = await self._relay._judged_anew(reply, self._tool, found)
        self._again = None
        self._end(reply)

    def _end(self, reply: Reply) -> None:
        self._leave()
        self._done(reply)

    def _leave(self) -> None:
        self.timer.stop()
        if self._again is not None:
            self._again.cancel()
        self._relay._slots.give_back()
        self._relay._calls.end(self._own)


_OF_A_REQUEST = frozenset({"notifications/message"})


def _with_meta(params: Mapping[str, Any] | None, **members: Any) -> dict[str, Any]:
    """Replace members of ``_meta``."""
    return {**(params or {}), "_meta": {**meta_of(params), **members}}
