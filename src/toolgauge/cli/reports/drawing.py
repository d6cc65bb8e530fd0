"""Text for people, set in a width. Nothing in it is markup."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType


def draw(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """Set parts one below the other, no line wider than ``width`` cells."""
    file = StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=color,
        no_color=None if color else True,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        console.print(part, overflow="fold")
    return "".join(line.rstrip(" ") + "\n" for line in file.getvalue().splitlines())
