"""What a call of a tool knows and gives back, and the callables that a tool may carry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from contextvars import Token

    from toolgauge.contract.issues import Issue


T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Success(Generic[T_co]):
    """A validator accepted a value.

    Attributes:
        value: What the validator made of it: converted, defaults filled in.
    """

    value: T_co


@dataclass(frozen=True, slots=True)
class Failure:
    """A validator refused a value.

    Attributes:
        issues: Why. Empty where the validator names no reason: it is a refusal
            all the same (decision S3).
    """

    issues: tuple[Issue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The answer to one call.

    Attributes:
        content: MCP content blocks: ``[{"type": "text", "text": "…"}]``.
        is_error: Whether the tool says that it failed, or was not run.
        structured: The result as JSON, where the tool gives one
            (``structuredContent`` on an MCP wire).
        trace_id: What the tool's own logs know this call by.
        issues: Why the call was refused before the tool ran. Empty when it ran.
    """

    content: Sequence[Any] = ()
    is_error: bool = False
    structured: Any = None
    trace_id: str | None = None
    issues: tuple[Issue, ...] = field(default=())


Result: TypeAlias = Success[T_co] | Failure
"""What a validator says of one value."""

Validate: TypeAlias = Callable[[object], Result[Any] | Awaitable[Result[Any]]]
"""A validator's own check of parsed arguments, sync or async. It raises only when it is broken."""

Handler: TypeAlias = Callable[[Any], object]
"""A tool's own code: parsed arguments in, any result (or an awaitable of it) out.

Where the tool has a ``validate``, the handler gets the validator's value in place of
the arguments. ``current_call()`` tells it who is calling.
"""

HandleCall: TypeAlias = Callable[..., Awaitable[object]]
"""``(name, args)`` or ``(name, args, request)`` to ``(content, is_error, trace_id)``.

A ``CallResult`` may be given back instead of the three.
"""

Annotations: TypeAlias = Mapping[str, Any]
"""``readOnlyHint``, ``destructiveHint``, ``idempotentHint``, ``openWorldHint`` and others."""


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
