"""A live connection to one MCP server, and the words for its failures."""

from __future__ import annotations

import math
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, METHOD_NOT_FOUND
from pydantic import ValidationError

from toolgauge.contract.results import CallResult
from toolgauge.upstream.endings import failure, how_it_ended
from toolgauge.upstream.errors import ServerFailed, SourceNotTools
from toolgauge.upstream.http import FAULTS, UNREACHABLE, fault_behind
from toolgauge.upstream.problems import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping
    from contextlib import AbstractAsyncContextManager

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.memory import InProcess
    from toolgauge.upstream.session import Session
    from toolgauge.upstream.stdio import StdioPipe

_T = TypeVar("_T")

MAX_ANSWER_CHARS = 500
"""How much of an error that a server answers is passed on, in characters."""

_REFUSALS = frozenset({401, 403, 404, 405, 407, 429})
_SERVER_ERROR = 500


@dataclass(slots=True)
class Link:
    """A session, where it goes to, and how long it may take.

    Attributes:
        label: What errors call the server.
        pipe: The child process behind it, ``None`` for other transports.
        running: The server object behind it, ``None`` for other transports.
        http_status: Of the last exchange that failed; 599 for no answer.
    """

    label: str
    session: Session
    bounds: Bounds
    pipe: StdioPipe | None = None
    running: InProcess | None = None
    http_status: int | None = None

    async def negotiate(self, *, legacy_only: bool = False) -> None:
        """Agree on a protocol version.

        Raises:
            ServerFailed: It died, refused, or was late.
        """
        budget_s = self.bounds.connect_timeout_s
        try:
            await self._within(
                budget_s,
                self.session.negotiate(budget_s, legacy_only=legacy_only),
                "did not answer",
            )
        except _Answered as answered:
            raise await self.failure(f"refused the connection: {answered}") from None

    async def list_page(self, cursor: str | None) -> dict[str, Any]:
        """Ask for one page of the tool list, as raw JSON.

        Raises:
            ServerFailed: It died, refused, or was late.
            SourceNotTools: It is a server without tools.
        """
        page = self.session.list_page(cursor)
        try:
            return await self._within(self.bounds.connect_timeout_s, page, "did not list its tools")
        except _Answered as answered:
            if answered.code == METHOD_NOT_FOUND:
                raise SourceNotTools(self.label, "is a server that offers no tools") from None
            raise await self.failure(f"refused to list its tools: {answered}") from None

    async def call(self, name: str, arguments: Mapping[str, Any]) -> CallResult:
        """Call a tool and pass the answer on as it came.

        An error that the server answers is a result with ``is_error``.

        Raises:
            ServerFailed: The server is gone, unreachable, or late. A later call
                fails the same way, at once; it never hangs.
        """
        call = self.session.call(name, arguments)
        try:
            raw = await self._within(self.bounds.handler_timeout_s, call, "did not answer the call")
        except _Answered as answered:
            return _refusal(f"the server answered {answered}")
        return _to_result(raw)

    async def _within(self, seconds: float, request: Awaitable[_T], late: str) -> _T:
        """Run one request; turn every way it can fail into ``ServerFailed``."""
        faults: list[tuple[int, str]] = []
        token = FAULTS.set(faults)
        try:
            with anyio.fail_after(None if math.isinf(seconds) else seconds):
                return await request
        except TimeoutError:
            raise await self.failure(f"{late} within {seconds:g} s") from None
        except MCPError as error:
            fault = fault_behind(error.code, faults)
            self.http_status = None if fault is None else fault[0]
            if fault is not None and _is_down(fault[0]):
                raise await self.failure(fault[1]) from None
            if _is_closed(error):
                raise await self.failure(await how_it_ended(self.pipe, self.running)) from None
            raise _Answered(error.code, error.message) from None
        except (RuntimeError, ValidationError) as error:
            reason = "its answer is not a valid handshake"
            if isinstance(error, RuntimeError):
                reason = f"cannot be spoken to: {shown(str(error))}"
            raise await self.failure(reason) from error
        finally:
            FAULTS.reset(token)

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure, with what the process said last."""
        return await failure(self.label, self.pipe, reason)


class _Answered(Exception):
    """The server answered a request with a JSON-RPC error. Never leaves this module."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code: int = code
        self.message: str = message

    def __str__(self) -> str:
        if self.message.startswith("Failed to parse"):  # the SDK's word, with pydantic's after it
            return "its answer is not a JSON-RPC message"
        return f"error {self.code}: {self.message[:MAX_ANSWER_CHARS]}"


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


def _is_down(status: int) -> bool:
    """Tell an HTTP status that stands for the server from one that carries an answer.

    Servers put JSON-RPC errors at 400; those are answers.
    """
    return status in _REFUSALS or status >= _SERVER_ERROR or status == UNREACHABLE


def _is_closed(error: MCPError) -> bool:
    """Tell the SDK's own word for a lost connection from a server's answer.

    Servers use the same code, -32000, for errors of every kind.
    """
    return error.code == CONNECTION_CLOSED and error.message.startswith(
        ("Connection closed", "SSE stream ended")
    )


def _refusal(text: str) -> CallResult:
    """Give a result that says why there is none."""
    return CallResult(content=[{"type": "text", "text": text}], is_error=True)


def _to_result(raw: Mapping[str, Any]) -> CallResult:
    """Read the answer to ``tools/call`` without judging it."""
    if raw.get("resultType") == "input_required":
        return _refusal("the tool asks for input while it runs, which cannot be given here")
    content = raw.get("content", [])
    if not isinstance(content, list):
        return _refusal(f"the server answered with content that is {kind_of(content)}")
    return CallResult(
        content=content,
        is_error=raw.get("isError") is True,
        structured=raw.get("structuredContent"),
    )
