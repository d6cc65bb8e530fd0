"""Calls in flight are counted; where the transport can hold its client back, calls wait."""

from __future__ import annotations

import asyncio

import pytest

from toolgauge.serve.mcp.relay import Slots


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


@pytest.mark.anyio
async def test_no_more_calls_than_the_limit_are_in_flight() -> None:
    """A call without a slot learns it, and gives nothing back."""
    slots = Slots(1)
    async with slots.held() as first, slots.held() as second:
        assert first
        assert not second

    assert 0 == slots.taken


@pytest.mark.anyio
async def test_waiting_calls_take_turns() -> None:
    """In the order in which they came, and none overtakes them."""
    slots, order = Slots(1, waits=True), list[int]()

    async def call(number: int) -> None:
        async with slots.held():
            order.append(number)
            assert not slots.take_now()
            await asyncio.sleep(0)

    await asyncio.gather(*(call(number) for number in range(5)))

    assert [0, 1, 2, 3, 4] == order
    assert 0 == slots.taken


@pytest.mark.anyio
@pytest.mark.parametrize("is_its_turn", [False, True])
async def test_a_call_that_is_taken_back_leaves_its_place(is_its_turn: bool) -> None:
    """Also where it was about to begin."""
    slots = Slots(1, waits=True)
    assert slots.take_now()
    waiting = [asyncio.create_task(slots.take()) for _ in range(2)]
    await asyncio.sleep(0)
    if is_its_turn:
        slots.give_back()
    waiting[0].cancel()
    if not is_its_turn:
        slots.give_back()

    assert await asyncio.wait_for(waiting[1], 5)
    slots.give_back()
    assert 0 == slots.taken
