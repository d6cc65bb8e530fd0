"""The kind of command that takes a SOURCE, and so a server's command after ``--``."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from toolgauge.cli.recording import with_seed
from toolgauge.cli.words import split_command


class SourceCommand(TyperCommand):
    """A command whose words end at ``--``; ``ctx.obj`` is what follows, ``None`` without it.

    To every other command ``--`` says what it says everywhere: no options follow.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep a server's command for the function, and read the words before it."""
        words, ctx.obj = split_command(args)
        return super().parse_args(ctx, with_seed(words))
