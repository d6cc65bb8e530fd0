"""``toolgauge call``: run a tool, if the arguments conform to its schema."""

from __future__ import annotations

import logging
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.cli.calls import CallOptions, CallRequest, to_verdict
from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, capturing_log
from toolgauge.cli.errors import HandlerFailed, WrongUsage
from toolgauge.cli.options import CALL_TIMEOUT_S, AssertFormats, CallTimeout, Format, OutputFormat
from toolgauge.cli.output import say, say_json, warn
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import counted, issue_lines, visible
from toolgauge.contract import ToolgaugeError, dump_json, undeclared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import CallResult, Issue
    from toolgauge.gate import Gate

_log = logging.getLogger(__name__)


def call(
    *,
    call: CallOptions,
    shape: OutputFormat = Format.TEXT,
    assert_formats: AssertFormats = False,
    timeout_s: CallTimeout = CALL_TIMEOUT_S,
    connection: Connection,
) -> Coroutine[Any, Any, int]:
    """Call a tool and print its answer.

    Arguments that break the tool's input schema never reach the tool. The exit
    code is 0 for an answer, and 1 for broken arguments or an error of the tool.
    """
    # Standard input is read here, where Ctrl-C ends the wait.
    request = call.request(connection.command)
    return _call(request, shape, connection, timeout_s, formats=assert_formats)


COMMAND = Command(
    run=call,
    rank=50,
    examples="""\
  toolgauge call toolgauge.demo:tools text_statistics '{"text": "Hello."}'
  toolgauge call --tool get_current_time --args '{"timezone": "UTC"}' \\
    -- python -m mcp_server_time
  toolgauge call https://example.com/mcp search @call.json --timeout 120
""",
)


async def _call(
    request: CallRequest, shape: Format, connection: Connection, timeout_s: float, *, formats: bool
) -> int:
    """Call, and write the answer."""
    from toolgauge.gate import Gate

    bounds = connection.bounds(timeout_s)
    async with connection.open(request.source, bounds) as opened:
        found = opened.tool(request.tool)
        gate = Gate([found], opened.upstream.handle_call, formats=formats, bounds=bounds)
        result = await _called(gate, request)
    warnings = undeclared(found.input_schema, request.arguments)
    if shape is Format.JSON:
        verdict = to_verdict(request.tool, result.issues, warnings, assert_formats=formats)
        say_json(verdict | {"result": None if result.issues else _to_wire(result)})
    else:
        _write(request.tool, result, warnings)
    return FINDINGS if result.is_error else GOOD


async def _called(gate: Gate, request: CallRequest) -> CallResult:
    """Call through the gate; an exception of the tool's own code is a one-line error."""
    from toolgauge.gate import NoHandler

    name = request.tool
    try:
        with capturing_log("toolgauge.gate"):
            return await gate.call(name, request.arguments)
    except NoHandler:
        raise WrongUsage(
            f"this source describes {name!r} and cannot run it; name a server or a module"
        ) from None
    except ToolgaugeError:
        raise
    except Exception as error:
        _log.debug("the handler of %r raised", name, exc_info=True)
        raised = f"{type(error).__name__}: {error}"
        raise HandlerFailed(f"the handler of {name!r}", raised) from error


def _to_wire(result: CallResult) -> dict[str, Any]:
    """Return the answer as MCP writes it."""
    wire: dict[str, Any] = {"content": list(result.content), "isError": result.is_error}
    if result.structured is not None:
        wire["structuredContent"] = result.structured
    return wire


def _write(tool: str, result: CallResult, warnings: Sequence[Issue]) -> None:
    """Write the answer for people: texts as they are, everything else by its type."""
    for issue in warnings:
        hint = f"; {issue.hint}" if issue.hint else ""
        warn(f"warning: {visible(issue.pointer)}: {visible(issue.message + hint)}")
    if result.issues:
        say(f"{visible(tool)}: not called, {counted(len(result.issues), 'error')}")
        for line in issue_lines(result.issues):
            say(line)
        return
    for block in result.content:
        say(_block(block))
    if result.structured is not None and not result.content:
        say(visible(dump_json(result.structured).decode()))
    if result.is_error:
        warn(f"the tool {visible(tool)!r} answered with an error")


def _block(block: Any) -> str:
    """Write one content block in a way that is safe in a terminal."""
    if isinstance(block, Mapping):
        kind = block.get("type")
        if kind == "text" and isinstance(block.get("text"), str):
            return visible(block["text"], keep="\n\t")
        if kind in {"image", "audio"} and isinstance(block.get("data"), str):
            size = len(block["data"]) * 3 // 4
            return f"[{kind} {visible(str(block.get('mimeType')))}, about {size} bytes]"
    return visible(dump_json(block).decode())
