"""The gateway in front of a server over stdio: what is held back, and what passes unharmed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.envelope.transports import records
from tests.serve.mcp.wires import McpStdio, call, initialize, message, open_mcp_stdio

UPSTREAM = (sys.executable, str(Path(__file__).parent / "upstream.py"))
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
SLOW_TO_FAIL = ("--timeout", "1")


@pytest.fixture
def older(tmp_path: Path) -> Iterator[McpStdio]:
    """A client of the older era in front of a server of the same."""
    with open_mcp_stdio(tmp_path, *SLOW_TO_FAIL, "--", *UPSTREAM) as stdio:
        stdio.asked(initialize(elicitation={}))
        stdio.send(message("notifications/initialized") + b"\n")
        yield stdio


def newer_call(name: str, ident: Any = 1, **params: Any) -> bytes:
    """Write a call as the newer era does."""
    meta = {**ENVELOPE, **params.pop("_meta", {})}
    return message("tools/call", ident, name=name, arguments={}, _meta=meta, **params)


def text_of(answer: Any) -> Any:
    """Give the JSON in the text of a result."""
    return json.loads(answer["result"]["content"][0]["text"])


def test_the_handshake_is_the_clients_own(older: McpStdio) -> None:
    """The server learns the client's name, and the client the server's."""
    answer = older.asked(initialize())
    seen = text_of(older.asked(call("seen")))

    assert "upstream" == answer["result"]["serverInfo"]["name"]
    assert ["initialize", "test"] == seen[0]
    assert not [name for _, name in seen if name == "toolgauge"]


def test_the_list_comes_as_it_is(older: McpStdio) -> None:
    """Bad entries and all, page by page."""
    first = older.asked(message("tools/list", 1))["result"]
    second = older.asked(message("tools/list", 2, cursor=first["nextCursor"]))["result"]
    listed = first["tools"] + second["tools"]

    assert 16 == len(listed)
    assert {
        "name": "broken",
        "inputSchema": "no schema",
        "annotations": 5,
        "icons": {"odd": True},
    } in listed
    assert 7 == listed[-1]


def test_a_good_call_passes_whole(older: McpStdio) -> None:
    """Also what the protocol does not know."""
    for ident in (1, "b"):
        answer = older.asked(call("twice", ident, n=21))
        assert ident == answer["id"]
        assert {"n": 42} == answer["result"]["structuredContent"]
        assert {"kept": True} == answer["result"]["extra"]


def test_bad_arguments_never_arrive(older: McpStdio) -> None:
    """The model gets to read why."""
    answer = older.asked(call("twice", n="x"))
    seen = text_of(older.asked(call("seen")))

    assert answer["result"]["isError"]
    assert "/n" in answer["result"]["content"][0]["text"]
    assert 1 == [method for method, _ in seen].count("tools/call")


@pytest.mark.parametrize("name", ["wrong", "silent"])
def test_a_result_that_breaks_the_contract_never_leaves(older: McpStdio, name: str) -> None:
    """Nor does any of it; twice, since the second call goes another way."""
    for _ in range(2):
        answer = older.asked(call(name))

        assert -32603 == answer["error"]["code"]
        assert "INVALID_OUTPUT" == answer["error"]["data"]["canonical_code"]
        assert "secret-of-the-result" not in json.dumps(answer)


def test_a_result_that_says_it_failed_may_leave(older: McpStdio) -> None:
    """It promises nothing (decision E14)."""
    assert older.asked(call("sorry"))["result"]["isError"]


def test_unknown_tools_are_asked_for_once_more(older: McpStdio) -> None:
    """A tool that has come since the list was read is found."""
    assert "Unknown tool: late" == older.asked(call("late"))["error"]["message"]
    older.send(call("grow") + b"\n")
    told = [older.line(), older.line()]

    assert "notifications/tools/list_changed" in [each.get("method") for each in told]
    assert "late" == older.asked(call("late"))["result"]["content"][0]["text"]


def test_a_tool_with_a_broken_schema_hides_no_other(older: McpStdio) -> None:
    """Calls of it are refused; the others run."""
    answer = older.asked(call("broken"))

    assert answer["result"]["isError"]
    assert "twice" not in json.dumps(answer)
    assert {"n": 2} == older.asked(call("twice", n=1))["result"]["structuredContent"]


def test_everything_else_passes_as_it_is(older: McpStdio) -> None:
    """Results, errors and methods that nobody has heard of."""
    found = older.asked(message("prompts/get", 1, name="some"))
    missing = older.asked(message("prompts/get", 2, name="none"))
    refused = [older.asked(call("refuse", 3)) for _ in range(2)]

    assert {"messages": [], "odd": {"kept": True}} == found["result"]
    assert {"code": -32602, "message": "no prompt", "data": {"odd": 1}} == missing["error"]
    expected = {"code": -32050, "message": "not today", "data": [1]}
    assert [expected, expected] == [each["error"] for each in refused]
    assert {} == older.asked(message("odd/method", 4))["result"]


def test_progress_and_log_lines_reach_the_client(older: McpStdio) -> None:
    """Before the result, and under the client's own token."""
    for token in ("mine", 7):
        older.send(
            message("tools/call", 1, name="step", arguments={}, _meta={"progressToken": token})
            + b"\n"
        )
        told = [older.line() for _ in range(4)]

        assert token == told[0]["params"]["progressToken"]
        assert ["half way", "details"] == [each["params"]["data"] for each in told[1:3]]
        assert "stepped" == told[3]["result"]["content"][0]["text"]


