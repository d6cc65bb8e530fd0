"""Text for people, set in a width. Nothing in it is markup."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def indented(by: int, *parts: str | Text | tuple[str, str]) -> RenderableType:
    """Set a text with a margin, in cells, on its left."""
    return Padding(Text.assemble(*parts), (0, 0, 0, by))


def fix_lines(*fixes: str | None) -> Iterator[RenderableType]:
    """Write what to change, each thing once."""
    for fix in dict.fromkeys(fixes):
        if fix:
            yield indented(4, ("→ ", "green"), visible(fix))
