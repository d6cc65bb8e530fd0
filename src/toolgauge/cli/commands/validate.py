"""``toolgauge validate``: check the arguments of a call against the tool's schema."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from toolgauge.cli.calls import CallOptions, CallRequest, to_verdict
from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection
from toolgauge.cli.options import AssertFormats, Format, OutputFormat
from toolgauge.cli.output import say, say_json
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import counted, issue_lines, visible
from toolgauge.contract import undeclared


def validate(
    *,
    call: CallOptions,
    shape: OutputFormat = Format.TEXT,
    assert_formats: AssertFormats = False,
    connection: Connection,
) -> Coroutine[Any, Any, int]:
    """Check the arguments of one call, without running the tool.

    The exit code is 0 when they keep the tool's input schema and 1 when they do
    not. Arguments that no schema declares are allowed, and warned of.
    """
    # Standard input is read here, where Ctrl-C ends the wait.
    return _validate(call.request(connection.command), shape, connection, formats=assert_formats)


COMMAND = Command(
    run=validate,
    rank=40,
    examples="""\
  toolgauge validate toolgauge.demo:tools convert_units '{"value": 1}'
  toolgauge validate tools.json --tool search --args @call.json
  echo '{"timezone": "UTC"}' | \\
    toolgauge validate get_current_time - -- python -m mcp_server_time
""",
)


async def _validate(
    request: CallRequest, shape: Format, connection: Connection, *, formats: bool
) -> int:
    """Validate, and write the verdict."""
    from toolgauge.gate import Gate

    async with connection.open(request.source) as opened:
        found = opened.tool(request.tool)
        gate = Gate([found], formats=formats, bounds=connection.bounds())
        issues = gate.validate(request.tool, request.arguments)
    warnings = undeclared(found.input_schema, request.arguments)
    if shape is Format.JSON:
        say_json(to_verdict(request.tool, issues, warnings, assert_formats=formats))
    else:
        verdict = f"invalid, {counted(len(issues), 'error')}" if issues else "valid"
        lines = [f"{visible(request.tool)}: {verdict}", *issue_lines(issues)]
        if warnings:
            lines += [counted(len(warnings), "warning"), *issue_lines(warnings)]
        for line in lines:
            say(line)
    return FINDINGS if issues else GOOD
