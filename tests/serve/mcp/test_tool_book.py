"""The gate judges by the tools that the server has now, not by those that it had."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import anyio.lowlevel
import pytest

from tests.serve.mcp.scripted import ENVELOPE, HANDSHAKE, Nobody, Script, greeting, tool
from toolgauge.serve.mcp import contracts
from toolgauge.upstream import paging
from toolgauge.upstream.peer import Peer

if TYPE_CHECKING:
    from toolgauge.serve.mcp.conversations import Answerer, Conversations
    from toolgauge.serve.mcp.replies import Reply

pytestmark = pytest.mark.anyio

CHANGED = {"method": "notifications/tools/list_changed"}
NARROW, WIDE = [tool("convert", "c")], [tool("convert", "c", "f")]


def output(kind: str) -> dict[str, Any]:
    """Write a tool whose result has a member of this type."""
    schema = {"type": "object", "properties": {"n": {"type": kind}}}
    return tool("convert", "c", outputSchema=schema)


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a clock that only the test moves on."""
    now = [1_000.0]

    class Clock:
        monotonic = staticmethod(lambda: now[0])

    def move(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(contracts, "time", Clock)
    return move


@pytest.fixture(params=["older", "newer"])
def script(request: pytest.FixtureRequest) -> Script:
    """Servers of both eras."""
    return Script(request.param)


async def client_of(greeter: Conversations, script: Script) -> Answerer:
    """Give what answers a client of the server's own era."""
    if script.era == "newer":
        return await greeter.shared()
    session, _ = await greeter.greet(HANDSHAKE, Nobody())
    return session.answerer


async def called(client: Answerer, unit: str = "f", name: str = "convert") -> Reply:
    """Call the tool."""
    params = {"name": name, "arguments": {"unit": unit}, "_meta": ENVELOPE}
    return await client.reply("tools/call", params, Nobody())


async def test_a_list_that_a_client_reads_is_the_gates_too(script: Script, later: Any) -> None:
    """It is not read a second time, nor is a call held against the one before."""
    del later  # stands still: no list is too old here
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        before = await called(client)
        script.pages = [{"tools": WIDE}]
        await client.reply("tools/list", {"_meta": ENVELOPE}, Nobody())
        after = await called(client)

    assert ("INVALID_INPUT", None) == (before.code, after.code)
    assert 2 == script.lists()


async def test_a_page_that_a_client_reads_makes_the_gate_read_them_all(
    script: Script, later: Any
) -> None:
    """A part of a list is no list."""
    del later
    script.pages = [{"tools": [tool("other")], "nextCursor": "1"}, {"tools": NARROW}]
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        before = await called(client)
        script.pages[1] = {"tools": WIDE}
        await client.reply("tools/list", {"_meta": ENVELOPE, "cursor": "1"}, Nobody())
        after = await called(client)

    assert ("INVALID_INPUT", None) == (before.code, after.code)
    assert 2 + 1 + 2 == script.lists()


async def test_nothing_is_refused_by_an_old_list(script: Script, later: Any) -> None:
    """A server need not say that its tools have changed; each second one refusal asks."""
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        early = [await called(client), await called(client)]
        script.pages = [{"tools": WIDE}]
        later(2)
        late = [await called(client), await called(client, "k"), await called(client, "c")]

    assert ["INVALID_INPUT"] * 2 == [each.code for each in early]
    assert [None, "INVALID_INPUT", None] == [each.code for each in late]
    assert 2 == script.lists()


async def test_no_result_is_held_back_by_an_old_list(script: Script, later: Any) -> None:
    """Nor by one that cannot be read again; a fresh one holds it back."""
    script.pages = [{"tools": [output("integer")]}]
    script.result = {"content": [], "structuredContent": {"n": "x"}}
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        held = await called(client, "c")
        script.pages = [{"tools": [output("string")]}]
        later(2)
        passed = await called(client, "c")
        script.pages, script.result = [], {"content": [], "structuredContent": {"n": 1}}
        later(2)
        unread = await called(client, "c")

    assert "INVALID_OUTPUT" == held.code == unread.code
    assert passed.code is None


async def test_a_list_is_fresh_for_as_long_as_the_server_says(script: Script, later: Any) -> None:
    """Not at all is a second: a list is not read for every call."""
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        seen = []
        for ttl_ms, seconds in ((5_000, 4), (5_000, 2), (0, 0.5), (0, 1)):
            script.pages = [{"tools": NARROW, "ttlMs": ttl_ms}]
            await called(client, "c")
            later(seconds)
            seen.append(script.lists())

    assert [1, 1, 2, 2] == seen
    assert 2 == script.lists()


async def test_a_change_between_two_pages_is_not_lost(script: Script, later: Any) -> None:
    """What was read around it is of no one time, and not kept."""
    del later
    script.pages = [{"tools": NARROW, "nextCursor": "1"}, {"tools": [tool("other", "c")]}]

    def changes() -> list[dict[str, Any]]:
        script.between = list
        script.pages[0] = {"tools": WIDE, "nextCursor": "1"}
        return [CHANGED]

    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        script.between = changes
        first, second = await called(client), await called(client)

    assert (None, None) == (first.code, second.code)
    assert 2 * 2 == script.lists()


@pytest.mark.parametrize(
    "following",
    [{"nextCursor": ""}, {"nextCursor": "1"}, {"nextCursor": 7}, {"nextCursor": "9"}],
    ids=["empty", "circle", "number", "refused"],
)
async def test_a_list_that_goes_wrong_on_a_later_page_stops_no_call(
    script: Script, following: dict[str, Any]
) -> None:
    """What came before it is known."""
    script.pages = [{"tools": NARROW, "nextCursor": "1"}, {"tools": [tool("b")], **following}]
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        found = [await called(client, "c"), await called(client, name="b")]

    assert [None, "INVALID_INPUT"] == [each.code for each in found]


async def test_a_list_for_ever_has_an_end(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound on pages holds here too."""
    monkeypatch.setattr(paging, "MAX_PAGES", 5)
    script.pages = [{"tools": NARROW, "nextCursor": str(n)} for n in range(1, 100)]
    async with greeting(script) as greeter:
        client = await client_of(greeter, script)
        found = await called(client, "c")

    assert found.code is None
    assert 5 == script.lists()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scripted wire send without waiting, as pipes do."""

    def begin(self: Peer, ident: int, method: str, params: Any, done: Any) -> bool:
        self._waiting[ident] = done
        frame = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
        self._spawn(self._wire.send(frame))
        return True

    monkeypatch.setattr(Peer, "begin", begin)
    monkeypatch.setattr(Peer, "can_begin", True)


@pytest.mark.usefixtures("at_once")
async def test_a_call_that_no_task_waits_for_is_judged_the_same(later: Any) -> None:
    """Its result is held back by a list that is read now, and not by an old one."""
    script = Script()
    script.pages = [{"tools": [output("integer")]}]
    script.result = {"content": [], "structuredContent": {"n": "x"}}
    params = {"name": "convert", "arguments": {}}
    async with greeting(script) as greeter:
        relay = (await greeter.greet(HANDSHAKE, Nobody()))[0].conversation.relay
        await relay.reply("tools/call", params, Nobody())
        codes = []
        for kind in ("integer", "string"):
            script.pages = [{"tools": [output(kind)]}]
            later(2)
            answered: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            assert relay.call_at_once(params, Nobody(), answered.set_result) is not None
            codes.append((await answered).code)

    assert ["INVALID_OUTPUT", None] == codes
    assert 3 == script.lists()
    assert 0 == relay._slots.taken


@pytest.mark.usefixtures("at_once")
async def test_a_call_may_be_taken_back_while_its_result_is_judged_again(later: Any) -> None:
    """It has no answer then, and its place is free."""
    script = Script()
    script.pages = [{"tools": [output("integer")]}]
    script.result = {"content": [], "structuredContent": {"n": "x"}}
    params = {"name": "convert", "arguments": {}}
    done: list[Reply] = []
    async with greeting(script) as greeter:
        relay = (await greeter.greet(HANDSHAKE, Nobody()))[0].conversation.relay
        await relay.reply("tools/call", params, Nobody())
        later(2)
        take_back = relay.call_at_once(params, Nobody(), done.append)
        assert callable(take_back)
        while script.lists() < 2:
            await anyio.lowlevel.checkpoint()
        take_back()
        for _ in range(20):
            await anyio.lowlevel.checkpoint()

    assert [] == done
    assert 0 == relay._slots.taken
