"""What can stand behind ``/mcp``: tools in this process, a server object, or a server elsewhere.

Of a server object of the official SDK everything stays as it is: sessions, prompts,
resources, subscriptions. One middleware stands around its handlers and looks at
``tools/call`` alone.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server import Server
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data
from pydantic import BaseModel

from toolgauge.contract.version import own_version
from toolgauge.envelope import Request
from toolgauge.envelope.mcp import MODERN_VERSIONS
from toolgauge.gate import Deadlines
from toolgauge.serve.mcp.contracts import ToolBook
from toolgauge.serve.mcp.conversations import STOPPING
from toolgauge.serve.mcp.eras import ONLY_OLDER, with_stamp
from toolgauge.serve.mcp.replies import (
    Reply,
    answered_anyway,
    failed,
    invalid_params,
    relayed,
    unknown_method,
)
from toolgauge.serve.mcp.sessions import at_work
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.connection import Connection
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.shared.dispatcher import Outbound

    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.conversations import Answerer, Conversations, Session
    from toolgauge.serve.mcp.local import LocalServer
    from toolgauge.serve.mcp.replies import Journal
    from toolgauge.serve.mcp.sessions import Sessions


_KEY = "toolgauge"
_NEVER_S = 10.0 * 365 * 24 * 3600

_LOG = logging.getLogger(__name__)

_SLOW_S = 5.0
"""How long a client that does not read may hold up its server's next message."""


class OutboundCaller:
    """A client behind one of the SDK's channels.

    Args:
        outbound: The channel of a request, or the one of the whole connection.
    """

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or cannot be asked.
        """
        try:
            return await self._outbound.send_raw_request(method, params)
        except (MCPError, NoBackChannelError) as error:
            raise RequestRefused(error.error.code, error.error.message, error.error.data) from None

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification; one that it does not take in time is dropped."""
        with anyio.move_on_after(_SLOW_S) as scope:
            await self._outbound.notify(method, params)
        if scope.cancelled_caught:
            _LOG.warning("a client does not read: %s was dropped", method)


def caller_of(ctx: ServerRequestContext[Any, Any]) -> OutboundCaller:
    """Give the client of a request: what it hears belongs to the request.

    The SDK keeps the channel to itself and offers typed methods over it, which
    would change what they pass on.
    """
    return OutboundCaller(ctx.session._request_outbound)  # noqa: SLF001 - see above


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Connection:
    """Give the connection that a request came over."""
    return ctx.session._connection  # noqa: SLF001 - as for ``caller_of``


