"""MCP over standard input and output, in front of any source, for one client."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import anyio

from toolgauge.contract import DEFAULT_BOUNDS, dump_json
from toolgauge.envelope import (
    Malformed,
    Notification,
    Request,
    Response,
    error_message,
    read_frame,
    too_long,
)
from toolgauge.gate import Gate
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.mcp.client import StdioClient
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Conversations
from toolgauge.serve.mcp.eras import (
    DEFAULT_NEGOTIATED_VERSION,
    LATEST_MODERN_VERSION,
    ONLY_OLDER,
    envelope_fault,
    is_modern,
)
from toolgauge.serve.mcp.journal import Journal
from toolgauge.serve.mcp.lane import Lane
from toolgauge.serve.mcp.local import LocalServer
from toolgauge.serve.mcp.relay import LISTEN, Relay, Slots
from toolgauge.serve.mcp.replies import (
    STOPPING,
    Reply,
    failed,
    malformed,
    relayed,
    unknown_method,
)
from toolgauge.serve.mcp.upstreams import Greeter, Session
from toolgauge.serve.stdio import private_streams, serve_lines
from toolgauge.serve.stopping import DRAIN_S, UPSTREAM_DRAIN_S, stop_on_signals
from toolgauge.upstream import RequestRefused, ServerFailed, open_source
from toolgauge.upstream.haste import ending_together
from toolgauge.upstream.opening import dial_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract import Bounds
    from toolgauge.envelope.lines import Line
    from toolgauge.gate import Recorder
    from toolgauge.upstream import Source

_LINES_PER_CALL = 10
"""How many lines may be at work for each call that may: a client must be able to answer
a question, or to take a call back, while all calls are at work."""


async def serve_mcp_stdio(  # noqa: PLR0913 - each is an option of the command line
    source: Source,
    *,
    bounds: Bounds = DEFAULT_BOUNDS,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    formats: bool = False,
    recorder: Recorder | None = None,
    streams: tuple[int, int] | None = None,
) -> None:
    """Serve a source to one client over standard input and output until they close.

    A server is started or connected to when the client sends its first request, and
    shakes hands with that client, not with us.

    SIGTERM and SIGINT stop the reading; calls in flight are still answered.

    Args:
        source: What to serve.
        bounds: Limits on messages, schemas, values and calls.
        headers: Sent with every request to a URL.
        env: Added to the variables that a server process gets.
        formats: Whether ``format`` is asserted; an annotation by default.
        recorder: Writes the log; none by default.
        streams: Descriptors to read from and write to; by default this process's
            own, which are private for as long as this runs.

    Raises:
        SourceError: The source cannot be opened.
    """
    if streams is None:
        with private_streams() as own:
            await serve_mcp_stdio(
                source,
                bounds=bounds,
                headers=headers,
                env=env,
                formats=formats,
                recorder=recorder,
                streams=own,
            )
        return
    writer = LineWriter(streams[1])
    client = StdioClient(writer)
    journal = Journal(recorder, transport="stdio", route="stdio")
    async with AsyncExitStack() as stack:
        haste = stack.enter_context(ending_together())
        dial = dial_of(source, bounds, headers or {}, env or {})
        if dial is None:
            opened = await stack.enter_async_context(
                open_source(source, bounds=bounds, headers=headers, env=env)
            )
            for problem in opened.problems:
                sys.stderr.write(f"warning: {problem.name or 'source'}: {problem.message}\n")
            gate = Gate(opened.tools, opened.handle_call, formats=formats, bounds=bounds)
            server: _Server = _Local(LocalServer(gate))
            drain_s = DRAIN_S
        else:
            contracts = Contracts(formats=formats, bounds=bounds)
            conversations = Conversations(
                dial, contracts, bounds, Slots(bounds.max_calls_in_flight)
            )
            await stack.enter_async_context(conversations.running())
            server = _Elsewhere(conversations, client)
            drain_s = UPSTREAM_DRAIN_S
        lines = _Lines(server, client, journal, bounds)
        try:
            await _serve(lines, writer, bounds, streams[0], drain_s)
        finally:
            # By a signal, or since the client has left: it does not wait long for us.
            haste.begin()


async def _serve(
    lines: _Lines, writer: LineWriter, bounds: Bounds, descriptor: int, drain_s: float
) -> None:
    """Answer lines until there are no more."""
    max_in_flight = bounds.max_calls_in_flight * _LINES_PER_CALL
    with stop_on_signals() as stop:
        lane = Lane(
            descriptor,
            writer,
            lines,
            max_bytes=bounds.max_body_bytes,
            max_in_flight=max_in_flight,
        )
        lines.lane = lane
        if lane.start():
            await lane.run(stop, drain_s)
            return
        # A file, or a system whose event loop waits for no descriptors.
        lines.lane = None
        await serve_lines(
            _Reader(descriptor, bounds.max_body_bytes, lines.end),
            writer,
            lines.answer,
            answer_too_long=lines.answer_too_long,
            max_in_flight=max_in_flight,
            stop=stop,
            cut_short=lines.cut_short,
            drain_s=drain_s,
        )


class _Server(Protocol):
    """What stands behind the lines."""

    @property
    def relay(self) -> Relay | None:
        """What passes calls on as they are, once that is known."""

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        """Answer a request."""

    async def notify(self, notification: Notification) -> None:
        """Take a notification."""

    def stop(self) -> None:
        """Start no further call."""


class _Local:
    """Tools in this process."""

    relay: Relay | None = None

    def __init__(self, local: LocalServer) -> None:
        self._local = local
        self._version = DEFAULT_NEGOTIATED_VERSION

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        version = LATEST_MODERN_VERSION if is_modern(request) else self._version
        reply = await self._local.reply(request, version, client)
        if request.method == "initialize" and reply.result is not None:
            self._version = reply.result["protocolVersion"]
        return reply

    async def notify(self, notification: Notification) -> None:
        del notification  # nothing here depends on one

    def stop(self) -> None:
        self._local.gate.stop()


class _Elsewhere:
    """A server elsewhere, with a conversation in the one client's name."""

    def __init__(self, conversations: Conversations, client: StdioClient) -> None:
        self._greeter = Greeter(conversations, client)
        self._client = client
        self._session: Session | None = None
        self._turn = anyio.Lock()

    @property
    def relay(self) -> Relay | None:
        """The conversation of a client of the older era with a server of that era."""
        if self._session is None or self._turn.locked():
            return None
        answerer = self._session.answerer
        return answerer if isinstance(answerer, Relay) else None

    async def reply(  # noqa: PLR0911 - one answer per kind of request
        self, request: Request, client: StdioClient
    ) -> Reply:
        params: Mapping[str, Any] = request.params or {}
        try:
            if is_modern(request):
                fault = envelope_fault(request)
                if fault is not None:
                    return fault
                if request.method in ONLY_OLDER:
                    return unknown_method(request.method)
                shared = await self._greeter.shared()
                return await shared.reply(request.method, params, client, request.id)
            if request.method == "initialize":
                return await self._greet(params)
            session = self._session or await self._ungreeted()
        except RequestRefused as refused:
            return relayed(refused)
        except ServerFailed as gone:
            return failed(f"{gone.label}: {gone.reason}")
        sent = None if not isinstance(request.params, dict) else request.params
        return await session.answerer.reply(request.method, sent, client, request.id)

    async def notify(self, notification: Notification) -> None:
        if self._session is not None:
            sent = notification.params if isinstance(notification.params, dict) else None
            await self._session.conversation.relay.notify(notification.method, sent)

    def stop(self) -> None:
        """Nothing: what is at work is cancelled by its line."""

    async def _greet(self, params: Mapping[str, Any]) -> Reply:
        """Shake hands in the client's name.

        Raises:
            RequestRefused: The server does not want it.
            ServerFailed: It is not there.
        """
        async with self._turn:
            before, self._session = self._session, None
            if before is not None:
                before.conversation.closing.set()
            self._session, result = await self._greeter.greet(params, self._client)
            return Reply(result=result)

    async def _ungreeted(self) -> Session:
        """Serve a client that sends requests without a handshake.

        Raises:
            RequestRefused: The server does not want us.
            ServerFailed: It is not there.
        """
        async with self._turn:  # also waits for a handshake that is under way
            if self._session is None:
                self._session = await self._greeter.greet_unasked(self._client)
            return self._session


