from __future__ import annotations

import inspect
import pickle

import pytest

import toolgauge.agent as room
from toolgauge.agent import StreamCut, ToolsRefused, errors
from toolgauge.contract import ToolgaugeError
from toolgauge.lowering import Refusal

REFUSAL = Refusal(tool="t", reason="it is odd", fix="mend it")
RAISED = [StreamCut(3), ToolsRefused("anthropic", [REFUSAL]), ToolsRefused("a", [REFUSAL] * 2)]


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
