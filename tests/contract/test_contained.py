"""What the user's own code ends in ends no more than the call."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import anyio
import pytest

from toolgauge.contract import CONTAINED, CodeAborted

OWN: list[tuple[BaseException, str]] = [
    (SystemExit(2), "SystemExit"),
    (asyncio.CancelledError(), "CancelledError"),
    (BaseException("its own"), "BaseException"),
    (BaseExceptionGroup("", [SystemExit(), ValueError()]), "BaseExceptionGroup"),
    (BaseExceptionGroup("", [BaseExceptionGroup("", [SystemExit()])]), "BaseExceptionGroup"),
]
OTHERS: list[BaseException] = [
    ValueError("its own"),
    ExceptionGroup("", [ValueError()]),
    KeyboardInterrupt(),
    GeneratorExit(),
    BaseExceptionGroup("", [SystemExit(), KeyboardInterrupt()]),
]


@pytest.mark.parametrize(("error", "kind"), OWN)
def test_what_would_end_more_is_an_exception(error: BaseException, kind: str) -> None:
    """With what was raised as its cause; outside of an event loop too."""
    with pytest.raises(CodeAborted) as caught, CONTAINED:
        raise error

    assert (kind, error) == (caught.value.kind, caught.value.__cause__)


@pytest.mark.parametrize("error", OTHERS)
def test_what_is_not_for_us_passes_through(error: BaseException) -> None:
    """Exceptions as they are; Ctrl-C ends the program."""
    with pytest.raises(type(error)) as caught, CONTAINED:
        raise error

    assert error is caught.value


@pytest.mark.anyio
async def test_a_task_that_the_code_waits_for_may_be_cancelled() -> None:
    """Whoever waits for it is not."""
    task = asyncio.create_task(anyio.sleep_forever())
    task.cancel()

    with pytest.raises(CodeAborted), CONTAINED:
        await task


async def _hang(seen: list[Any]) -> None:
    try:
        with CONTAINED:
            await anyio.sleep_forever()
    except BaseException as error:
        seen.append(type(error))
        raise


@pytest.mark.anyio
async def test_the_cancellation_of_the_running_task_stays_one() -> None:
    """However it was asked for: of the task, by a time-out, by a cancel scope."""
    seen: list[Any] = []
    task = asyncio.create_task(_hang(seen))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0):
            await _hang(seen)
    with anyio.move_on_after(0):
        await _hang(seen)

    assert task.cancelled()
    assert [asyncio.CancelledError] * 3 == seen
