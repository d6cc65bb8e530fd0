"""What becomes of one MCP request: its answer on the wire, and what a log may say of it.

One place gives every finding its code (decisions E3 to E6), so that each transport
and each kind of source behind it says the same.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from toolgauge.contract import Tool, dump_json
from toolgauge.envelope import CanonicalCode, CanonicalError, error_message, result_message
from toolgauge.gate import Outcome, Verdict
from toolgauge.gate.results import refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping, Sequence

    from toolgauge.contract import CallResult, Issue
    from toolgauge.envelope import Id, Malformed
    from toolgauge.upstream import RequestRefused

_LOG = logging.getLogger(__name__)

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

BUSY = "Too many calls in flight; try again"
BUSY_STATUS = 503
STOPPING = "The server is stopping"
EXECUTION_OFF = "Tool execution is disabled."

_NOT_FOUND = frozenset({METHOD_NOT_FOUND, -32002})
_INPUT_CODES = frozenset({-32700, INVALID_REQUEST, INVALID_PARAMS})

ARGUMENTS = ("params", "arguments")
STRUCTURED = ("result", "structuredContent")

_FIRST_WITH_RESULTS = KNOWN_PROTOCOL_VERSIONS.index("2025-11-25")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to one request.

    Attributes:
        result: What the method gives back, ``None`` where it is refused.
        error: JSON-RPC's ``error`` member, ``None`` where it is not.
        code: The canonical code, for logs; ``None`` where all went well.
        status: The HTTP status where it is not the one of the error's code.
        name: The tool that was asked for, ``None`` for other methods.
        tool: The tool where there is one of that name.
        issues: What was wrong.
        place: Where in the message, or in the answer, the issues count from.
    """

    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    code: CanonicalCode | None = None
    status: int | None = None
    name: str | None = None
    tool: Tool | None = None
    issues: Sequence[Issue] = ()
    place: tuple[str, ...] = ()

    def to_message(self, ident: Id) -> dict[str, Any]:
        """Give the whole JSON-RPC answer."""
        if self.error is not None:
            return error_message(ident, dict(self.error))
        return result_message(ident, self.result)

    def to_bytes(self, ident: Id) -> bytes:
        """Give the answer as it is sent; what JSON has no form for never leaves."""
        try:
            return dump_json(self.to_message(ident))
        except TypeError:
            _LOG.exception("an answer of tool %r is not JSON", self.name)
            return dump_json(failed("Internal error").to_message(ident))


def refusal(
    code: CanonicalCode,
    *,
    jsonrpc_code: int | None = None,
    message: str | None = None,
    data: Mapping[str, Any] | None = None,
    **more: Any,
) -> Reply:
    """Refuse a request with an error of the protocol."""
    error = CanonicalError.to_mcp_error(code, jsonrpc_code=jsonrpc_code, message=message)
    if data:
        error["data"] = {**error["data"], **data}
    return Reply(error=error, code=code, **more)


def malformed(frame: Malformed) -> dict[str, Any]:
    """Give the ``error`` member for bytes that are no request."""
    error = CanonicalError.to_mcp_error(CanonicalCode.INVALID_INPUT, jsonrpc_code=frame.code)
    error["message"] = f"{frame.message}: {frame.reason}"
    return error


def unknown_method(method: str) -> Reply:
    """Refuse a method that is not served here."""
    return refusal(
        CanonicalCode.NOT_FOUND,
        jsonrpc_code=METHOD_NOT_FOUND,
        message=f"Method not found: {method[:100]}",
    )


def invalid_params(message: str, **more: Any) -> Reply:
    """Refuse parameters of a method."""
    return refusal(CanonicalCode.INVALID_INPUT, message=message, **more)


def id_in_use() -> Reply:
    """Reject a request whose id belongs to one that has no answer yet.

    Source: MCP 2025-11-25, basic, "Requests": "The request ID MUST NOT have been
    previously used by the requestor within the same session."
    """
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=INVALID_REQUEST,
        message="A request with this id is still in progress",
        status=400,
    )


def unknown_tool(name: str) -> Reply:
    """Refuse the call of a tool that there is not.

    Source: MCP, server/tools, "Error Handling": an unknown tool is a protocol
    error, -32602.
    """
    return refusal(CanonicalCode.NOT_FOUND, message=f"Unknown tool: {name[:256]}", name=name)


