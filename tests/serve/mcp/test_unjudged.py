"""Calls in odd frames: none arrives unvalidated, each is logged, and the next is served."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import pytest

from tests.envelope.transports import open_http, records
from tests.serve.mcp.counting import SCHEMA
from tests.serve.mcp.frames import DISGUISES, ENVELOPE, dumped
from tests.serve.mcp.scripted import HANDSHAKE, Nobody, Script, greeting
from tests.serve.mcp.test_each_call_once import runs_in, source
from tests.serve.mcp.wires import HEADERS, McpHttp, McpStdio, initialize, open_mcp_stdio
from toolgauge.serve.mcp.eras import is_disguised_call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CANCELLED = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
ODD: list[dict[str, Any]] = [
    {},
    {"params": {}},
    {"params": {"requestId": None}},
    {"params": {"requestId": []}},
]
ERAS = ["older", "newer", None]


def pay(key: str, amount: int = 1, **members: Any) -> dict[str, Any]:
    """Write a call without an id."""
    params = {"name": "pay", "arguments": {"key": key, "amount": amount}}
    return {"jsonrpc": "2.0", "method": "tools/call", "params": params, **members}


@pytest.fixture(params=ERAS)
def stdio(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[McpStdio]:
    """Open the gateway over a pipe, in front of each kind of source."""
    monkeypatch.setenv("COUNTING_FILE", str(tmp_path / "runs"))
    with open_mcp_stdio(tmp_path, *source(tmp_path / "runs", request.param)) as opened:
        opened.asked(initialize())
        yield opened


@pytest.fixture(params=ERAS)
def http(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[McpHttp]:
    """Open the gateway over HTTP, with a session."""
    monkeypatch.setenv("COUNTING_FILE", str(tmp_path / "runs"))
    with open_http(tmp_path, source=source(tmp_path / "runs", request.param)) as opened:
        found = McpHttp(opened.process, opened.url, tmp_path)
        with found.client:
            answer = found.post(initialize())
            session = answer.headers.get("mcp-session-id")
            found.client.headers.update({} if session is None else {"mcp-session-id": session})
            yield found


@pytest.mark.parametrize("odd", ODD, ids=json.dumps)
def test_an_odd_cancellation_sends_no_call_again(
    stdio: McpStdio, tmp_path: Path, odd: dict[str, Any]
) -> None:
    """In one write with two calls: each runs once, and the process ends with its input."""
    frames = [pay("a", id=1), {**CANCELLED, **odd}, pay("b", id=2)]
    stdio.send(b"".join(dumped(each) + b"\n" for each in frames))
    answers = stdio.rest()

    assert [1, 2] == sorted(each["id"] for each in answers)
    assert all("result" in each for each in answers)
    assert {"a": 1, "b": 1} == runs_in(tmp_path / "runs")
    assert 0 == stdio.process.wait(5)


def test_an_odd_cancellation_over_http_is_accepted(http: McpHttp) -> None:
    """And means nothing."""
    for odd in ODD:
        assert 202 == http.post(dumped({**CANCELLED, **odd})).status_code, odd


NEVER = [
    frame
    for amount in (1, 0)
    for frame in (
        pay("never", amount),
        pay("never", amount, extra=1),
        pay("never", amount, params=[]),
    )
]
"""Calls that nobody may run, with good arguments and with bad ones."""


def test_a_call_without_an_id_never_runs_over_stdio(stdio: McpStdio, tmp_path: Path) -> None:
    """Good arguments or bad: it is dropped, logged, and the next call is served."""
    for each in NEVER:
        stdio.send(dumped(each) + b"\n")
    answer = stdio.asked(dumped(pay("next", id=1)))
    stdio.rest()

    assert "paid" == answer["result"]["content"][0]["text"]
    assert {"next": 1} == runs_in(tmp_path / "runs")
    assert len(NEVER) == len(dropped(tmp_path))


def test_a_call_without_an_id_never_runs_over_http(http: McpHttp, tmp_path: Path) -> None:
    """As over stdio; its status is that of a notification."""
    statuses = {http.post(dumped(each)).status_code for each in NEVER}
    newer = {**HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call"}
    for amount in (1, 0):
        modern = pay("never", amount)
        modern["params"]["_meta"] = ENVELOPE
        statuses.add(http.post(dumped(modern), newer).status_code)
    answer = http.post(dumped(pay("next", id=1)))

    assert {202} == statuses
    assert "paid" in answer.text
    assert {"next": 1} == runs_in(tmp_path / "runs")
    assert len(NEVER) + 2 == len(dropped(tmp_path))


def test_a_call_under_another_name_is_not_forwarded(stdio: McpStdio, tmp_path: Path) -> None:
    """A careless server would run it."""
    for number, method in enumerate(DISGUISES):
        answer = stdio.asked(dumped(pay("never", id=number, method=method)))
        stdio.send(dumped(pay("never", method=method)) + b"\n")

        assert answer["error"]["code"] in {-32600, -32601}, method
    stdio.rest()
    assert not runs_in(tmp_path / "runs")


def test_names_that_only_sound_alike() -> None:
    """What no server reads as a call passes."""
    assert is_disguised_call("\uff34OOLS/call")
    assert is_disguised_call("proxy/tools/call")
    for method in ("tools/call", "tools/list", "tools/callback", "tools/calls", "prompts/get"):
        assert not is_disguised_call(method)


def test_a_response_to_nothing_gets_no_inner_text(http: McpHttp) -> None:
    """Neither a validator's nor the SDK's."""
    odd: list[dict[str, Any]] = [{"error": {}}, {"error": {"code": "x"}}, {"result": None}]
    for members in [{"result": {}}, *odd]:
        for ident in ({}, {"id": None}, {"id": 1}):
            answer = http.post(dumped({"jsonrpc": "2.0", **ident, **members}))

            assert answer.status_code in {202, 400}
            assert b"" == answer.content


def test_an_id_in_progress_is_rejected(tmp_path: Path) -> None:
    """The first call is answered, and the second does not run."""
    words = ("--", sys.executable, "-m", "tests.serve.mcp.upstream", "older")
    with open_mcp_stdio(tmp_path, *words) as stdio:
        stdio.asked(initialize())
        hang = {"name": "hang", "arguments": {}}
        frame = dumped({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": hang})
        for _ in range(2):
            stdio.send(frame + b"\n")
        rejected = stdio.line()
        stdio.send(dumped({**CANCELLED, "params": {"requestId": 7}}) + b"\n")
        rest = stdio.rest()

    assert (7, -32600) == (rejected["id"], rejected["error"]["code"])
    assert [] == rest


def dropped(folder: Path) -> list[dict[str, Any]]:
    """Give the log's records of calls that were dropped."""
    return [each for each in records(folder) if each["canonicalCode"] == "INVALID_INPUT"]


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