class _Lines:
    """Turns lines into requests and replies into lines."""

    def __init__(
        self, server: _Server, client: StdioClient, journal: Journal, bounds: Bounds
    ) -> None:
        self._server = server
        self._client = client
        self._journal = journal
        self._bounds = bounds
        self._running: dict[object, _Running] = {}
        self._at_once: dict[object, _AtOnce] = {}
        self._is_stopping = False
        self.lane: Lane | None = None

    @property
    def at_work(self) -> int:
        """How many lines were taken on at once and have no answer yet."""
        return len(self._at_once)

    def answer_at_once(self, line: bytes) -> bool:
        """Pass a call on without a task, where nothing has to be waited for."""
        relay = self._server.relay
        # Other lines are read when their task is: this look is cheap, and may be wrong.
        if relay is None or not (b'"tools/call"' in line or b'"notifications/cancelled"' in line):
            return False
        request = read_frame(line, bounds=self._bounds)
        if isinstance(request, Notification) and request.method == "notifications/cancelled":
            self._take_back(request)
            return True
        if not isinstance(request, Request) or request.method != "tools/call":
            return False
        if request.id in self._at_once or not isinstance(request.params, dict):
            return False

        def done(reply: Reply) -> None:
            del self._at_once[request.id]
            end(reply)
            assert self.lane is not None  # noqa: S101 - it is who asked
            self.lane.send(reply.to_bytes(request.id))
            self.lane.settled()

        take_back = relay.call_at_once(request.params, self._client, done)
        if take_back is None:
            return False
        end = self._journal.begin(request)
        self._at_once[request.id] = _AtOnce(take_back=take_back, end=end)
        return True

    async def answer(self, line: bytes) -> bytes | None:
        """Answer one line, if an answer is due."""
        frame = read_frame(line, bounds=self._bounds)
        if isinstance(frame, Request):
            return await self._request(frame)
        if isinstance(frame, Malformed):
            return self._refuse(frame, line)
        if isinstance(frame, Response):
            self._client.settle(frame)
        elif frame.method == "notifications/cancelled":
            self._take_back(frame)
        else:
            await self._server.notify(frame)
        return None

    def answer_too_long(self) -> bytes:
        """Answer a line past the bound."""
        frame = too_long(self._bounds)
        self._journal.refused(frame, b"too long")
        return dump_json(error_message(None, malformed(frame)))

    def end(self) -> None:
        """End what goes on for as long as the client listens: it has left."""
        for each in self._running.values():
            if each.is_stream:
                each.scope.cancel()
        self._client.leave()

    def cut_short(self) -> None:
        """Make what is still at work answer at once."""
        self._is_stopping = True
        self._server.stop()
        self._client.leave()
        for each in self._running.values():
            each.scope.cancel()
        for ident, call in list(self._at_once.items()):
            del self._at_once[ident]
            call.take_back()
            call.end(failed(STOPPING))
            if self.lane is not None and isinstance(ident, str | int):
                self.lane.send(failed(STOPPING).to_bytes(ident))
                self.lane.settled()

    async def _request(self, request: Request) -> bytes | None:
        reply: Reply | None = None
        with anyio.CancelScope() as scope:
            running = _Running(scope=scope, is_stream=request.method == LISTEN)
            self._running[request.id] = running
            try:
                answering = self._server.reply(request, self._client)
                reply = await self._journal.answered(request, answering)
            finally:
                if self._running.get(request.id) is running:
                    del self._running[request.id]
        if reply is None:
            # "The receiver of a cancellation SHOULD NOT send a response."
            if not self._is_stopping:
                return None
            reply = failed(STOPPING)
        return reply.to_bytes(request.id)

    def _refuse(self, frame: Malformed, line: bytes) -> bytes | None:
        if not frame.is_answered:
            return None
        self._journal.refused(frame, line)
        return dump_json(error_message(frame.id, malformed(frame)))

    def _take_back(self, notification: Notification) -> None:
        """Cancel the request that a notification names, if it is still at work."""
        params: Mapping[str, Any] = notification.params or {}
        ident = params.get("requestId")
        if not isinstance(ident, str | int):
            return
        if ident in self._running:
            self._running[ident].scope.cancel()
        if ident in self._at_once:
            call = self._at_once.pop(ident)
            call.take_back()
            call.end(None)
            if self.lane is not None:
                self.lane.settled()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """A request at work."""

    scope: anyio.CancelScope
    is_stream: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _AtOnce:
    """A call that was passed on and that no task waits for."""

    take_back: Callable[[], None]
    end: Callable[[Reply | None], None]


class _Reader(LineReader):
    """Tells when the client has closed its end."""

    def __init__(self, descriptor: int, max_bytes: int, on_end: Callable[[], None]) -> None:
        super().__init__(descriptor, max_bytes)
        self._on_end = on_end

    async def next(self) -> Line | None:
        line = await super().next()
        if line is None:
            self._on_end()
        return line
