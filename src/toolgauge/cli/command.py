"""A command is one file in ``commands``: found by its name, loaded when it is needed."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

import typer
from typer.core import TyperCommand

from toolgauge.cli import commands
from toolgauge.cli.options import with_seed
from toolgauge.cli.running import finish

Run: TypeAlias = Callable[..., int | Coroutine[Any, Any, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a file in ``commands`` defines under the name ``COMMAND``.

    Attributes:
        run: The command itself, which returns the exit code or a coroutine that does.
            Its docstring is the help page, its parameters are the arguments and
            options. A parameter whose type is a dataclass, such as ``Connection``,
            stands for the options that the fields of the dataclass define.
        examples: Command lines for the end of the help page.
        rank: The position in ``toolgauge --help``, the lowest first.
    """

    run: Run
    examples: str
    rank: int


def command_names() -> list[str]:
    """Return the names of all commands, without loading any."""
    return [each.name for each in pkgutil.iter_modules(commands.__path__)]


def load_command(name: str) -> Command:
    """Return the command of a name that ``command_names`` lists."""
    found: Command = import_module(f"{commands.__name__}.{name}").COMMAND
    return found


def to_typer(name: str, command: Command) -> Any:
    """Build what parses the command line of a command, and runs it."""
    parameters = inspect.signature(command.run, eval_str=True).parameters
    groups = {key: each.annotation for key, each in parameters.items() if _is_group(each)}
    flat: dict[str, inspect.Parameter] = {}
    for key, each in parameters.items():
        flat |= (
            inspect.signature(groups[key], eval_str=True).parameters
            if key in groups
            else {key: each}
        )

    def callback(**given: Any) -> None:
        for key, group in groups.items():
            given[key] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        finish(partial(command.run, **given), as_json=given.get("shape") == "json")

    # What typer reads the options from.
    callback.__signature__ = inspect.Signature([*flat.values()])  # type: ignore[attr-defined]
    callback.__annotations__ = {key: each.annotation for key, each in flat.items()}
    made = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    made.command(
        name,
        # The context is asked for by those that take a server's command.
        cls=_SourceCommand if "ctx" in flat else None,
        help=inspect.getdoc(command.run),
        epilog=f"\b\nExamples:\n{command.examples}",
    )(callback)
    return typer.main.get_command(made)


def split_command(argv: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Cut a command line at the first ``--``; what follows is a server's command.

    Returns:
        Our words, and the command, ``None`` where there is no ``--``.
    """
    words = list(argv)
    if "--" not in words:
        return words, None
    place = words.index("--")
    return words[:place], words[place + 1 :]


def _is_group(parameter: inspect.Parameter) -> bool:
    """Check whether a parameter stands for several options."""
    return isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)


class _SourceCommand(TyperCommand):
    """A command whose words end at ``--``; ``ctx.obj`` is what follows, ``None`` without it.

    In every other command ``--`` has its usual meaning: no options follow.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep a server's command for the function, and read the words before it."""
        words, ctx.obj = split_command(args)
        return super().parse_args(ctx, with_seed(words))
