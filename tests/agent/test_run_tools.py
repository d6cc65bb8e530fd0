from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import anyio
import pytest

from tests.wire.judges import takes_results
from tests.wire.specimens import RESPONSES, SCHEMA
from tests.wire.test_calls import sdk_object
from toolgauge import CallResult, InvalidProvider, Issue, Tool
from toolgauge.agent import CallRunner, run_tools
from toolgauge.contract import Bounds, Failure, Success, ToolInputInvalid
from toolgauge.gate import Gate, NoHandler
from toolgauge.lowering import lower
from toolgauge.wire import UnknownFormat, UnknownMessage, UnreadableMessage, WireCall, formats

pytestmark = pytest.mark.anyio


def forecast(args: dict[str, Any]) -> str:
    """Say something about the city."""
    return f"rain in {args['city']}"


WEATHER = Tool(name="weather", input_schema=SCHEMA, handler=forecast)


def said(*calls: tuple[str, object], kind: str = "tool_use") -> dict[str, Any]:
    """Give a message of Anthropic's with these calls."""
    blocks = [
        {"type": kind, "id": f"t{place}", "name": name, "input": arguments}
        for place, (name, arguments) in enumerate(calls, start=1)
    ]
    return {"role": "assistant", "content": blocks}


async def text_of(name: str, arguments: object, tools: Any, **options: Any) -> str:
    """Give the text that the model gets for one call."""
    made = await run_tools(said((name, arguments)), tools, **options)
    (block,) = made["content"]
    return str(block["content"][0]["text"])


async def refused(name: str, arguments: object, tools: Any, **options: Any) -> str:
    """Give the text of a result that is an error."""
    made = await run_tools(said((name, arguments)), tools, **options)
    (block,) = made["content"]
    assert block["is_error"] is True
    return str(block["content"][0]["text"])


@pytest.mark.parametrize("name", sorted(formats()))
async def test_each_providers_message_is_answered_in_its_shape(name: str) -> None:
    """From the SDK's object to what the SDK's request takes."""
    made = await run_tools(sdk_object(name), [WEATHER])

    takes_results(name, made)
    assert "rain in Bergen" in repr(made)
    assert ("rain in Oslo – Ås" in repr(made)) == (name != "mcp")


async def test_a_format_may_be_named() -> None:
    """Where the message could be of several."""
    message = {"role": "assistant", "content": "Done."}

    assert await run_tools(message, [WEATHER], format="anthropic") is None
    assert [] == await run_tools(message, [WEATHER], format="openai-chat")
    with pytest.raises(UnknownMessage):
        await run_tools(message, [WEATHER])
    with pytest.raises(UnknownFormat):
        await run_tools(message, [WEATHER], format="other")
    with pytest.raises(UnreadableMessage):
        await run_tools(5, [WEATHER], format="gemini")


async def test_results_have_the_order_of_the_calls() -> None:
    """Though the last one ends first."""
    done = [anyio.Event() for _ in range(3)]

    async def wait(args: dict[str, Any]) -> str:
        turn = args["turn"]
        if turn < 2:
            await done[turn + 1].wait()
        done[turn].set()
        return f"turn {turn}"

    with anyio.fail_after(10):
        made = await run_tools(
            said(*(("wait", {"turn": turn}) for turn in range(3))),
            [Tool(name="wait", handler=wait)],
        )

    assert ["turn 0", "turn 1", "turn 2"] == [
        each["content"][0]["text"] for each in made["content"]
    ]


async def test_one_bad_call_does_not_stop_the_others() -> None:
    """Each has a result of its own."""
    made = await run_tools(
        said(("weather", {"city": "Bergen"}), ("weather", {}), ("wether", {}), ("weather", [])),
        [WEATHER],
    )

    assert [None, True, True, True] == [each.get("is_error") for each in made["content"]]
    assert ["t1", "t2", "t3", "t4"] == [each["tool_use_id"] for each in made["content"]]


async def test_invalid_input_is_told_with_place_found_and_wanted() -> None:
    """All that a model needs for a better call."""
    text = await refused("weather", {"city": 5, "days": "many"}, [WEATHER])

    lines = text.split("\n")
    assert '"weather"' in lines[0]
    assert any("/city" in each and "found 5" in each and "string" in each for each in lines)
    assert any('found "many"' in each and "integer" in each for each in lines)


