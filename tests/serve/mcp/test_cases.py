"""Area c of the project's collection of real faults: the protocol, in the MCP dialect."""

from __future__ import annotations

import json
import os
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.serve.mcp.wires import (
    McpHttp,
    McpStdio,
    call,
    initialize,
    message,
    open_mcp_http,
    open_mcp_stdio,
)

if TYPE_CHECKING:
    from tests.envelope.transports import Transport

CASES = Path(__file__).parents[2] / "suites" / "cases_c.jsonl"
TOKEN = "right-token"


@cache
def _cases() -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in map(json.loads, CASES.read_bytes().splitlines())}


def case(name: str) -> tuple[Any, Any]:
    """Give a case's input and what is expected."""
    return _cases()[name]["input"], _cases()[name]["expected"]


def test_every_case_has_a_test() -> None:
    """The file and this module name the same cases."""
    named = {name[5:8].upper() for name in globals() if name.startswith("test_c")}

    assert set(_cases()) <= named


def test_c01_an_id_comes_back_as_it_was_sent(transport: Transport) -> None:
    """Of the same type; 0 is an id."""
    given, expected = case("C01")

    answers = [transport.ask(line.encode()) for line in given["lines_in"]]

    assert [repr(each) for each in expected["ids_out"]] == [repr(each["id"]) for each in answers]


def test_c02_an_id_that_is_none_is_refused(http: McpHttp, stdio: McpStdio) -> None:
    """It is never taken for a notification."""
    given, expected = case("C02")

    for line in given["lines_in"]:
        answer = http.post(line.encode())
        assert 400 == answer.status_code
        assert expected["each"]["error"]["code"] == answer.json()["error"]["code"]
        assert None is answer.json()["id"]
        assert answer.json() == stdio.ask(line.encode())


def test_c04_notifications_are_never_answered(transport: Transport) -> None:
    """Known or not; the request after them is."""
    given, expected = case("C04")
    *notifications, request = given["lines_in"]

    for line in notifications:
        assert None is transport.ask(line.encode(), is_answered=False)
    assert {"jsonrpc": "2.0", **expected["only"]} == transport.ask(request.encode())


def test_c06_a_broken_line_is_answered_and_the_next_one_served(tmp_path: Path) -> None:
    """With id null; an empty line separates messages and is none."""
    given, expected = case("C06")
    with open_mcp_stdio(tmp_path) as stdio:
        for line in given["lines_in"]:
            stdio.send(line.encode() + b"\n")
        answers = stdio.rest()

    assert [each["id"] for each in expected["lines_out"]] == [each["id"] for each in answers]
    wanted = [each.get("error", {}).get("code") for each in expected["lines_out"]]
    assert wanted == [each.get("error", {}).get("code") for each in answers]


def test_c08_a_batch_is_refused_once(transport: Transport) -> None:
    """As no request, and not as no JSON."""
    given, expected = case("C08")

    for line in given["lines_in"]:
        answer = transport.ask(line.encode())
        assert expected["each"]["error"]["code"] == answer["error"]["code"]
        assert None is answer["id"]


def test_c10_an_unknown_method_is_not_found(transport: Transport) -> None:
    """With JSON-RPC's own code."""
    given, expected = case("C10")

    answer = transport.ask(given["line_in"].encode())

    assert (expected["id"], -32601) == (answer["id"], answer["error"]["code"])


def test_c11_an_unknown_tool_is_an_error_that_names_it(transport: Transport) -> None:
    """And not a result that is one."""
    given, expected = case("C11")

    answer = transport.ask(given["line_in"].encode())

    assert (expected["id"], expected["error"]["code"]) == (answer["id"], answer["error"]["code"])
    assert expected["error"]["message_mentions"] in answer["error"]["message"]


