"""Calls are cut short after a fixed time, or all at once; other cancellations stay as they are."""

from __future__ import annotations

import asyncio

import pytest

from toolgauge.gate.deadlines import Cut, Deadlines


async def _never() -> None:
    await asyncio.Event().wait()


@pytest.mark.anyio
async def test_what_takes_too_long_is_cut_short() -> None:
    """The block is left quietly, and says why."""
    with Deadlines(0.01).watch() as watch:
        await _never()

    assert Cut.LATE is watch.cut


@pytest.mark.anyio
async def test_each_call_has_its_whole_time() -> None:
    """One that began later runs out later, by the same timer."""
    deadlines = Deadlines(0.05)
    ended: list[str] = []

    async def call(name: str) -> None:
        with deadlines.watch() as watch:
            await _never()
        assert watch.cut is Cut.LATE
        ended.append(name)

    async with asyncio.TaskGroup() as tasks:
        for name in ("first", "second", "third"):
            tasks.create_task(call(name))
            await asyncio.sleep(0.01)
        with deadlines.watch() as quick:
            await asyncio.sleep(0)
        assert quick.cut is None

    assert ["first", "second", "third"] == ended
    assert 0 == deadlines.count


@pytest.mark.anyio
async def test_all_are_cut_when_the_process_ends() -> None:
    """Whatever time they have left."""
    deadlines = Deadlines(60)
    begun = asyncio.Event()
    cuts: list[Cut | None] = []

    async def call() -> None:
        with deadlines.watch() as watch:
            begun.set()
            await _never()
        cuts.append(watch.cut)

    task = asyncio.create_task(call())
    await begun.wait()
    deadlines.stop()
    await task

    assert [Cut.STOPPED] == cuts


@pytest.mark.anyio
async def test_a_cancellation_from_outside_stays_one() -> None:
    """Also when the time runs out at the same moment."""
    deadlines = Deadlines(60)

    async def call() -> None:
        with deadlines.watch():
            await _never()

    task = asyncio.create_task(call())
    await asyncio.sleep(0)
    task.cancel()
    deadlines.stop()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert 0 == deadlines.count


@pytest.mark.anyio
async def test_an_error_of_the_call_comes_out() -> None:
    """Nothing is hidden."""
    with pytest.raises(ZeroDivisionError), Deadlines(60).watch():
        raise ZeroDivisionError


@pytest.mark.anyio
async def test_the_task_can_go_on_after_a_cut() -> None:
    """The cancellation is taken back."""
    with Deadlines(0.01).watch():
        await _never()
    await asyncio.sleep(0)
    task = asyncio.current_task()

    assert task is not None
    assert 0 == task.cancelling()


def test_one_gate_may_serve_several_loops() -> None:
    """One after the other, each with its own timer."""
    deadlines = Deadlines(0.01)

    async def late() -> Cut | None:
        with deadlines.watch() as watch:
            await _never()
        return watch.cut

    assert [Cut.LATE, Cut.LATE] == [asyncio.run(late()), asyncio.run(late())]
