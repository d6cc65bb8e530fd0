"""The way of a call ends in a verdict, whatever goes wrong on it."""

from __future__ import annotations

import asyncio
import pickle
import threading
from datetime import date
from typing import Any

import anyio
import pytest

from toolgauge import CallResult, Gate, Tool, ToolgaugeError, UnknownTool
from toolgauge.contract import Bounds, CodeAborted, Failure, Issue
from toolgauge.gate import (
    CallStopped,
    CallTimedOut,
    InvalidBundle,
    InvalidOutput,
    NoHandler,
    TooManyCalls,
    Verdict,
)

pytestmark = pytest.mark.anyio

HITS = {
    "type": "object",
    "properties": {"hits": {"type": "array"}, "day": {"type": "string"}},
    "required": ["hits"],
}


def gate(handler: Any = None, **members: Any) -> Gate:
    """Make a gate in front of one tool."""
    bounds = members.pop("bounds", Bounds())
    return Gate([Tool(name="t", handler=handler, **members)], bounds=bounds)


async def verdict(handler: Any = None, args: object = None, **members: Any) -> Verdict:
    """Take a call, and tell how it ended."""
    outcome = await gate(handler, **members).walk("t", {} if args is None else args)
    assert (outcome.verdict is Verdict.DONE) is (outcome.result is not None)
    return outcome.verdict


async def test_a_call_that_keeps_the_contract_is_done() -> None:
    """With the tool and its answer."""
    outcome = await gate(lambda args: {"hits": []}, output_schema=HITS).walk("t", {})

    assert Verdict.DONE is outcome.verdict
    assert outcome.tool is not None
    assert outcome.result is not None
    assert {"hits": []} == outcome.result.structured
    assert (None, ()) == (outcome.error, outcome.issues)


async def test_an_unknown_tool_is_a_verdict() -> None:
    """Without a tool."""
    outcome = await gate().walk("x", {})

    assert (Verdict.UNKNOWN_TOOL, None) == (outcome.verdict, outcome.tool)
    assert isinstance(outcome.error, UnknownTool)


@pytest.mark.parametrize("args", [[], None, "x", {"a": "x"}])
async def test_bad_arguments_never_reach_the_tool(args: object) -> None:
    """Their issues are those of the schema."""
    seen: list[Any] = []
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}

    outcome = await gate(seen.append, input_schema=schema).walk("t", args)

    assert Verdict.INVALID_INPUT is outcome.verdict
    assert outcome.issues
    assert [] == seen


@pytest.mark.parametrize("issues", [(), (Issue(path=("a",), message="odd"),)])
async def test_what_the_tools_own_validator_refuses_is_invalid_input(issues: Any) -> None:
    """Also where it gives no reason (decision S3)."""
    outcome = await gate(lambda args: 1, validate=lambda value: Failure(issues)).walk("t", {})

    assert (Verdict.INVALID_INPUT, issues) == (outcome.verdict, outcome.issues)


@pytest.mark.parametrize(
    ("answer", "pointer"),
    [
        ({}, "/hits"),
        ({"hits": {}}, "/hits"),
        (CallResult(structured={"hits": [object()]}), ""),
        ("text", ""),
        (None, ""),
        (CallResult(content=({"type": "text", "text": "x"},)), ""),
        ({"hits": [[[[]]]]}, ""),
    ],
)
async def test_an_answer_that_breaks_the_output_schema_does_not_leave(
    answer: Any, pointer: str
) -> None:
    """Nor one without structure where one was promised, nor one that is no JSON (E14)."""
    tool = gate(lambda args: answer, output_schema=HITS, bounds=Bounds(max_instance_depth=4))
    outcome = await tool.walk("t", {})

    assert (Verdict.INVALID_OUTPUT, None) == (outcome.verdict, outcome.result)
    assert pointer == outcome.issues[0].pointer
    with pytest.raises(InvalidOutput) as raised:
        await tool.call("t", {})
    assert outcome.issues == raised.value.issues


async def test_an_answer_is_held_against_the_schema_as_it_leaves() -> None:
    """Dates are texts then, and tuples arrays."""
    day = date(2026, 1, 1)
    found = await verdict(lambda args: {"hits": (1,), "day": day}, output_schema=HITS)

    assert Verdict.DONE is found


async def test_an_error_of_the_tool_is_not_held_against_its_schema() -> None:
    """It says that it failed, and that is done (decision E14)."""
    assert Verdict.DONE is await verdict(lambda args: CallResult(is_error=True), output_schema=HITS)


async def test_a_broken_output_schema_lets_nothing_out() -> None:
    """As a broken input schema lets nothing in."""
    assert Verdict.INVALID_OUTPUT is await verdict(
        lambda args: {"a": 1}, output_schema={"type": "nothing"}
    )


async def test_a_tool_without_a_handler_crashes(caplog: pytest.LogCaptureFixture) -> None:
    """The caller cannot help it."""
    outcome = await gate().walk("t", {})

    assert Verdict.CRASHED is outcome.verdict
    assert isinstance(outcome.error, NoHandler)


