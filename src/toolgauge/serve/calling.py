"""``POST /tools/{name}/call``: run a tool, if everything about the call is right.

In this order: is execution on, is there such a tool, may the caller, is it JSON,
does it keep the contract (decision D18).
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from toolgauge.contract import InvalidJson, parse_json
from toolgauge.gate import CallTimedOut, TooManyCalls
from toolgauge.serve.answers import TOO_LARGE, Answer, error_answer, issues_body, json_answer
from toolgauge.serve.auth import Unauthorized, enter
from toolgauge.serve.bodies import BodyTooLarge, ClientGone, header, read_body
from toolgauge.serve.validation import invalid_json

if TYPE_CHECKING:
    from starlette.types import Receive, Scope

    from toolgauge.contract import Bounds, CallResult, Catalog, Tool
    from toolgauge.gate import ArgumentCheck, Runner
    from toolgauge.serve.auth import AuthHook

_LOG = logging.getLogger(__name__)

_DISABLED = error_answer(403, "Tool execution is disabled.")
_UNAUTHORIZED = error_answer(401, "Unauthorized", (b"www-authenticate", b"Bearer"))
_NOT_JSON = error_answer(415, "Content-Type must be application/json")
_BUSY = error_answer(503, "Too many calls in flight", (b"retry-after", b"1"))
_CRASHED = json_answer(
    500, {"content": [{"type": "text", "text": "Internal error"}], "isError": True}
)


class Calling:
    """Answers call requests.

    Args:
        catalog: The tools.
        check: Holds arguments against contracts.
        runner: Runs tools.
        allow_execute: Whether anything may be run at all.
        auth_hook: The host's authentication, ``None`` for none.
        bounds: The largest body and the deepest value.
    """

    def __init__(  # noqa: PLR0913 - everything that a call passes
        self,
        catalog: Catalog,
        check: ArgumentCheck,
        runner: Runner,
        *,
        allow_execute: bool,
        auth_hook: AuthHook | None,
        bounds: Bounds,
    ) -> None:
        self._catalog = catalog
        self._check = check
        self._runner = runner
        self._allow_execute = allow_execute
        self._auth_hook = auth_hook
        self._bounds = bounds

    async def answer(self, name: str, scope: Scope, receive: Receive) -> Answer:
        """Answer a call.

        Raises:
            UnknownTool: If there is no tool of this name.
        """
        if not self._allow_execute:
            return _DISABLED
        request = Request(scope, receive)
        tool = await self._catalog.find(name, request)
        is_entered = False
        try:
            async with AsyncExitStack() as stack:
                if self._auth_hook is not None:
                    await enter(self._auth_hook, request, stack)
                is_entered = True
                return await self._checked(tool, request)
        except TooManyCalls:
            return _BUSY
        except CallTimedOut as error:
            _LOG.warning("%s", error)
            return error_answer(504, f"No answer within {error.timeout_s:g} s")
        except ClientGone:
            raise
        except Exception as error:  # noqa: BLE001 - the user's own code
            # The hook has seen it too, on its way out, so that it can roll back.
            if isinstance(error, Unauthorized) and not is_entered:
                return _UNAUTHORIZED
            _LOG.exception("tool %r raised", tool.name)
        return _CRASHED

    async def _checked(self, tool: Tool, request: Request) -> Answer:
        """Read the body, hold it against the contract, run the tool.

        Raises:
            Exception: Whatever the tool's own code raises.
        """
        media_type = (header(request.scope, b"content-type") or b"").partition(b";")[0]
        if media_type.strip().lower() != b"application/json":
            return _NOT_JSON
        try:
            body = await read_body(request.receive, self._bounds.max_body_bytes)
            arguments = parse_json(body, max_depth=self._bounds.max_instance_depth)
        except BodyTooLarge:
            return TOO_LARGE
        except InvalidJson as error:
            return invalid_json(error)
        issues = self._check.issues(tool, arguments)
        if issues:
            return json_answer(400, issues_body(issues))
        # A handler that asks for the request may read the body again.
        request._body = body  # noqa: SLF001 - Starlette's own cache of it
        return _result_answer(await self._runner.run(tool, arguments, request))


def _result_answer(result: CallResult) -> Answer:
    """Write a result in the shape that ``mcp-embedded-ui`` gives it."""
    body: dict[str, Any] = {"content": list(result.content), "isError": result.is_error}
    if result.structured is not None:
        body["structuredContent"] = result.structured
    if result.trace_id:
        body["_meta"] = {"_trace_id": result.trace_id}
    return json_answer(500 if result.is_error else 200, body)
