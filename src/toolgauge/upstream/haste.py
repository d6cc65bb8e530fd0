"""Ends processes sooner where we are being ended ourselves.

Whoever sends us SIGTERM gives us a few seconds and then kills; a server that ignores
its closed input and SIGTERM would stay behind, without a parent.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_GRACE_S: Final = 0.5
"""How long a process may take after its input is closed, in haste."""

TERMINATE_GRACE_S: Final = 0.3
"""How long it may take after SIGTERM, in haste."""


class Haste:
    """Whether the processes that were started inside one block must end soon."""

    def __init__(self) -> None:
        self.has_begun: bool = False

    def begin(self) -> None:
        """Give processes less time from here on."""
        self.has_begun = True

    def bounded(self, grace_s: float, hasty_s: float) -> float:
        """Give how long to wait: at most ``hasty_s`` in haste."""
        return min(grace_s, hasty_s) if self.has_begun else grace_s


_CURRENT: ContextVar[Haste | None] = ContextVar("_CURRENT", default=None)


def current_haste() -> Haste:
    """Give the one of the block that we are in; outside of any, one of its own."""
    return _CURRENT.get() or Haste()


@contextmanager
def ending_together() -> Iterator[Haste]:
    """Let all processes that are started in the body be hurried at once.

    In a block inside a block, those of the outer one are meant.
    """
    haste = current_haste()
    token = _CURRENT.set(haste)
    try:
        yield haste
    finally:
        _CURRENT.reset(token)
