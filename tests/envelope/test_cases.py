"""Area c of the project's collection of real faults: the protocol, in the canonical dialect.

What asks for MCP's own methods (C15, C17) is tested where MCP is; C10 to C13 have the
canonical codes here, and the specification's there.
"""

from __future__ import annotations

import json
import os
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.envelope.transports import (
    Http,
    Stdio,
    Transport,
    call,
    open_http,
    open_stdio,
)

CASES = Path(__file__).parents[1] / "suites" / "cases_c.jsonl"
HERE = [
    *("C01", "C02", "C04", "C06", "C08", "C10", "C11", "C12", "C13", "C16"),
    *("C19", "C20", "C22", "C23", "C24", "C26"),
]
HERE_NOT = {"C15": "tools/list is MCP's", "C17": "there is no initialize"}
TOKEN = "right-token"


@cache
def _cases() -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in map(json.loads, CASES.read_bytes().splitlines())}


def case(name: str) -> tuple[Any, Any]:
    """Give a case's input and what is expected."""
    return _cases()[name]["input"], _cases()[name]["expected"]


def in_our_words(line: str) -> bytes:
    """Write a case's message as a call of the canonical dialect, with its id."""
    message = json.loads(line)
    params = {"tool": "mcp.tool:echo", "input": {}}
    return json.dumps(message | {"method": "tools/call", "params": params}).encode()


def test_every_case_has_a_test() -> None:
    """The file and this module name the same cases."""
    assert sorted([*HERE, *HERE_NOT]) == sorted(_cases())
    assert all(any(name.startswith(f"test_{each.lower()}_") for name in globals()) for each in HERE)


def test_c01_an_id_comes_back_as_it_was_sent(transport: Transport) -> None:
    """Of the same type; 0 is an id."""
    given, expected = case("C01")

    answers = [transport.ask(in_our_words(line)) for line in given["lines_in"]]

    assert [repr(each) for each in expected["ids_out"]] == [repr(each["id"]) for each in answers]


def test_c02_an_id_that_is_none_is_refused(http: Http, stdio: Stdio) -> None:
    """It is never taken for a notification. The canonical code for it is -32602 (E3)."""
    given, _ = case("C02")

    for line in map(in_our_words, given["lines_in"]):
        answer = http.post(line)
        assert 400 == answer.status_code
        assert (None, "INVALID_INPUT") == (answer.json()["id"], code(answer.json()))
        assert answer.json() == stdio.ask(line)


def test_c04_notifications_are_never_answered(stdio: Stdio) -> None:
    """Known or not; the request after them is."""
    given, expected = case("C04")
    *notifications, request = given["lines_in"]

    for line in notifications:
        assert None is stdio.ask(line.encode(), is_answered=False)
    assert expected["only"]["id"] == stdio.ask(in_our_words(request))["id"]


def test_c06_a_broken_line_is_answered_and_the_next_one_served(tmp_path: Path) -> None:
    """With id null; an empty line separates messages and is none."""
    given, expected = case("C06")
    *broken, request = given["lines_in"]
    with open_stdio(tmp_path) as stdio:
        for line in broken:
            stdio.send(line.encode() + b"\n")
        answers = [stdio.line(), stdio.line()]
        answers.append(stdio.ask(in_our_words(request)))

        assert [] == stdio.rest()

    wanted = [each.get("error", {}).get("code") for each in expected["lines_out"]]
    assert wanted == [each.get("error", {}).get("code") for each in answers]
    assert [each["id"] for each in expected["lines_out"]] == [each["id"] for each in answers]


def test_c08_a_batch_is_refused_once(transport: Transport) -> None:
    """As no request, and not as no JSON."""
    given, expected = case("C08")

    for line in given["lines_in"]:
        answer = transport.ask(line.encode())
        assert expected["each"]["error"]["code"] == answer["error"]["code"]
        assert None is answer["id"]


def test_c10_an_unknown_method_is_not_found(transport: Transport) -> None:
    """Here with the canonical code."""
    given, expected = case("C10")
    message = json.loads(given["line_in"]) | {"params": {"tool": "mcp.tool:echo", "input": {}}}

    answer = transport.ask(json.dumps(message).encode())

    assert (expected["id"], "NOT_FOUND") == (answer["id"], code(answer))
    assert expected["never"] != answer["error"]["code"]


def test_c11_an_unknown_tool_is_not_found_and_named(transport: Transport) -> None:
    """It is an error, and not a result that is one."""
    given, expected = case("C11")
    name = json.loads(given["line_in"])["params"]["name"]

    answer = transport.ask(call(name, {}, expected["id"]))

    assert (expected["id"], "NOT_FOUND") == (answer["id"], code(answer))
    assert expected["error"]["message_mentions"] in json.dumps(answer["error"])


