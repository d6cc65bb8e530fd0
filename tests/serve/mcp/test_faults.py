"""What goes wrong while many calls run: each request is answered, and the end is clean."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envelope.transports import PATIENCE_S, Transport, records
from tests.serve.mcp.wires import (
    HEADERS,
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
MOST_S = 5.0


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
def test_ten_thousand_calls_over_http_with_a_hundred_in_flight(tmp_path: Path) -> None:
    """The same over a hundred connections, each of them kept."""
    with open_mcp_http(tmp_path) as http:
        found = asyncio.run(crowd(http.url))

    assert {number: (200, number) for number in range(MANY)} == found
    assert [200] * MANY == [each["status"] for each in records(tmp_path)]


async def crowd(url: str) -> dict[int, tuple[int, int]]:
    """Send the calls, each connection one after the other; give status and result by id."""
    address = urlsplit(url)
    fixed = {"host": address.netloc, "content-type": "application/json", **HEADERS}
    head = "POST /mcp HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fixed.items())
    found: dict[int, tuple[int, int]] = {}

    async def caller(first: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        for number in range(first, MANY, AT_ONCE):
            body = call("echo", number, n=number)
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
            length = next(line for line in lines if line.startswith("content-length:"))
            answer = json.loads(await reader.readexactly(int(length.split(":")[1])))
            assert number == answer["id"]
            assert number not in found
            found[number] = int(lines[0].split()[1]), answer["result"]["structuredContent"]["n"]
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*map(caller, range(AT_ONCE)))
    return found


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
    assert MOST_S > took_s
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
    assert MOST_S > took_s


def stubborn(folder: Path) -> tuple[tuple[str, ...], Path]:
    """Give a server that ends for nothing but SIGKILL, and where it writes its pid."""
    pids = folder / "pids"
    return (*UPSTREAM, "older", str(pids)), pids


def is_alive(pid: int) -> bool:
    """Tell whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_sigterm_ends_a_stubborn_server_as_well_over_stdio(tmp_path: Path) -> None:
    """Within five seconds, with a call answered that is at work."""
    source, pids = stubborn(tmp_path)
    with open_mcp_stdio(tmp_path, *source) as stdio:
        stdio.asked(initialize())
        stdio.asked(call("twice", "w", n=1))
        stdio.send(call("hang", 1) + b"\n")
        stdio.asked(message("ping", "f"))
        begun_s = time.monotonic()
        stdio.process.send_signal(signal.SIGTERM)
        answer = stdio.line()
        stdio.process.wait(20)
        took_s = time.monotonic() - begun_s

    assert (1, -32603) == (answer["id"], answer["error"]["code"])
    assert MOST_S > took_s
    assert [False] == [is_alive(int(pid)) for pid in pids.read_text().split()]


def test_sigterm_ends_a_stubborn_server_as_well_over_http(tmp_path: Path) -> None:
    """The same: one process that the tools were read from, and one of the session."""
    source, pids = stubborn(tmp_path)
    with open_mcp_http(tmp_path, source=source) as http, ThreadPoolExecutor(1) as pool:
        opened = http.post(initialize())
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        waiting = pool.submit(http.post, call("hang"), session)
        asked = 1
        while http.post(call("seen", 2), session).text.count("tools/call") == asked:
            asked += 1
        begun_s = time.monotonic()
        http.process.send_signal(signal.SIGTERM)
        answer = waiting.result(PATIENCE_S).text
        http.process.wait(20)
        took_s = time.monotonic() - begun_s

    assert "the gateway is stopping" in answer
    assert MOST_S > took_s
    assert [False, False] == [is_alive(int(pid)) for pid in pids.read_text().split()]


def test_sigterm_answers_the_calls_of_a_server_object_over_http(tmp_path: Path) -> None:
    """Within five seconds, on the streams of a session."""
    source = ("tests.serve.mcp.hanging:server",)
    with open_mcp_http(tmp_path, source=source) as http, ThreadPoolExecutor(2) as pool:
        opened = http.post(initialize())
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        begun = [tmp_path / "one", tmp_path / "other"]
        waiting = [
            pool.submit(http.post, call("hang", number, begun=str(each)), session)
            for number, each in enumerate(begun)
        ]
        while not all(each.exists() for each in begun):
            time.sleep(0.01)
        begun_s = time.monotonic()
        http.process.send_signal(signal.SIGTERM)
        answers = [each.result(PATIENCE_S).text for each in waiting]
        http.process.wait(20)
        took_s = time.monotonic() - begun_s

    assert all("the gateway is stopping" in each for each in answers)
    assert MOST_S > took_s


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
