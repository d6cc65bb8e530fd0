from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anthropic.types
import cohere.v2.types.v2chat_response
import mcp_types
import openai.types.chat
import openai.types.responses
import pytest
from google.genai import types as gemini
from google.genai.interactions import Interaction
from hypothesis import given
from hypothesis import strategies as st
from mistralai.client import models as mistral

from tests.wire.judges import is_converse_response
from tests.wire.specimens import CALLS, FIRST, FIRST_TEXT, RESPONSES
from toolgauge.contract import dump_json
from toolgauge.wire import UnreadableMessage, WireCall, formats

each_format = pytest.mark.parametrize("name", sorted(formats()))

MODELS: dict[str, Any] = {
    "anthropic": anthropic.types.Message,
    "openai-chat": openai.types.chat.ChatCompletion,
    "openai-responses": openai.types.responses.Response,
    "gemini": gemini.GenerateContentResponse,
    "gemini-interactions": Interaction,
    "mistral": mistral.ChatCompletionResponse,
    "cohere": cohere.v2.types.v2chat_response.V2ChatResponse,
    "mcp": mcp_types.CallToolRequest,
}


def sdk_object(name: str) -> Any:
    """Give the response as the provider's SDK does."""
    response = RESPONSES[name]
    if name == "bedrock":
        is_converse_response(response)
        return response
    if name == "mcp":
        response = {key: response[key] for key in ("method", "params")}
    return MODELS[name].model_validate(response)


INNER: dict[str, Callable[[Any], Any]] = {
    "anthropic": lambda found: {"role": "assistant", "content": found["content"]},
    "bedrock": lambda found: found["output"]["message"],
    "cohere": lambda found: found["message"],
    "gemini": lambda found: found["candidates"][0]["content"],
    "gemini-interactions": lambda found: found["steps"],
    "mcp": lambda found: found["params"],
    "mistral": lambda found: found["choices"][0]["message"],
    "openai-chat": lambda found: found["choices"][0]["message"],
    "openai-responses": lambda found: found["output"],
}
"""What a user keeps in the conversation: the message in a response."""


def expected(name: str) -> tuple[WireCall, ...]:
    """Give the calls in a response."""
    return CALLS[:1] if name == "mcp" else CALLS


@each_format
def test_calls_in_a_response_are_read(name: str) -> None:
    """In order, ids kept, arguments as objects whichever way they came."""
    assert expected(name) == formats()[name].read_calls(RESPONSES[name])


@each_format
def test_calls_in_an_sdk_object_are_read(name: str) -> None:
    """As the SDK parsed the same response; nulls in arguments stay."""
    found = formats()[name].read_calls(sdk_object(name))

    assert [each.arguments for each in expected(name)] == [each.arguments for each in found]
    if name != "mcp":  # the SDK's request does not hold its id
        assert expected(name) == found


@each_format
def test_calls_in_a_message_are_read(name: str) -> None:
    """Without the response around it."""
    found = formats()[name].read_calls(INNER[name](RESPONSES[name]))

    assert [each.arguments for each in expected(name)] == [each.arguments for each in found]


def test_objects_inside_a_mapping_are_read() -> None:
    """As the SDKs' own documentation builds a conversation."""
    message = anthropic.types.Message.model_validate(RESPONSES["anthropic"])
    chat = openai.types.chat.ChatCompletion.model_validate(RESPONSES["openai-chat"])

    mixed = {"role": "assistant", "content": message.content}
    calls = {"role": "assistant", "tool_calls": chat.choices[0].message.tool_calls}
    assert CALLS == formats()["anthropic"].read_calls(mixed)
    assert CALLS == formats()["openai-chat"].read_calls(calls)


def test_objects_that_the_sdk_did_not_validate_are_read() -> None:
    """SDKs take what the server sends, whatever its types."""
    block = anthropic.types.ToolUseBlock.model_construct(
        type="tool_use", id="c1", name="weather", input=FIRST_TEXT
    )

    (call,) = formats()["anthropic"].read_calls([block])

    assert FIRST == call.arguments


def test_objects_with_to_dict_are_read() -> None:
    """And pydantic 1 models, which have ``dict``."""

    class Old:
        def to_dict(self) -> dict[str, Any]:
            return RESPONSES["anthropic"]

    class Older:
        def dict(self) -> dict[str, Any]:
            return RESPONSES["anthropic"]

    assert CALLS == formats()["anthropic"].read_calls(Old())
    assert CALLS == formats()["anthropic"].read_calls(Older())


