from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import pytest

import toolgauge.wire as room
from toolgauge.contract import ToolgaugeError
from toolgauge.wire import UnknownFormat, UnknownMessage, UnreadableMessage, errors

RAISED = [
    UnknownFormat("openai", ("anthropic",)),
    UnknownMessage("a dict"),
    UnknownMessage("a dict", ("anthropic", "openai-chat")),
    UnreadableMessage("gemini", "an empty object"),
]


def test_what_the_room_offers_is_there_and_sorted() -> None:
    """Constants first, then classes, then functions."""

    def order(each: str) -> tuple[int, str]:
        return (0 if each.isupper() else 1 if each[0].isupper() else 2, each)

    assert sorted(room.__all__, key=order) == room.__all__
    assert all(hasattr(room, each) for each in room.__all__)


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_every_exception_survives_pickle(error: ToolgaugeError) -> None:
    """With all its fields and its sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_every_exception_of_the_room_is_in_the_list_above() -> None:
    """And public, and under the one root."""
    ours = {
        each
        for _, each in inspect.getmembers(errors, inspect.isclass)
        if issubclass(each, ToolgaugeError) and each is not ToolgaugeError
    }

    assert ours == {type(each) for each in RAISED}
    assert {each.__name__ for each in ours} <= set(room.__all__)


@pytest.mark.parametrize("name", ["toolgauge.wire", "toolgauge.agent"])
def test_importing_loads_no_sdk(name: str) -> None:
    """The shapes are ours; only tests ask the SDKs."""
    code = f"""if True:
        import sys, {name}
        from toolgauge.wire import formats
        formats()
        heavy = {{"anthropic", "botocore", "cohere", "google", "mcp", "mistralai", "openai"}}
        print(sorted((heavy | {{"pydantic", "starlette", "typer"}}) & set(sys.modules)))
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert "[]" == done.stdout.strip()
