"""Crowds, crashes, full disks and signals: every request is answered, and the log stays whole."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.envelope.transports import ROOT, Http, call, open_http, open_stdio, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.envelope.transports import Transport

MANY = 10_000
AT_ONCE = 100
MOST_S = 5.0
TERMINATED = 143

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="prlimit and tmpfs are Linux's")


def mixed(number: int) -> bytes:
    """Write one of several calls: good ones, and some of each fault."""
    odd = {
        0: call("crash", {}, number),
        1: call("search", {}, number),
        2: call("search", {"query": "no hits"}, number),
        3: call("nothing", {}, number),
        4: call("hang", {}, number),
    }
    return odd.get(number % 503, call("search", {"query": "tea"}, number))


EXPECTED = {0: 500, 1: 400, 2: 502, 3: 404, 4: 500}


def expected_status(number: int) -> int:
    """Give the canonical status of a mixed call."""
    return EXPECTED.get(number % 503, 200)


def check_log(folder: Path) -> None:
    """Hold the log of the crowd against what was sent."""
    wanted = sorted(expected_status(number) for number in range(MANY))

    assert wanted == sorted(each["status"] for each in records(folder))


@pytest.mark.slow
def test_a_crowd_over_stdio(tmp_path: Path) -> None:
    """Ten thousand calls, a hundred at work at once."""
    with open_stdio(tmp_path, "--timeout", "4") as stdio:

        def send_all() -> None:
            for number in range(MANY):
                stdio.send(mixed(number) + b"\n")

        sender = threading.Thread(target=send_all)
        sender.start()
        answers = [stdio.line() for _ in range(MANY)]
        sender.join()
        assert [] == stdio.rest()

    assert list(range(MANY)) == sorted(each["id"] for each in answers)
    assert all(("result" in each) is (expected_status(each["id"]) == 200) for each in answers)
    check_log(tmp_path)


@pytest.mark.slow
def test_a_crowd_over_http(tmp_path: Path) -> None:
    """Ten thousand calls over a hundred connections."""
    with open_http(tmp_path, "--timeout", "4") as http:
        found = asyncio.run(crowd(http.url))

    assert {number: expected_status(number) for number in range(MANY)} == found
    check_log(tmp_path)


async def crowd(url: str) -> dict[int, int]:
    """Send the calls, each connection one after the other, and give the statuses."""
    address = urlsplit(url)
    found: dict[int, int] = {}

    async def caller(first: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        for number in range(first, MANY, AT_ONCE):
            body = mixed(number)
            head = f"POST /rpc HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: {len(body)}"
            writer.write(f"{head}\r\nContent-Type: application/json\r\n\r\n".encode() + body)
            lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
            length = next(line for line in lines if line.startswith("content-length:"))
            answer = json.loads(await reader.readexactly(int(length.split(":")[1])))
            assert number not in found
            found[answer["id"]] = int(lines[0].split()[1])
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*map(caller, range(AT_ONCE)))
    return found


def test_more_calls_than_may_be_in_flight_are_told_to_come_back(tmp_path: Path) -> None:
    """Over HTTP, at once: 503 and ``Retry-After``. Over a pipe they wait to be read."""
    with open_http(tmp_path) as http, slow_calls(http, ["hang"] * 100):
        answer = http.post(call("echo"))
        refused = (answer.status_code, answer.headers["retry-after"], answer.json())
        http.process.terminate()

    assert (503, "1") == refused[:2]
    assert "INTERNAL_ERROR" == refused[2]["error"]["data"]["canonical_code"]


@contextlib.contextmanager
def slow_calls(http: Http, names: list[str]) -> Iterator[list[Any]]:
    """Have calls in flight that begin before the block, and give their answers after it."""
    answers: list[Any] = []
    client = httpx2.Client(
        base_url=http.url,
        timeout=60,
        limits=httpx2.Limits(max_connections=len(names)),
        headers={"content-type": "application/json"},
    )

    def one(name: str) -> None:
        # The question how many have begun may have taken the last place.
        while (answer := client.post("rpc", content=call(name, {"seconds": 1}))).status_code == 503:
            pass
        answers.append(answer.json())

    threads = [threading.Thread(target=one, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    try:
        wait_for(len(names), lambda: started_over(http))
        yield answers
    finally:
        for thread in threads:
            thread.join(30)
        client.close()


def started_over(http: Http) -> int:
    """Ask how many slow calls have begun; as many as may be where there is no room to ask."""
    answer = http.post(call("started"))
    if answer.status_code == 503:
        return AT_ONCE
    number: int = answer.json()["result"]["output"]["started"]
    return number


def wait_for(number: int, count: Any) -> None:
    """Ask until as many have begun."""
    until_s = time.monotonic() + 30
    while count() < number:
        assert time.monotonic() < until_s
        time.sleep(0.01)


SLOW = ["nap"] * 10 + ["hang", "hang_in_a_thread"]


def check_ending(answers: list[Any], took_s: float, code: int, folder: Path) -> None:
    """Every call was answered: those that ended in time well, the others with an error."""
    assert MOST_S > took_s
    assert TERMINATED == code
    assert len(SLOW) == len(answers)
    assert 10 == sum("result" in each for each in answers)
    errors = [each["error"]["data"]["canonical_code"] for each in answers if "error" in each]
    assert ["INTERNAL_ERROR"] * 2 == errors
    # The others asked how many had begun.
    logged = [each["status"] for each in records(folder) if each["tool"] != "mcp.tool:started"]
    assert [200] * 10 + [500] * 2 == sorted(logged)


def test_sigterm_during_calls_over_stdio(tmp_path: Path) -> None:
    """What is in flight is answered, and the process ends within five seconds."""
    with open_stdio(tmp_path) as stdio:
        for number, name in enumerate(SLOW):
            stdio.send(call(name, {"seconds": 1}, number) + b"\n")

        def count() -> int:
            stdio.send(call("started", {}, "count") + b"\n")
            number: int = stdio.line()["result"]["output"]["started"]
            return number

        wait_for(len(SLOW), count)
        begun_s = time.monotonic()
        stdio.process.terminate()
        answers = list(iter(stdio.line, None))
        code = stdio.process.wait(20)
        took_s = time.monotonic() - begun_s

    check_ending(answers, took_s, code, tmp_path)


def test_sigterm_during_calls_over_http(tmp_path: Path) -> None:
    """The same."""
    with open_http(tmp_path) as http:
        with slow_calls(http, SLOW) as answers:
            begun_s = time.monotonic()
            http.process.terminate()
        code = http.process.wait(20)
        took_s = time.monotonic() - begun_s

    check_ending(answers, took_s, code, tmp_path)


def test_sigint_ends_a_server_without_calls_at_once(tmp_path: Path) -> None:
    """As Ctrl-C does."""
    with open_stdio(tmp_path) as stdio:
        stdio.ask(call("echo"))
        stdio.process.send_signal(signal.SIGINT)

        assert None is stdio.line()
        assert 130 == stdio.process.wait(10)


def test_calls_in_flight_are_finished_when_the_client_closes_its_end(tmp_path: Path) -> None:
    """What was sent before the end is answered after it."""
    with open_stdio(tmp_path) as stdio:
        for number in range(3):
            stdio.send(call("nap", {"seconds": 0.2}, number) + b"\n")
        answers = stdio.rest()

        assert 0 == stdio.process.wait(20)
    assert [0, 1, 2] == sorted(each["id"] for each in answers)


def test_a_client_that_stops_reading_ends_the_process(tmp_path: Path) -> None:
    """A broken pipe is no fault of ours."""
    words = ["stdio", "tests.envelope.specimens:tools", "--dialect", "canonical", "--no-log"]
    errors = tmp_path / "stderr"
    with errors.open("wb") as file:
        server = subprocess.Popen(
            [sys.executable, "-m", "toolgauge", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
        )
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.close()
        server.stdin.write(call("echo") + b"\n")
        server.stdin.flush()
        code = server.wait(20)
        server.stdin.close()

    assert 0 == code
    assert "Traceback" not in errors.read_text("utf-8")


def test_a_client_that_reads_nothing_does_not_hold_the_end_up(tmp_path: Path) -> None:
    """Its answers fill the pipe, and it neither reads nor goes away."""
    words = ["stdio", "tests.envelope.specimens:tools", "--dialect", "canonical"]
    server = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", *words, "--log-dir", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(call("echo", {"x": "x" * 500_000}) + b"\n" + call("echo") + b"\n")
    server.stdin.flush()
    wait_for(2, lambda: sum(map(len, map(lines_of, tmp_path.rglob("*Z-*.jsonl")))))
    begun_s = time.monotonic()
    server.terminate()
    code = server.wait(20)
    took_s = time.monotonic() - begun_s
    server.stdin.close()
    server.stdout.close()

    assert TERMINATED == code
    assert MOST_S > took_s


def lines_of(log: Path) -> list[bytes]:
    """Give the whole lines of a file that is being written."""
    return log.read_bytes().split(b"\n")[:-1]


def test_killed_in_the_midst_of_calls(tmp_path: Path) -> None:
    """The log has whole lines and nothing else."""
    with open_stdio(tmp_path) as stdio:
        for number in range(2_000):
            stdio.send(call("search", {"query": "tea"}, number) + b"\n")
            if number == 500:
                stdio.line()
        stdio.process.kill()
        stdio.process.wait(10)

    (log,) = (tmp_path / "mcp_server" / "envelope_validation").glob("*Z-*.jsonl")
    text = log.read_bytes()
    assert text.endswith(b"\n")
    assert 0 < len([json.loads(line) for line in text.splitlines()]) <= 2_000


def test_a_call_without_an_id_is_dropped_and_logged(transport: Transport) -> None:
    """Alike on both transports; nobody could be answered about it."""
    sent = json.loads(call("crash", {}))
    del sent["id"]
    assert transport.ask(json.dumps(sent).encode(), is_answered=False) is None
    found = [each for each in records(transport.log_folder) if each["tool"] == "mcp.tool:crash"]

    assert ["INVALID_INPUT"] == [each["canonicalCode"] for each in found]


@linux_only
def test_a_log_that_may_not_grow(tmp_path: Path) -> None:
    """Calls are answered, one warning is given, and later lines are written again."""
    errors = tmp_path / "stderr"
    limit = 20_000
    with errors.open("wb") as file, open_stdio(tmp_path, stderr=file) as stdio:
        pid = stdio.process.pid
        stdio.ask(call("echo"))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        for number in range(100):
            assert number == stdio.ask(call("echo", {}, number))["id"]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        stdio.ask(call("echo", {}, "after"))

    told = errors.read_text("utf-8")
    assert 1 == told.count("cannot be written")
    assert 1 == told.count("is written again")
    log = (tmp_path / "mcp_server" / "envelope_validation").glob("*.jsonl")
    text = next(log).read_bytes()
    assert text.endswith(b"\n")
    assert all(json.loads(line) for line in text.splitlines())
    assert 10 < len(text.splitlines()) < 100


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system that soon is full."""
    place = tmp_path / "disk"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("mounting a small file system takes root")
    if subprocess.run(mounting, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not let root mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    """The same on a real file system without any room."""
    with open_stdio(small_disk) as stdio:
        for number in range(200):
            assert number == stdio.ask(call("echo", {}, number))["id"]

    (log,) = (small_disk / "mcp_server" / "envelope_validation").glob("*Z-*.jsonl")
    text = log.read_bytes()
    assert text.endswith(b"\n")
    assert 10 < len([json.loads(line) for line in text.splitlines()]) < 200


def test_a_place_that_cannot_be_written_at_all(tmp_path: Path) -> None:
    """A folder that is a file: calls are answered all the same."""
    place = tmp_path / "file"
    place.write_text("")
    errors = tmp_path / "stderr"
    with errors.open("wb") as file, open_stdio(place, stderr=file) as stdio:
        for number in range(5):
            assert number == stdio.ask(call("echo", {}, number))["id"]

    assert 1 == errors.read_text("utf-8").count("cannot be written")