def test_a_question_of_the_server_reaches_the_client(older: McpStdio) -> None:
    """And the answer, or the refusal, the server."""
    for answer in ({"result": {"action": "accept"}}, {"error": {"code": -1, "message": "no"}}):
        older.send(call("ask") + b"\n")
        question = older.line()
        older.send(json.dumps({"jsonrpc": "2.0", "id": question["id"], **answer}).encode() + b"\n")
        found = text_of(older.line())

        assert "elicitation/create" == question["method"]
        assert next(iter(answer.values())) == found


def test_a_late_answer_is_an_error_and_the_next_call_is_served(older: McpStdio) -> None:
    """The server is told to stop."""
    for _ in range(2):
        assert "1 s" in older.asked(call("hang"))["error"]["message"]

    assert 2 == len(text_of(older.asked(call("cancelled"))))


def test_a_call_that_is_taken_back_is_not_answered(older: McpStdio, tmp_path: Path) -> None:
    """The server hears of it under its own id."""
    older.asked(call("twice", 1, n=1))
    for ident in ("x", "y"):
        older.send(call("hang", ident) + b"\n")
        older.send(message("notifications/cancelled", requestId=ident) + b"\n")

    assert 2 == len(text_of(older.asked(call("cancelled"))))
    older.rest()
    assert 2 == [each["status"] for each in records(tmp_path)].count(499)


def test_a_server_that_dies_fails_its_calls_and_later_ones(older: McpStdio) -> None:
    """Each with an error that says how it ended; our process lives on until we leave."""
    older.asked(call("twice", 1, n=1))
    older.send(call("hang", "h") + b"\n" + call("die", "d") + b"\n")
    told = {answer["id"]: answer for answer in (older.line(), older.line())}
    later = older.asked(call("twice", 3, n=1))

    for answer in (*told.values(), later):
        assert -32603 == answer["error"]["code"]
        assert "exit code 7" in answer["error"]["message"]
    assert {"h", "d"} == set(told)
    assert "result" in older.asked(initialize(ident=4))
    assert {"n": 2} == older.asked(call("twice", 5, n=1))["result"]["structuredContent"]


def test_a_client_that_never_shook_hands_is_served(tmp_path: Path) -> None:
    """In our own name."""
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM) as stdio:
        assert {"n": 2} == stdio.asked(call("twice", n=1))["result"]["structuredContent"]
        assert -32602 == stdio.asked(call("twice"))["error"]["code"]


def test_the_log_has_a_line_for_each_request(older: McpStdio, tmp_path: Path) -> None:
    """With what was wrong, and not with what was said."""
    for raw in (call("twice", n=1), call("twice", n="x"), call("wrong"), call("none"), b"junk"):
        older.asked(raw)
    older.rest()
    found = [(each["tool"], each["canonicalCode"], each["status"]) for each in records(tmp_path)]

    assert [
        (None, None, 200),
        ("mcp.tool:twice", None, 200),
        ("mcp.tool:twice", "INVALID_INPUT", 400),
        ("mcp.tool:wrong", "INVALID_OUTPUT", 502),
        ("mcp.tool:none", "NOT_FOUND", 404),
        (None, "INVALID_INPUT", 400),
    ] == found


def test_a_newer_client_is_served_by_an_older_server(tmp_path: Path) -> None:
    """Discovery, lists and calls are translated; what cannot be is said."""
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM) as stdio:
        discovered = stdio.asked(message("server/discover", 1, _meta=ENVELOPE))["result"]
        listed = stdio.asked(message("tools/list", 2, _meta=ENVELOPE))["result"]
        good = stdio.asked(newer_call("sorry"))["result"]
        bad = stdio.asked(newer_call("twice"))["result"]
        removed = stdio.asked(message("ping", 3, _meta=ENVELOPE))["error"]
        listen = stdio.asked(message("subscriptions/listen", 4, _meta=ENVELOPE))["error"]
        half = stdio.asked(message("tools/list", 5, _meta={**ENVELOPE, next(iter(ENVELOPE)): "1"}))

    assert ["2026-07-28"] == discovered["supportedVersions"]
    assert ("tools", "prompts") == tuple(discovered["capabilities"])
    assert "Be kind." == discovered["instructions"]
    assert 0 == listed["ttlMs"]
    assert "complete" == good["resultType"]
    assert bad["isError"]
    assert [-32601, -32601] == [removed["code"], listen["code"]]
    assert -32022 == half["error"]["code"]


