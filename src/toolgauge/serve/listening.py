"""A listening socket that stays calm when the process has no file descriptor left.

asyncio logs a traceback for each of 2,048 attempts then, every second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import time
from typing import TYPE_CHECKING, Final

from toolgauge.serve.connections import rejection, to_bytes

if TYPE_CHECKING:
    from toolgauge.contract import Bounds

MAX_ACCEPTED: Final = 64
"""Most connections that are accepted before those are counted that were accepted last."""

REPORT_S: Final = 60.0
"""A lack of descriptors is logged at most this often."""

_LOG = logging.getLogger(__name__)

_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_NO_DESCRIPTOR = to_bytes(
    rejection(503, "The server has no free file descriptor", (b"retry-after", b"1"))
)
_DISCARDED_BYTES = 65_536


class Listener(socket.socket):
    """Accepts connections; answers 503 while no descriptor is free.

    One descriptor is kept for that: it is let go of, taken by the connection, and
    taken back. Event loops that do not call ``accept`` do the same themselves.

    Args:
        family: IPv4 or IPv6.
    """

    def __init__(self, family: socket.AddressFamily) -> None:
        # Named TCP, or asyncio does not switch off the delay that joins small packets.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)
        self._accepted = 0
        self._next_report = 0.0

    def accept(self) -> tuple[socket.socket, object]:
        """Accept a connection that can be served.

        Raises:
            BlockingIOError: There is none for now.
            OSError: The system has no resources; the event loop waits for a second.
        """
        if not self._accepted:
            asyncio.get_running_loop().call_soon(self._count_anew)
        self._accepted += 1
        if self._accepted > MAX_ACCEPTED:
            raise BlockingIOError
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            self._accepted = MAX_ACCEPTED
            self._report(error)
            if not self._rejected():
                raise
        raise BlockingIOError

    def close(self) -> None:
        """Close the socket and the descriptor that is kept."""
        super().close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _count_anew(self) -> None:
        self._accepted = 0

    def _rejected(self) -> bool:
        """Answer one connection with the descriptor that is kept; false if that fails."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
        try:
            connection, _ = super().accept()
            with connection:
                connection.settimeout(0)
                connection.send(_NO_DESCRIPTOR)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(_DISCARDED_BYTES)
        except OSError as error:
            return error.errno not in _EXHAUSTED
        finally:
            self._keep_spare()
        return True

    def _keep_spare(self) -> None:
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            self._spare = None

    def _report(self, error: OSError) -> None:
        """Log one line, but not again soon."""
        now = time.monotonic()
        if now >= self._next_report:
            self._next_report = now + REPORT_S
            _LOG.warning("connections are answered 503 for now: %s", error.strerror)


def connection_limit(bounds: Bounds) -> int:
    """Return how many connections may be open: half of the descriptors, and within bounds.

    The other half is for the processes of servers, for files, and for the user's own tools.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return bounds.max_connections
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return bounds.max_connections
    return max(1, min(bounds.max_connections, soft // 2))
