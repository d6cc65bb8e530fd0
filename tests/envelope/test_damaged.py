"""Damaged and odd envelopes: answered once where an answer is due, the same on each transport."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.envelope.table import ROWS, Row
from tests.envelope.transports import FENCE, Http, Stdio, Transport, open_stdio

if TYPE_CHECKING:
    from pathlib import Path


def told(answer: Any) -> dict[str, Any] | None:
    """Give what the table says of an answer."""
    if answer is None:
        return None
    assert "2.0" == answer["jsonrpc"]
    if "result" in answer:
        is_error = {"is_error": True} if answer["result"]["isError"] else {}
        return {"id": answer["id"], "code": None, "canonical_code": None, **is_error}
    error = answer["error"]
    assert isinstance(error["message"], str)
    return {
        "id": answer["id"],
        "code": error["code"],
        "canonical_code": error["data"]["canonical_code"],
    }


def test_the_table_is_large_and_names_its_rows() -> None:
    """At least sixty kinds of damage."""
    assert 60 <= len(ROWS)
    assert len(ROWS) == len({row.name for row in ROWS})
    assert len(ROWS) == len({(row.raw, row.pieces) for row in ROWS})


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_is_answered_as_the_table_says(transport: Transport, row: Row) -> None:
    """And the server still serves the next request."""
    answer = transport.ask(row.raw, is_answered=row.canonical is not None)

    assert row.canonical == told(answer)
    if answer is not None and isinstance(answer["id"], bool | float):
        pytest.fail("an id of another type came back")


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_http_has_the_canonical_status(http: Http, row: Row) -> None:
    """The one of the table of errors; 202 and 400 without a body where no answer is due."""
    answer = http.post(row.raw)

    assert row.http == answer.status_code
    assert (row.canonical is None) is (answer.content == b"")


@pytest.mark.parametrize("row", [row for row in ROWS if row.pieces], ids=str)
def test_a_line_may_come_in_pieces(stdio: Stdio, row: Row) -> None:
    """A pipe cuts anywhere, also inside a character."""
    places = [0, *row.pieces, len(row.raw)]
    for begin, end in pairwise(places):
        stdio.send(row.raw[begin:end])

    assert row.canonical == told(stdio.ask(b""))


def test_no_line_is_answered_twice(tmp_path: Path) -> None:
    """All rows in one go: as many answers as are due, each of them whole, and no more."""
    due = [row.canonical for row in ROWS if row.canonical is not None]
    with open_stdio(tmp_path) as stdio:
        for row in ROWS:
            stdio.send(row.raw + b"\n")
        stdio.send(b"\n\r\n   \n" + FENCE)
        answers = stdio.rest()

        fences = [each for each in answers if each["id"] == "fence"]
        others = [told(each) for each in answers if each["id"] != "fence"]

    assert 1 == len(fences)
    assert sorted(map(repr, due)) == sorted(map(repr, others))
    assert 0 == stdio.process.returncode
