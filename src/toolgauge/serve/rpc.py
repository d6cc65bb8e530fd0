"""``POST /rpc``: the canonical dialect over HTTP.

As ``/call``: off unless execution is on, the host's authentication before the body is
read, JSON only, and no other site's pages.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from starlette.requests import Request

from toolgauge.gate import Caller, Reply
from toolgauge.serve.answers import (
    DISABLED,
    INTERNAL_ERROR,
    NOT_JSON,
    Answer,
    answer,
    written_answer,
)
from toolgauge.serve.auth import Unauthorized, enter
from toolgauge.serve.bodies import (
    BodyTooLarge,
    ClientGone,
    header,
    is_declared_too_large,
    is_json,
    read_body,
)

if TYPE_CHECKING:
    from starlette.types import Receive, Scope

    from toolgauge.contract import Bounds
    from toolgauge.gate import CanonicalDialect
    from toolgauge.serve.answers import Header
    from toolgauge.serve.auth import AuthHook

_LOG = logging.getLogger(__name__)

ROUTE = "/rpc"
_CHALLENGE = (b"www-authenticate", b"Bearer")


class Rpc:
    """Answers messages of the canonical dialect over HTTP.

    Args:
        dialect: Answers them.
        allow_execute: Whether anything may be run at all.
        auth_hook: The host's authentication, ``None`` for none.
        bounds: The largest body.
    """

    def __init__(
        self,
        dialect: CanonicalDialect,
        *,
        allow_execute: bool,
        auth_hook: AuthHook | None,
        bounds: Bounds,
    ) -> None:
        self._dialect = dialect
        self._allow_execute = allow_execute
        self._auth_hook = auth_hook
        self._max_bytes = bounds.max_body_bytes

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        """Answer one message."""
        if not self._allow_execute:
            return DISABLED
        request = Request(scope, receive)
        sent = header(scope, b"traceparent")
        caller = Caller(
            transport="http",
            route=ROUTE,
            request=request,
            traceparent=None if sent is None else sent.decode("latin-1"),
        )
        stack = AsyncExitStack()
        if self._auth_hook is not None:
            try:
                await enter(self._auth_hook, request, stack)
            except Unauthorized:
                return _written(self._dialect.refuse_unread("UNAUTHORIZED", caller), _CHALLENGE)
        return await self._inside(stack, request, caller)

    async def _inside(self, stack: AsyncExitStack, request: Request, caller: Caller) -> Answer:
        """Answer inside the host's authentication."""
        found: Reply | Answer = INTERNAL_ERROR
        try:
            async with stack:
                found = await self._read(request, caller)
                if isinstance(found, Reply) and found.error is not None:
                    # The hook sees it too, on its way out, so that it can roll back.
                    raise found.error  # noqa: TRY301 - it is to pass through the hook
        except ClientGone:
            raise
        except Exception as error:  # noqa: BLE001 - the host's own code
            if not isinstance(found, Reply) or error is not found.error:
                _LOG.exception("the auth hook raised on its way out")
                found = self._dialect.refuse_unread("INTERNAL_ERROR", caller)
        return _written(found) if isinstance(found, Reply) else found

    async def _read(self, request: Request, caller: Caller) -> Reply | Answer:
        """Read the body, and answer it.

        Raises:
            ClientGone: If the client hangs up first.
        """
        if not is_json(request.scope):
            return NOT_JSON
        try:
            if is_declared_too_large(request.scope, self._max_bytes):
                raise BodyTooLarge  # noqa: TRY301 - told as one that was read
            body = await read_body(request.receive, self._max_bytes)
        except BodyTooLarge:
            return _written(self._dialect.refuse_too_long(caller))._replace(status=413)
        # A handler that asks for the request may read the body again.
        request._body = body  # noqa: SLF001 - Starlette's own cache of it
        return await self._dialect.answer(body, caller)


def _written(reply: Reply, *headers: Header) -> Answer:
    """Say a reply over HTTP."""
    if reply.body is None:
        return answer(reply.status, b"", *headers)
    if reply.is_busy:
        return written_answer(503, reply.body, (b"retry-after", b"1"))
    return written_answer(reply.status, reply.body, *headers)
