"""Who is calling: what a handler may know about the call that it answers."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextvars import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """One call, as its handler sees it.

    Attributes:
        tool: The name that was called.
        request: What the transport knows of the caller: Starlette's ``Request``
            over HTTP, the SDK's request context at the MCP endpoint, ``None`` in
            process.
    """

    tool: str
    request: object = None


_CURRENT: ContextVar[CallContext | None] = ContextVar("toolgauge_call", default=None)


def current_call() -> CallContext | None:
    """Give the call that the running code answers; ``None`` outside of one."""
    return _CURRENT.get()


def enter_call(context: CallContext) -> Token[CallContext | None]:
    """Make a call the current one, for the gate that runs it."""
    return _CURRENT.set(context)


def leave_call(token: Token[CallContext | None]) -> None:
    """Undo ``enter_call``."""
    _CURRENT.reset(token)
