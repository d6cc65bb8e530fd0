"""Damaged and odd envelopes on the MCP wire: each answered once where an answer is due."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.envelope.table import ROWS, Row
from tests.serve.mcp.wires import FENCE, McpHttp, McpStdio, initialize, open_mcp_stdio
from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.envelope import Request, read_frame

if TYPE_CHECKING:
    from pathlib import Path

    from tests.envelope.transports import Transport


def told(answer: Any) -> dict[str, Any] | None:
    """Give what the table says of an answer."""
    if answer is None:
        return None
    assert "2.0" == answer["jsonrpc"]
    if "result" in answer:
        result = answer["result"]
        is_error = {"is_error": True} if result.get("isError") else {}
        code = result.get("_meta", {}).get("canonical_code")
        return {"id": answer["id"], "code": None, "canonical_code": code, **is_error}
    error = answer["error"]
    assert isinstance(error["message"], str)
    return {
        "id": answer["id"],
        "code": error["code"],
        "canonical_code": error["data"]["canonical_code"],
    }


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_is_answered_as_the_table_says(transport: Transport, row: Row) -> None:
    """The same on both transports; and the server still serves the next request."""
    answer = transport.ask(row.raw, is_answered=row.mcp is not None)

    assert row.mcp == told(answer)
    if answer is not None and isinstance(answer["id"], bool | float):
        pytest.fail("an id of another type came back")


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_http_has_the_status_of_the_table(http: McpHttp, row: Row) -> None:
    """202 and 400 without a body where no answer is due.

    What is a request and is refused for what it says has 200 up to 2025-11-25: a 404
    there would mean that the session is gone.
    """
    answer = http.post(row.raw)
    is_read = len(row.raw) <= DEFAULT_BOUNDS.max_body_bytes
    is_request = is_read and isinstance(read_frame(row.raw), Request)

    assert (200 if is_request else row.mcp_http) == answer.status_code
    assert (row.mcp is None) is (answer.content == b"")


@pytest.mark.parametrize("row", [row for row in ROWS if row.pieces], ids=str)
def test_a_line_may_come_in_pieces(stdio: McpStdio, row: Row) -> None:
    """A pipe cuts anywhere, also inside a character."""
    for begin, end in pairwise([0, *row.pieces, len(row.raw)]):
        stdio.send(row.raw[begin:end])

    assert row.mcp == told(stdio.ask(b""))


def test_no_line_is_answered_twice(tmp_path: Path) -> None:
    """All rows in one go: as many answers as are due, each of them whole, and no more.

    A row that reuses the id of one that is still in progress is rejected for that.
    """
    due = [row.mcp for row in ROWS if row.mcp is not None]
    ids = Counter(repr(each["id"]) for each in due)
    with open_mcp_stdio(tmp_path) as stdio:
        stdio.asked(initialize())
        for row in ROWS:
            stdio.send(row.raw + b"\n")
        stdio.send(b"\n\r\n   \n" + FENCE)
        answers = stdio.rest()

        fences = [each for each in answers if each["id"] == "fence"]
        others = [told(each) for each in answers if each["id"] != "fence"]

    assert 1 == len(fences)
    assert ids == Counter(repr(each["id"]) for each in others if each is not None)
    assert {repr(each) for each in due if ids[repr(each["id"])] == 1 or each["id"] is None} <= {
        repr(each) for each in others
    }
    assert 0 == stdio.process.returncode
