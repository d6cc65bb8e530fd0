"""``toolgauge validate``: hold arguments against a tool's contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from toolgauge.cli import options
from toolgauge.cli.arguments import read_arguments
from toolgauge.cli.findings import counted, issue_lines
from toolgauge.cli.opening import opened
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import say, say_json, visible
from toolgauge.cli.words import to_call
from toolgauge.contract import undeclared
from toolgauge.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from toolgauge.cli.words import CallWords
    from toolgauge.contract import Issue


EXAMPLES = """\b
Examples:
  toolgauge validate toolgauge.demo:tools convert_units '{"value": 1}'
  toolgauge validate tools.json --tool search --args @call.json
  echo '{"timezone": "UTC"}' | \\
    toolgauge validate get_current_time - -- python -m mcp_server_time
"""


def validate(
    ctx: typer.Context,
    *,
    words: options.CallArguments = None,
    tool: options.ToolName = None,
    args: options.ArgumentsText = None,
    shape: options.OutputFormat = Format.TEXT,
    assert_formats: options.AssertFormats = False,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Check the arguments of one call, without running the tool.

    The exit code is 0 when they keep the tool's input schema and 1 when they do
    not. Arguments that no schema declares are allowed, and warned of.
    """

    def begin() -> Coroutine[Any, Any, int]:
        call = to_call(words or [], ctx.obj, tool, args)
        return work(call, read_arguments(call.arguments))

    async def work(call: CallWords, arguments: Any) -> int:
        bounds = options.bounds_of(connect_timeout)
        async with opened(call.source, bounds, header, env) as upstream:
            found = upstream.tool(call.tool)
            issues = Gate([found], formats=assert_formats, bounds=bounds).validate(
                call.tool, arguments
            )
        warnings = undeclared(found.input_schema, arguments)
        if shape is Format.JSON:
            say_json(to_verdict(call.tool, issues, warnings, assert_formats=assert_formats))
        else:
            _write(call.tool, issues, warnings)
        return FINDINGS if issues else GOOD

    finish(begin, shape)


def to_verdict(
    tool: str, issues: Sequence[Issue], warnings: Sequence[Issue], *, assert_formats: bool
) -> dict[str, Any]:
    """Give the verdict as ``--format json`` prints it."""
    return {
        "tool": tool,
        "valid": not issues,
        "errors": [issue.to_json() for issue in issues],
        "formats": "assertion" if assert_formats else "annotation",
        "warnings": [issue.to_json() for issue in warnings],
    }


def _write(tool: str, issues: Sequence[Issue], warnings: Sequence[Issue]) -> None:
    """Write the verdict for people."""
    verdict = f"invalid, {counted(len(issues), 'error')}" if issues else "valid"
    say(f"{visible(tool)}: {verdict}")
    for line in issue_lines(issues):
        say(line)
    if warnings:
        say(counted(len(warnings), "warning"))
        for line in issue_lines(warnings):
            say(line)
