"""Answers of a server that are none, and failures on the way: whoever asked is answered."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.serve.mcp.scripted import ENVELOPE, HANDSHAKE, Nobody, Script, greeting, tool
from tests.serve.mcp.wires import call, initialize, message, open_mcp_stdio
from tests.upstream.test_messages import UNUSABLE
from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.serve.lines import LineWriter
from toolgauge.serve.mcp.replies import Journal
from toolgauge.serve.mcp.stdio import StdioClient
from toolgauge.serve.mcp.stdio_lines import Lines

pytestmark = pytest.mark.anyio

MISBEHAVING = Path(__file__).parents[2] / "upstream" / "servers" / "misbehaving.py"
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


def test_no_answer_that_cannot_be_used_is_waited_for(tmp_path: Path) -> None:
    """In either era of the client, on either way that a call takes."""
    with open_mcp_stdio(tmp_path, "--", sys.executable, str(MISBEHAVING), "says") as stdio:
        stdio.asked(initialize())
        for line in UNUSABLE.values():
            newer = message("tools/call", 2, name="echo", arguments={"text": line}, _meta=ENVELOPE)
            for raw in (call("echo", text=line), newer):
                error = stdio.asked(raw)["error"]

                assert -32603 == error["code"]
                assert "cannot be used" in error["message"]
                assert "INTERNAL_ERROR" == error["data"]["canonical_code"]


async def test_a_line_that_fails_on_our_side_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    """With an internal error that tells nothing; the log has the rest."""

    class Failing:
        relay = None

        async def reply(self, request: object, client: object) -> Any:
            raise TypeError("secret-of-the-gateway")

    journal = Journal(None, transport="stdio", route="stdio")
    lines = Lines(Failing(), StdioClient(LineWriter(1)), journal, DEFAULT_BOUNDS)  # type: ignore[arg-type]
    answer = await lines.answer(message("tools/list", 7))

    assert answer is not None
    assert b'"id":7' in answer
    assert b"-32603" in answer
    assert b"secret" not in answer
    assert "secret-of-the-gateway" in caplog.text


@pytest.mark.parametrize(("era", "is_held"), [("older", True), ("newer", False)])
async def test_only_the_newer_era_has_results_of_other_kinds(era: str, is_held: bool) -> None:
    """From an older server the member says nothing, and the contract holds."""
    script = Script(era)
    script.pages = [{"tools": [tool("convert", outputSchema=NUMBER)]}]
    script.result = {"resultType": "odd", "content": [], "structuredContent": {"n": "x"}}
    params = {"name": "convert", "arguments": {}, "_meta": ENVELOPE}
    async with greeting(script) as greeter:
        shared = await greeter.shared()
        reply = await shared.reply("tools/call", params, Nobody())

    assert ("INVALID_OUTPUT" if is_held else None) == reply.code


async def test_an_older_server_cannot_ask_for_input_in_a_result() -> None:
    """Its client of the newer era would take the member for what it means there."""
    script = Script("older")
    script.result = {"resultType": "input_required", "content": []}
    params = {"name": "convert", "arguments": {}, "_meta": ENVELOPE}
    async with greeting(script) as greeter:
        shared = await greeter.shared()
        newer = await shared.reply("tools/call", params, Nobody())
        session, _ = await greeter.greet(HANDSHAKE, Nobody())
        older = await session.answerer.reply("tools/call", params, Nobody())

    assert newer.result is not None
    assert "complete" == newer.result["resultType"]
    assert script.result == older.result
