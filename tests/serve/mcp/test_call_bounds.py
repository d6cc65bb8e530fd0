"""Progress and questions extend a call, but not for ever, and a list has an end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.serve.mcp.scripted import ENVELOPE, HANDSHAKE, Nobody, Script, greeting, tool
from toolgauge.contract import Bounds
from toolgauge.serve.mcp.relay import OpenCall, OpenCalls
from toolgauge.upstream import RequestRefused, paging
from toolgauge.upstream.peer import MAX_REQUESTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from toolgauge.serve.mcp.conversations import Answerer, Conversations

pytestmark = pytest.mark.anyio

BOUNDS = Bounds(handler_timeout_s=10, max_call_s=35, max_question_s=100)
CANCELLED = "notifications/cancelled"


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


class Clock:
    """A clock that a test reads."""

    def __init__(self) -> None:
        self.when: float | None = None

    def expired(self) -> bool:
        return False

    def reschedule(self, when: float | None) -> None:
        self.when = when


class Time:
    """The time of the event loop, which a test moves on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed_s = 0.0
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        monkeypatch.setattr(loop, "time", lambda: begun_s + self.passed_s)
        self.begun_s = begun_s

    def left_of(self, clock: Clock) -> float:
        """Return how long a call has from its beginning."""
        assert clock.when is not None
        return round(clock.when - self.begun_s, 6)


def begun(calls: OpenCalls, own: int = 1) -> tuple[OpenCall, Clock]:
    """Begin a call."""
    clock = Clock()
    call = OpenCall(caller=Nobody(), clock=clock, is_stream=False)
    calls.begin(own, call)
    return call, clock


async def test_progress_extends_a_call_up_to_its_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it has its whole time again, and at last no more than all of it."""
    time, calls = Time(monkeypatch), OpenCalls(BOUNDS)
    call, clock = begun(calls)
    ends, late = [], []
    for moment in (0, 9, 18, 27, 34):
        time.passed_s = moment
        calls.wind(call)
        ends.append(time.left_of(clock))
        late.append(call.late_s)

    assert [10, 19, 28, 35, 35] == ends
    assert [10, 10, 10, 35, 35] == late


async def test_a_question_stops_the_clock_up_to_its_maximum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its time does not count, and progress changes nothing while it is open."""
    time, calls = Time(monkeypatch), OpenCalls(BOUNDS)
    call, clock = begun(calls)
    time.passed_s = 5
    async with calls.held(call):
        while_asked = time.left_of(clock)
        time.passed_s = 65
        calls.wind(call)
        wound = time.left_of(clock)
    afterwards = time.left_of(clock)
    for _ in range(5):
        time.passed_s += 8
        calls.wind(call)

    assert 5 + 100 + 10 == while_asked == wound
    assert 65 + 10 == afterwards
    assert 35 + 60 == time.left_of(clock)


async def test_questions_one_after_another_have_one_maximum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call is not kept open by asking again and again, nor by asking in turns."""
    time, calls = Time(monkeypatch), OpenCalls(BOUNDS)
    call, clock = begun(calls)
    async with calls.held(call):
        time.passed_s = 90
        async with calls.held(call):
            time.passed_s = 95
        still_held = time.left_of(clock)
    with pytest.raises(RequestRefused) as refused:
        await asked_for_ever(calls, call, time)

    assert 110 == still_held
    assert "within 100 s" in refused.value.message
    assert time.left_of(clock) <= 35 + 100


async def test_a_long_handler_timeout_is_not_cut_by_the_maximum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The larger of the two holds."""
    time, calls = Time(monkeypatch), OpenCalls(Bounds(handler_timeout_s=900, max_call_s=300))
    call, clock = begun(calls)
    time.passed_s = 100
    calls.wind(call)

    assert 900 == time.left_of(clock)


async def asked_for_ever(calls: OpenCalls, call: OpenCall, time: Time) -> None:
    """Ask once more, without an answer."""
    async with calls.held(call):
        time.passed_s = 101
        await asyncio.Event().wait()


async def client_of(greeter: Conversations) -> Answerer:
    """Shake hands."""
    session, _ = await greeter.greet(HANDSHAKE, Nobody())
    return session.answerer


