"""``toolgauge list``: the tools of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, has_problem, warn_of_problems
from toolgauge.cli.options import Format, OutputFormat, SourceWord
from toolgauge.cli.output import output, say, say_json, say_table, terminal_width
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import first_line, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import Tool

_PIPED_WIDTH = 160
_TITLES = ("tool", "required", "hints", "description")
_ROOMY_WIDTH = 110
_HINTS = {
    # The most important first: a narrow terminal has room for one.
    "destructiveHint": "destructive",
    "readOnlyHint": "read-only",
    "openWorldHint": "open-world",
    "idempotentHint": "idempotent",
}


async def list_tools(
    *, source: SourceWord = None, shape: OutputFormat = Format.TEXT, connection: Connection
) -> int:
    """List the tools of a source.

    Shows each tool's name, its required parameters, its annotations and the
    first line of its description; then what is wrong with single tools, which
    makes the exit code 1.
    """
    async with connection.open(connection.source(source)) as opened:
        if shape is Format.JSON:
            say_json(
                {
                    "source": opened.label,
                    "tools": [tool.to_detail() for tool in opened.tools],
                    "problems": [problem.to_json() for problem in opened.problems],
                }
            )
        else:
            _write_table(opened.tools)
            say(opened.summary)
            output().flush()
            warn_of_problems(opened.problems)
        return FINDINGS if has_problem(opened.problems) else GOOD


COMMAND = Command(
    run=list_tools,
    rank=30,
    examples="""\
  toolgauge list toolgauge.demo:tools
  toolgauge list tools.json --format json
  toolgauge list https://example.com/mcp -H "Authorization: Bearer $TOKEN"
  toolgauge list -- npx -y @modelcontextprotocol/server-everything
""",
)


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
    """Share the width: as much as each cell needs up to a limit, the rest for descriptions."""
    from rich.cells import cell_len

    limits = (max(total * 2 // 5, 12), max(total // 5, 8), total)
    cells = [
        min(max(cell_len(row[i]) for row in [_TITLES, *rows]), limit)
        for i, limit in enumerate(limits)
    ]
    return [*cells, max(total - sum(cells) - 2 * len(_TITLES), 10)]


def _required(tool: Tool) -> str:
    """Return the required parameters, where the schema has the usual shape."""
    schema: Any = tool.input_schema
    required = schema.get("required") if isinstance(schema, dict) else None
    return visible(", ".join(map(str, required))) if isinstance(required, list) else ""


def _hints(tool: Tool, most: int) -> str:
    """Return the annotations that hold, at most so many."""
    words = [word for key, word in _HINTS.items() if tool.annotations.get(key) is True]
    return ", ".join(words[:most])