async def test_a_missing_argument_is_told_as_missing() -> None:
    """With what it should be."""
    text = await refused("weather", {}, [WEATHER])

    assert "/city: missing" in text
    assert '{"type":"string"}' in text


async def test_the_tool_does_not_run_on_invalid_input() -> None:
    """Not even once."""
    ran: list[object] = []
    tool = Tool(name="t", input_schema={"required": ["a"]}, handler=ran.append)

    await refused("t", {}, [tool])

    assert [] == ran


@pytest.mark.parametrize("arguments", ["{", "[1]", 5, "{} {}"])
async def test_arguments_that_are_no_object_are_told(arguments: object) -> None:
    """In the words of the parser."""
    assert "arguments are" in await refused("weather", arguments, [WEATHER])


async def test_a_validator_of_the_tools_own_is_heard() -> None:
    """Its issues, or that it named none."""

    def validate(value: object) -> Success[object] | Failure:
        if value == {}:
            return Failure(())
        return Failure((Issue(path=("city",), message="no such city"),))

    tool = Tool(name="t", input_schema={"type": "object"}, handler=forecast, validate=validate)

    assert "/city: found 5; no such city" in await refused("t", {"city": 5}, [tool])
    assert "named no reason" in await refused("t", {}, [tool])


@pytest.mark.parametrize(
    ("name", "hint"),
    [("wether", 'Did you mean: "weather"?'), ("zzz", '"weather"')],
)
async def test_an_unknown_tool_is_told_with_those_that_there_are(name: str, hint: str) -> None:
    """The nearest names, or all of them."""
    text = await refused(name, {}, [WEATHER])

    assert name in text
    assert hint.rstrip("?") in text


async def test_where_there_are_no_tools_that_is_told() -> None:
    """There is nothing to name."""
    assert "There are no tools" in await refused("weather", {}, [])


async def test_an_unknown_tool_with_broken_arguments_is_unknown_first() -> None:
    """Better arguments would not help."""
    assert "There is no tool" in await refused("wether", "{", [WEATHER])


async def test_of_many_names_some_are_told() -> None:
    """A list of hundreds would help nobody."""
    tools = [Tool(name=f"tool_{place}") for place in range(30)]

    text = await refused("zzz", {}, tools)

    assert 20 == text.count("tool_")


async def test_what_a_tool_raises_stays_inside(caplog: pytest.LogCaptureFixture) -> None:
    """Logged with its traceback, and not told to the model."""

    def fail(_: object) -> None:
        raise RuntimeError("the password is hunter2")

    text = await refused("fail", {}, [Tool(name="fail", handler=fail)])

    assert "Internal error" == text
    assert "hunter2" in caplog.text


async def test_no_end_of_a_tool_is_that_of_the_others() -> None:
    """Each call is told how it ended itself."""

    def leave(_: object) -> None:
        raise SystemExit(2)

    async def pass_on(_: object) -> None:
        task = asyncio.create_task(anyio.sleep_forever())
        task.cancel()
        await task

    tools = [Tool(name="leave", handler=leave), Tool(name="pass_on", handler=pass_on), WEATHER]
    calls = [("leave", {}), ("pass_on", {}), ("weather", {"city": "Oslo"})]
    made = await run_tools(said(*calls), tools)

    texts = [each["content"][0]["text"] for each in made["content"]]
    assert ["Internal error", "Internal error", "rain in Oslo"] == texts


async def test_a_call_that_cancels_itself_is_not_told_that_it_did_not_run() -> None:
    """It may have done anything by then."""

    async def cancel(_: object) -> None:
        asyncio.current_task().cancel()  # type: ignore[union-attr]
        await asyncio.sleep(0)

    tools = [Tool(name="cancel", handler=cancel)]
    made = await run_tools(said(("cancel", {}), ("cancel", {})), tools, max_calls=1)

    texts = [each["content"][0]["text"] for each in made["content"]]
    assert "Internal error" == texts[0]
    assert "at most 1" in texts[1]


async def test_a_tool_that_takes_too_long_is_told() -> None:
    """Within how many seconds it gave no answer."""
    gate = Gate(
        [Tool(name="slow", handler=lambda _: anyio.sleep_forever())],
        bounds=Bounds(handler_timeout_s=0.01),
    )

    assert "0.01 s" in await refused("slow", {}, gate)