def test_c12_a_missing_argument_is_said_as_the_version_wants_it(
    http: McpHttp, tmp_path: Path
) -> None:
    """A protocol error up to 2025-06-18, from then on a result that models read."""
    given, expected = case("C12")
    line = given["line_in"].encode()
    found = {}
    for version in ("2025-06-18", "2025-11-25"):
        with open_mcp_stdio(tmp_path) as stdio:
            stdio.asked(initialize(version))
            found[version] = stdio.asked(line)
        over_http = http.post(line, {"mcp-protocol-version": version})
        assert found[version] == over_http.json()

    old, new = found.values()
    assert expected["protocol_2025_06_18"]["error"]["code"] == old["error"]["code"]
    assert expected["text_must_name"] in old["error"]["message"]
    assert (
        expected["protocol_2025_11_25_and_later"]["result"]["isError"] is new["result"]["isError"]
    )
    assert expected["text_must_name"] in new["result"]["content"][0]["text"]


def test_c13_params_of_the_wrong_type_are_answered_to_the_id(transport: Transport) -> None:
    """Never with an empty HTTP 500."""
    given, expected = case("C13")

    for body in given["bodies"]:
        answer = transport.ask(body.encode())
        assert expected["each"]["id"] == answer["id"]
        assert answer["error"]["code"] in expected["each"]["error"]["code_in"]


def test_c15_params_may_be_left_out(transport: Transport) -> None:
    """Up to 2025-11-25."""
    given, _ = case("C15")

    assert isinstance(transport.ask(given["line_in"].encode())["result"]["tools"], list)


def test_c16_http_accepts_a_notification_without_a_word(http: McpHttp) -> None:
    """202 and an empty body."""
    given, expected = case("C16")

    answer = http.post(given["post_body"].encode())

    assert (expected["status"], expected["body"]) == (answer.status_code, answer.text)


def test_c17_a_version_is_negotiated(http: McpHttp, tmp_path: Path) -> None:
    """A known one is answered with itself, any other with the newest that has a handshake."""
    given, expected = case("C17")
    wanted = {
        "2025-03-26": expected[0]["protocolVersion"],
        "2099-01-01": "2025-11-25",
        "2025-11-25": "2025-11-25",
    }
    for asked in given["initialize_with"]:
        with open_mcp_stdio(tmp_path) as stdio:
            answer = stdio.asked(initialize(asked))
        streamed = http.post(initialize(asked)).text
        over_http = json.loads(streamed.partition('data: {"jsonrpc')[2].join(['{"jsonrpc', ""]))

        assert wanted[asked] == answer["result"]["protocolVersion"]
        assert answer == over_http


def test_c19_a_slow_tool_holds_nobody_up(tmp_path: Path) -> None:
    """A ping and later calls are answered before it, each on a line of its own."""
    with open_mcp_stdio(tmp_path) as stdio:
        stdio.asked(call("nap", 0, seconds=0))
        stdio.send(call("nap", "slow", seconds=1.5) + b"\n")
        begun_s = time.monotonic()
        stdio.send(message("ping", 2) + b"\n" + call("nap", 3, seconds=0) + b"\n")
        first = {stdio.line()["id"], stdio.line()["id"]}
        took_s = time.monotonic() - begun_s
        last = stdio.line()["id"]

    assert {2, 3} == first
    assert 1 > took_s
    assert "slow" == last


