"""Keeps what the user's own code does to one call from ending more than that call.

``except Exception`` is around every call of such code, and three things pass it:
``SystemExit`` (argparse, click), a ``BaseException`` of its own, and the
``CancelledError`` of a task that the code waited for and somebody cancelled. Where
nobody cancelled the task that runs it, they are a failure of the code like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolgauge.contract.errors import CodeAborted

if TYPE_CHECKING:
    from types import TracebackType


class _Contained:
    """A block around somebody's own code; it keeps nothing, so one serves all.

    Raises:
        CodeAborted: In place of what is no ``Exception``, alone or in a group.
            What others asked for passes through: ``KeyboardInterrupt``,
            ``GeneratorExit`` and the cancellation of the running task.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None and not isinstance(error, Exception) and _is_the_codes_own(error):
            raise CodeAborted(type(error).__name__) from error


CONTAINED: Final = _Contained()


def _is_the_codes_own(error: BaseException) -> bool:
    """Tell whether nobody but the code itself asked for this end."""
    import asyncio  # noqa: PLC0415 - slow, and rarely needed

    if isinstance(error, BaseExceptionGroup):
        return all(map(_is_the_codes_own, error.exceptions))
    if not isinstance(error, asyncio.CancelledError):
        return not isinstance(error, KeyboardInterrupt | GeneratorExit)
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no event loop
        return True
    # A time-out and a cancel scope of anyio count theirs too.
    return task is None or not task.cancelling()