@pytest.mark.parametrize("stage", ["handler", "validate"])
async def test_the_tools_own_code_may_raise_anything(
    stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged with its traceback, once."""

    def broken(value: object) -> Any:
        raise TimeoutError("its own")

    handler = broken if stage == "handler" else lambda args: 1
    validate = broken if stage == "validate" else None
    outcome = await gate(handler, validate=validate).walk("t", {})

    assert Verdict.CRASHED is outcome.verdict
    assert isinstance(outcome.error, TimeoutError)
    assert 1 == caplog.text.count("Traceback")


def exits(*_: object) -> Any:
    """End the program, as argparse and click do."""
    raise SystemExit(2)


async def exits_later(*_: object) -> Any:
    """End the program, asynchronously."""
    raise SystemExit(2)


async def waits_for_a_cancelled_task(*_: object) -> Any:
    """Pass on what nobody asked of this call."""
    task = asyncio.create_task(anyio.sleep_forever())
    task.cancel()
    await task


def is_cancelled_in_its_thread(*_: object) -> Any:
    """Do the same in an event loop of its own."""
    asyncio.run(waits_for_a_cancelled_task())


each_end = pytest.mark.parametrize(
    "ending", [exits, exits_later, waits_for_a_cancelled_task, is_cancelled_in_its_thread]
)


@each_end
async def test_no_end_of_the_tools_own_code_ends_more_than_its_call(ending: Any) -> None:
    """Neither of a handler nor of a ``handle_call``."""
    for one in (gate(ending), Gate([Tool(name="t")], ending)):
        outcome = await one.walk("t", {})

        assert Verdict.CRASHED is outcome.verdict
        assert isinstance(outcome.error, CodeAborted)
        with pytest.raises(CodeAborted):
            await one.call("t", {})


@pytest.mark.parametrize("ending", [exits, exits_later, waits_for_a_cancelled_task])
async def test_no_end_of_a_validator_or_a_provider_ends_more_than_the_call(ending: Any) -> None:
    """They are the user's own code as well."""
    for one in (gate(str, validate=ending), Gate(ending)):
        outcome = await one.walk("t", {})

        assert Verdict.CRASHED is outcome.verdict
        assert isinstance(outcome.error, CodeAborted)


async def test_a_deadline_and_a_cancellation_are_still_told_apart() -> None:
    """Where the code waits for another task, which is cancelled with it."""

    async def wait(args: Any) -> None:
        await asyncio.create_task(anyio.sleep_forever())

    assert Verdict.TIMED_OUT is await verdict(wait, bounds=Bounds(handler_timeout_s=0.01))
    with anyio.move_on_after(0.01) as scope:
        await verdict(wait)
    assert scope.cancelled_caught


async def test_a_provider_may_raise_anything(caplog: pytest.LogCaptureFixture) -> None:
    """It is the user's code as well."""

    def provider() -> list[Any]:
        raise LookupError

    outcome = await Gate(provider).walk("t", {})

    assert (Verdict.CRASHED, None) == (outcome.verdict, outcome.tool)
    assert isinstance(outcome.error, LookupError)


async def test_a_handler_that_takes_too_long_is_a_verdict() -> None:
    """Cancelled where it can be."""

    async def hang(args: Any) -> None:
        await anyio.sleep_forever()

    bounds = Bounds(handler_timeout_s=0.01)
    outcome = await gate(hang, bounds=bounds).walk("t", {})

    assert Verdict.TIMED_OUT is outcome.verdict
    assert isinstance(outcome.error, CallTimedOut)


async def test_more_calls_than_may_be_are_told_so() -> None:
    """At once; and cancellation passes through as cancellation."""
    entered = anyio.Event()

    async def hang(args: Any) -> None:
        entered.set()
        await anyio.sleep_forever()

    one = gate(hang, bounds=Bounds(max_calls_in_flight=1))
    outcomes: list[Any] = []

    async def caller() -> None:
        outcomes.append(await one.walk("t", {}))

    async with anyio.create_task_group() as group:
        group.start_soon(caller)
        await entered.wait()
        assert Verdict.BUSY is (await one.walk("t", {})).verdict
        group.cancel_scope.cancel()

    assert [] == outcomes


async def test_calls_are_cut_short_when_the_process_ends() -> None:
    """Each has a verdict, and no other call begins."""
    entered = anyio.Event()

    async def hang(args: Any) -> None:
        entered.set()
        await anyio.sleep_forever()

    one, found = gate(hang), []

    async def caller() -> None:
        found.append((await one.walk("t", {})).verdict)

    async with anyio.create_task_group() as group:
        group.start_soon(caller)
        await entered.wait()
        one.stop()

    assert [Verdict.STOPPED] == found
    with pytest.raises(CallStopped):
        await one.call("t", {})


async def test_many_slow_calls_hold_no_other_up() -> None:
    """As many threads as calls may be in flight."""
    release, begun = threading.Event(), threading.Semaphore(0)

    def wait(args: Any) -> None:
        begun.release()
        release.wait(20)

    tools = [Tool(name="wait", handler=wait), Tool(name="t", handler=lambda args: 1)]
    one = Gate(tools)
    async with anyio.create_task_group() as group:
        for _ in range(60):
            group.start_soon(one.walk, "wait", {})
        for _ in range(60):
            await anyio.to_thread.run_sync(begun.acquire)
        with anyio.fail_after(10):
            assert Verdict.DONE is (await one.walk("t", {})).verdict
        release.set()


async def test_in_process_the_verdicts_are_exceptions() -> None:
    """Those that ``Gate.call`` has always raised."""
    with pytest.raises(TooManyCalls):
        await gate(lambda args: 1, bounds=Bounds(max_calls_in_flight=0)).call("t", {})


@pytest.mark.parametrize(
    "error",
    [
        InvalidOutput("t", (Issue(path=("a",), message="m"), Issue(message="n"))),
        InvalidOutput("t", (Issue(message="m"),)),
        CallStopped("t"),
        InvalidBundle("place", "reason"),
    ],
)
def test_errors_survive_a_process_boundary(error: ToolgaugeError) -> None:
    """With their fields and their sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - it is our own

    assert vars(error) == vars(copy)
    assert str(error) == str(copy)