def test_c12_a_missing_argument_is_the_callers_fault(transport: Transport) -> None:
    """And is named."""
    given, expected = case("C12")
    arguments = json.loads(given["line_in"])["params"]["arguments"]

    answer = transport.ask(call(given["tool"]["name"], arguments, 9))

    assert expected["protocol_2025_06_18"]["error"]["code"] == answer["error"]["code"]
    assert expected["text_must_name"] in answer["error"]["data"]["errors"][0]["message"]


def test_c13_params_of_the_wrong_type_are_answered_to_the_id(transport: Transport) -> None:
    """Never with an empty HTTP 500."""
    given, expected = case("C13")

    for body in given["bodies"]:
        answer = transport.ask(body.encode())
        assert expected["each"]["id"] == answer["id"]
        assert answer["error"]["code"] in expected["each"]["error"]["code_in"]


def test_c16_http_accepts_a_notification_without_a_word(http: Http) -> None:
    """202 and an empty body."""
    given, expected = case("C16")

    answer = http.post(given["post_body"].encode())

    assert (expected["status"], expected["body"]) == (answer.status_code, answer.text)


def test_c19_a_slow_tool_holds_nobody_up(stdio: Stdio) -> None:
    """Later calls are answered before it, each on a line of its own."""
    stdio.send(call("nap", {"seconds": 1.5}, "slow") + b"\n")
    begun_s = time.monotonic()
    stdio.send(call("echo", {}, 2) + b"\n" + call("nap", {"seconds": 0}, 3) + b"\n")

    first = {stdio.line()["id"], stdio.line()["id"]}
    took_s = time.monotonic() - begun_s

    assert {2, 3} == first
    assert 1 > took_s
    assert "slow" == stdio.line()["id"]


def test_c20_size_decides_and_not_how_a_message_is_cut(tmp_path: Path) -> None:
    """Past the bound there is one answer, however it arrives; and below it likewise."""
    given, _ = case("C20")
    assert 4 == len(given["delivery"])
    blob = 5 * 1024 * 1024
    for size, expected in ((blob, -32600), (700_000, None)):
        raw = call("echo", {"blob": "x" * size}, 8) + b"\n"
        cuts = [[len(raw)], [size * 4 // 5 + 1], list(range(65_536, len(raw), 65_536)), [-1]]
        with open_stdio(tmp_path) as stdio:
            for cut in cuts:
                places = [0, *(each % (len(raw) + 1) for each in cut), len(raw)]
                for begin, end in pairwise(places):
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
    text = json.loads(given["raw_utf8_line"])["params"]["arguments"]["text"]
    with open_stdio(tmp_path, env=os.environ | environment) as stdio:
        answer = stdio.ask(call("echo", {"text": text}))

    assert expected["text_seen"] == answer["result"]["output"]["text"]


def test_c23_what_a_tool_prints_is_not_on_stdout(tmp_path: Path) -> None:
    """Nor what its module prints as it is imported; and it reads nothing of ours."""
    errors = tmp_path / "stderr"
    with errors.open("wb") as file, open_stdio(tmp_path, stderr=file) as stdio:
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
        open_http(tmp_path, "--auth-token", TOKEN, stderr=file) as http,
    ):
        for header in (given["header"], *given["also"]):
            token = header.removeprefix("Authorization: ")
            answers.append(http.post(call("echo"), {"authorization": token}))
        answers.append(http.post(call("echo"), {"authorization": f"Bearer {TOKEN}"}))

    logs = [each.read_text("utf-8") for each in tmp_path.rglob("*.jsonl")]
    everything = [
        *logs,
        streams.read_text("utf-8"),
        *(f"{each.headers}{each.text}" for each in answers),
    ]
    assert [401, 401, 401, 200] == [each.status_code for each in answers]
    assert all("www-authenticate" in each.headers for each in answers[:3])
    assert all("UNAUTHORIZED" == code(each.json()) for each in answers[:3])
    assert 3 == sum(log.count('"UNAUTHORIZED"') for log in logs[:1])
    for secret in expected["must_not_contain"]:
        assert not [text for text in everything if secret in text]


def test_c26_other_sites_pages_are_refused(http: Http) -> None:
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


def code(answer: Any) -> str:
    """Give the canonical code of an error answer."""
    found: str = answer["error"]["data"]["canonical_code"]
    return found