def silent(script: Script, monkeypatch: pytest.MonkeyPatch, said: Any) -> None:
    """Let a call have no answer, but messages for as long as nobody takes it back."""
    answer = script.answer

    def answered(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        if method != "tools/call":
            return answer(method, params)
        task = asyncio.get_running_loop().create_task(speaking(params))
        speaking_tasks.append(task)
        return {"method": "ping"}

    async def speaking(params: Mapping[str, Any]) -> None:
        while CANCELLED not in script.heard:
            for wire in script.wires:
                wire._said.put_nowait({"jsonrpc": "2.0", **said(params)})
            await asyncio.sleep(0.01)

    speaking_tasks: list[asyncio.Task[None]] = []
    monkeypatch.setattr(script, "answer", answered)


async def test_a_call_with_progress_for_ever_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply names the bound, and the server hears that nobody waits any more."""
    script = Script()

    def progress(params: Mapping[str, Any]) -> dict[str, Any]:
        token = params["_meta"]["progressToken"]
        return {"method": "notifications/progress", "params": {"progressToken": token}}

    silent(script, monkeypatch, progress)
    bounds = Bounds(handler_timeout_s=0.4, max_call_s=1.0)
    params = {"name": "convert", "arguments": {}, "_meta": {**ENVELOPE, "progressToken": "t"}}
    async with greeting(script, bounds) as greeter:
        client = await client_of(greeter)
        async with asyncio.timeout(60):
            reply = await client.reply("tools/call", params, Nobody())
            while CANCELLED not in script.heard:  # noqa: ASYNC110 - the scripted server tells nothing
                await asyncio.sleep(0)

    assert "within 1 s" in str(reply.error)


class Busy(Nobody):
    """A client that never answers."""

    def __init__(self) -> None:
        self.asked = 0
        self.waiting = 0

    async def ask(self, method: str, params: Any) -> Any:
        self.asked += 1
        self.waiting += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.waiting -= 1


async def test_a_client_that_never_answers_ends_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And a flood of questions reaches it as often as it may, and no oftener."""
    script = Script()
    number = iter(range(1_000_000))
    silent(script, monkeypatch, lambda _: {"method": "roots/list", "id": f"q{next(number)}"})
    bounds = Bounds(handler_timeout_s=0.4, max_call_s=0.4, max_question_s=1.5)
    client_, params = Busy(), {"name": "convert", "arguments": {}}
    async with greeting(script, bounds) as greeter:
        client = await client_of(greeter)
        async with asyncio.timeout(60):
            reply = await client.reply("tools/call", params, client_)
        waiting = client_.waiting

    assert reply.error is not None
    assert 0 < client_.asked
    assert waiting <= MAX_REQUESTS


async def test_a_client_that_never_answers_a_newer_server_ends_the_question() -> None:
    """What a newer server asks for in a result is a question as well."""
    script = Script("newer")
    asks = {"q": {"method": "roots/list"}}
    script.result = {"resultType": "input_required", "inputRequests": asks, "requestState": "s"}
    client, params = Busy(), {"name": "convert", "arguments": {}}
    async with greeting(script, Bounds(max_question_s=0.1)) as greeter, asyncio.timeout(60):
        session, _ = await greeter.greet(HANDSHAKE, client)
        reply = await session.answerer.reply("tools/call", params, client)

    assert reply.error is not None
    assert (1, 0) == (client.asked, client.waiting)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None] | None:
    """A list of few bytes is too large."""
    monkeypatch.setattr(paging, "MAX_LIST_BYTES", 1_000)
    return None


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["t0", "unknown"])
async def test_a_list_past_a_bound_stops_only_calls_of_what_is_behind_it(name: str) -> None:
    """Such a call fails with the bound: nobody knows whether there is such a tool."""
    script = Script()
    script.pages = [{"tools": [tool(f"t{n}")], "nextCursor": str(n + 1)} for n in range(100)]
    async with greeting(script) as greeter:
        client = await client_of(greeter)
        params = {"name": name, "arguments": {}}
        reply = await client.reply("tools/call", params, Nobody())

    assert script.lists() < 20
    if name == "t0":
        assert reply.error is None
    else:
        assert "1,000 bytes" in str(reply.error)


async def test_calls_that_come_together_read_one_list() -> None:
    """A hundred calls do not hold a hundred lists in memory."""
    script = Script()
    async with greeting(script) as greeter:
        client = await client_of(greeter)
        params = {"name": "convert", "arguments": {"unit": "c"}}
        replies = await asyncio.gather(
            *(client.reply("tools/call", params, Nobody()) for _ in range(50))
        )

    assert [None] * 50 == [each.error for each in replies]
    assert 1 == script.lists()