def test_c20_size_decides_and_not_how_a_message_is_cut(tmp_path: Path) -> None:
    """Past the bound there is one answer, however it arrives; and below it likewise."""
    for size, expected in ((5 * 1024 * 1024, -32600), (700_000, None)):
        raw = call("echo", 8, blob="x" * size) + b"\n"
        cuts = [[len(raw)], [size * 4 // 5 + 1], list(range(65_536, len(raw), 65_536)), [-1]]
        with open_mcp_stdio(tmp_path) as stdio:
            for cut in cuts:
                for begin, end in pairwise([0, *(each % (len(raw) + 1) for each in cut), len(raw)]):
                    stdio.send(raw[begin:end])
                answer = stdio.line()
                assert expected == answer.get("error", {}).get("code")
                assert (8 if expected is None else None) == answer["id"]


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}],
    ids=["cp1252", "C"],
)
def test_c22_messages_are_utf_8_whatever_the_locale(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """Both ways."""
    given, expected = case("C22")
    with open_mcp_stdio(tmp_path, env=os.environ | environment) as stdio:
        answer = stdio.ask(given["raw_utf8_line"].encode("utf-8"))

    assert expected["text_seen"] == answer["result"]["structuredContent"]["text"]


def test_c23_what_a_tool_prints_is_not_on_stdout(tmp_path: Path) -> None:
    """Nor what its module prints as it is imported; and it reads nothing of ours."""
    errors = tmp_path / "stderr"
    with errors.open("wb") as file, open_mcp_stdio(tmp_path, stderr=file) as stdio:
        answer = stdio.ask(call("chatter"))
        assert [] == stdio.rest()

    assert "read ''" == answer["result"]["content"][0]["text"]
    told = errors.read_text("utf-8")
    assert all(words in told for words in ("server started", "loaded 3 rows", "and more"))


def test_c24_a_refused_token_is_nowhere_to_be_read(tmp_path: Path) -> None:
    """Not in the answer, in our output or in the log."""
    given, expected = case("C24")
    streams = tmp_path / "streams"
    answers: list[httpx2.Response] = []
    with (
        streams.open("wb") as file,
        open_mcp_http(tmp_path, "--auth-token", TOKEN, stderr=file) as http,
    ):
        for header in (given["header"], *given["also"]):
            token = header.removeprefix("Authorization: ")
            answers.append(http.post(call("echo"), {"authorization": token}))
        answers.append(http.client.get("mcp"))
        answers.append(http.post(call("echo"), {"authorization": f"Bearer {TOKEN}"}))

    logs = [each.read_text("utf-8") for each in tmp_path.rglob("*.jsonl")]
    shown = [f"{each.headers}{each.text}" for each in answers]
    assert [401, 401, 401, 401, 200] == [each.status_code for each in answers]
    assert all("www-authenticate" in each.headers for each in answers[:4])
    assert 4 == logs[0].count('"UNAUTHORIZED"')
    for secret in expected["must_not_contain"]:
        assert not [text for text in (*logs, streams.read_text("utf-8"), *shown) if secret in text]


def test_c25_nothing_tells_how_an_upstream_is_reached(tmp_path: Path) -> None:
    """Neither its arguments nor its environment, also where it cannot be started."""
    secrets = ("argsecret999", "envsecret999")
    words = ("--env", f"API_KEY={secrets[1]}", "--", "no-such-program", "--api-key", secrets[0])
    with open_mcp_stdio(tmp_path, *words) as stdio:
        answers = [stdio.asked(initialize()), stdio.asked(call("echo"))]

    logs = "".join(each.read_text("utf-8") for each in tmp_path.rglob("*.jsonl"))
    assert [-32603, -32603] == [each["error"]["code"] for each in answers]
    assert not [each for each in secrets if each in json.dumps(answers) + logs]


def test_c26_other_sites_pages_are_refused(http: McpHttp) -> None:
    """The origin is parsed, and must be the one that was called; its port counts."""
    given, expected = case("C26")
    port = httpx2.URL(http.url).port
    wanted = [each if isinstance(each, int) else 403 for each in expected["statuses"]]
    found = []
    for request in given["requests"]:
        headers = {"host": request["host"].replace("3001", str(port))}
        if request["origin"] is not None:
            headers["origin"] = request["origin"]
        answer = http.post(call("echo"), headers)
        found.append(answer.status_code)
        assert "access-control-allow-origin" not in answer.headers

    assert wanted == found
    own = {"host": f"localhost:{port}", "origin": f"http://localhost:{port}"}
    assert 200 == http.post(call("echo"), own).status_code
