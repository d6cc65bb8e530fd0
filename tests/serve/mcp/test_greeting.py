"""How clients of either era come to servers of either, and to sessions that have ended."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import anyio.lowlevel
import pytest

from tests.serve.mcp.scripted import ENVELOPE, HANDSHAKE, UNKNOWN, Nobody, Script, greeting
from tests.serve.mcp.scripted_http import at_url
from toolgauge.upstream import RequestRefused, SourceNotTools, open_source

if TYPE_CHECKING:
    from toolgauge.serve.mcp.conversations import Answerer
    from toolgauge.serve.mcp.replies import Reply

pytestmark = pytest.mark.anyio

each_refusal = pytest.mark.parametrize("code", [-32022, -32600, -32601, -32602])
each_place = pytest.mark.parametrize("status", [None, 200, 400, 404, 405])


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


def refusing(era: str, code: int) -> Script:
    """Give a server that refuses what it does not know with this code."""
    script = Script(era)
    script.refusal = {"error": {"code": code, "message": "not today"}}
    return script


def place(script: Script, status: int | None) -> Any:
    """Serve it in this process, or at a URL with this status for errors."""
    return nullcontext() if status is None else at_url(script, error_status=status)


async def called(client: Answerer) -> Reply:
    """Call a tool."""
    params = {"name": "convert", "arguments": {}, "_meta": ENVELOPE}
    return await client.reply("tools/call", params, Nobody())


@each_refusal
@each_place
async def test_a_server_of_the_newer_era_alone_is_found(code: int, status: int | None) -> None:
    """However it refuses a handshake, and also where the client made none."""
    script = refusing("newer", code)
    with place(script, status):
        async with greeting(script) as greeter:
            session, answer = await greeter.greet(HANDSHAKE, Nobody())
            unasked = await greeter.greet_unasked(Nobody())
            replies = [await called(each.answerer) for each in (session, unasked)]

    assert HANDSHAKE["protocolVersion"] == answer["protocolVersion"]
    assert [{"content": []}] * 2 == [each.result for each in replies]


@each_refusal
@each_place
async def test_a_server_that_wants_nobody_says_why(code: int, status: int | None) -> None:
    """In its own words: those of a second try do not matter."""
    script = refusing("neither", code)
    with place(script, status):
        async with greeting(script) as greeter:
            for greet in (greeter.greet(HANDSHAKE, Nobody()), greeter.greet_unasked(Nobody())):
                with pytest.raises(RequestRefused) as caught:
                    await greet

                assert (code, "not today") == (caught.value.code, caught.value.message)


async def test_a_url_without_a_way_in_is_asked_once() -> None:
    """What it says then is no matter of eras."""
    script = Script("neither")
    with at_url(script, error_status=401):
        async with greeting(script) as greeter:
            with pytest.raises(RequestRefused) as caught:
                await greeter.greet(HANDSHAKE, Nobody())

    assert "HTTP 401" in caught.value.message
    assert ["initialize"] == script.heard


async def test_a_newer_server_that_was_late_at_first_is_found_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It refuses the handshake that follows, and is asked again."""
    script, answer = Script("newer"), Script.answer

    def late(self: Script, method: str, params: Any) -> dict[str, Any]:
        first = self.heard.count("server/discover") == 1
        return UNKNOWN if first else answer(self, method, params)

    monkeypatch.setattr(Script, "answer", late)
    async with greeting(script) as greeter:
        reply = await called(await greeter.shared())

    assert {"content": []} == reply.result


async def test_a_session_that_the_server_forgot_is_followed_by_another() -> None:
    """The request that hears of it fails, and the next one is served."""
    script = Script("older")
    with at_url(script) as sessions:
        async with greeting(script) as greeter:
            own, _ = await greeter.greet(HANDSHAKE, Nobody())
            await called(own.answerer)
            before = await called(await greeter.shared())
            sessions.clear()
            lost = await called(await greeter.shared())
            after = await called(await greeter.shared())
            gone = [await called(own.answerer) for _ in range(2)]

    assert before.result == after.result is not None
    assert lost.error is not None
    assert "has ended the session" in lost.error["message"]
    # Another session would not know what the client's own has done.
    assert all("has ended the session" in (each.error or {})["message"] for each in gone)
    assert 3 == script.heard.count("initialize")


async def test_a_method_that_is_not_found_ends_no_session() -> None:
    """Some servers of the older era give that error the status of a lost session."""
    script = Script("older")
    with at_url(script, error_status=404):
        async with greeting(script) as greeter:
            session, _ = await greeter.greet(HANDSHAKE, Nobody())
            unknown = await session.answerer.reply("odd/method", None, Nobody())
            good = await called(session.answerer)

    assert UNKNOWN["error"] == unknown.error
    assert good.result is not None


async def test_a_server_that_died_is_followed_by_another() -> None:
    """For the clients that share it; the one with a conversation of its own hears of it."""
    script = Script("older")
    async with greeting(script) as greeter:
        await called(await greeter.shared())
        own, _ = await greeter.greet(HANDSHAKE, Nobody())
        for wire in script.wires:
            wire.die()
        while not own.conversation.is_over:
            await anyio.lowlevel.checkpoint()
        gone, after = await called(own.answerer), await called(await greeter.shared())

    assert "INTERNAL_ERROR" == gone.code
    assert after.result is not None


async def test_a_server_at_a_url_may_have_no_tools() -> None:
    """Whatever status it gives the method: its session has not ended."""
    script = Script("older")
    script.pages = []
    with at_url(script, error_status=404), pytest.raises(SourceNotTools):
        async with open_source(script.source):
            pass
