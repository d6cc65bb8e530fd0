"""Which words of a command line are the SOURCE, the tool's name, the arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.cli.errors import WrongUsage
from toolgauge.upstream import parse_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.upstream import Source

NO_ARGUMENTS = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWords:
    """What ``validate`` and ``call`` are about.

    Attributes:
        source: Where the tools are.
        tool: The tool's name.
        arguments: Its arguments: JSON text, ``-`` or ``@file``.
    """

    source: Source
    tool: str
    arguments: str


def split_command(argv: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Cut a command line at the first ``--``; what follows is a server's command.

    Returns:
        Our words, and the command, ``None`` where there is no ``--``.
    """
    if "--" not in argv:
        return list(argv), None
    place = list(argv).index("--")
    return list(argv[:place]), list(argv[place + 1 :])


def to_source(words: Sequence[str], command: Sequence[str] | None) -> Source:
    """Find the SOURCE of a command that takes nothing else.

    Raises:
        InvalidSource: The words name none.
        WrongUsage: They name two.
    """
    if command is None:
        return parse_source(words)
    if words:
        raise WrongUsage(f"{words[0]!r} and the command after '--' are two sources; give one")
    return parse_source(["--", *command])


def to_sources(words: Sequence[str], command: Sequence[str] | None) -> list[Source]:
    """Find the SOURCEs of a command that takes several: each word is one.

    Raises:
        InvalidSource: The words name none, or one of them is none.
        WrongUsage: There are words and a command after ``--``.
    """
    if command is not None or not words:
        return [to_source(words, command)]
    return [parse_source([word]) for word in words]


def to_call(
    words: Sequence[str], command: Sequence[str] | None, tool: str | None, arguments: str | None
) -> CallWords:
    """Find SOURCE, tool and arguments, by position or by option.

    Without ``--`` the first word is the SOURCE. Then comes the tool's name
    unless ``--tool`` gave it, then the arguments unless ``--args`` did.

    Raises:
        InvalidSource: The words name no source.
        WrongUsage: A word is missing or left over.
    """
    rest = list(words)
    if command is None:
        source = parse_source(rest[:1])
        rest = rest[1:]
    else:
        source = parse_source(["--", *command])
    if tool is None:
        if not rest:
            raise WrongUsage("which tool? give its name after SOURCE, or with --tool NAME")
        tool = rest.pop(0)
    if arguments is None and rest:
        arguments = rest.pop(0)
    if rest:
        raise WrongUsage(
            f"{rest[0]!r} is one word too many; quote the arguments: "
            'SOURCE TOOL \'{"key": "value"}\''
        )
    given = NO_ARGUMENTS if arguments is None else arguments
    return CallWords(source=source, tool=tool, arguments=given)
