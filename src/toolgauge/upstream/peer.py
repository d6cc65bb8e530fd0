"""A conversation with an MCP server, in its own terms: requests, answers, notifications.

Knows JSON-RPC and nothing of what the methods mean. Ids are ours, so that several
clients may share one conversation. A wire carries the messages, whatever the transport:
``pipes`` has those to child processes, ``streams`` those to a URL or to a server object
in this process.

Source: JSON-RPC 2.0; MCP 2025-11-25, basic protocol, "Cancellation".
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import anyio
import anyio.lowlevel

from toolgauge.envelope.messages import INTERNAL_ERROR, INVALID_REQUEST
from toolgauge.upstream.errors import RequestRefused, ServerFailed
from toolgauge.upstream.pipes import PipeWire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
    from contextlib import AbstractAsyncContextManager

    from toolgauge.upstream.messages import Frame


class Wire(Protocol):
    """A connection that carries frames."""

    @property
    def label(self) -> str:
        """What errors call the server."""

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a frame; ``headers`` go with it where the transport is HTTP.

        Raises:
            ServerFailed: The server is gone.
        """

    async def receive(self) -> Frame:
        """Wait for the next frame.

        Raises:
            ServerFailed: The server is gone.
        """

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure of this server."""

    def noted(self, reason: str) -> str:
        """Add to what went wrong what was odd about its output."""

    @property
    def noise(self) -> str | None:
        """The first line of its output that is no message, if there was one."""

    @property
    def may_be_older(self) -> bool:
        """Whether a server that failed may be one of the older era, to be tried again."""


class Dial(Protocol):
    """Opens one more connection to the same server, each time it is called."""

    def __call__(self, *, older: bool = False) -> AbstractAsyncContextManager[Wire]:
        """Connect; ``older`` asks for the transport of 2024 where there is one."""


_T = TypeVar("_T")

_LOG = logging.getLogger(__name__)

EXCHANGE = "toolgauge.exchange"
"""Member that a wire adds to an error frame: the ``Exchange`` that failed. It never
leaves this process."""

_CANCELLED = "notifications/cancelled"
_CANCEL_WAIT_S = 1.0

MAX_REQUESTS = 100
"""Most requests of a server that are answered at the same time."""

_MAX_QUEUE = 4
"""Messages that wait for one before them, when a server is read no further."""

_DRAIN_S = 1.0


Answered: TypeAlias = "Callable[[Any], None]"
"""Takes a result, or a ``RequestRefused`` or ``ServerFailed`` that came instead of one."""


class Listener(Protocol):
    """Hears what a server says without having been asked."""

    async def asked(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Answer a request of the server.

        Raises:
            RequestRefused: The answer is an error.
        """

    async def told(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Take a notification. The next message is not read before this is done."""


class Peer:
    """One conversation. ``run`` must be at work for requests to be answered.

    Args:
        wire: Where the server is.
        listener: Who hears its own requests and notifications.
    """

    def __init__(self, wire: Wire, listener: Listener) -> None:
        self._wire = wire
        self._pipe = wire if isinstance(wire, PipeWire) else None
        self._listener = listener
        self._last_id = 0
        self._waiting: dict[object, Answered] = {}
        self._queue: deque[Frame] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_passing = False
        self._asked: dict[object, asyncio.Task[None]] = {}
        self.failed: ServerFailed | None = None

    @property
    def label(self) -> str:
        """What errors call the server."""
        return self._wire.label

    def next_id(self) -> int:
        """Give the id for one more request."""
        self._last_id += 1
        return self._last_id

    async def request(
        self,
        ident: int,
        method: str,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a request and wait for its result. Cancelling this cancels it there too.

        Args:
            ident: From ``next_id``.
            method: As the server knows it.
            params: Sent as they are; ``None`` leaves them out.
            headers: For transports that have them.

        Raises:
            RequestRefused: The server answered with an error.
            ServerFailed: The server is gone.
        """
        if self.failed is not None:
            raise self.failed
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def done(found: Any) -> None:
            if answer.done():
                return
            if isinstance(found, (RequestRefused, ServerFailed)):
                answer.set_exception(found)
            else:
                answer.set_result(found)

        self._waiting[ident] = done
        try:
            await self._wire.send(_frame(method, params, ident), headers)
            return await answer
        except asyncio.CancelledError:
            await self._cancel(ident)
            raise
        finally:
            self._waiting.pop(ident, None)

    async def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send a notification. Where the server is gone there is nobody to tell."""
        with suppress(ServerFailed):
            await self._wire.send(_frame(method, params))

    def noted(self, reason: str) -> str:
        """Add to what went wrong what was odd about the server's output."""
        return self._wire.noted(reason)

    async def late(self, reason: str) -> ServerFailed:
        """Word that the server is too slow."""
        return await self._wire.failure(reason)

    @property
    def can_begin(self) -> bool:
        """Whether ``begin`` can send a request now."""
        return self.failed is None and self._pipe is not None and self._pipe.can_send_now

    def begin(
        self, ident: int, method: str, params: Mapping[str, Any] | None, done: Answered
    ) -> bool:
        """Send a request without waiting for anything, if the wire can.

        Args:
            ident: From ``next_id``.
            method: As the server knows it.
            params: Sent as they are.
            done: Called with the answer, or with what came instead of it.

        Returns:
            Whether it was sent.
        """
        if self.failed is not None or not self._sent_now(_frame(method, params, ident)):
            return False
        self._waiting[ident] = done
        return True

    def give_up(self, ident: int) -> None:
        """Take back a request that was begun."""
        if self._waiting.pop(ident, None) is None:
            return
        params = {"requestId": ident, "reason": "the caller is gone"}
        if not self._sent_now(_frame(_CANCELLED, params)):
            self._spawn(self.notify(_CANCELLED, params))

    def _sent_now(self, frame: Frame) -> bool:
        """Send a message without waiting, if the wire can."""
        return self._pipe is not None and self._pipe.send_now(frame)

    def fail(self, failed: ServerFailed) -> None:
        """Give this to whoever waits for the server, and to all who ask it later."""
        self.failed = failed
        for done in list(self._waiting.values()):
            done(failed)

    async def run(self) -> None:
        """Read until the server is gone; then fail whoever waits for it."""
        try:
            if self._pipe is not None:
                self._pipe.push_to(self._arrived)
            while True:
                await self._take(await self._wire.receive())
        except ServerFailed as failed:
            await self._drained()
            self.fail(failed)
        finally:
            for task in (*self._asked.values(), *self._tasks):
                task.cancel()

    def _arrived(self, frame: Frame) -> None:
        """Dispatch one message. One that has to be awaited holds up the next."""
        if self._queue or self._is_passing or "method" in frame:
            self._queue.append(frame)
            if len(self._queue) > _MAX_QUEUE and self._pipe is not None:
                self._pipe.pause()
            if not self._is_passing:
                self._is_passing = True
                self._spawn(self._pass_queue())
        else:
            self._settle(frame)

    async def _pass_queue(self) -> None:
        try:
            while self._queue:
                await self._take(self._queue.popleft())
        finally:
            self._is_passing = False
        if self._pipe is not None:
            self._pipe.resume()

    async def _drained(self) -> None:
        """Wait for what arrived before the end."""
        with anyio.move_on_after(_DRAIN_S):
            while self._is_passing:
                await anyio.lowlevel.checkpoint()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(self, frame: Frame) -> None:
        """Dispatch one message. What raises for it costs this message alone."""
        method, ident = frame.get("method"), frame.get("id")
        params = frame.get("params")
        params = params if isinstance(params, dict) else None
        if not isinstance(method, str):
            self._settle(frame)
        elif "id" in frame:
            await self._ask(ident, method, params)
        elif method == _CANCELLED:
            task = self._asked.get(_key((params or {}).get("requestId")))
            if task is not None:
                task.cancel()
        else:
            try:
                await self._listener.told(method, params)
            except Exception:  # noqa: BLE001 - the conversation goes on, whatever goes wrong here
                _LOG.exception("a notification of %s could not be forwarded", self.label)

    async def _ask(self, ident: object, method: str, params: Mapping[str, Any] | None) -> None:
        """Answer a request of the server in a task of its own."""
        key = _key(ident)
        reason = None
        if key is None or key in self._asked:
            reason = "the id of this request is no id, or still in use"
        elif len(self._asked) >= MAX_REQUESTS:
            reason = f"more than {MAX_REQUESTS} requests of the server are at work"
        if reason is not None:
            # Awaited: a server that does not read its errors is read no further.
            await self._respond(ident, {"error": {"code": INVALID_REQUEST, "message": reason}})
            return
        task = self._asked[key] = asyncio.create_task(self._answer(ident, method, params))
        task.add_done_callback(lambda _: self._asked.pop(key, None))

    def _settle(self, frame: Frame) -> None:
        """Pass an answer to its request. One that nobody waits for is dropped."""
        done = self._waiting.pop(_key(frame.get("id")), None)
        if done is None:
            return
        try:
            done(_outcome(frame))
        except Exception:  # noqa: BLE001 - the conversation goes on, whatever goes wrong here
            _LOG.exception("an answer of %s could not be forwarded", self.label)

    async def _answer(self, ident: object, method: str, params: Mapping[str, Any] | None) -> None:
        """Let the listener answer a request of the server, and send what it says."""
        try:
            outcome = {"result": await self._listener.asked(method, params)}
        except RequestRefused as refused:
            outcome = {"error": refused.to_json()}
        except ServerFailed:
            return
        except Exception:  # noqa: BLE001 - the server waits, whatever goes wrong here
            _LOG.exception("a request of %s could not be passed on", self._wire.label)
            outcome = {"error": {"code": INTERNAL_ERROR, "message": "Internal error"}}
        await self._respond(ident, outcome)

    async def _respond(self, ident: object, outcome: dict[str, Any]) -> None:
        """Send a response. If the server has exited there is nobody to send it to."""
        with suppress(ServerFailed):
            await self._wire.send({"jsonrpc": "2.0", "id": ident, **outcome})

    async def _cancel(self, ident: int) -> None:
        """Tell the server that nobody waits any more; do not wait for it for long."""
        params = {"requestId": ident, "reason": "the caller is gone"}
        with anyio.move_on_after(_CANCEL_WAIT_S, shield=True):
            await self.notify(_CANCELLED, params)


@asynccontextmanager
async def conversing(wire: Wire, listener: Listener) -> AsyncIterator[Peer]:
    """Hold a conversation for as long as the body runs."""
    peer = Peer(wire, listener)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(peer.run)
        try:
            yield peer
        finally:
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def unwrapped(context: AbstractAsyncContextManager[_T]) -> AsyncIterator[_T]:
    """Keep the body's exceptions out of the task groups that the context holds.

    A task group hands on what its body raises inside an ``ExceptionGroup``, and
    nobody catches ``ValueError`` there. Cancellation passes through as it is.
    """
    failure: BaseException | None = None
    async with context as value:
        try:
            yield value
        except (GeneratorExit, anyio.get_cancelled_exc_class()):
            raise
        except BaseException as error:  # noqa: BLE001 - raised below
            failure = error
    if failure is not None:
        raise failure


def _frame(method: str, params: Mapping[str, Any] | None, ident: int | None = None) -> Frame:
    """Write a request, or without an id a notification."""
    frame: Frame = {"jsonrpc": "2.0", "method": method}
    if ident is not None:
        frame["id"] = ident
    if params is not None:
        frame["params"] = params
    return frame


def _outcome(frame: Frame) -> Any:
    """Return the result of a response, or its error as ``RequestRefused``."""
    error = frame.get("error")
    if not isinstance(error, dict):
        return frame.get("result")
    code = error.get("code")
    return RequestRefused(
        code if isinstance(code, int) else INTERNAL_ERROR,
        str(error.get("message", "")),
        error.get("data"),
        frame.get(EXCHANGE),
    )


def _key(ident: object) -> object:
    """Give what an id is looked up by. Some servers send ``"7"`` back for ``7``."""
    if isinstance(ident, str) and ident.isascii() and ident.isdigit():
        return int(ident)
    return ident if isinstance(ident, str | int) else None
