from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.wire.judges import takes_results
from tests.wire.specimens import CALLS, IMAGE, PDF, PNG, RESULTS, answered, text
from toolgauge import CallResult
from toolgauge.wire import UnreadableMessage, WireCall, WireResult, formats

each_format = pytest.mark.parametrize("name", sorted(formats()))
each_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


@each_format
@each_result
def test_the_providers_own_types_take_every_result(name: str, result: CallResult) -> None:
    """Whatever a tool may give; nothing in it is unknown."""
    takes_results(name, formats()[name].to_results([answered(result)]))


@each_format
@each_result
def test_nothing_that_is_sent_is_blank(name: str, result: CallResult) -> None:
    """Providers refuse requests with empty text; Gemini, MCP and Anthropic's absence aside."""
    made = formats()[name].to_results([answered(result)])

    if name not in {"gemini", "mcp"}:
        assert not [each for each in _texts(made) if not each.strip()]


@pytest.mark.parametrize("name", sorted(set(formats()) - {"mcp"}))
def test_results_keep_the_order_and_ids_of_the_calls(name: str) -> None:
    """One for each call, also where two have the same name."""
    results = [
        WireResult(call=call, result=CallResult(content=(text(f"answer {call.id}"),)))
        for call in CALLS
    ]

    made = repr(formats()[name].to_results(results))

    takes_results(name, formats()[name].to_results(results))
    places = [made.index(each) for each in ("'c1'", "answer c1", "'c2'", "answer c2")]
    assert {"'c1'", "'c2'"} == {f"'{each.id}'" for each in CALLS}
    assert sorted(places[::2]) == places[::2]
    assert sorted(places[1::2]) == places[1::2]


def only(name: str, result: CallResult) -> Any:
    """Give the provider's answer to one call, without what stands around it."""
    made = formats()[name].to_results([answered(result)])
    match name:
        case "anthropic":
            return made["content"][0]
        case "gemini":
            return made["parts"][0]["functionResponse"]
        case "bedrock":
            return made["content"][0]["toolResult"]
        case "mcp":
            return made
        case _:
            return made[0]


def test_anthropic() -> None:
    """Blocks; an error is a flag and never without content."""
    block = {"type": "tool_result", "tool_use_id": "c1"}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    document = {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
    }

    assert {**block, "content": [text("rain")]} == only("anthropic", RESULTS["text"])
    assert block == only("anthropic", RESULTS["nothing"])
    assert {**block, "content": [text("a map"), image]} == only("anthropic", RESULTS["image"])
    assert {**block, "content": [document]} == only("anthropic", RESULTS["document"])
    assert {**block, "content": [text('{"mm":3}')]} == only("anthropic", RESULTS["structured"])
    error = only("anthropic", RESULTS["error without words"])
    assert error["is_error"] is True
    assert error["content"][0]["text"]


def test_openai_chat() -> None:
    """Text alone: an error says so, and pictures follow in a message of the user."""
    message = {"role": "tool", "tool_call_id": "c1"}

    assert {**message, "content": "rain\nwind"} == only("openai-chat", RESULTS["two texts"])
    assert {**message, "content": "Error: no such city"} == only("openai-chat", RESULTS["error"])
    made = formats()["openai-chat"].to_results([answered(RESULTS["image"]) for _ in range(2)])
    assert ["tool", "tool", "user"] == [each["role"] for each in made]
    url = {"url": f"data:image/png;base64,{PNG}"}
    assert [{"type": "image_url", "image_url": url}] * 2 == made[2]["content"][1::2]


def test_an_error_that_says_so_is_not_told_twice() -> None:
    """Many tools begin with the word."""
    result = CallResult(content=(text("error: no such city"),), is_error=True)

    assert "error: no such city" == only("openai-chat", result)["content"]


def test_openai_responses() -> None:
    """Text, or a list where there is more than text."""
    item = {"type": "function_call_output", "call_id": "c1"}
    url = f"data:image/png;base64,{PNG}"

    assert {**item, "output": "rain"} == only("openai-responses", RESULTS["text"])
    output = only("openai-responses", RESULTS["error with an image"])["output"]
    assert ["input_text", "input_image"] == [each["type"] for each in output]
    assert output[0]["text"].startswith("Error")
    assert url == output[1]["image_url"]
    (document,) = only("openai-responses", RESULTS["document"])["output"]
    assert "report.pdf" == document["filename"]


def test_gemini() -> None:
    """JSON under ``output`` or ``error``, media beside it."""
    found = {"id": "c1", "name": "weather"}

    assert {**found, "response": {"output": "rain"}} == only("gemini", RESULTS["text"])
    assert {**found, "response": {"output": {"mm": 3}}} == only("gemini", RESULTS["structured"])
    assert {**found, "response": {"output": [1, 2]}} == only("gemini", RESULTS["structured list"])
    assert {**found, "response": {"error": "no such city"}} == only("gemini", RESULTS["error"])
    image = {"inlineData": {"mimeType": "image/png", "data": PNG}}
    assert [image] == only("gemini", RESULTS["image"])["parts"]
    assert only("gemini", RESULTS["error without words"])["response"]["error"]