async def test_more_calls_than_the_gate_takes_wait_for_each_other() -> None:
    """A message is not refused for its length."""
    at_work: list[int] = []
    most: list[int] = []

    async def work(_: object) -> str:
        at_work.append(1)
        most.append(len(at_work))
        await anyio.lowlevel.checkpoint()
        at_work.pop()
        return "done"

    gate = Gate([Tool(name="work", handler=work)], bounds=Bounds(max_calls_in_flight=2))
    made = await run_tools(said(*[("work", {})] * 9), gate)

    assert ["done"] * 9 == [each["content"][0]["text"] for each in made["content"]]
    assert 2 == max(most)


async def test_a_gate_that_is_busy_elsewhere_is_told() -> None:
    """Later the call may run."""
    started, leave = anyio.Event(), anyio.Event()

    async def wait(_: object) -> None:
        started.set()
        await leave.wait()

    gate = Gate([Tool(name="wait", handler=wait)], bounds=Bounds(max_calls_in_flight=1))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(gate.call, "wait", {})
        await started.wait()
        assert "try again" in await refused("wait", {}, gate)
        leave.set()


async def test_only_so_many_calls_of_a_message_run() -> None:
    """Each of the others is answered all the same."""
    made = await run_tools(said(*[("weather", {"city": "Oslo"})] * 3), [WEATHER], max_calls=2)

    first, second, third = made["content"]
    assert "is_error" not in first
    assert "is_error" not in second
    assert third["is_error"]
    assert "at most 2" in third["content"][0]["text"]


async def test_an_answer_that_breaks_the_output_schema_is_withheld() -> None:
    """The model is told that, and nothing of the answer."""
    tool = Tool(
        name="t",
        output_schema={"type": "object", "required": ["mm"]},
        handler=lambda _: {"secret": "hunter2"},
    )

    text = await refused("t", {}, [tool])

    assert "withheld" in text
    assert "hunter2" not in text


async def test_an_error_of_the_tool_is_its_own() -> None:
    """In its own words."""
    result = CallResult(content=({"type": "text", "text": "no such city"},), is_error=True)

    assert "no such city" == await refused("t", {}, [Tool(name="t", handler=lambda _: result)])


async def test_the_request_reaches_a_tool_that_asks() -> None:
    """As over HTTP."""

    async def handle_call(name: str, args: dict[str, Any], request: object) -> Any:
        return f"{name} for {request}", False, None

    gate = Gate([Tool(name="t")], handle_call)

    assert "t for me" == await text_of("t", {}, gate, request="me")


# --- raise_on_invalid ---------------------------------------------------------


async def test_invalid_input_raises_where_that_is_asked_for() -> None:
    """With the tool, the issues and the sentence of the seed; nothing has run."""
    ran: list[object] = []
    tool = Tool(name="x", input_schema={"required": ["a"]}, handler=ran.append)

    with pytest.raises(ToolInputInvalid) as caught:
        await run_tools(said(("x", {"a": 1}), ("x", {})), [tool], raise_on_invalid=True)

    assert 'Tool "x" received invalid input: 1 issue(s).' == str(caught.value)
    assert ("x", ("a",)) == (caught.value.tool, caught.value.issues[0].path)
    assert [] == ran


async def test_unreadable_arguments_raise_too() -> None:
    """They are invalid input like any other."""
    with pytest.raises(ToolInputInvalid):
        await run_tools(said(("weather", "{")), [WEATHER], raise_on_invalid=True)


async def test_a_refusal_of_the_tools_own_validator_raises() -> None:
    """Also one without a reason; it is heard only when the call is under way."""
    tool = Tool(name="t", input_schema={}, handler=forecast, validate=lambda _: Failure(()))

    with pytest.raises(ToolInputInvalid) as caught:
        await run_tools(said(("t", {})), [tool], raise_on_invalid=True)

    assert () == caught.value.issues


async def test_other_errors_do_not_raise() -> None:
    """An unknown tool is the model's mistake, a crash the tool's."""

    def fail(_: object) -> None:
        raise RuntimeError

    made = await run_tools(
        said(("unknown", {}), ("fail", {})),
        [Tool(name="fail", handler=fail)],
        raise_on_invalid=True,
    )

    assert [True, True] == [each["is_error"] for each in made["content"]]


