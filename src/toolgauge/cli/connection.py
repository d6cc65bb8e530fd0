"""A SOURCE opened for a command: the options that say how, its tools and its problems."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.errors import HandlerFailed, NoSuchTool, WrongUsage
from toolgauge.cli.output import private_output, warn
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.text import counted, visible
from toolgauge.contract import CONTAINED, DEFAULT_BOUNDS, Catalog, ToolgaugeError

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, Tool
    from toolgauge.upstream import Source, SourceProblem, Upstream
    from toolgauge.wire import Declared

_PATIENCE_S = 1.0
_MOST_NAMES = 10
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
"""RFC 9110 section 5.6.2 for the name; a value holds no line break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open source with its tools read.

    Attributes:
        label: What to call the source.
        tools: The tools now, the first of each name.
        problems: What is wrong with single tools.
        entries: All definitions in the source's own shape, broken ones too.
        upstream: The open source itself.
    """

    label: str
    tools: list[Tool]
    problems: tuple[SourceProblem, ...]
    entries: tuple[Declared, ...]
    upstream: Upstream

    @property
    def summary(self) -> str:
        """The number of tools and where they are from, for people."""
        return f"{counted(len(self.tools), 'tool')} of {visible(self.label)}"

    def tool(self, name: str) -> Tool:
        """Return the tool of a name.

        Raises:
            NoSuchTool: There is none.
        """
        for tool in self.tools:
            if tool.name == name:
                return tool
        names = [tool.name for tool in self.tools]
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        if not near and len(names) <= _MOST_NAMES:
            near = names
        raise NoSuchTool(self.label, name, near)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """The options that say how to reach a SOURCE.

    Attributes:
        ctx: ``ctx.obj`` is a server's command, the words after ``--``.
    """

    ctx: typer.Context
    connect_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.001,
            help="Longest wait for a server to start and to answer first.",
        ),
    ] = DEFAULT_BOUNDS.connect_timeout_s
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header", "-H", metavar="'NAME: VALUE'", help="Send a header to a URL; repeatable."
        ),
    ] = None
    env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=VALUE]",
            help="Give a server process a variable, or hand on one of ours; repeatable.",
        ),
    ] = None

    @property
    def command(self) -> list[str] | None:
        """The words after ``--``, ``None`` where there is no ``--``."""
        found: list[str] | None = self.ctx.obj
        return found

    def source(self, words: Sequence[str] | None) -> Source:
        """Find the SOURCE of a command that takes nothing else.

        Raises:
            InvalidSource: The words name none.
            WrongUsage: They name two.
        """
        from toolgauge.upstream import parse_source

        if self.command is None:
            return parse_source(words or [])
        if words:
            raise WrongUsage(f"{words[0]!r} and the command after '--' are two sources; give one")
        return parse_source(["--", *self.command])

    def bounds(self, call_timeout_s: float = DEFAULT_BOUNDS.handler_timeout_s) -> Bounds:
        """Return the default bounds with the timeouts of the options."""
        return replace(
            DEFAULT_BOUNDS, connect_timeout_s=self.connect_timeout, handler_timeout_s=call_timeout_s
        )

    def headers(self) -> dict[str, str]:
        """Read the ``NAME: VALUE`` headers. No message repeats a value: it may be a token.

        Raises:
            WrongUsage: One of them is not a header.
        """
        headers: dict[str, str] = {}
        for number, line in enumerate(self.header or (), start=1):
            match = _HEADER.fullmatch(line)
            if match is None or not match[2].isascii():
                raise WrongUsage(f"--header number {number} is not of the form 'NAME: VALUE'")
            headers[match[1]] = match[2].strip()
        return headers

    def variables(self) -> dict[str, str]:
        """Read ``NAME=VALUE``, or ``NAME`` for one of our own variables to hand on.

        Raises:
            WrongUsage: There is no name, or no such variable.
        """
        variables: dict[str, str] = {}
        for each in self.env or ():
            name, sign, value = each.partition("=")
            if not name or "\0" in each:
                raise WrongUsage("--env needs NAME=VALUE, or the NAME of a variable to hand on")
            if not sign and name not in os.environ:
                raise WrongUsage(f"--env {name}: there is no such variable to hand on")
            variables[name] = value if sign else os.environ[name]
        return variables

    @asynccontextmanager
    async def open(self, source: Source, bounds: Bounds | None = None) -> AsyncIterator[Opened]:
        """Open a source and read its tools; show that something happens when it is slow.

        Until it is closed, what its code prints goes to standard error.

        Raises:
            SourceError: It cannot be read or reached.
            HandlerFailed: A module's own provider raised.
            WrongUsage: A header or variable is not one.
        """
        from toolgauge.upstream import open_source

        opening = open_source(
            source, bounds=bounds or self.bounds(), headers=self.headers(), env=self.variables()
        )
        async with AsyncExitStack() as stack:
            stack.enter_context(private_output())
            with sign_of_life(f"connecting to {visible(source.label)} …", _PATIENCE_S):
                upstream = await stack.enter_async_context(opening)
            yield await _read(upstream)


def warn_of_problems(problems: Sequence[SourceProblem]) -> None:
    """Write what is wrong with single tools to stderr, by name."""
    for each in problems:
        tool = each.index if each.name is None else repr(each.name)
        line = each.message if tool is None else f"tool {tool}: {each.message}"
        warn(f"{'note' if each.is_note else 'warning'}: {visible(line)}")


def has_problem(problems: Sequence[SourceProblem]) -> bool:
    """Check whether anything is wrong; a note is nothing of that."""
    return any(not each.is_note for each in problems)


@contextmanager
def requiring_json(label: str, what: str) -> Iterator[None]:
    """Report a definition of Python code that JSON cannot carry.

    Raises:
        SourceUnreadable: There is one.
    """
    from toolgauge.upstream import SourceUnreadable

    try:
        yield
    except (TypeError, ValueError, RecursionError) as error:
        raise SourceUnreadable(label, f"{what} not JSON: {error}") from error


@contextmanager
def capturing_log(name: str) -> Iterator[list[str]]:
    """Collect what is logged under a name instead of logging it: commands report it."""
    messages: list[str] = []

    class Capture(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger, handler = logging.getLogger(name), Capture()
    logger.addHandler(handler)
    before, logger.propagate = logger.propagate, False
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


async def _read(upstream: Upstream) -> Opened:
    """Read the tools, and what the catalog logs about them."""
    from toolgauge.gate.gate import adopt
    from toolgauge.upstream import SourceProblem
    from toolgauge.wire import Declared

    with capturing_log("toolgauge.contract.catalog") as logged:
        try:
            with CONTAINED:
                tools = await Catalog(upstream.tools, adopt=adopt).tools()
        except ToolgaugeError:
            raise
        except Exception as error:
            # The provider is the user's own code, and so are the tools themselves.
            raised = f"{type(error).__name__}: {error}"
            raise HandlerFailed(f"the provider {upstream.label}", raised) from error
    known = any("listed twice" in problem.message for problem in upstream.problems)
    details: Iterator[Any] = (tool.to_detail() for tool in tools)
    return Opened(
        label=upstream.label,
        tools=tools,
        upstream=upstream,
        entries=upstream.entries or tuple(Declared(raw=each, wire=each) for each in details),
        problems=(
            *upstream.problems,
            *(SourceProblem(message=m) for m in logged if not (known and "listed twice" in m)),
        ),
    )
