from __future__ import annotations

import contextlib
import json
from typing import Any

import anthropic
import anyio
import httpx2
import pytest

from tests.agent.messages_server import Answer, Script, call, events, message
from toolgauge import InvalidProvider, Tool
from toolgauge.agent import (
    Finished,
    StreamCut,
    TextDelta,
    ToolAnswered,
    ToolCalled,
    ToolsRefused,
    run_agent,
)
from toolgauge.gate import Gate, NoHandler
from toolgauge.lowering import lower

pytestmark = pytest.mark.anyio

ADD = Tool(
    name="add",
    description="Add two numbers.",
    input_schema={
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
    handler=lambda args: args["a"] + args["b"],
)
USER: Any = {"role": "user", "content": "Add 1, 2 and 3."}


async def collected(client: Any, tools: Any, **options: Any) -> list[Any]:
    """Run the loop to its end."""
    return [
        each
        async for each in run_agent(
            client, tools, **{"model": "claude", "messages": [USER], **options}
        )
    ]


def finished(found: list[Any]) -> Finished:
    """Give the last event, which is the only one of its kind."""
    assert [Finished] == [type(each) for each in found if isinstance(each, Finished)]
    assert isinstance(found[-1], Finished)
    return found[-1]


async def test_several_rounds(script: Script, client: Any) -> None:
    """Text as it comes, each call and its result, and the conversation at the end."""
    script.answers += [
        message("First.", call("add", {"a": 1, "b": 2}, "t1"), stop="tool_use"),
        message(call("add", {"a": 3, "b": 3}, "t2"), stop="tool_use"),
        message("It is 6."),
    ]

    found = await collected(client, [ADD])

    texts = "".join(each.text for each in found if isinstance(each, TextDelta))
    assert "First.It is 6." == texts
    assert ["t1", "t2"] == [each.call.id for each in found if isinstance(each, ToolCalled)]
    answers = [each.result.content[0]["text"] for each in found if isinstance(each, ToolAnswered)]
    assert ["3", "6"] == answers
    last = finished(found)
    assert ("end_turn", 3) == (last.reason, last.rounds)
    assert "It is 6." == last.message.content[0].model_dump()["text"]
    roles = ["user", "assistant", "user", "assistant", "user", "assistant"]
    assert roles == [each["role"] for each in last.messages]


async def test_what_is_sent(script: Script, client: Any) -> None:
    """Tools as the API wants them, the model's blocks as they came, results by id."""
    script.answers += [
        message("One moment.", call("add", {"a": 1, "b": 2}, "t1"), stop="tool_use"),
        message("3."),
    ]

    await collected(client, [ADD], system="Be brief.", max_tokens=99)

    first, second = script.requests
    assert ("claude", 99, "Be brief.", True) == (
        first["model"],
        first["max_tokens"],
        first["system"],
        first["stream"],
    )
    tool = {"name": "add", "description": "Add two numbers.", "input_schema": ADD.input_schema}
    assert [tool] == first["tools"] == second["tools"]
    assert [USER] == first["messages"]
    assistant = [
        {"type": "text", "text": "One moment."},
        {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1, "b": 2}},
    ]
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "3"}],
    }
    assert [
        USER,
        {"role": "assistant", "content": assistant},
        {"role": "user", "content": [result]},
    ] == second["messages"]


async def test_without_tools_none_are_sent(script: Script, client: Any) -> None:
    """An empty list is refused together with a choice of tools."""
    script.answers.append(message("Hello."))

    await collected(client, [])

    assert "tools" not in script.requests[0]


async def test_tools_of_the_api_go_along(script: Script, client: Any) -> None:
    """Those that it runs itself, beside ours."""
    script.answers.append(message("Hello."))
    search = {"type": "web_search_20250305", "name": "web_search"}

    await collected(client, [ADD], server_tools=[search])

    assert ["web_search", "add"] == [each["name"] for each in script.requests[0]["tools"]]


async def test_calls_of_one_message_run_side_by_side(script: Script, client: Any) -> None:
    """Each waits for the other; results keep the order of the calls."""
    met = [anyio.Event(), anyio.Event()]

    async def meet(args: dict[str, Any]) -> str:
        met[args["me"]].set()
        await met[1 - args["me"]].wait()
        return f"met by {args['me']}"

    script.answers += [
        message(call("meet", {"me": 1}, "t1"), call("meet", {"me": 0}, "t2"), stop="tool_use"),
        message("Done."),
    ]

    with anyio.fail_after(10):
        await collected(client, [Tool(name="meet", handler=meet)])

    blocks = script.requests[1]["messages"][-1]["content"]
    assert [("t1", "met by 1"), ("t2", "met by 0")] == [
        (each["tool_use_id"], each["content"][0]["text"]) for each in blocks
    ]


async def test_an_error_goes_back_to_the_model(script: Script, client: Any) -> None:
    """It reads what to change, and may call again."""
    script.answers += [
        message(call("add", {"a": "x", "b": 2}), call("sub", {}, "t2"), stop="tool_use"),
        message("Sorry."),
    ]

    found = await collected(client, [ADD])

    first, second = script.requests[1]["messages"][-1]["content"]
    assert first["is_error"]
    assert second["is_error"]
    assert "/a" in first["content"][0]["text"]
    assert '"add"' in second["content"][0]["text"]
    assert "end_turn" == finished(found).reason


