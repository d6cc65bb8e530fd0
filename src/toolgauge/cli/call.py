"""``toolgauge call``: run a tool, if the arguments keep its contract."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from toolgauge.cli import options
from toolgauge.cli.arguments import read_arguments
from toolgauge.cli.errors import HandlerFailed, WrongUsage
from toolgauge.cli.findings import counted, issue_lines
from toolgauge.cli.opening import hearing, opened
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import say, say_json, visible, warn
from toolgauge.cli.validate import to_verdict
from toolgauge.cli.words import to_call
from toolgauge.contract import ToolgaugeError, dump_json, undeclared
from toolgauge.gate import Gate, NoHandler

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from toolgauge.cli.words import CallWords
    from toolgauge.contract import CallResult, Issue

_log = logging.getLogger(__name__)


EXAMPLES = """\b
Examples:
  toolgauge call toolgauge.demo:tools text_statistics '{"text": "Hello."}'
  toolgauge call --tool get_current_time --args '{"timezone": "UTC"}' \\
    -- python -m mcp_server_time
  toolgauge call https://example.com/mcp search @call.json --timeout 120
"""


def call(
    ctx: typer.Context,
    *,
    words: options.CallArguments = None,
    tool: options.ToolName = None,
    args: options.ArgumentsText = None,
    shape: options.OutputFormat = Format.TEXT,
    assert_formats: options.AssertFormats = False,
    timeout: options.CallTimeout = options.CALL_TIMEOUT_S,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Call a tool and print its answer.

    Arguments that break the tool's input schema never reach the tool. The exit
    code is 0 for an answer, and 1 for broken arguments or an error of the tool.
    """

    def begin() -> Coroutine[Any, Any, int]:
        request = to_call(words or [], ctx.obj, tool, args)
        return work(request, read_arguments(request.arguments))

    async def work(request: CallWords, arguments: Any) -> int:
        bounds = options.bounds_of(connect_timeout, timeout)
        async with opened(request.source, bounds, header, env) as upstream:
            found = upstream.tool(request.tool)
            gate = Gate([found], upstream.handle_call, formats=assert_formats, bounds=bounds)
            result = await _called(gate, request.tool, arguments)
        warnings = undeclared(found.input_schema, arguments)
        verdict = to_verdict(request.tool, result.issues, warnings, assert_formats=assert_formats)
        if shape is Format.JSON:
            say_json(verdict | {"result": None if result.issues else _to_wire(result)})
        else:
            _write(request.tool, result, warnings)
        return FINDINGS if result.is_error else GOOD

    finish(begin, shape)


async def _called(gate: Gate, name: str, arguments: object) -> CallResult:
    """Call through the gate; what the tool's own code raises is told in a sentence."""
    try:
        with hearing("toolgauge.gate"):
            return await gate.call(name, arguments)
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
    """Give the answer as MCP writes it."""
    wire: dict[str, Any] = {"content": list(result.content), "isError": result.is_error}
    if result.structured is not None:
        wire["structuredContent"] = result.structured
    return wire


def _write(tool: str, result: CallResult, warnings: Sequence[Issue]) -> None:
    """Write the answer for people: texts as they are, everything else by its kind."""
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
    if not isinstance(block, Mapping):
        return visible(dump_json(block).decode())
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return visible(block["text"], keep="\n\t")
    if kind in {"image", "audio"} and isinstance(block.get("data"), str):
        size = len(block["data"]) * 3 // 4
        return f"[{kind} {visible(str(block.get('mimeType')))}, about {size} bytes]"
    return visible(dump_json(block).decode())