def test_gemini_gets_no_id_that_it_did_not_give() -> None:
    """Its types allow ``None``, its API does not."""
    call = WireCall(name="weather", arguments={})

    made = formats()["gemini"].to_results([answered(RESULTS["text"], call)])

    assert "id" not in made["parts"][0]["functionResponse"]


def test_bedrock() -> None:
    """Blocks by member; an object is JSON, pictures are bytes."""
    found = {"toolUseId": "c1", "status": "success"}

    assert {**found, "content": [{"text": "rain"}]} == only("bedrock", RESULTS["text"])
    assert {**found, "content": [{"json": {"mm": 3}}]} == only("bedrock", RESULTS["structured"])
    assert {**found, "content": [{"text": "[1,2]"}]} == only("bedrock", RESULTS["structured list"])
    image = {"image": {"format": "png", "source": {"bytes": base64.b64decode(PNG)}}}
    assert [{"json": {"mm": 3}}, image] == only("bedrock", RESULTS["structured with an image"])[
        "content"
    ]
    error = only("bedrock", RESULTS["error"])
    assert ("error", [{"text": "no such city"}]) == (error["status"], error["content"])


def test_mistral() -> None:
    """Text with the tool's name, or chunks."""
    message = {"role": "tool", "tool_call_id": "c1", "name": "weather"}

    assert {**message, "content": "rain"} == only("mistral", RESULTS["text"])
    chunks = only("mistral", RESULTS["error with an image"])["content"]
    assert ["text", "image_url"] == [each["type"] for each in chunks]


def test_cohere() -> None:
    """An object is a document that answers can cite."""
    message = {"role": "tool", "tool_call_id": "c1"}
    document = {"type": "document", "document": {"data": {"mm": 3}}}

    assert {**message, "content": [text("rain")]} == only("cohere", RESULTS["text"])
    assert {**message, "content": [document]} == only("cohere", RESULTS["structured"])
    assert [text("{}")] == only("cohere", RESULTS["empty object"])["content"]


def test_mcp() -> None:
    """Blocks as the tool gave them, the structured content beside them."""
    made = only("mcp", CallResult(content=(IMAGE,), structured={"mm": 3}))

    assert [IMAGE] == made["content"]
    assert {"mm": 3} == made["structuredContent"]
    assert made["isError"] is False
    assert "structuredContent" not in only("mcp", RESULTS["structured list"])
    assert [text("[1,2]")] == only("mcp", RESULTS["structured list"])["content"]
    assert [text('{"type":"novel","x":1}')] == only("mcp", RESULTS["unknown block"])["content"]


def test_a_request_of_mcp_has_one_result() -> None:
    """Two would be two responses."""
    with pytest.raises(UnreadableMessage):
        formats()["mcp"].to_results([answered(RESULTS["text"])] * 2)


@pytest.mark.parametrize("name", ["openai-chat", "cohere"])
def test_what_a_provider_has_no_place_for_is_told(name: str) -> None:
    """The model knows that there was something, and of what kind."""
    made = repr(only(name, RESULTS["document"]))

    assert "application/pdf" in made
    assert "report.pdf" in made
    assert PDF not in made


def test_what_the_provider_wants_back_goes_back() -> None:
    """On the result of the same call."""
    call = WireCall(name="n", arguments={}, id="1", echo={"toolset_name": "browser"})
    program = {"type": "program", "caller_id": "p"}
    item = WireCall(name="n", arguments={}, id="1", echo={"caller": program})

    block = formats()["anthropic"].to_results([answered(RESULTS["text"], call)])
    outputs = formats()["openai-responses"].to_results([answered(RESULTS["text"], item)])

    takes_results("anthropic", block)
    takes_results("openai-responses", outputs)
    assert "browser" == block["content"][0]["toolset_name"]
    assert program == outputs[0]["caller"]


@pytest.mark.parametrize("name", ["openai-chat", "mistral"])
def test_a_tool_message_of_openai_is_taken_by_its_followers(name: str) -> None:
    """That is why their messages, which look the same, need not be told apart."""
    from cohere.types.chat_message_v2 import ToolChatMessageV2
    from mistralai.client import models as mistral

    (made,) = formats()["openai-chat"].to_results([answered(RESULTS["text"])])

    assert "rain" == mistral.ToolMessage.model_validate(made).content
    assert "rain" == ToolChatMessageV2.model_validate(made).content


def test_objects_of_pydantic_are_content_too() -> None:
    """The MCP SDK's blocks, as a server gives them back."""
    import mcp_types

    block = mcp_types.TextContent(type="text", text="rain")

    assert "rain" == only("openai-chat", CallResult(content=(block,)))["content"]


def _texts(value: Any) -> list[str]:
    """Collect every text under a member that models read."""
    if isinstance(value, list):
        return [found for each in value for found in _texts(each)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("text", "content", "output") if isinstance(value.get(key), str)]
    return own + [found for each in value.values() for found in _texts(each)]