def test_a_question_becomes_a_result_for_a_newer_client(tmp_path: Path) -> None:
    """The call goes on when the client comes back; a state that is not its own is refused."""
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM) as stdio:
        asked = stdio.asked(newer_call("ask"))["result"]
        [(key, request)] = asked["inputRequests"].items()
        state = asked["requestState"]
        again = stdio.asked(newer_call("ask", requestState=state, inputResponses={}))["result"]
        given = {key: {"action": "accept", "content": {"name": "Ada"}}}
        state = again["requestState"]
        done = stdio.asked(newer_call("ask", requestState=state, inputResponses=given))
        stale = stdio.asked(newer_call("ask", requestState=state, inputResponses=given))
        unable: dict[str, Any] = {"io.modelcontextprotocol/clientCapabilities": {}}
        refused = stdio.asked(newer_call("ask", _meta=unable))

    assert "input_required" == asked["resultType"] == again["resultType"]
    assert "elicitation/create" == request["method"]
    assert given[key] == text_of(done)
    assert -32602 == stale["error"]["code"]
    assert -32601 == text_of(refused)["code"]


def test_log_lines_reach_a_newer_client_that_wants_them(tmp_path: Path) -> None:
    """From the level on that the request names."""
    level = {"io.modelcontextprotocol/logLevel": "info"}
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM) as stdio:
        without = stdio.asked(newer_call("step"))
        stdio.send(newer_call("step", _meta=level) + b"\n")
        told = [stdio.line(), stdio.line()]

    assert "stepped" == without["result"]["content"][0]["text"]
    assert "half way" == told[0]["params"]["data"]
    assert "result" in told[1]


def test_an_older_client_is_served_by_a_newer_server(tmp_path: Path) -> None:
    """Its handshake is made up; questions in results are put to it."""
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM, "newer") as stdio:
        greeting = stdio.asked(initialize("2025-06-18", elicitation={}))["result"]
        good = stdio.asked(call("twice", 1, n=2))["result"]
        bad = stdio.asked(call("twice", 2))
        stdio.send(call("ask", 3) + b"\n")
        question = stdio.line()
        result = {"action": "accept", "content": {"name": "Ada"}}
        reply = {"jsonrpc": "2.0", "id": question["id"], "result": result}
        asked = stdio.asked(json.dumps(reply).encode())
        endless = stdio.asked(call("ask_for_ever", 4))
        pong = stdio.asked(message("ping", 5))
        level = [stdio.asked(message("logging/setLevel", 6, level=each)) for each in ("info", 5)]
        subscribed = stdio.asked(message("resources/subscribe", 7, uri="a:b"))

    assert "2025-06-18" == greeting["protocolVersion"]
    assert "Be kind." == greeting["instructions"]
    assert {"n": 4} == good["structuredContent"]
    assert -32602 == bad["error"]["code"]
    assert [result, "state"] == text_of(asked)
    assert -32603 == endless["error"]["code"]
    assert {} == pong["result"]
    assert [True, False] == ["result" in each for each in level]
    assert -32601 == subscribed["error"]["code"]


def test_eras_that_agree_pass_as_they_are(tmp_path: Path) -> None:
    """Subscriptions too, under the client's id; they end when it leaves."""
    with open_mcp_stdio(tmp_path, "--", *UPSTREAM, "newer") as stdio:
        discovered = stdio.asked(message("server/discover", 1, _meta=ENVELOPE))["result"]
        asked = stdio.asked(newer_call("ask"))["result"]
        told = stdio.asked(message("subscriptions/listen", "sub", _meta=ENVELOPE))
        rest = stdio.rest()

    assert "private" == discovered["cacheScope"]
    assert "state" == asked["requestState"]
    assert "sub" == told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
    assert [] == rest
    assert 0 == stdio.process.returncode


def test_a_server_that_cannot_be_started_is_an_error_for_each_request(tmp_path: Path) -> None:
    """And not the end of the gateway."""
    with open_mcp_stdio(tmp_path, "--", "no-such-program") as stdio:
        answers = [stdio.asked(initialize()), stdio.asked(newer_call("twice"))]

    assert all("no such program" in each["error"]["message"] for each in answers)
