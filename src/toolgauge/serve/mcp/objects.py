"""The gate inside a server object of the official SDK.

Everything that the object serves stays as it is: sessions, prompts, resources,
subscriptions. One middleware stands around its handlers and looks at
``tools/call`` alone.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data
from pydantic import BaseModel

from toolgauge.envelope import Request
from toolgauge.serve.mcp.conversations import STOPPING
from toolgauge.serve.mcp.eras import MODERN_PROTOCOL_VERSIONS, with_stamp
from toolgauge.serve.mcp.replies import Reply, failed, relayed
from toolgauge.serve.mcp.seats import seated
from toolgauge.serve.mcp.tool_book import ToolBook
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from toolgauge.gate import Deadlines
    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.journal import Journal


def gated(
    server: Server[Any], contracts: Contracts, journal: Journal, cuts: Deadlines
) -> Server[Any]:
    """Give a server like this one whose tools are held against their contracts.

    The object itself is left as it is; handlers that are added to it later are
    served too.

    Args:
        server: The object.
        contracts: Holds calls against its promises.
        journal: Writes the log.
        cuts: Cuts requests short when the process ends.
    """
    twin = copy.copy(server)
    gate = _Gate(contracts, journal, server.server_info_stamp, cuts)
    twin.middleware = [gate, *server.middleware]
    return twin


class _Gate:
    """The middleware."""

    def __init__(
        self, contracts: Contracts, journal: Journal, info: Mapping[str, Any], cuts: Deadlines
    ) -> None:
        self._contracts = contracts
        self._journal = journal
        self._info = info
        self._cuts = cuts

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Pass everything on but calls that break a contract, and results that do."""
        if ctx.request_id is None:
            return await call_next(ctx)
        passed = _Passed()
        work = self._call if ctx.method == "tools/call" else self._pass
        with seated(ctx):
            reply = await self._journal.answered(
                request_of(ctx), work(ctx, call_next, passed), traceparent_of(ctx)
            )
        if passed.error is not None:
            raise passed.error
        return said(reply, ctx.protocol_version, self._info) if passed.is_ours else passed.result

    async def _pass(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext, passed: _Passed
    ) -> Reply:
        """Let the server answer, and say in our words how it went."""
        try:
            with self._cuts.watch() as watch:
                passed.result = await call_next(ctx)
            if watch.cut is not None:
                passed.is_ours = True
                return failed(STOPPING)
        except Exception as error:  # noqa: BLE001 - the user's own code; the SDK says it
            passed.error = error
            data = handler_exception_to_error_data(error)
            if data is None:
                return failed("Internal error")
            return relayed(RequestRefused(data.code, data.message, data.data))
        return Reply(result={})

    async def _call(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext, passed: _Passed
    ) -> Reply:
        """Hold a call and its result against the contract."""
        passed.is_ours = True
        asked = self._contracts.read_call(ctx.params)
        if isinstance(asked, Reply):
            return asked
        name, arguments = asked

        async def page(cursor: str | None) -> object:
            try:
                return _plain(await call_next(_listing(ctx, cursor)))
            except MCPError as error:
                raise RequestRefused(error.code, error.message, error.data) from None

        # Listed for each call: what is there may depend on who is asking.
        try:
            found = await ToolBook(page).find(name)
        except RequestRefused as refusal:
            return relayed(refusal)
        tool = self._contracts.admitted(found, name, arguments, ctx.protocol_version)
        if isinstance(tool, Reply):
            return tool
        passed.is_ours = False
        reply = await self._pass(ctx, call_next, passed)
        if passed.is_ours:
            return reply
        held = self._contracts.refusal_of_result(tool, _plain(passed.result), ctx.protocol_version)
        if passed.error is None and held is not None:
            passed.is_ours = True
            return held
        return replace(reply, name=name, tool=tool)


@dataclass(slots=True)
class _Passed:
    """What the server itself said, exactly as it said it.

    Attributes:
        is_ours: Whether it is not said, but our reply is.
    """

    result: HandlerResult = None
    error: Exception | None = None
    is_ours: bool = False


def request_of(ctx: ServerRequestContext[Any, Any]) -> Request:
    """Give a request that came through the SDK as our reader gives it."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": ctx.request_id, "method": ctx.method}
    params = {} if ctx.params is None else dict(ctx.params)
    if ctx.params is not None:
        message["params"] = params
    ident = 0 if ctx.request_id is None else ctx.request_id
    return Request(id=ident, method=ctx.method, params=params, message=message)


def traceparent_of(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Give the header of that name, where the request came over HTTP."""
    headers = getattr(ctx.request, "headers", None)
    return None if headers is None else headers.get("traceparent")


def _listing(
    ctx: ServerRequestContext[Any, Any], cursor: str | None
) -> ServerRequestContext[Any, Any]:
    """Ask for a page of the tool list in the name of the same client."""
    params: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
    if ctx.params and "_meta" in ctx.params:
        params["_meta"] = ctx.params["_meta"]
    return replace(ctx, method="tools/list", params=params)


def said(reply: Reply, version: str, info: Mapping[str, Any]) -> dict[str, Any]:
    """Give a result as its era wants it, or raise what the SDK turns into an error.

    Raises:
        MCPError: The reply is an error.
    """
    error = reply.error
    if error is not None:
        raise MCPError(code=error["code"], message=error["message"], data=error.get("data"))
    result = dict(reply.result or {})
    return with_stamp(result, info) if version in MODERN_PROTOCOL_VERSIONS else result


def _plain(result: object) -> object:
    """Give a handler's result as JSON."""
    if isinstance(result, BaseModel):
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dict(result) if isinstance(result, Mapping) else result