async def test_the_rounds_are_bounded(script: Script, client: Any) -> None:
    """The last calls do not run: nobody would hear of their results."""
    ran: list[int] = []
    tool = Tool(name="count", handler=lambda _: ran.append(1))
    script.answers += [message(call("count", {}), stop="tool_use")] * 2

    found = await collected(client, [tool], max_rounds=2)

    last = finished(found)
    assert ("max_rounds", 2, 1) == (last.reason, last.rounds, len(ran))
    assert [] == script.answers
    assert ["t1"] == not_run(last)


def not_run(last: Finished) -> list[str]:
    """Give the calls of the last message, each of which has a result that says it did not run."""
    *_, asked, told = last.messages
    assert ("assistant", "user") == (asked["role"], told["role"])
    for each in told["content"]:
        assert each["is_error"]
        assert "Not run" in each["content"][0]["text"]
    return [each["tool_use_id"] for each in told["content"]]


async def test_at_least_one_request_is_sent(script: Script, client: Any) -> None:
    """A bound of nought would answer nothing."""
    script.answers.append(message("Hello."))

    assert "end_turn" == finished(await collected(client, [], max_rounds=0)).reason


async def test_a_message_that_was_cut_off_runs_nothing(script: Script, client: Any) -> None:
    """Its last call may lack half of its arguments."""
    script.answers.append(message("I will", call("add", '{"a": 1, "b": 2'), stop="max_tokens"))

    found = await collected(client, [ADD])

    assert "max_tokens" == finished(found).reason
    assert ["t1"] == not_run(finished(found))
    assert not [each for each in found if isinstance(each, ToolCalled)]


async def test_a_paused_turn_goes_on(script: Script, client: Any) -> None:
    """The API asks for the conversation once more, with nothing added."""
    script.answers += [message("Searching", stop="pause_turn"), message("Found.")]

    found = await collected(client, [])

    assert ("end_turn", 2) == (finished(found).reason, finished(found).rounds)
    assert ["user", "assistant"] == [each["role"] for each in script.requests[1]["messages"]]


async def test_blank_texts_do_not_go_back(script: Script, client: Any) -> None:
    """The API refuses what it sent itself; a message of nothing else is left out."""
    script.answers += [
        message(" ", call("add", {"a": 1, "b": 2}), stop="tool_use"),
        message("", stop="pause_turn"),
        message("3."),
    ]

    found = await collected(client, [ADD])

    kept = [each["role"] for each in script.requests[2]["messages"]]
    assert ["user", "assistant", "user"] == kept
    assert ["tool_use"] == [each["type"] for each in script.requests[1]["messages"][1]["content"]]
    assert "end_turn" == finished(found).reason


async def test_a_paused_turn_counts_as_a_round(script: Script, client: Any) -> None:
    """Or it might pause for ever."""
    script.answers.append(message("Searching", stop="pause_turn"))

    assert "max_rounds" == finished(await collected(client, [], max_rounds=1)).reason


async def test_a_refusal_ends_the_loop(script: Script, client: Any) -> None:
    """With the model's own reason."""
    script.answers.append(message("No.", stop="refusal"))

    assert "refusal" == finished(await collected(client, [ADD])).reason


async def test_an_error_of_the_server_is_the_clients(script: Script, client: Any) -> None:
    """With its status, as the SDK raises it."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    script.answers.append(Answer(events=[error], status=529))

    with pytest.raises(anthropic.APIStatusError) as caught:
        await collected(client, [ADD])

    assert 529 == caught.value.status_code


async def test_an_error_in_the_middle_of_a_stream(script: Script, client: Any) -> None:
    """What came before it has been told, and no call of the message runs."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    begun = list(events("Let me", call("add", {"a": 1, "b": 2}), stop="tool_use"))[:-2]
    script.answers.append(Answer(events=[*begun, error]))
    found: list[Any] = []

    async def collect() -> None:
        async for each in run_agent(client, [ADD], model="claude", messages=[USER]):
            found.append(each)  # noqa: PERF401 - kept when the loop raises

    with pytest.raises(anthropic.APIError):
        await collect()

    assert "Let me" == "".join(each.text for each in found)


async def test_a_connection_that_breaks(script: Script, client: Any) -> None:
    """Never taken for the end of a message."""
    script.answers.append(Answer(events=list(events("Let me"))[:5], cut=True))

    with pytest.raises(httpx2.RemoteProtocolError):
        await collected(client, [ADD])


@pytest.mark.parametrize("many", [0, 1, 5, -1])
async def test_a_stream_that_ends_too_early(script: Script, client: Any, many: int) -> None:
    """Something in between closed it in good order; the client does not mind, we do."""
    begun = list(events("Let me", call("add", {"a": 1, "b": 2}), stop="tool_use"))[:many]
    script.answers.append(Answer(events=begun))

    with pytest.raises(StreamCut):
        await collected(client, [ADD])


