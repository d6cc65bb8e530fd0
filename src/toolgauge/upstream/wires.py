"""What carries frames to and from an MCP server, whatever the transport.

A gateway forwards what it does not know, so a wire reads a frame for no more than it
needs to send it: there is no handshake, no session and no types. ``pipes`` has the wires
to child processes, ``streams`` those to a URL or to a server object in this process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractAsyncContextManager

    from toolgauge.upstream.errors import ServerFailed
    from toolgauge.upstream.messages import Frame


class Wire(Protocol):
    """A connection that carries frames."""

    @property
    def label(self) -> str:
        """What errors call the server."""

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a frame; ``headers`` go with it where the transport is HTTP.

        Raises:
            ServerFailed: The server is gone.
        """

    async def receive(self) -> Frame:
        """Wait for the next frame.

        Raises:
            ServerFailed: The server is gone.
        """

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure of this server."""

    def noted(self, reason: str) -> str:
        """Add to what went wrong what was odd about its output."""

    @property
    def noise(self) -> str | None:
        """The first line of its output that is no message, if there was one."""

    @property
    def may_be_older(self) -> bool:
        """Whether a server that failed may be one of the older era, to be tried again."""


class Dial(Protocol):
    """Opens one more connection to the same server, each time it is called."""

    def __call__(self, *, older: bool = False) -> AbstractAsyncContextManager[Wire]:
        """Connect; ``older`` asks for the transport of 2024 where there is one."""
