"""Who may call: the host's own authentication, and no page of another site.

Source: MCP 2025-11-25 transports: servers MUST validate ``Origin``, an invalid one MUST be
answered 403. A check of ``Host`` stops names that an attacker rebinds to 127.0.0.1.
"""

from __future__ import annotations

import hmac
import logging
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeVar
from urllib.parse import urlsplit

from toolgauge.contract import CONTAINED
from toolgauge.serve.messages import ClientGone, header

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from starlette.requests import Request
    from starlette.types import Scope

AuthHook: TypeAlias = (
    "Callable[[Request], AbstractContextManager[object] | AbstractAsyncContextManager[object]]"
)
"""Takes the request; what it gives is held while the call runs; raising refuses it."""

T = TypeVar("T")

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


class HookRaised(Exception):
    """The host's authentication raised on its way out; what it raised is the cause."""


async def inside_auth(
    hook: AuthHook | None,
    request: Request,
    run: Callable[[], Awaitable[T]],
    error_of: Callable[[T], Exception | None],
) -> T:
    """Run something inside the host's authentication, and return what it returns.

    Args:
        hook: The host's authentication, ``None`` for none.
        request: The request to authenticate.
        run: What to run; it raises nothing but ``ClientGone``.
        error_of: Return the error that a result stands for. The hook sees that too, on its
            way out, so that it can roll back.

    Raises:
        Unauthorized: If the hook refuses the request; then nothing has run.
        ClientGone: If the client hangs up.
        HookRaised: If the hook raises an error of its own after it was entered.
    """
    error: Exception | None = None
    is_entered = False
    try:
        async with AsyncExitStack() as stack:
            if hook is not None:
                await enter(hook, request, stack)
            is_entered = True
            found = await run()
            error = error_of(found)
            if error is not None:
                raise error  # noqa: TRY301 - it is to pass through the hook
    except ClientGone:
        raise
    except Exception as raised:
        if not is_entered:
            raise
        if raised is not error:
            raise HookRaised from raised
    return found


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


LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}


class Guard:
    """Decides whether a request may come from where it comes from.

    An ``Origin`` is compared as what it parses to: scheme, host and port must
    all be those that the request was sent to. ``null`` and other schemes are
    foreign. Requests without an ``Origin`` are not made by another site's page.

    Args:
        allowed_hosts: The names that this server is called by, without ports;
            ``None`` where only the surrounding application knows them. Then any
            ``Host`` goes, and an ``Origin`` must be the same as it.

    Attributes:
        knows_hosts: Whether every request is to be checked, and not only calls.
    """

    def __init__(self, allowed_hosts: Iterable[str] | None) -> None:
        self._hosts = (
            None if allowed_hosts is None else frozenset(each.lower() for each in allowed_hosts)
        )
        self.knows_hosts: bool = allowed_hosts is not None

    def is_foreign(self, scope: Scope) -> bool:
        """Check whether a request is to be refused with 403."""
        raw_host = header(scope, b"host")
        host = _split(f"//{raw_host.decode('latin-1')}") if raw_host else None
        if self._hosts is not None and (host is None or host[0] not in self._hosts):
            return True
        raw_origin = header(scope, b"origin")
        if raw_origin is None:
            return False
        text = raw_origin.decode("latin-1")
        scheme = text.partition("://")[0].lower()
        origin = _split(text)
        if origin is None or host is None or scheme not in _PORTS:
            return True
        default = _PORTS[scheme]
        return (origin[0], origin[1] or default) != (host[0], host[1] or default)


def _split(url: str) -> tuple[str, int | None] | None:
    """Return the host and port of a URL, ``None`` where it has no readable ones."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.username is not None or parts.path not in {"", "/"}:
        return None
    return parts.hostname.lower(), port
