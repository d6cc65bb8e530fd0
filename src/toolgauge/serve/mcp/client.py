"""The client on the other side of standard input and output."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json
from toolgauge.serve.mcp.replies import INTERNAL_ERROR
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.envelope import Response
    from toolgauge.serve.lines import LineWriter


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
