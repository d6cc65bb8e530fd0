"""Holds calls to a server's tools against what the server itself promises of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.shared.inbound import validate_mcp_param_headers

from toolgauge.contract import CallResult
from toolgauge.envelope import CanonicalCode
from toolgauge.gate import ContractCheck
from toolgauge.serve.mcp.eras import MODERN_PROTOCOL_VERSIONS
from toolgauge.serve.mcp.replies import (
    EXECUTION_OFF,
    Reply,
    invalid_input,
    invalid_output,
    invalid_params,
    refusal,
    unknown_tool,
)

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, Tool


class Contracts:
    """Finds what breaks a contract, in a call or in its result.

    Args:
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.
        allow_execute: Whether tools may be run at all.
    """

    def __init__(self, *, formats: bool, bounds: Bounds, allow_execute: bool = True) -> None:
        self._allow_execute = allow_execute
        self._check = ContractCheck(formats=formats, bounds=bounds)

    def read_call(self, params: Mapping[str, Any] | None) -> tuple[str, object] | Reply:
        """Give the name and the arguments of a call, or the answer to one that has none."""
        name = (params or {}).get("name")
        if not isinstance(name, str):
            return invalid_params("tools/call needs name, a string")
        if not self._allow_execute:
            return refusal(CanonicalCode.UNAUTHORIZED, message=EXECUTION_OFF, name=name)
        arguments = (params or {}).get("arguments")
        if arguments is not None and not isinstance(arguments, Mapping):
            return invalid_params("arguments of tools/call are an object", name=name)
        return name, arguments

    def refusal_of_call(self, tool: Tool, arguments: object, version: str) -> Reply | None:
        """Give the answer to a call that must not reach the tool, ``None`` where it may."""
        issues = self._check.admit(tool, {} if arguments is None else arguments)
        return invalid_input(tool.name, tool, issues, version) if issues else None

    def admitted(
        self,
        tool: Tool | None,
        name: str,
        arguments: object,
        version: str,
        headers: Mapping[str, str] | None = None,
    ) -> Tool | Reply:
        """Give the tool of a call that may reach it, or the answer to one that may not."""
        if tool is None:
            return unknown_tool(name)
        refused = self.refusal_of_call(tool, arguments, version)
        if refused is None and headers is not None:
            refused = header_fault(tool, arguments, headers)
        return tool if refused is None else refused

    def refusal_of_result(self, tool: Tool, result: object, version: str) -> Reply | None:
        """Give the answer in place of a result that must not leave, ``None`` where it may.

        In the newer era a result that asks for input, or one of an extension, is not
        the tool's yet; the older one knows no such results.
        """
        if tool.output_schema is None or not isinstance(result, Mapping):
            return None
        kind = result.get("resultType", "complete")
        if version in MODERN_PROTOCOL_VERSIONS and kind != "complete":
            return None
        found = CallResult(
            is_error=result.get("isError") is True, structured=result.get("structuredContent")
        )
        issues = self._check.hold(tool, found)
        return invalid_output(tool.name, tool, issues) if issues else None


def header_fault(tool: Tool, arguments: object, headers: Mapping[str, str]) -> Reply | None:
    """Hold what a call repeats in headers against its arguments.

    Source: MCP 2026-07-28, Streamable HTTP, "Custom headers from tool parameters".
    """
    given = arguments if isinstance(arguments, Mapping) else {}
    fault = validate_mcp_param_headers(tool.input_schema, given, headers)
    if fault is None:
        return None
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=fault.code,
        message=fault.message,
        name=tool.name,
        tool=tool,
    )
