"""What goes wrong while many calls run: each request is answered, and the end is clean."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envelope.transports import PATIENCE_S, Transport, records
from tests.serve.mcp.wires import (
    McpHttp,
    McpStdio,
    call,
    initialize,
    message,
    open_mcp_http,
    open_mcp_stdio,
)
from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.envelope import Malformed, Request, read_frame

UPSTREAM = ("--", sys.executable, str(Path(__file__).parent / "upstream.py"))
MANY, AT_ONCE = 10_000, 100


def pump(stdio: McpStdio, raw: Any) -> list[Any]:
    """Send many requests, so many at once; give the answers."""
    room = threading.Semaphore(AT_ONCE)

    def send() -> None:
        for number in range(MANY):
            room.acquire()
            stdio.send(raw(number) + b"\n")

    sender = threading.Thread(target=send)
    sender.start()
    answers = []
    for _ in range(MANY):
        answers.append(stdio.line())
        room.release()
    sender.join(PATIENCE_S)
    return answers


@pytest.mark.slow
def test_ten_thousand_calls_with_a_hundred_in_flight(tmp_path: Path) -> None:
    """Each answered once, and each has a whole line in the log."""
    with open_mcp_stdio(tmp_path) as stdio:
        stdio.asked(initialize())
        answers = pump(stdio, lambda number: call("echo", number, n=number))
        stdio.rest()

    assert set(range(MANY)) == {each["id"] for each in answers}
    assert all(each["id"] == each["result"]["structuredContent"]["n"] for each in answers)
    assert MANY + 1 == len(records(tmp_path))


@pytest.mark.slow
def test_ten_thousand_calls_of_a_server_elsewhere(tmp_path: Path) -> None:
    """The same through a process."""
    with open_mcp_stdio(tmp_path, *UPSTREAM) as stdio:
        stdio.asked(initialize())
        answers = pump(stdio, lambda number: call("twice", number, n=number))
        stdio.rest()

    assert set(range(MANY)) == {each["id"] for each in answers}
    assert all(2 * each["id"] == each["result"]["structuredContent"]["n"] for each in answers)
    assert MANY + 1 == len(records(tmp_path))


@pytest.mark.slow
def test_many_calls_over_http(http: McpHttp) -> None:
    """Each answered once, a hundred at once."""

    def ask(number: int) -> Any:
        return http.post(call("echo", number, n=number)).json()

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(2_000)))

    assert list(range(2_000)) == [each["id"] for each in answers]
    assert list(range(2_000)) == [each["result"]["structuredContent"]["n"] for each in answers]


def test_a_handler_that_raises_tells_nothing(transport: Transport) -> None:
    """The client hears that it broke."""
    answer = transport.ask(call("crash"))

    assert (-32603, "INTERNAL_ERROR") == (
        answer["error"]["code"],
        answer["error"]["data"]["canonical_code"],
    )
    assert "secret-of-the-handler" not in json.dumps(answer)


@pytest.mark.parametrize(("query", "code"), [("no hits", "INVALID_OUTPUT"), ("fine", None)])
def test_a_result_is_held_against_the_contract(
    transport: Transport, query: str, code: str | None
) -> None:
    """-32603 on this wire, with the canonical code."""
    answer = transport.ask(call("search", query=query))

    assert code == answer.get("error", {}).get("data", {}).get("canonical_code")


def test_a_handler_that_hangs_is_late(tmp_path: Path) -> None:
    """On both transports."""
    with open_mcp_stdio(tmp_path, "--timeout", "1", "tests.envelope.specimens:tools") as stdio:
        assert -32603 == stdio.ask(call("hang"))["error"]["code"]
    with open_mcp_http(tmp_path, "--timeout", "1") as http:
        assert -32603 == http.ask(call("hang"))["error"]["code"]


def test_a_call_may_be_taken_back(http: McpHttp, tmp_path: Path) -> None:
    """Over stdio it then has no answer; over HTTP the waiting request ends."""
    with open_mcp_stdio(tmp_path) as stdio:
        stdio.send(call("hang", "h") + b"\n")
        stdio.send(message("notifications/cancelled", requestId="h") + b"\n")
        assert "ok" == stdio.asked(call("echo", "ok"))["id"]
        assert [] == stdio.rest()

    opened = http.post(initialize())
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}
    with ThreadPoolExecutor(1) as pool:
        before = started(http)
        waiting = pool.submit(http.post, call("hang", "h"), session)
        while started(http) == before:
            time.sleep(0.01)
        cancel = message("notifications/cancelled", requestId="h")
        assert 202 == http.post(cancel).status_code  # another's session: nothing happens
        assert 202 == http.post(cancel, session).status_code
        assert -32800 == waiting.result(PATIENCE_S).json()["error"]["code"]


def started(http: McpHttp) -> int:
    """Ask how many slow calls have begun."""
    found: int = http.post(call("started")).json()["result"]["structuredContent"]["started"]
    return found


@pytest.mark.parametrize("source", [(), UPSTREAM], ids=["local", "elsewhere"])
def test_sigterm_during_calls_answers_them_and_ends(
    tmp_path: Path, source: tuple[str, ...]
) -> None:
    """Within five seconds, the log whole."""
    with open_mcp_stdio(tmp_path, *source) as stdio:
        stdio.asked(initialize())
        warm = call("twice", "w", n=1) if source else call("echo", "w")
        stdio.asked(warm)
        for number in range(5):
            stdio.send(call("hang", number) + b"\n")
        assert "f" == stdio.asked(message("ping", "f"))["id"]
        begun_s = time.monotonic()
        stdio.process.send_signal(signal.SIGTERM)
        answers = [stdio.line() for _ in range(5)]
        end = stdio.line()
        stdio.process.wait(10)
        took_s = time.monotonic() - begun_s

    assert set(range(5)) == {each["id"] for each in answers}
    assert {-32603} == {each["error"]["code"] for each in answers}
    assert end is None
    assert 5.5 > took_s
    assert 8 == len(records(tmp_path))


def test_sigterm_over_http_answers_calls_and_ends(tmp_path: Path) -> None:
    """Within five seconds."""
    with open_mcp_http(tmp_path) as http, ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(http.post, call("hang", number)) for number in range(3)]
        while started(http) < 3:
            time.sleep(0.01)
        begun_s = time.monotonic()
        http.process.send_signal(signal.SIGTERM)
        answers = [each.result(PATIENCE_S).json() for each in waiting]
        http.process.wait(10)
        took_s = time.monotonic() - begun_s

    assert {0, 1, 2} == {each["id"] for each in answers}
    assert {-32603} == {each["error"]["code"] for each in answers}
    assert 5.5 > took_s


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(raw=st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)))
def test_any_bytes_are_answered_as_the_reader_says(
    http: McpHttp, stdio: McpStdio, raw: bytes
) -> None:
    """Never a crash, never silence for a request, never two answers; the same on both."""
    line = raw.replace(b"\n", b" ").replace(b"\r", b" ")
    if not line.strip():
        return
    frame = read_frame(line, bounds=DEFAULT_BOUNDS)
    is_due = isinstance(frame, Request) or (isinstance(frame, Malformed) and frame.is_answered)

    assert http.ask(line, is_answered=is_due) == stdio.ask(line, is_answered=is_due)
