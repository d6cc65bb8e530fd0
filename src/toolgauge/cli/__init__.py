"""The command line. One file per command, each a thin layer over the rooms."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; see ``toolgauge.cli.app``.

    Worker processes import the program that started them, so the commands are only
    loaded where one is to run.
    """
    try:
        from toolgauge.cli.app import main as run

        run(argv)
    except KeyboardInterrupt:
        # Before a command begins; from there on ``running`` sees to it.
        sys.exit(_INTERRUPTED)