async def test_cancelling_closes_the_stream(script: Script, client: Any) -> None:
    """The server sees the client go, and no task is left behind."""
    script.answers.append(Answer(events=list(events("Let me"))[:5], hold=True))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(collected, client, [ADD])
        await anyio.to_thread.run_sync(script.streaming.wait)
        tasks.cancel_scope.cancel()

    await client.close()
    assert await anyio.to_thread.run_sync(script.left.wait, 10)


@pytest.mark.parametrize("unread", [0, 1, 20_000])
async def test_leaving_early_closes_the_stream(script: Script, client: Any, unread: int) -> None:
    """Once the iterator is closed, however much the server still has to say."""
    begun = list(events("Let me"))[:5]
    script.answers.append(Answer(events=begun + begun[-1:] * unread, hold=True))

    agent = run_agent(client, [ADD], model="claude", messages=[USER])
    async with contextlib.aclosing(agent):
        async for each in agent:
            assert isinstance(each, TextDelta)
            break

    assert await anyio.to_thread.run_sync(script.left.wait, 10)


async def test_cancelling_cancels_the_tools(script: Script, client: Any) -> None:
    """A call that is running ends with the loop."""
    started, ended = anyio.Event(), anyio.Event()

    async def wait(_: dict[str, Any]) -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    script.answers.append(message(call("wait", {}), stop="tool_use"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(collected, client, [Tool(name="wait", handler=wait)])
        await started.wait()
        tasks.cancel_scope.cancel()

    assert ended.is_set()


async def test_arguments_that_the_client_cannot_parse_are_its_error(
    script: Script, client: Any
) -> None:
    """The SDK reads them itself, and gives no message without them."""
    script.answers.append(message(call("add", '{"a": }'), stop="tool_use"))

    with pytest.raises(ValueError, match="JSON"):
        await collected(client, [ADD])


OPTIONAL = Tool(
    name="notes.search",
    input_schema={
        "type": "object",
        "properties": {"q": {"type": "string", "minLength": 1}, "limit": {"type": "integer"}},
        "required": ["q"],
        "additionalProperties": False,
    },
    handler=json.dumps,
)


async def test_tools_are_lowered_for_a_target(script: Script, client: Any) -> None:
    """The model sees names and schemas that it is allowed to; the tool gets its own."""
    name = lower([OPTIONAL], "anthropic-strict").tools[0]["name"]
    script.answers += [message(call(name, {"q": "tea"}), stop="tool_use"), message("Done.")]

    await collected(client, [OPTIONAL], target="anthropic-strict")

    (tool,) = script.requests[0]["tools"]
    assert tool["strict"] is True
    assert name == tool["name"]
    assert name != OPTIONAL.name
    (result,) = script.requests[1]["messages"][-1]["content"]
    assert '{"q": "tea"}' == result["content"][0]["text"]


async def test_the_shape_is_anthropics_whatever_the_target(script: Script, client: Any) -> None:
    """The client speaks no other."""
    name = lower([OPTIONAL], "openai-strict").tools[0]["name"]
    script.answers += [
        message(call(name, {"q": "tea", "limit": None}), stop="tool_use"),
        message("Done."),
    ]

    await collected(client, [OPTIONAL], target="openai-strict")

    assert {"name", "description", "input_schema"} == script.requests[0]["tools"][0].keys()
    (result,) = script.requests[1]["messages"][-1]["content"]
    assert '{"q": "tea"}' == result["content"][0]["text"]


async def test_a_tool_that_cannot_be_lowered_is_refused_at_once(client: Any) -> None:
    """Not left out in silence."""
    tools = [Tool(name="odd", input_schema={"type": "string"}), Tool(name="o", input_schema=5)]

    with pytest.raises(ToolsRefused) as caught:
        await collected(client, tools, target="anthropic-strict")

    assert "odd" == caught.value.refusals[0].tool
    assert "and 1 more" in str(caught.value)


async def test_a_gate_brings_its_own_way_of_calling(script: Script, client: Any) -> None:
    """``handle_call`` and bounds are the gate's; tools may come from a function."""

    async def tools() -> list[dict[str, Any]]:
        return [{"name": "far", "inputSchema": {"type": "object"}}]

    async def handle_call(name: str, args: dict[str, Any], request: object) -> Any:
        return [{"type": "text", "text": f"{name} for {request}"}], False, None

    script.answers += [message(call("far", {}), stop="tool_use"), message("Done.")]

    await collected(client, Gate(tools, handle_call), request="me")

    (result,) = script.requests[1]["messages"][-1]["content"]
    assert "far for me" == result["content"][0]["text"]


async def test_a_tool_without_a_handler_is_an_error_of_the_program(
    script: Script, client: Any
) -> None:
    """No model can do anything about it."""
    script.answers.append(message(call("t", {}), stop="tool_use"))

    with pytest.raises(NoHandler):
        await collected(client, [Tool(name="t")])


async def test_something_that_provides_no_tools(client: Any) -> None:
    """Before anything is sent."""
    with pytest.raises(InvalidProvider):
        await collected(client, 5)
