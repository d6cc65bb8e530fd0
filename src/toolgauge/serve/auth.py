"""Runs a call inside the host's own authentication."""

from __future__ import annotations

import hmac
import logging
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, TypeAlias

from toolgauge.contract import CONTAINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from starlette.requests import Request

AuthHook: TypeAlias = (
    "Callable[[Request], AbstractContextManager[object] | AbstractAsyncContextManager[object]]"
)
"""Takes the request; what it gives is held while the call runs; raising refuses it."""

_LOG = logging.getLogger(__name__)


class Unauthorized(Exception):
    """The host's authentication refused a request. Carries nothing on purpose."""


async def enter(hook: AuthHook, request: Request, stack: AsyncExitStack) -> None:
    """Enter the host's authentication for one request.

    Raises:
        Unauthorized: If the hook, or entering what it gives, raises anything.
            What it raised is logged by its class alone: its text may hold the
            very token that was refused.
    """
    # Left after what the hook gives, so that this too ends nothing but the request.
    stack.enter_context(CONTAINED)
    try:
        with CONTAINED:
            manager = hook(request)
            if isinstance(manager, AbstractAsyncContextManager):
                await stack.enter_async_context(manager)
            else:
                stack.enter_context(manager)
    except Exception as error:  # noqa: BLE001 - the host's own code
        _LOG.warning("a call was refused by the auth hook: %s", type(error).__name__)
        raise Unauthorized from None


def bearer_auth(token: str) -> AuthHook:
    """Make a hook that asks for ``Authorization: Bearer`` and this token.

    Upper and lower case of the scheme are the same (RFC 9110, section 11.1).
    """
    expected = token.encode()

    @contextmanager
    def hook(request: Request) -> Iterator[None]:
        header = request.headers.get("authorization", "").encode("latin-1", "replace")
        scheme, _, given = header.partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(given, expected):
            raise Unauthorized
        yield

    return hook