CHAT: dict[str, Any] = {"role": "assistant", "content": None}


def chat_call(arguments: object, name: object = "weather") -> WireCall:
    """Read one call of a chat message."""
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    (found,) = formats()["openai-chat"].read_calls({**CHAT, "tool_calls": [call]})
    return found


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ("{", "{"),
        ('{"a": NaN}', '{"a": NaN}'),
        ('{"a": 1} x', '{"a": 1} x'),
        ("[" * 200 + "]" * 200, "[" * 200 + "]" * 200),
        ("[1]", [1]),
        ('"a"', "a"),
        ("5", 5),
        (True, True),
        ([], []),
    ],
)
def test_arguments_that_are_no_object_are_an_issue(arguments: object, kept: object) -> None:
    """Not an exception: the other calls of the message are none the worse."""
    call = chat_call(arguments)

    assert 1 == len(call.issues)
    assert () == call.issues[0].path
    assert kept == call.arguments


@pytest.mark.parametrize("arguments", ["", "  ", None, "{}", {}, "null"])
def test_no_arguments_are_an_empty_object(arguments: object) -> None:
    """That is how models call a tool that has none."""
    assert WireCall(name="weather", arguments={}, id="c1") == chat_call(arguments)


def test_large_integers_keep_their_digits() -> None:
    """Also in JSON text."""
    assert {"id": 12345678901234567890123} == chat_call('{"id":12345678901234567890123}').arguments


@pytest.mark.parametrize("name", [None, 5, ""])
def test_a_call_without_a_name_is_an_issue(name: object) -> None:
    """It still has an id that wants an answer."""
    call = chat_call("{}", name)

    assert ("", "c1") == (call.name, call.id)
    assert call.issues


def test_a_call_that_is_nothing_at_all_is_an_issue() -> None:
    """``function`` missing."""
    (call,) = formats()["cohere"].read_calls({**CHAT, "tool_calls": [{"id": "c1"}, "x"]})

    assert ("c1", "") == (call.id, call.name)
    assert call.issues


def test_calls_that_the_provider_runs_are_not_ours() -> None:
    """Server tools, and custom tools that take free text."""
    custom = {"id": "c", "type": "custom", "custom": {"name": "x", "input": "y"}}
    server = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    converse = {"toolUse": {"toolUseId": "s", "name": "x", "input": {}, "type": "server_tool_use"}}

    assert () == formats()["openai-chat"].read_calls({**CHAT, "tool_calls": [custom]})
    assert () == formats()["anthropic"].read_calls({"content": [server]})
    assert () == formats()["bedrock"].read_calls([converse])
    assert () == formats()["openai-responses"].read_calls([{"type": "web_search_call"}])


def test_gemini_calls_need_no_id() -> None:
    """None is made up: responses are matched by name and order."""
    parts = [{"functionCall": {"name": "a"}}, {"function_call": {"name": "b", "args": {"x": 1}}}]

    found = formats()["gemini"].read_calls({"role": "model", "parts": parts})

    assert [("a", None), ("b", None)] == [(each.name, each.id) for each in found]
    assert {"x": 1} == found[1].arguments


