"""Bodies in time, in whatever server the application is mounted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.contract import Bounds, Tool
from toolgauge.serve import create_app
from toolgauge.serve.mcp import create_mcp_app
from toolgauge.serve.messages import BodyReceive, BodyTooSlow, read_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message

pytestmark = pytest.mark.anyio

SHORT = Bounds(body_stall_s=0.05, body_timeout_s=0.2)
TOOLS = [Tool(name="echo", handler=lambda arguments: arguments)]


def part(text: bytes, *, more: bool = True) -> Message:
    """Make a part of a body."""
    return {"type": "http.request", "body": text, "more_body": more}


def queued(*parts: Message) -> asyncio.Queue[Message]:
    """Make what a server's ``receive`` reads from."""
    queue: asyncio.Queue[Message] = asyncio.Queue()
    for each in parts:
        queue.put_nowait(each)
    return queue


async def answered(app: ASGIApp, path: str, *parts: Message) -> list[Any]:
    """Send a request whose body stops after some parts; give what is sent back."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }
    sent: list[Any] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, queued(*parts).get, send)
    return sent


@pytest.mark.parametrize(
    ("create", "path"),
    [
        (create_app, "/tools/echo/validate"),
        (create_app, "/tools/echo/call"),
        (create_app, "/rpc"),
        (create_mcp_app, "/mcp"),
    ],
)
@pytest.mark.parametrize("parts", [(), (part(b"{"),)], ids=["none", "one"])
async def test_a_body_that_stalls_is_answered_408(
    create: Callable[..., ASGIApp], path: str, parts: tuple[Message, ...]
) -> None:
    """On every route that reads one, once, and with the connection closed."""
    app = create(TOOLS, allow_execute=True, bounds=SHORT)

    start, body = await answered(app, path, *parts)

    assert 408 == start["status"]
    assert (b"connection", b"close") in start["headers"]
    assert b"body_stall_s" in body["body"]


async def test_parts_that_never_stall_still_have_to_end() -> None:
    """The time of the whole body is bounded, and grows with what has arrived."""
    queue = queued()

    async def feed(text: bytes) -> None:
        while True:
            queue.put_nowait(part(text))
            await asyncio.sleep(0.01)

    async def read(text: bytes) -> str:
        receive = BodyReceive(queue.get, SHORT)
        feeding = asyncio.create_task(feed(text))
        try:
            async with asyncio.timeout(0.6):
                await read_body(receive, 100_000_000)
        except BodyTooSlow:
            assert receive.late is not None
            return receive.late.body.decode()
        except TimeoutError:
            return "still reading"
        finally:
            feeding.cancel()
        return "read"

    assert "body_timeout_s" in await read(b" ")
    assert "still reading" == await read(b" " * 32_768)


async def test_after_its_body_a_client_may_stay_as_long_as_it_likes() -> None:
    """Whoever waits for it to disconnect is not woken by a bound."""
    queue = queued(part(b"{"), part(b"}", more=False))
    receive = BodyReceive(queue.get, SHORT)

    body = await read_body(receive, 10)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await receive()
    queue.put_nowait({"type": "http.disconnect"})

    assert b"{}" == body
    assert "http.disconnect" == (await receive())["type"]


async def test_a_body_may_be_cancelled_while_it_is_waited_for() -> None:
    """As the task of a request is when its server ends; nobody waits for its queue then."""
    queue = queued()
    reading = asyncio.create_task(read_body(BodyReceive(queue.get, Bounds()), 10))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    queue.put_nowait(part(b"{}", more=False))

    assert b"{}" == await read_body(BodyReceive(queue.get, Bounds()), 10)


async def test_an_error_of_the_server_is_its_own() -> None:
    """Before the first wait and after it."""

    async def at_once() -> Message:
        raise OSError

    async def later() -> Message:
        await asyncio.sleep(0)
        raise OSError

    for broken in (at_once, later):
        with pytest.raises(OSError, match=r"^$"):
            await read_body(BodyReceive(broken, Bounds()), 10)