def invalid_input(name: str, tool: Tool, issues: Sequence[Issue], version: str) -> Reply:
    """Say what is wrong with the arguments of a call.

    From 2025-11-25 on they are a result that says it is an error, which models get
    to read; before, an error of the protocol.
    """
    found = refused(tuple(issues))
    more: dict[str, Any] = {
        "name": name,
        "tool": tool,
        "issues": issues,
        "place": ARGUMENTS,
    }
    if tells_models(version):
        result = call_result(found)
        result["_meta"] = {"canonical_code": CanonicalCode.INVALID_INPUT.value}
        return Reply(result=result, code=CanonicalCode.INVALID_INPUT, **more)
    text = str(found.content[0]["text"])
    data = {"errors": [issue.to_json() for issue in issues]}
    return refusal(CanonicalCode.INVALID_INPUT, message=text, data=data, **more)


def invalid_output(name: str, tool: Tool, issues: Sequence[Issue]) -> Reply:
    """Hold back an answer that breaks the contract; the issues name places, not values."""
    places = [{"path": each.pointer, "keyword": each.keyword} for each in issues]
    return refusal(
        CanonicalCode.INVALID_OUTPUT,
        message="Invalid tool output",
        data={"errors": places},
        name=name,
        tool=tool,
        issues=issues,
        place=STRUCTURED,
    )


def failed(message: str, **more: Any) -> Reply:
    """Say that something broke on this side of the wire."""
    return refusal(CanonicalCode.INTERNAL_ERROR, message=message, **more)


async def answered_anyway(reply: Awaitable[Reply]) -> Reply:
    """Wait for a reply. What fails on the way to it is logged, and told as no more than that."""
    try:
        return await reply
    except Exception:  # noqa: BLE001 - the outermost edge: whoever asked waits for an answer
        _LOG.exception("a request failed")
        return failed("Internal error")


def relayed(refused: RequestRefused, **more: Any) -> Reply:
    """Give an error of the server as it came; only the log says it in our words."""
    code = CanonicalCode.INTERNAL_ERROR
    if refused.code in _NOT_FOUND:
        code = CanonicalCode.NOT_FOUND
    elif refused.code in _INPUT_CODES:
        code = CanonicalCode.INVALID_INPUT
    return Reply(error=refused.to_json(), code=code, **more)


def of_outcome(  # noqa: PLR0911 - one answer per verdict
    name: str, outcome: Outcome, version: str
) -> Reply:
    """Say how a call through the gate ended."""
    tool = outcome.tool
    if outcome.result is not None:
        return Reply(result=call_result(outcome.result), name=name, tool=tool)
    if tool is None:
        if outcome.verdict is Verdict.UNKNOWN_TOOL:
            return unknown_tool(name)
        return failed("Internal error", name=name)
    if outcome.verdict is Verdict.INVALID_INPUT:
        return invalid_input(name, tool, outcome.issues, version)
    if outcome.verdict is Verdict.INVALID_OUTPUT:
        return invalid_output(name, tool, outcome.issues)
    if outcome.verdict is Verdict.BUSY:
        return failed(_WORDS[outcome.verdict], name=name, tool=tool, status=BUSY_STATUS)
    return failed(_WORDS.get(outcome.verdict, "Internal error"), name=name, tool=tool)


_WORDS = {
    Verdict.BUSY: BUSY,
    Verdict.TIMED_OUT: "The tool gave no answer in time",
    Verdict.STOPPED: STOPPING,
}


def call_result(found: CallResult) -> dict[str, Any]:
    """Write a result as MCP does."""
    result: dict[str, Any] = {"content": list(found.content)}
    if found.structured is not None:
        result["structuredContent"] = found.structured
    if found.is_error:
        result["isError"] = True
    return result


def is_json(value: object) -> bool:
    """Tell whether an answer can be written."""
    try:
        dump_json(value)
    except TypeError:
        return False
    return True


def tells_models(version: str) -> bool:
    """Tell whether bad arguments are a result in this version. Unknown ones are new ones."""
    if version not in KNOWN_PROTOCOL_VERSIONS:
        return True
    return KNOWN_PROTOCOL_VERSIONS.index(version) >= _FIRST_WITH_RESULTS
