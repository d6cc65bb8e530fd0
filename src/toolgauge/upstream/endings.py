"""Words for how a connection to a server ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from toolgauge.upstream.errors import ServerFailed
from toolgauge.upstream.sizes import too_large

if TYPE_CHECKING:
    from toolgauge.upstream.memory import InProcess
    from toolgauge.upstream.messages import Messages
    from toolgauge.upstream.process import Child

_EXIT_WAIT_S = 1.0


class Pipe(Protocol):
    """What is known of the pipes to a child process."""

    @property
    def child(self) -> Child:
        """The process."""

    @property
    def output(self) -> Messages:
        """What it writes to stdout."""


async def failure(label: str, pipe: Pipe | None, reason: str) -> ServerFailed:
    """Word a failure, with what the process said last."""
    if pipe is None:
        return ServerFailed(label, reason)
    return ServerFailed(label, pipe.output.noted(reason), await _last_words(pipe))


async def how_it_ended(pipe: Pipe | None, running: InProcess | None) -> str:
    """Say what is known about a connection that closed."""
    if running is not None and running.raised:
        return f"its code raised {running.raised}"
    if pipe is None:
        return "closed the connection before it answered"
    if pipe.output.is_overlong:
        return f"sent a line that is too long: {too_large(pipe.output.max_bytes)}"
    await pipe.child.exited_within(_EXIT_WAIT_S)
    code = pipe.child.exit_code
    if code is None:
        return "closed its output"
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


async def _last_words(pipe: Pipe) -> tuple[str, ...]:
    """Wait for the end of stderr only where the process has ended."""
    if pipe.child.exit_code is None:
        return pipe.child.stderr.lines()
    return await pipe.child.last_words()