@pytest.mark.parametrize(
    "message",
    [
        {"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}},
        {"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]},
        {"candidates": [{"finishReason": "SAFETY"}]},
    ],
)
def test_a_blocked_answer_of_gemini_has_no_calls(message: object) -> None:
    """Nor is it an error: the user's own code sees why."""
    assert () == formats()["gemini"].read_calls(message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("anthropic", {"role": "assistant", "content": "Done."}),
        ("openai-chat", {"role": "assistant", "content": "Done.", "tool_calls": None}),
        ("openai-responses", []),
        ("gemini", {"role": "model", "parts": [{"text": "Done."}]}),
        ("bedrock", {"role": "assistant", "content": [{"text": "Done."}]}),
        ("mistral", {"role": "assistant", "content": "Done."}),
        ("cohere", {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
    ],
)
def test_a_message_without_calls_has_none(name: str, message: object) -> None:
    """And answers to none are falsy."""
    assert () == formats()[name].read_calls(message)
    assert not formats()[name].to_results(())


def test_no_results_for_mcp_are_none() -> None:
    """A request has one call, so this is for symmetry alone."""
    assert formats()["mcp"].to_results(()) is None


@each_format
@pytest.mark.parametrize("message", [None, 5, "text", {"a": 1}, object()])
def test_what_is_no_message_is_told(name: str, message: object) -> None:
    """Never taken for a message without calls."""
    with pytest.raises(UnreadableMessage) as caught:
        formats()[name].read_calls(message)

    assert name == caught.value.format


@pytest.mark.parametrize("name", ["anthropic", "bedrock", "gemini"])
def test_a_list_without_calls_has_none(name: str) -> None:
    """Blocks of kinds that we do not know."""
    assert () == formats()[name].read_calls([{"novel": 1}, 2])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai-chat", {"choices": [{"message": CHAT}, {"message": CHAT}]}),
        ("mistral", {"choices": [{"message": CHAT}, {"message": CHAT}]}),
        ("gemini", {"candidates": [{"content": {"parts": []}}, {"content": {"parts": []}}]}),
    ],
)
def test_several_answers_are_refused(name: str, message: object) -> None:
    """Each has calls of its own, and only the user knows which one counts."""
    with pytest.raises(UnreadableMessage):
        formats()[name].read_calls(message)


@pytest.mark.parametrize("name", ["openai-chat", "mistral"])
def test_a_response_without_choices_is_refused(name: str) -> None:
    """There is no message in it."""
    with pytest.raises(UnreadableMessage):
        formats()[name].read_calls({"choices": []})


def test_another_method_of_mcp_is_refused() -> None:
    """Only ``tools/call`` calls a tool."""
    for message in ({"method": "tools/list"}, {"method": "tools/call"}):
        with pytest.raises(UnreadableMessage):
            formats()["mcp"].read_calls(message)


def test_the_id_of_a_request_is_kept_as_text() -> None:
    """JSON-RPC has integers too."""
    request = {**RESPONSES["mcp"], "id": 7}

    assert "7" == formats()["mcp"].read_calls(request)[0].id


def test_what_the_provider_wants_back_is_kept() -> None:
    """The toolset of Anthropic's client tools, the caller of OpenAI's programs."""
    block = {"type": "tool_use", "id": "1", "name": "n", "input": {}, "toolset_name": "browser"}
    caller = {"type": "program", "caller_id": "p"}
    item = {"type": "function_call", "call_id": "1", "name": "n", "arguments": "", "caller": caller}

    assert {"toolset_name": "browser"} == formats()["anthropic"].read_calls([block])[0].echo
    assert {"caller": caller} == formats()["openai-responses"].read_calls([item])[0].echo


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3)
    ),
    max_leaves=8,
)


@given(arguments=st.dictionaries(st.text(max_size=5), _JSON, max_size=4))
def test_any_arguments_arrive_as_they_were_sent(arguments: dict[str, Any]) -> None:
    """As an object and as text, through each provider's message."""
    written = dump_json(arguments).decode()
    block = {"type": "tool_use", "id": "1", "name": "n", "input": arguments}
    use = {"toolUse": {"toolUseId": "1", "name": "n", "input": arguments}}
    part = {"functionCall": {"name": "n", "args": arguments}}

    assert arguments == chat_call(written).arguments
    assert arguments == formats()["anthropic"].read_calls([block])[0].arguments
    assert arguments == formats()["bedrock"].read_calls([use])[0].arguments
    assert arguments == formats()["gemini"].read_calls([part])[0].arguments


@pytest.mark.parametrize(
    "piece",
    [
        gemini.FunctionCall(name="pay", will_continue=True),
        gemini.FunctionCall(name="pay", partial_args=[gemini.PartialArg(json_path="$.to")]),
        {"name": "pay", "willContinue": True},
        {"name": "pay", "args": {}, "partialArgs": [{"jsonPath": "$.to", "stringValue": "A"}]},
    ],
)
def test_a_piece_of_a_streamed_call_of_gemini_is_no_call_to_run(piece: Any) -> None:
    """Its arguments are elsewhere: running it would run the tool with none."""
    part = {"functionCall": piece} if isinstance(piece, dict) else gemini.Part(function_call=piece)
    [call] = formats()["gemini"].read_calls([part])

    assert "piece of a streamed" in call.issues[0].message
    whole = gemini.Part(function_call=gemini.FunctionCall(name="pay", will_continue=False))
    assert () == formats()["gemini"].read_calls([whole])[0].issues
