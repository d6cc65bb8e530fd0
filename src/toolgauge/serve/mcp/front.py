"""Our reader in front of the SDK: every POST is read here first, and answered once.

What needs no session state is answered without the SDK. Everything else goes to it
with its body played again.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING

from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import DEFAULT_NEGOTIATED_VERSION, HEADER_MISMATCH
from starlette.requests import Request as HttpRequest

from toolgauge.contract import dump_json
from toolgauge.envelope import (
    CanonicalCode,
    CanonicalError,
    Malformed,
    Notification,
    Request,
    Response,
    error_message,
    read_frame,
    too_long,
)
from toolgauge.serve.access import Unauthorized, enter
from toolgauge.serve.mcp.eras import (
    SESSION,
    accepts_json,
    by_name,
    duplicated,
    envelope_fault,
    is_modern,
    is_older,
    version_of,
)
from toolgauge.serve.mcp.local import ClientLeft, Direct
from toolgauge.serve.mcp.replies import (
    BUSY,
    BUSY_STATUS,
    Reply,
    failed,
    id_in_use,
    malformed,
    refusal,
)
from toolgauge.serve.mcp.sessions import SdkRequests
from toolgauge.serve.messages import (
    NOT_JSON,
    Answer,
    BodyTooLarge,
    ClientGone,
    answer,
    error_answer,
    header,
    is_declared_too_large,
    json_answer,
    read_body,
    written_answer,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.types import Message, Receive, Scope, Send

    from toolgauge.contract import Bounds
    from toolgauge.envelope import Frame, Id
    from toolgauge.serve.access import AuthHook, Guard
    from toolgauge.serve.mcp.local import LocalServer
    from toolgauge.serve.mcp.replies import Journal
    from toolgauge.serve.mcp.sessions import Sessions

_FORBIDDEN = error_answer(403, "Foreign origin or host")
_UNAUTHORIZED = json_answer(
    401,
    error_message(None, CanonicalError.to_mcp_error("UNAUTHORIZED", message="Unauthorized")),
    (b"www-authenticate", b"Bearer"),
)
_NOT_ACCEPTABLE = error_answer(406, "Accept must allow application/json")
_ACCEPTED = answer(202, b"")
_IGNORED = answer(400, b"")
_RETRY = (b"retry-after", b"1")


class Front:
    """Answers HTTP requests for one MCP endpoint.

    Args:
        sessions: The SDK's part.
        local: The tools, where they are in this process; ``None`` for a server.
        guard: Decides whether a request may come from where it comes from.
        auth_hook: Whom to let in; ``None`` for everybody.
        bounds: The largest body and the deepest value.
        journal: Writes the log. What is handed to the SDK is written behind it.

    Attributes:
        at_sdk: The requests that are handed to the SDK.
    """

    def __init__(  # noqa: PLR0913 - everything that a request passes
        self,
        sessions: Sessions,
        local: LocalServer | None,
        *,
        guard: Guard,
        auth_hook: AuthHook | None,
        bounds: Bounds,
        journal: Journal,
    ) -> None:
        self._sessions = sessions
        self._direct = None if local is None else Direct(local)
        self._guard = guard
        self._auth_hook = auth_hook
        self._bounds = bounds
        self._journal = journal
        self.at_sdk: SdkRequests = SdkRequests(bounds.max_calls_in_flight)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if self._guard.is_foreign(scope):
            await write(_FORBIDDEN, send)
            return
        if self._auth_hook is None:
            await self._admitted(scope, receive, send)
            return
        async with AsyncExitStack() as stack:
            try:
                await enter(self._auth_hook, HttpRequest(scope), stack)
            except Unauthorized:
                self._journal.unread(CanonicalCode.UNAUTHORIZED)
                await write(_UNAUTHORIZED, send)
                return
            await self._admitted(scope, receive, send)

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of somebody who may ask."""
        if scope["method"] != "POST":
            await self._stream(scope, receive, send)
            return
        try:
            body = await self._body(scope, receive)
            if isinstance(body, Answer):
                await write(body, send)
                return
            frame = read_frame(body, bounds=self._bounds)
            found = await self._answered(frame, body, scope, receive)
        except (ClientGone, ClientLeft):
            return
        if found is not None:
            await write(found, send)
            return
        assert not isinstance(frame, Malformed)  # noqa: S101 - these are answered here
        # Written again, so that nobody behind us reads the bytes in another way (V13).
        replayed = _replayed(scope, receive, dump_json(frame.message))
        if not isinstance(frame, Request):
            await self._sessions.handle_request(*replayed, send)
            return
        key, is_call = _key(frame, scope), frame.method == "tools/call"
        with self.at_sdk.handed(replayed[0], key, is_call=is_call) as has_room:
            if has_room:
                await self._sessions.handle_request(*replayed, send)
                return
        reply = await self._noted(frame, scope, _at_once(failed(BUSY, status=BUSY_STATUS)))
        await write(_answer(frame, reply, is_newer=True), send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what opens a stream or ends a session; in the older era it names one."""
        if scope["method"] in {"GET", "DELETE"} and is_older(version_of(scope)):
            missing = self._session_fault(scope, None)
            if missing is not None:
                await write(missing, send)
                return
        await self._sessions.handle_request(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | Answer:
        """Read the body, or say why it is not read."""
        media_type = (header(scope, b"content-type") or b"").partition(b";")[0]
        if media_type.strip().lower() != b"application/json":
            return NOT_JSON
        max_bytes = self._bounds.max_body_bytes
        with suppress(BodyTooLarge):
            if not is_declared_too_large(scope, max_bytes):
                return await read_body(receive, max_bytes)
        frame = too_long(self._bounds)
        self._journal.refused(frame, b"too long")
        return _error(413, None, malformed(frame))

    async def _answered(
        self, frame: Frame, body: bytes, scope: Scope, receive: Receive
    ) -> Answer | None:
        """Answer a message here, or give ``None`` where it is for the SDK."""
        if isinstance(frame, Malformed):
            if frame.is_logged:
                self._journal.refused(frame, body)
            if frame.is_answered:
                return _error(400, frame.id, malformed(frame))
            return _IGNORED if frame.method is None else _ACCEPTED
        if isinstance(frame, Request):
            return await self._request(frame, scope, receive)
        if not is_older(version_of(scope)):
            return None if isinstance(frame, Notification) else _IGNORED
        if self._direct is None:
            fault = self._session_fault(scope, None)
            # A response to nothing is not for the SDK, which would quote its validator.
            is_dropped = isinstance(frame, Response) and frame.id is None
            return _ACCEPTED if fault is None and is_dropped else fault
        if isinstance(frame, Notification):
            self._direct.take_back(frame, scope)
        return _ACCEPTED

    async def _request(self, request: Request, scope: Scope, receive: Receive) -> Answer | None:
        """Answer a request here, or give ``None`` where it is for the SDK."""
        said = version_of(scope)
        is_newer = is_modern(request) or not is_older(said)
        fault = _newer_fault(request, scope) if is_newer else self._older_fault(request, scope)
        if fault is None and await self._is_in_use(request, scope):
            fault = id_in_use()
        if fault is not None:
            reply = await self._noted(request, scope, _at_once(fault))
            return _answer(request, reply, is_newer=is_newer)
        if self._direct is None or request.method == "initialize":
            return None
        if not accepts_json(scope):
            return _NOT_ACCEPTABLE
        version = said or self._sessions.version_of(header(scope, SESSION))
        answering = self._direct.reply(
            request, version or DEFAULT_NEGOTIATED_VERSION, scope, receive, is_newer=is_newer
        )
        reply = await self._noted(request, scope, answering)
        return _answer(request, reply, is_newer=is_newer)

    async def _is_in_use(self, request: Request, scope: Scope) -> bool:
        """Whether a request of the same id and session has no answer yet."""
        key = _key(request, scope)
        if key is None:
            return False
        if self._direct is not None:
            return self._direct.has(key)
        return await self.at_sdk.is_in_use(key)

    async def _noted(self, request: Request, scope: Scope, reply: Awaitable[Reply]) -> Reply:
        """Answer a request, and write its line."""
        sent = header(scope, b"traceparent")
        parent = None if sent is None else sent.decode("latin-1")
        return await self._journal.answered(request, reply, parent)

    def _older_fault(self, request: Request, scope: Scope) -> Reply | None:
        """Refuse a request that needs a session and names none that is open.

        Tools in this process are served without one as well.
        """
        if request.method == "initialize":
            return None
        if self._direct is not None and header(scope, SESSION) is None:
            return None
        return self._without_session(scope)

    def _session_fault(self, scope: Scope, ident: Id | None) -> Answer | None:
        """Refuse a stream, a notification or an answer that names no open session."""
        fault = self._without_session(scope)
        return None if fault is None else _error(fault.status or 400, ident, fault.error)

    def _without_session(self, scope: Scope) -> Reply | None:
        """Refuse what names no open session. Source: MCP 2025-11-25, "Session Management"."""
        raw = header(scope, SESSION)
        if raw is not None and self._sessions.is_open(raw.decode("latin-1")):
            return None
        return refusal(
            CanonicalCode.INVALID_INPUT,
            jsonrpc_code=-32600,
            message="Missing session ID" if raw is None else "Session not found",
            status=400 if raw is None else 404,
        )


def _key(request: Request, scope: Scope) -> tuple[bytes, Id] | None:
    """Return what names a request among those of all sessions, ``None`` if it has none."""
    session = header(scope, SESSION)
    return None if session is None else (session, request.id)


async def write(found: Answer, send: Send) -> None:
    """Write an answer."""
    start, body = found.messages()
    await send(start)
    await send(body)


def _newer_fault(request: Request, scope: Scope) -> Reply | None:
    """Refuse a request of the newer era that lacks what each must carry."""
    twice = duplicated(scope)
    if twice is None:
        return envelope_fault(request, by_name(scope))
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=HEADER_MISMATCH,
        message=f"{twice} header appears more than once",
    )


async def _at_once(reply: Reply) -> Reply:
    """Give a reply that nothing has to be waited for."""
    return reply


def _answer(request: Request, reply: Reply, *, is_newer: bool) -> Answer:
    """Write a reply with the status that its era gives it."""
    status = reply.status or 200
    if reply.error is not None and reply.status is None and is_newer:
        status = ERROR_CODE_HTTP_STATUS.get(reply.error["code"], 200)
    more = (_RETRY,) if status == BUSY_STATUS else ()
    return written_answer(status, reply.to_bytes(request.id), *more)


def _error(status: int, ident: Id | None, error: object) -> Answer:
    """Write an error that no request is behind."""
    return json_answer(status, {"jsonrpc": "2.0", "id": ident, "error": error})


def _replayed(scope: Scope, receive: Receive, body: bytes) -> tuple[Scope, Receive]:
    """Give a request whose body has not been read yet, with a length that is true."""
    headers = [(key, value.strip()) for key, value in scope["headers"] if key not in _LENGTHS]
    headers.append((b"content-length", b"%d" % len(body)))
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return {**scope, "headers": headers}, again


_LENGTHS = frozenset({b"content-length", b"transfer-encoding"})
