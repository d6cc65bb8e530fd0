"""The canonical errors: what each is over HTTP, in JSON-RPC, and on an MCP wire.

Source: the table of the envelope specification. On an MCP wire the protocol's own
codes are sent instead, with the same ``data`` (decisions E3 to E6).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.envelope.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


class CanonicalCode(StrEnum):
    """The five things that can go wrong with a call."""

    INVALID_INPUT = "INVALID_INPUT"
    INVALID_OUTPUT = "INVALID_OUTPUT"
    NOT_FOUND = "NOT_FOUND"
    UNAUTHORIZED = "UNAUTHORIZED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalError:
    """One row of the table.

    Attributes:
        code: The canonical code.
        http_status: The HTTP status; logs carry it on every transport (decision E7).
        jsonrpc_code: The code in the canonical dialect.
        message: The words in the canonical dialect.
        mcp_code: The code on an MCP wire, where the others mean something else:
            -32002 "MUST NOT be emitted" from 2026-07-28 on, -32004 and -32001 are
            taken. An unknown method is -32601 there, and a refusal to authorize is
            HTTP 401, not a code.
    """

    code: CanonicalCode
    http_status: int
    jsonrpc_code: int
    message: str
    mcp_code: int

    @staticmethod
    def of(code: str) -> CanonicalError:
        """Give the row of a code.

        Raises:
            KeyError: If the table does not have it.
        """
        return CANONICAL_ERRORS[code]

    @staticmethod
    def to_jsonrpc_error(code: str) -> dict[str, Any]:
        """Give the ``error`` member of an answer in the canonical dialect.

        Raises:
            KeyError: If the table does not have this code.

        Example:
            >>> CanonicalError.to_jsonrpc_error("NOT_FOUND")["code"]
            -32004
            >>> CanonicalError.to_jsonrpc_error("NOT_FOUND")["data"]
            {'canonical_code': 'NOT_FOUND'}
        """
        row = CANONICAL_ERRORS[code]
        return _error(row.jsonrpc_code, row.message, row.code)

    @staticmethod
    def to_mcp_error(
        code: str, *, jsonrpc_code: int | None = None, message: str | None = None
    ) -> dict[str, Any]:
        """Give the ``error`` member of an answer on an MCP wire.

        Args:
            code: The canonical code, which goes into ``data``.
            jsonrpc_code: The specification's code, where it says more than ours:
                -32700, -32600 and -32601. The row's ``mcp_code`` otherwise.
            message: The words; JSON-RPC's own for the code otherwise.

        Raises:
            KeyError: If the table does not have this code.
        """
        row = CANONICAL_ERRORS[code]
        number = row.mcp_code if jsonrpc_code is None else jsonrpc_code
        return _error(number, message or _MCP_WORDS.get(number, row.message), row.code)


_MCP_WORDS = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid Request",
    METHOD_NOT_FOUND: "Method not found",
    INVALID_PARAMS: "Invalid params",
    INTERNAL_ERROR: "Internal error",
}

_ROWS = (
    ("INVALID_INPUT", 400, -32602, "Invalid params", INVALID_PARAMS),
    ("INVALID_OUTPUT", 502, -32002, "Invalid tool output", INTERNAL_ERROR),
    ("NOT_FOUND", 404, -32004, "Resource not found", INVALID_PARAMS),
    ("UNAUTHORIZED", 401, -32001, "Unauthorized", INVALID_REQUEST),
    ("INTERNAL_ERROR", 500, -32603, "Internal error", INTERNAL_ERROR),
)

CANONICAL_ERRORS: Mapping[str, CanonicalError] = MappingProxyType(
    {
        code: CanonicalError(
            code=CanonicalCode(code),
            http_status=status,
            jsonrpc_code=number,
            message=message,
            mcp_code=mcp_code,
        )
        for code, status, number, message, mcp_code in _ROWS
    }
)
"""The table, by code."""


def _error(number: int, message: str, code: CanonicalCode) -> dict[str, Any]:
    return {"code": number, "message": message, "data": {"canonical_code": str(code)}}
