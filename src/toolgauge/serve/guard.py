"""Keeps other web pages from driving a server on the user's own machine.

Source: MCP 2025-11-25 transports: servers MUST validate ``Origin``, an invalid
one MUST be answered 403. A check of ``Host`` stops names that an attacker
rebinds to 127.0.0.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from toolgauge.serve.bodies import header

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Scope

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
    """

    def __init__(self, allowed_hosts: Iterable[str] | None) -> None:
        self._hosts = (
            None if allowed_hosts is None else frozenset(each.lower() for each in allowed_hosts)
        )

    @property
    def knows_hosts(self) -> bool:
        """Whether every request is to be checked, and not only calls."""
        return self._hosts is not None

    def is_foreign(self, scope: Scope) -> bool:
        """Tell whether a request is to be refused with 403."""
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
    """Give the host and port of a URL, ``None`` where it has no readable ones."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.username is not None or parts.path not in {"", "/"}:
        return None
    return parts.hostname.lower(), port
