from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from tests.wire.specimens import RESPONSES
from tests.wire.test_calls import INNER, sdk_object
from toolgauge.wire import UnknownFormat, UnknownMessage, detect, format_of, formats

each_format = pytest.mark.parametrize("name", sorted(formats()))
LOOKS_LIKE = {"mistral": "openai-chat"}
"""As JSON, one cannot be told from the other."""


@each_format
def test_a_response_is_told_by_its_members(name: str) -> None:
    """Parsed JSON."""
    assert LOOKS_LIKE.get(name, name) == detect(RESPONSES[name]).name


@each_format
def test_an_sdk_object_is_told_by_where_it_comes_from(name: str) -> None:
    """Also where its JSON could be another's."""
    assert name == detect(sdk_object(name)).name


@each_format
def test_a_message_is_told_by_its_members(name: str) -> None:
    """Without the response around it."""
    message = INNER[name](RESPONSES[name])

    assert LOOKS_LIKE.get(name, name) == detect(message).name


def test_lists_of_blocks_and_parts_are_told() -> None:
    """As conversations hold them, objects of SDKs too."""
    message = sdk_object("anthropic")
    blocks = RESPONSES["bedrock"]["output"]["message"]["content"]
    parts = RESPONSES["gemini"]["candidates"][0]["content"]["parts"]

    assert "anthropic" == detect(message.content).name
    assert "anthropic" == detect({"role": "assistant", "content": message.content}).name
    assert "bedrock" == detect(blocks).name
    assert "gemini" == detect(parts).name
    assert "openai-chat" == detect(sdk_object("openai-chat").choices[0]).name
    assert "openai-responses" == detect(sdk_object("openai-responses").output).name


def test_one_of_the_choices_is_told() -> None:
    """A message with its index and reason around it."""
    assert "openai-chat" == detect(RESPONSES["openai-chat"]["choices"][0]).name


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "Done."},
        {"role": "assistant", "content": []},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    ],
)
def test_a_message_that_could_be_of_several_is_told_with_their_names(message: object) -> None:
    """Guessing would send an answer in the wrong shape."""
    with pytest.raises(UnknownMessage) as caught:
        detect(message)

    assert {"anthropic", "openai-chat"} <= set(caught.value.candidates)
    assert "name the format" in str(caught.value)


SAMPLING: dict[str, Any] = {
    "role": "assistant",
    "model": "m",
    "stopReason": "toolUse",
    "content": [{"type": "tool_use", "id": "1", "name": "n", "input": {}}],
}


@pytest.mark.parametrize(
    "message",
    [
        None,
        5,
        "text",
        [],
        {},
        object(),
        {"role": "user", "content": "hi"},
        {"message": {"role": "assistant", "content": "hi"}},
        {"name": "x"},
        SAMPLING,
    ],
)
def test_what_is_no_message_is_told(message: object) -> None:
    """With what it is instead."""
    with pytest.raises(UnknownMessage) as caught:
        detect(message)

    assert () == caught.value.candidates
    assert "no model message" in str(caught.value)


def test_a_format_is_found_by_its_name() -> None:
    """However the name is written; an unknown one is told with those that there are."""
    assert "openai-chat" == format_of(" OpenAI_chat ").name
    with pytest.raises(UnknownFormat) as caught:
        format_of("openai")
    assert tuple(formats()) == caught.value.known
    assert "openai-chat" in str(caught.value)


def test_every_format_is_named_as_its_file() -> None:
    """One thing, one name."""
    folder = importlib.import_module("toolgauge.wire.formats")
    files = {each.name.replace("_", "-") for each in pkgutil.iter_modules(folder.__path__)}

    assert files == set(formats())
    assert all(each.name == name and each.title for name, each in formats().items())
