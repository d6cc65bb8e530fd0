"""``toolgauge list``: the tools of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from toolgauge.cli import options
from toolgauge.cli.findings import counted
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.output import output
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import first_line, say, say_json, say_table, terminal_width, visible
from toolgauge.cli.words import to_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.opening import Opened
    from toolgauge.contract import Tool

_PIPED_WIDTH = 160
_TITLES = ("tool", "required", "hints", "description")
_ROOMY_WIDTH = 110
_HINTS = {
    # The most telling first: a narrow terminal has room for one.
    "destructiveHint": "destructive",
    "readOnlyHint": "read-only",
    "openWorldHint": "open-world",
    "idempotentHint": "idempotent",
}


EXAMPLES = """\b
Examples:
  toolgauge list toolgauge.demo:tools
  toolgauge list tools.json --format json
  toolgauge list https://example.com/mcp -H "Authorization: Bearer $TOKEN"
  toolgauge list -- npx -y @modelcontextprotocol/server-everything
"""


def list_tools(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    shape: options.OutputFormat = Format.TEXT,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """List the tools of a source.

    Shows each tool's name, its required parameters, its annotations and the
    first line of its description; then what is wrong with single tools, which
    makes the exit code 1.
    """

    async def work() -> int:
        found = to_source(source or [], ctx.obj)
        async with opened(found, options.bounds_of(connect_timeout), header, env) as upstream:
            _write(upstream, shape)
            return FINDINGS if upstream.problems else GOOD

    finish(work(), shape)


def _write(upstream: Opened, shape: Format) -> None:
    """Write the tools in the format that was asked for."""
    if shape is Format.JSON:
        say_json(
            {
                "source": upstream.label,
                "tools": [tool.to_detail() for tool in upstream.tools],
                "problems": [problem.to_json() for problem in upstream.problems],
            }
        )
        return
    _write_table(upstream.tools)
    say(f"{counted(len(upstream.tools), 'tool')} of {visible(upstream.label)}")
    output().flush()
    tell_problems(upstream.problems)


def _write_table(tools: list[Tool]) -> None:
    """Draw a table that fits the terminal. Cells are text, never markup."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    if not tools:
        return
    total = terminal_width() or _PIPED_WIDTH
    most = len(_HINTS) if total >= _ROOMY_WIDTH else 1
    rows = [
        (visible(t.name), _required(t), _hints(t, most), first_line(t.description)) for t in tools
    ]
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for title, width in zip(_TITLES, _widths(rows, total), strict=True):
        is_last = title == _TITLES[-1]
        table.add_column(
            title, width=width, no_wrap=is_last, overflow="ellipsis" if is_last else "fold"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    say_table(table, total)


def _widths(rows: Sequence[tuple[str, ...]], total: int) -> list[int]:
    """Share the width: as much as each cell needs up to a limit, the rest for words."""
    from rich.cells import cell_len

    limits = (max(total * 2 // 5, 12), max(total // 5, 8), total)
    cells = [
        min(max(cell_len(row[i]) for row in [_TITLES, *rows]), limit)
        for i, limit in enumerate(limits)
    ]
    return [*cells, max(total - sum(cells) - 2 * len(_TITLES), 10)]


def _required(tool: Tool) -> str:
    """Name the required parameters, where the schema has the usual shape."""
    schema: Any = tool.input_schema
    required = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(required, list):
        return ""
    return visible(", ".join(str(each) for each in required))


def _hints(tool: Tool, most: int) -> str:
    """Name the annotations that hold, at most so many."""
    words = [word for key, word in _HINTS.items() if tool.annotations.get(key) is True]
    return ", ".join(words[:most])
