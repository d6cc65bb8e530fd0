"""A SOURCE opened for a command: its tools, its problems, a sign of life."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from toolgauge.cli.arguments import read_env, read_headers
from toolgauge.cli.errors import HandlerFailed, NoSuchTool
from toolgauge.cli.output import private_output
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.text import visible, warn
from toolgauge.contract import CONTAINED, Catalog, ToolgaugeError
from toolgauge.gate.adopting import adopt
from toolgauge.upstream import SourceProblem, open_source
from toolgauge.wire import Declared

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from toolgauge.contract import Bounds, HandleCall, Tool
    from toolgauge.upstream import Source, Upstream

_PATIENCE_S = 1.0
_MOST_NAMES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open source with its tools read.

    Attributes:
        label: What to call the source.
        provider: The tools as the source gives them, for ``serve``.
        tools: The tools now, the first of each name.
        handle_call: How to call them, ``None`` where each brings its handler.
        problems: What is wrong with single tools.
        entries: All definitions in the source's own shape, broken ones too.
        upstream: The open source itself, for ``/mcp``.
    """

    label: str
    provider: Any
    tools: list[Tool]
    handle_call: HandleCall | None
    problems: tuple[SourceProblem, ...]
    entries: tuple[Declared, ...]
    upstream: Upstream

    def tool(self, name: str) -> Tool:
        """Give the tool of a name.

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


@asynccontextmanager
async def opened(
    source: Source,
    bounds: Bounds,
    headers: Sequence[str] | None = None,
    env: Sequence[str] | None = None,
) -> AsyncIterator[Opened]:
    """Open a source and read its tools; show that something happens when it is slow.

    Until it is closed, what its code prints goes to standard error.

    Raises:
        SourceError: It cannot be read or reached.
        HandlerFailed: A module's own provider raised.
        WrongUsage: A header or variable is not one.
    """
    opening = open_source(
        source, bounds=bounds, headers=read_headers(headers or ()), env=read_env(env or ())
    )
    async with AsyncExitStack() as stack:
        stack.enter_context(private_output())
        with sign_of_life(f"connecting to {visible(source.label)} …", _PATIENCE_S):
            upstream = await stack.enter_async_context(opening)
        yield await _read(upstream)


def tell_problems(problems: Sequence[SourceProblem]) -> None:
    """Write what is wrong with single tools to stderr, by name."""
    for problem in problems:
        warn(f"warning: {visible(to_line(problem))}")


def to_line(problem: SourceProblem) -> str:
    """Write one problem with the tool that it is about."""
    if problem.name is not None:
        return f"tool {problem.name!r}: {problem.message}"
    return problem.message if problem.index is None else f"tool {problem.index}: {problem.message}"


@contextmanager
def hearing(name: str) -> Iterator[list[str]]:
    """Collect what a logger is told instead of logging it: we say it in our own words."""
    heard: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    logger, ear = logging.getLogger(name), Ear()
    logger.addHandler(ear)
    before, logger.propagate = logger.propagate, False
    try:
        yield heard
    finally:
        logger.removeHandler(ear)
        logger.propagate = before


async def _read(upstream: Upstream) -> Opened:
    """Ask the provider, and hear what the catalog has to say about its tools."""
    with hearing("toolgauge.contract.catalog") as heard:
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
    return Opened(
        label=upstream.label,
        provider=upstream.tools,
        tools=tools,
        handle_call=upstream.handle_call,
        upstream=upstream,
        entries=upstream.entries or tuple(map(_as_mcp, tools)),
        problems=(
            *upstream.problems,
            *(SourceProblem(message=m) for m in heard if not (known and "listed twice" in m)),
        ),
    )


def _as_mcp(tool: Tool) -> Declared:
    """Give a tool that Python code described as MCP writes it."""
    detail = tool.to_detail()
    return Declared(raw=detail, wire=detail)