# --- errors of the program ----------------------------------------------------


async def test_a_tool_without_a_handler_raises() -> None:
    """No model can do anything about it."""
    with pytest.raises(NoHandler):
        await run_tools(said(("t", {})), [Tool(name="t")])


async def test_a_provider_that_gives_no_tools_raises() -> None:
    """An error of the program, not an unknown tool."""
    with pytest.raises(InvalidProvider):
        await run_tools(said(("t", {})), lambda: 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidProvider):
        await run_tools(said(("t", {})), 5)  # type: ignore[arg-type]


async def test_a_provider_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The user's own code; the model hears no more than of a tool that fails."""

    def tools() -> list[Tool]:
        raise RuntimeError("the database is down")

    assert "Internal error" == await refused("t", {}, tools)
    assert "There are no tools" in await refused("t", "{", tools)
    assert "the database is down" in caplog.text
    assert {logging.ERROR} == {each.levelno for each in caplog.records}


# --- lowered tools ------------------------------------------------------------


NOTES = Tool(
    name="notes.search",
    input_schema={
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "limit": {"type": "integer"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["q"],
        "additionalProperties": False,
    },
    handler=str,
)


async def test_calls_of_lowered_tools_are_mapped_back() -> None:
    """Names and arguments; the tool knows nothing of the target."""
    lowered = lower([NOTES], "openai-strict")
    name, arguments = lowered.image("notes.search", {"q": "tea"})

    assert "{'q': 'tea'}" == await text_of(name, arguments, [NOTES], restore=lowered)


async def test_what_cannot_be_mapped_back_is_told_as_it_was_sent() -> None:
    """In terms of what the model knows."""
    lowered = lower([NOTES], "openai-strict")
    name, arguments = lowered.image("notes.search", {"q": "tea", "labels": {"x": "y"}})
    assert isinstance(arguments["labels"], list)

    text = await refused(name, {**arguments, "labels": [5]}, [NOTES], restore=lowered)

    assert name in text
    assert "/labels: found [5]" in text


async def test_an_unknown_tool_is_told_with_the_names_that_the_model_knows() -> None:
    """The lowered ones."""
    lowered = lower([NOTES], "openai-strict")

    text = await refused("notes_find", {}, [NOTES], restore=lowered)

    assert lowered.tools[0]["name"] in text
    assert "notes.search" not in text
    with pytest.raises(ToolInputInvalid):
        await run_tools(
            said(("other", {}), (lowered.tools[0]["name"], "{")),
            [NOTES],
            restore=lowered,
            raise_on_invalid=True,
        )


async def test_broken_arguments_of_a_lowered_tool_are_told() -> None:
    """Before anything is mapped."""
    lowered = lower([NOTES], "openai-strict")

    assert "no JSON text" in await refused(lowered.tools[0]["name"], "{", [NOTES], restore=lowered)


# --- the runner ---------------------------------------------------------------


async def test_a_runner_is_used_for_many_messages() -> None:
    """And gives values, in no provider's shape."""
    runner = CallRunner([WEATHER])
    call = WireCall(name="weather", arguments={"city": "Oslo"})

    for _ in range(2):
        (found,) = await runner.run([call])
        assert call is found.call
        assert "rain in Oslo" == found.result.content[0]["text"]
    assert () == await runner.run([])


async def test_a_synchronous_tool_does_not_block_the_others() -> None:
    """Each runs in a thread of its own."""
    barrier = threading.Barrier(2, timeout=10)

    def meet(_: object) -> str:
        barrier.wait()
        return "met"

    made = await run_tools(said(("meet", {}), ("meet", {})), [Tool(name="meet", handler=meet)])

    assert ["met", "met"] == [each["content"][0]["text"] for each in made["content"]]


async def test_responses_of_other_providers_carry_the_refusal_too() -> None:
    """A message of OpenAI's with arguments that break the contract."""
    response = RESPONSES["openai-chat"]["choices"][0]["message"]
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "weather", "arguments": '{"city":1}'},
    }

    (made,) = await run_tools({**response, "tool_calls": [call]}, [WEATHER])

    assert made["content"].startswith("Error: The call of")