class Backend:
    """What stands behind the endpoint, behind the SDK's sessions.

    Args:
        server: What sessions are with.

    Attributes:
        local: The tools, where they are in this process.
        sessions: Where sessions are kept, once the endpoint runs.
    """

    local: LocalServer | None = None

    def __init__(self, server: Server[Any]) -> None:
        self.server: Server[Any] = server
        self.sessions: Sessions | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold whatever the backend needs while the endpoint is served."""
        yield

    def cut_short(self) -> None:
        """Make calls that are still at work in the SDK answer at once."""


class LocalBackend(Backend):
    """Tools in this process. The SDK keeps sessions; every answer is the local server's.

    Args:
        local: The tools.
        journal: Writes the log.
    """

    def __init__(self, local: LocalServer, journal: Journal) -> None:
        super().__init__(Server(local.info["name"], version=local.info["version"]))
        self.server.middleware = [self._answered]
        self.local: LocalServer = local
        self._journal = journal

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold nothing; calls that are still at work at the end are cut short."""
        try:
            yield
        finally:
            self.local.gate.cut_short()

    async def _answered(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer in place of the SDK's handlers."""
        if ctx.request_id is None:
            return await call_next(ctx)
        request = request_of(ctx)
        reply = await self._journal.answered(
            request, self.local.reply(request, ctx.protocol_version, ctx.request)
        )
        if ctx.method == "initialize" and reply.result is not None:
            self._remember(ctx, reply.result["protocolVersion"])
        return said(reply, ctx.protocol_version, self.local.info)

    def _remember(self, ctx: ServerRequestContext[Any, Any], version: str) -> None:
        """Keep the version of a session for as long as it lasts."""
        connection, sessions = connection_of(ctx), self.sessions
        if sessions is None or connection.session_id is None:
            return
        sessions.remember(connection.session_id, version)
        connection.exit_stack.callback(sessions.forget, connection.session_id)


class ObjectBackend(Backend):
    """A server object of the SDK, served as it is but for calls that break a contract.

    The object itself is left as it is; handlers that are added to it later are served
    too.

    Args:
        server: The object.
        contracts: Holds calls against the server's own promises.
        journal: Writes the log.
    """

    def __init__(self, server: Server[Any], contracts: Contracts, journal: Journal) -> None:
        super().__init__(copy.copy(server))
        self.server.middleware = [self._gated, *server.middleware]
        self._contracts = contracts
        self._journal = journal
        self._info = server.server_info_stamp
        # How long its requests may take is the server's own affair.
        self._cuts = Deadlines(_NEVER_S)

    def cut_short(self) -> None:
        """Answer every request that is at work: the process ends."""
        self._cuts.stop()

    async def _gated(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Pass everything on but calls that break a contract, and results that do."""
        if ctx.request_id is None:
            return await call_next(ctx)
        passed = _Passed()
        work = self._call if ctx.method == "tools/call" else self._pass
        with at_work(ctx):
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
    return with_stamp(result, info) if version in MODERN_VERSIONS else result


def _plain(result: object) -> object:
    """Give a handler's result as JSON."""
    if isinstance(result, BaseModel):
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dict(result) if isinstance(result, Mapping) else result


class RelayBackend(Backend):
    """A server elsewhere. The SDK keeps sessions; every answer is that server's.

    Args:
        conversations: Opens conversations with it.
        journal: Writes the log.
    """

    def __init__(self, conversations: Conversations, journal: Journal) -> None:
        super().__init__(Server("toolgauge", version=own_version()))
        self.server.middleware = [self._relayed]
        self._conversations = conversations
        self._journal = journal

    def cut_short(self) -> None:
        """Make calls that are still at work answer at once."""
        self._conversations.cut_short()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold the conversations."""
        async with self._conversations.running():
            yield

    async def _relayed(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer from the server in place of the SDK's handlers."""
        state = connection_of(ctx).state
        session: Session | None = state.get(_KEY)
        if ctx.request_id is None:
            if session is not None:
                await session.conversation.relay.notify(ctx.method, ctx.params)
            return await call_next(ctx)
        answering = self._conversations.reply(
            self._answerer(ctx, session),
            ctx.method,
            ctx.params,
            caller_of(ctx),
            ident=ctx.request_id,
            headers=_headers(ctx),
        )
        with at_work(ctx):
            reply = await self._journal.answered(
                request_of(ctx), answered_anyway(answering), traceparent_of(ctx)
            )
        return said(reply, ctx.protocol_version, self.server.server_info_stamp)

    async def _answerer(
        self, ctx: ServerRequestContext[Any, Any], session: Session | None
    ) -> Answerer | Reply:
        """Find who answers, or the answer itself."""
        if ctx.protocol_version in MODERN_VERSIONS:
            if ctx.method in ONLY_OLDER:
                return unknown_method(ctx.method)
            return await self._conversations.shared()
        if ctx.method == "initialize":
            return await self._greet(ctx)
        if session is None:
            return invalid_params("the first request of a session is initialize")
        return session.answerer

    async def _greet(self, ctx: ServerRequestContext[Any, Any]) -> Reply:
        """Open a session, for as long as the SDK keeps its own."""
        connection = connection_of(ctx)
        session, result = await self._conversations.greet(
            ctx.params or {}, OutboundCaller(connection.outbound)
        )
        connection.state[_KEY] = session
        connection.exit_stack.callback(session.conversation.closing.set)
        return Reply(result=result)


def _headers(ctx: ServerRequestContext[Any, Any]) -> Mapping[str, str] | None:
    """Give the headers of a request of the newer era, which repeats arguments there."""
    if ctx.protocol_version not in MODERN_VERSIONS:
        return None
    return getattr(ctx.request, "headers", None)
