"""MCP over standard input and output, in front of any source, for one client."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Any, Protocol

import anyio
from mcp_types import DEFAULT_NEGOTIATED_VERSION

from toolgauge.contract import DEFAULT_BOUNDS, dump_json
from toolgauge.envelope.mcp import LATEST_MODERN_VERSION
from toolgauge.envelope.messages import INTERNAL_ERROR
from toolgauge.gate import Gate
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Answerer, Conversations, Session
from toolgauge.serve.mcp.eras import ONLY_OLDER, envelope_fault, is_modern
from toolgauge.serve.mcp.local import LocalServer
from toolgauge.serve.mcp.relay import Relay, Slots
from toolgauge.serve.mcp.replies import Journal, Reply, unknown_method
from toolgauge.serve.mcp.stdio_lines import LineLoop, Lines
from toolgauge.serve.stdio import private_streams, serve_lines
from toolgauge.serve.stopping import DRAIN_S, UPSTREAM_DRAIN_S, stop_on_signals
from toolgauge.upstream import RequestRefused, open_source
from toolgauge.upstream.opening import dial_of
from toolgauge.upstream.process import ending_together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract import Bounds
    from toolgauge.envelope import Notification, Request, Response
    from toolgauge.envelope.messages import Line
    from toolgauge.gate import Recorder
    from toolgauge.upstream import Source


_GONE = "the client is gone"


class StdioClient:
    """Asks the client, and tells it things.

    Args:
        writer: Where lines to it go.

    Attributes:
        on_ask: Called when a question to the client begins to wait for its answer.
    """

    def __init__(self, writer: LineWriter) -> None:
        self.writer: LineWriter = writer
        self.on_ask: Callable[[], None] | None = None
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._count = 0
        self._has_left = False

    @property
    def is_asked(self) -> bool:
        """Whether a question waits for the client's answer."""
        return bool(self._asked)

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or has left.
        """
        if self._has_left:
            raise RequestRefused(INTERNAL_ERROR, _GONE)
        self._count += 1
        ident = f"toolgauge-{self._count}"
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[ident] = answer
        try:
            await self._write(method, params, ident)
            if self.on_ask is not None:
                self.on_ask()
            return await answer
        except asyncio.CancelledError:
            await self._write("notifications/cancelled", {"requestId": ident})
            raise
        finally:
            del self._asked[ident]

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification."""
        await self._write(method, params)

    def settle(self, response: Response) -> None:
        """Take the client's answer. What nobody asked is dropped."""
        answer = self._asked.get(str(response.id))
        if answer is None or answer.done():
            return
        error = response.message.get("error")
        if error is None:
            answer.set_result(response.message["result"])
        else:
            refused = RequestRefused(error["code"], error["message"], error.get("data"))
            answer.set_exception(refused)

    def leave(self) -> None:
        """Answer for a client that will not any more."""
        self._has_left = True
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(RequestRefused(INTERNAL_ERROR, _GONE))

    async def _write(
        self, method: str, params: Mapping[str, Any] | None, ident: str | None = None
    ) -> None:
        """Write one message. Where the client is gone there is nobody to tell."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if ident is not None:
            message["id"] = ident
        if params is not None:
            message["params"] = params
        with suppress(BrokenPipeError):
            await self.writer.write(dump_json(message))


class Server(Protocol):
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


class Local:
    """Tools in this process."""

    relay: Relay | None = None

    def __init__(self, local: LocalServer, slots: Slots) -> None:
        self._local = local
        self._slots = slots
        self._version = DEFAULT_NEGOTIATED_VERSION

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        """Answer a request."""
        version = LATEST_MODERN_VERSION if is_modern(request) else self._version
        if request.method == "tools/call":
            async with self._slots.held():
                return await self._local.reply(request, version, client)
        reply = await self._local.reply(request, version, client)
        if request.method == "initialize" and reply.result is not None:
            self._version = reply.result["protocolVersion"]
        return reply

    async def notify(self, notification: Notification) -> None:
        """Do nothing: no notification matters here."""

    def stop(self) -> None:
        """Start no further call."""
        self._local.gate.stop()


class Elsewhere:
    """A server elsewhere, with a conversation in the one client's name.

    Attributes:
        relay: The conversation of a client of the older era with a server of that era.
    """

    def __init__(self, conversations: Conversations) -> None:
        self.relay: Relay | None = None
        self._conversations = conversations
        self._session: Session | None = None
        self._turn = anyio.Lock()

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        """Answer a request with what the server says to it."""
        is_newer = is_modern(request)
        finding = self._shared(request) if is_newer else self._own(request, client)
        params = request.params or {} if is_newer else request.params
        return await self._conversations.reply(
            finding, request.method, params, client, ident=request.id
        )

    async def notify(self, notification: Notification) -> None:
        """Pass a notification on."""
        if self._session is not None:
            relay = self._session.conversation.relay
            await relay.notify(notification.method, notification.params)

    def stop(self) -> None:
        """Nothing: what is at work is cancelled by its line."""

    async def _shared(self, request: Request) -> Answerer | Reply:
        """Find who answers a client of the newer era."""
        fault = envelope_fault(request)
        if fault is not None:
            return fault
        if request.method in ONLY_OLDER:
            return unknown_method(request.method)
        return await self._conversations.shared()

    async def _own(self, request: Request, client: StdioClient) -> Answerer | Reply:
        """Find who answers a client of the older era, which may not have shaken hands."""
        if request.method == "initialize":
            return await self._greet(request.params or {}, client)
        return (self._session or await self._ungreeted(client)).answerer

    async def _greet(self, params: Mapping[str, Any], client: StdioClient) -> Reply:
        """Shake hands in the client's name."""
        self.relay = None
        async with self._turn:
            before, self._session = self._session, None
            if before is not None:
                before.conversation.closing.set()
            session, result = await self._conversations.greet(params, client)
            self._used(session)
            return Reply(result=result)

    async def _ungreeted(self, client: StdioClient) -> Session:
        """Serve a client that sends requests without a handshake."""
        async with self._turn:  # also waits for a handshake that is under way
            return self._session or self._used(await self._conversations.greet_unasked(client))

    def _used(self, session: Session) -> Session:
        """Answer from a session from here on."""
        self._session = session
        self.relay = session.answerer if isinstance(session.answerer, Relay) else None
        return session


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
    async with AsyncExitStack() as stack:
        reading, writing = streams or stack.enter_context(private_streams())
        writer = LineWriter(writing)
        client = StdioClient(writer)
        journal = Journal(recorder, transport="stdio", route="stdio")
        slots = Slots(bounds.max_calls_in_flight, waits=True)
        haste = stack.enter_context(ending_together())
        dial = dial_of(source, bounds, headers or {}, env or {})
        if dial is None:
            opened = await stack.enter_async_context(
                open_source(source, bounds=bounds, headers=headers, env=env)
            )
            for problem in opened.problems:
                kind = "note" if problem.is_note else "warning"
                told = f"{kind}: {problem.name or 'source'}: {problem.message}"
                sys.stderr.write(_printable(told) + "\n")
            gate = Gate(opened.tools, opened.handle_call, formats=formats, bounds=bounds)
            server: Server = Local(LocalServer(gate), slots)
            drain_s = DRAIN_S
        else:
            contracts = Contracts(formats=formats, bounds=bounds)
            conversations = Conversations(dial, contracts, bounds, slots, client)
            await stack.enter_async_context(conversations.running())
            server = Elsewhere(conversations)
            drain_s = UPSTREAM_DRAIN_S
        lines = Lines(server, client, journal, bounds)
        try:
            await _serve(lines, writer, bounds, reading, drain_s)
        finally:
            # By a signal, or since the client has left: it does not wait long for us.
            haste.begin()


def _printable(text: str) -> str:
    """Escape what a terminal would act on instead of showing it."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


async def _serve(
    lines: Lines, writer: LineWriter, bounds: Bounds, descriptor: int, drain_s: float
) -> None:
    """Answer lines until there are no more."""
    max_in_flight = bounds.max_calls_in_flight * _LINES_PER_CALL
    with stop_on_signals() as stop:
        loop = LineLoop(
            descriptor,
            writer,
            lines,
            max_bytes=bounds.max_body_bytes,
            max_in_flight=max_in_flight,
        )
        if loop.start():
            lines.use(loop)
            await loop.run(stop, drain_s)
            return
        # A file, or a system whose event loop waits for no descriptors.
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
