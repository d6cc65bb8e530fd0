"""One call on the command line: its source, tool and arguments, and the verdict on it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import reason_of
from toolgauge.cli.options import SOURCE_HELP
from toolgauge.contract import DEFAULT_BOUNDS, InvalidJson, parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import Issue
    from toolgauge.upstream import Source

_MAX_BYTES = DEFAULT_BOUNDS.max_body_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """A call.

    Attributes:
        source: Where the tools are.
        tool: The tool's name.
        arguments: Its arguments: any JSON.
    """

    source: Source
    tool: str
    arguments: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOptions:
    """The words and options that name a source, a tool and arguments."""

    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE] [TOOL] [ARGS] [-- COMMAND ARG...]",
            help=f"{SOURCE_HELP} Then the tool's name, and its arguments as JSON text, "
            "- for stdin, or @FILE.",
        ),
    ] = None
    tool: Annotated[
        str | None,
        typer.Option(
            "--tool", "-t", metavar="NAME", help="The tool, where it is no word of its own."
        ),
    ] = None
    args: Annotated[
        str | None,
        typer.Option("--args", "-a", metavar="ARGS", help="Arguments: JSON text, - or @FILE."),
    ] = None

    def request(self, command: Sequence[str] | None) -> CallRequest:
        """Find SOURCE, tool and arguments, by position or by option; read the arguments.

        Without ``--`` the first word is the SOURCE. Then comes the tool's name
        unless ``--tool`` gave it, then the arguments unless ``--args`` did.

        Args:
            command: The words after ``--``.

        Raises:
            InvalidSource: The words name no source.
            InvalidJson: The arguments are not one JSON document.
            WrongUsage: A word is missing or left over, or the arguments cannot be read.
        """
        from toolgauge.upstream import parse_source

        rest = list(self.words or ())
        if command is None:
            source = parse_source(rest[:1])
            rest = rest[1:]
        else:
            source = parse_source(["--", *command])
        tool, arguments = self.tool, self.args
        if tool is None:
            if not rest:
                raise WrongUsage("which tool? give its name after SOURCE, or with --tool NAME")
            tool = rest.pop(0)
        if arguments is None:
            arguments = rest.pop(0) if rest else "{}"
        if rest:
            raise WrongUsage(
                f"{rest[0]!r} is one word too many; quote the arguments: "
                'SOURCE TOOL \'{"key": "value"}\''
            )
        return CallRequest(source=source, tool=tool, arguments=_read_arguments(arguments))


def to_verdict(
    tool: str, issues: Sequence[Issue], warnings: Sequence[Issue], *, assert_formats: bool
) -> dict[str, Any]:
    """Return the verdict on a call as ``--format json`` prints it."""
    return {
        "tool": tool,
        "valid": not issues,
        "errors": [issue.to_json() for issue in issues],
        "formats": "assertion" if assert_formats else "annotation",
        "warnings": [issue.to_json() for issue in warnings],
    }


def _read_arguments(given: str) -> Any:
    """Read JSON text, ``-`` for stdin, or ``@FILE``; an error names where it is."""
    if given == "-":
        where, data = "stdin", sys.stdin.buffer.read(_MAX_BYTES + 1)
    elif given.startswith("@"):
        where, data = f"file {given[1:]}", _read_file(Path(given[1:]))
    else:
        where, data = "ARGS", given.encode("utf-8", "surrogatepass")
    if len(data) > _MAX_BYTES:
        raise WrongUsage(f"{where}: more than {_MAX_BYTES} bytes of arguments")
    try:
        return parse_json(data)
    except InvalidJson as error:
        raise InvalidJson(f"{where}: {error.reason}") from None


def _read_file(path: Path) -> bytes:
    """Read a file, and no more of it than a call may have."""
    from toolgauge.upstream import SourceUnreadable
    from toolgauge.upstream.files import read_bounded

    try:
        return read_bounded(path, _MAX_BYTES, f"@{path}")
    except SourceUnreadable as error:
        raise WrongUsage(f"{error} of arguments") from error
    except (OSError, ValueError) as error:
        raise WrongUsage(f"@{path} cannot be read: {reason_of(error)}") from error
