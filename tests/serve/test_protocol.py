"""The application as a server sees it: lifespan, WebSockets, odd scopes."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.serve import create_app

pytestmark = pytest.mark.anyio


async def exchange(scope: dict[str, Any], *incoming: dict[str, Any]) -> list[Any]:
    """Hand messages to the application and collect what it sends."""
    left, sent = list(incoming), []

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    await create_app([])(scope, receive, send)
    return sent


async def test_it_takes_part_in_a_servers_life() -> None:
    """Servers may ask it to start and to stop."""
    sent = await exchange(
        {"type": "lifespan"}, {"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}
    )

    assert ["lifespan.startup.complete", "lifespan.shutdown.complete"] == [
        each["type"] for each in sent
    ]


async def test_a_websocket_is_closed() -> None:
    """There is none here."""
    sent = await exchange({"type": "websocket"}, {"type": "websocket.connect"})

    assert ["websocket.close"] == [each["type"] for each in sent]


@pytest.mark.parametrize("length", [b"-1", b"abc", b"1e3"])
async def test_an_odd_length_header_is_not_trusted(length: bytes) -> None:
    """The bytes are counted anyway."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/tools",
        "raw_path": b"/tools",
        "headers": [(b"content-length", length)],
    }
    sent = await exchange(scope)

    assert 200 == sent[0]["status"]


async def test_a_length_of_many_digits_is_too_large() -> None:
    """It is not even read as a number."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/tools",
        "raw_path": b"/tools",
        "headers": [(b"content-length", b"9" * 5000)],
    }
    sent = await exchange(scope)

    assert 413 == sent[0]["status"]
