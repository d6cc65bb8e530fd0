"""Sessions that clients open and leave: how many there may be, and which of them ends first."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp_types import JSONRPCResponse

from tests.profile import IS_LONG
from tests.serve.bounded import Server, bounded_server, until
from tests.serve.mcp.wires import HEADERS as WIRE
from tests.serve.mcp.wires import call, initialize, message
from toolgauge.serve.mcp.sessions import MAX_EVENT_CHARS, RecentEvents

if TYPE_CHECKING:
    from collections.abc import Iterator


HEADERS = {**WIRE, "content-type": "application/json"}
SESSION = "mcp-session-id"
COMMAND = (sys.executable, str(Path(__file__).parent / "upstream.py"), "older")


class Client:
    """A client of ``/mcp`` that keeps its sessions by the names that a test gives them."""

    def __init__(self, server: Server) -> None:
        self.server: Server = server
        self.http: httpx2.Client = httpx2.Client(timeout=30)
        self.url: str = f"{server.url}mcp"

    def greet(self) -> httpx2.Response:
        """Initialize, and say nothing more."""
        return self.http.post(self.url, headers=HEADERS, content=initialize())

    def open(self) -> str:
        """Open a session, and give its name."""
        answer = self.greet()
        assert 200 == answer.status_code, answer.text
        return str(answer.headers[SESSION])

    def ping(self, session: str) -> int:
        """Use a session; give the status."""
        headers = {**HEADERS, SESSION: session}
        return self.http.post(self.url, headers=headers, content=message("ping", "p")).status_code

    def listen(self, session: str) -> Any:
        """Open the stream of a session."""
        headers = {**HEADERS, SESSION: session}
        return self.http.stream("GET", self.url, headers=headers)


@contextmanager
def serving(*source: str, **bounds: Any) -> Iterator[Client]:
    """Run a server process, and give a client of it."""
    with bounded_server(*source, **bounds) as server:
        client = Client(server)
        with client.http:
            yield client


SOURCES = pytest.mark.parametrize(
    ("source", "bound"),
    [((), "max_sessions"), (COMMAND, "max_upstream_processes")],
    ids=["tools", "command"],
)


@SOURCES
def test_the_least_recently_used_session_gives_way(source: tuple[str, ...], bound: str) -> None:
    """New clients are served; the one that lost its session hears 404, as the protocol says."""
    with serving(*source, **{bound: 3}) as client:
        first, second, third = (client.open() for _ in range(3))
        used = client.ping(first)
        fourth = client.open()
        found = [client.ping(each) for each in (first, third, fourth, second)]
        again = client.ping(client.open())

    assert 200 == used
    assert [200, 200, 200, 404] == found
    assert 200 == again


@SOURCES
def test_a_session_with_an_open_stream_does_not_give_way(
    source: tuple[str, ...], bound: str
) -> None:
    """It is in use for as long as it listens; where all are, new clients hear the bound."""
    with serving(*source, **{bound: 3}) as client, ExitStack() as streams:
        first, second, third = (client.open() for _ in range(3))
        streams.enter_context(client.listen(first))
        fourth = client.open()
        found = [client.ping(each) for each in (first, second, third, fourth)]
        for each in (third, fourth):
            streams.enter_context(client.listen(each))
        refused = client.greet()
        in_use = [client.ping(each) for each in (first, third, fourth)]
        streams.close()
        is_served = until(lambda: client.greet().status_code == 200)

    assert [200, 404, 200, 200] == found
    assert 503 == refused.status_code
    assert "1" == refused.headers["retry-after"]
    assert bound in refused.json()["error"]["message"]
    assert [200] * 3 == in_use
    assert is_served


def test_a_session_with_a_call_in_flight_does_not_give_way() -> None:
    """Neither does its process: the call is answered, however many come meanwhile."""
    with serving(*COMMAND, max_upstream_processes=2, handler_timeout_s=60) as client:
        calling = client.open()
        headers = {**HEADERS, SESSION: calling}
        body = call("hang", 5)
        with client.http.stream("POST", client.url, headers=headers, content=body) as answer:
            opened = [client.open() for _ in range(3)]
            found = [client.ping(each) for each in opened]
            still = client.ping(calling)

        assert 200 == answer.status_code
    assert [404, 404, 200] == found
    assert 200 == still


def test_handshakes_without_delete_keep_nobody_out() -> None:
    """They end each other, and not a session that is used."""
    with serving(max_sessions=20) as client:
        mine = client.open()
        client.ping(mine)
        found = {client.greet().status_code for _ in range(200)}

        assert {200} == found
        assert 200 == client.ping(mine)


def test_processes_are_bounded_however_many_sessions_there_were() -> None:
    """Each session has one, and it ends with its session; one more may be shared, one lists."""
    most = 0
    with serving(*COMMAND, max_upstream_processes=3) as client:
        for _ in range(12):
            client.open()
            most = max(most, client.server.processes())
        is_flat = until(lambda: client.server.processes() <= 4)

    assert most <= 5
    assert is_flat


def test_a_session_that_is_never_used_expires_soon() -> None:
    """And its process with it; one that was used is kept."""
    with serving(*COMMAND, first_use_timeout_s=0.3) as client:
        alone = client.server.processes()
        used = client.open()
        client.ping(used)
        for _ in range(3):
            client.open()
        is_flat = until(lambda: client.server.processes() == alone + 1)

        assert is_flat
        assert 200 == client.ping(used)


def test_a_session_that_is_used_no_more_expires_later() -> None:
    """After the time for idle sessions, whatever it was used for."""
    with serving(*COMMAND, session_timeout_s=0.5) as client:
        alone = client.server.processes()
        client.ping(client.open())

        assert until(lambda: client.server.processes() == alone)


def test_without_descriptors_a_handshake_fails_and_the_next_one_does_not() -> None:
    """A process needs some; nothing of the failed one is left, and sessions go on."""
    with serving(*COMMAND, keep_alive_s=30) as client:
        server = client.server
        mine = client.open()
        before = server.descriptors()
        server.tell()
        failed = [client.greet().text for _ in range(3)]
        still = client.ping(mine)
        server.tell()
        is_flat = until(lambda: server.descriptors() <= before)
        again = client.ping(client.open())

        assert (200, 200) == (still, again)
        assert is_flat
        assert "Traceback" not in server.stop()
    assert all("Too many open files" in each for each in failed)


@pytest.mark.parametrize("source", [(), COMMAND], ids=["tools", "command"])
def test_a_long_life_ends_flat(source: tuple[str, ...]) -> None:
    """Calls, and sessions whose clients went away, leave nothing behind.

    With ``TOOLGAUGE_LONG=1`` these are 50,000 calls and 2,000 sessions.
    """
    calls, sessions = (50_000, 2_000) if IS_LONG else (1_000, 60)
    if source:
        calls, sessions = calls // 10, sessions // 10
    limits = {"max_sessions": 20, "max_upstream_processes": 4}
    with serving(*source, **limits) as client:
        spend(client, calls // 4, 20)
        server = client.server
        is_flat = until(lambda: server.processes() <= 6)
        before = server.memory_bytes(), server.descriptors()
        spend(client, calls, sessions)
        is_flat = is_flat and until(lambda: server.processes() <= 6)
        until(lambda: server.descriptors() <= before[1])
        after = server.memory_bytes(), server.descriptors()

    assert is_flat
    assert after[0] - before[0] < 8_000_000
    assert after[1] - before[1] <= 16


def spend(client: Client, calls: int, sessions: int) -> None:
    """Make calls in one session, and meanwhile open others that are left alone."""
    mine = {**HEADERS, SESSION: client.open()}
    name = "twice" if client.server.processes() else "echo"
    body = call(name, 1, n=1)
    every = max(1, calls // sessions)
    for number in range(calls):
        answer = client.http.post(client.url, headers=mine, content=body)
        assert 200 == answer.status_code
        if number % every == 0:
            with httpx2.Client() as other:
                other.post(client.url, headers=HEADERS, content=initialize())


@pytest.mark.anyio
async def test_large_events_are_kept_within_a_bound() -> None:
    """The newest ones, as they were; what is larger than the bound by itself is forgotten."""
    store = RecentEvents()
    heard: list[Any] = []

    async def hear(event: Any) -> None:
        heard.append(event.message)

    def answer(size: int) -> JSONRPCResponse:
        return JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "x" * size, "odd": None})

    first = await store.store_event("one", None)
    sent = [answer(100_000) for _ in range(5)]
    places = [await store.store_event("one", each) for each in sent]
    forgotten = await store.replay_events_after(first, hear)
    found = await store.replay_events_after(places[3], hear)
    await store.store_event("one", answer(MAX_EVENT_CHARS))

    assert forgotten is None
    assert ("one", [sent[4]]) == (found, heard)
    assert None is await store.replay_events_after(places[3], hear)