TASK = {"taskId": "t1", "status": "working"}
WRONG = {"content": [], "structuredContent": {"n": "secret-of-the-result"}}
SUM = {
    "name": "pay",
    "inputSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
}
ARGUMENTS = {"key": "k", "amount": 1}


@pytest.mark.anyio
async def test_a_tasks_result_is_validated_in_the_older_era() -> None:
    """It comes with tasks/result; the task itself is not the tool's result."""
    script = Script()
    script.pages = [{"tools": [SUM]}]
    script.result = {"task": TASK}
    async with greeting(script) as greeter:
        session, _ = await greeter.greet(HANDSHAKE, Nobody())
        params = {"name": "pay", "arguments": ARGUMENTS, "task": {"ttl": 1}}
        begun = await session.answerer.reply("tools/call", params, Nobody())
        unasked = await session.answerer.reply(
            "tools/call", {"name": "pay", "arguments": ARGUMENTS}, Nobody()
        )
        script.refusal = {"result": WRONG}
        wrong = await session.answerer.reply("tools/result", {"taskId": "t2"}, Nobody())
        held = await session.answerer.reply("tasks/result", {"taskId": "t1"}, Nobody())

    assert {"task": TASK} == begun.result
    assert unasked.error is not None
    assert WRONG == wrong.result
    assert held.result is None
    assert "INVALID_OUTPUT" == held.code


@pytest.mark.anyio
async def test_a_tasks_result_is_validated_in_the_newer_era() -> None:
    """It comes inside tasks/get."""
    script = Script("newer")
    script.pages = [{"tools": [SUM]}]
    script.result = {"resultType": "task", **TASK}
    async with greeting(script) as greeter:
        shared = await greeter.shared()
        params = {"name": "pay", "arguments": ARGUMENTS, "_meta": ENVELOPE}
        begun = await shared.reply("tools/call", params, Nobody())
        asked = {"taskId": "t1", "_meta": ENVELOPE}
        script.refusal = {"result": {**TASK, "resultType": "complete"}}
        working = await shared.reply("tasks/get", asked, Nobody())
        script.refusal = {"result": {**TASK, "resultType": "complete", "result": WRONG}}
        held = await shared.reply("tasks/get", asked, Nobody())

    assert "task" == (begun.result or {})["resultType"]
    assert working.result is not None
    assert "INVALID_OUTPUT" == held.code


@pytest.mark.anyio
async def test_a_state_continues_its_own_call_once() -> None:
    """Given with another call it is rejected and stays good; given twice it is rejected."""
    script = Script()
    script.pages = [{"tools": [SUM]}]
    script.result = {"content": [], "structuredContent": {"n": 1}}
    question = {"id": "q", "method": "elicitation/create", "params": {"message": "?"}}
    script.between = lambda: [question] if script.heard[-1] == "tools/call" else []
    able = {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    call = {"name": "pay", "arguments": ARGUMENTS, "_meta": able}
    async with greeting(script) as greeter:
        older = await greeter.shared()
        script.waits = True
        asking = await older.reply("tools/call", call, Nobody())
        state = (asking.result or {})["requestState"]
        (key,) = (asking.result or {})["inputRequests"]
        back = {"requestState": state, "inputResponses": {key: {"action": "accept"}}}
        other = {**call, "arguments": {"key": "other", "amount": 1}}
        stolen = await older.reply("tools/call", {**other, **back}, Nobody())
        done = await older.reply("tools/call", {**call, **back}, Nobody())
        twice = await older.reply("tools/call", {**call, **back}, Nobody())

    assert stolen.error is not None
    assert {"n": 1} == (done.result or {})["structuredContent"]
    assert twice.error is not None
    assert 1 == script.heard.count("tools/call")


@pytest.mark.anyio
async def test_a_question_with_an_id_in_use_is_rejected() -> None:
    """The first question keeps its task, and is answered."""
    script = Script()
    question = {"id": "q", "method": "roots/list"}
    script.between = lambda: [question, question] if script.heard[-1] == "tools/call" else []
    async with greeting(script) as greeter:
        session, _ = await greeter.greet(HANDSHAKE, Nobody())
        await session.answerer.reply("tools/call", {"name": "convert"}, Nobody())
        with anyio.fail_after(5):
            while len(script.answers) < 2:
                await anyio.lowlevel.checkpoint()

    assert [-32601, -32600] == sorted(each["error"]["code"] for each in script.answers)
