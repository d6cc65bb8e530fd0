from __future__ import annotations

import inspect
import pickle
from typing import TYPE_CHECKING

import pytest

from toolgauge.standard import errors

if TYPE_CHECKING:
    from toolgauge.contract import ToolgaugeError

RAISED: list[ToolgaugeError] = [
    errors.InvalidStandard("zod", "has version 2"),
    errors.InvalidStandard("", "has no vendor"),
    errors.InvalidAnswer("zod", "raised KeyError"),
    errors.UnknownValidator("an object of builtins.int"),
    errors.MissingLibrary("class a.B", "msgspec"),
    errors.UnsupportedTarget("pydantic", "openapi-3.0"),
    errors.UnsupportedTarget("pydantic", "draft-07", "it uses 'prefixItems'"),
    errors.Unconvertible("pydantic", ("a", 0, "b/c"), "no schema"),
    errors.Unconvertible("pydantic", (), "no schema"),
    errors.NoJsonSchema("t", "zod"),
    errors.NoJsonSchema("t", "zod", "at /a"),
    errors.UncallableSignature("f", "*args", "is odd"),
    errors.UncallableSignature("f", "", "is a class"),
    errors.UnresolvedAnnotation("f", "x", "Gone", "NameError"),
    errors.ContextUnavailable("f", "ctx", "Context"),
    errors.DisabledTool("t"),
    errors.GuardUnavailable("t", "needs_approval"),
]


@pytest.mark.parametrize("error", RAISED, ids=[type(each).__name__ for each in RAISED])
def test_every_exception_survives_pickle(error: ToolgaugeError) -> None:
    """With all its fields and its sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_every_exception_of_the_room_is_in_the_list_above() -> None:
    """A new one cannot be forgotten, and has the one root."""
    ours = {
        each
        for _, each in inspect.getmembers(errors, inspect.isclass)
        if issubclass(each, Exception) and each.__module__ == errors.__name__
    }

    assert ours == {type(each) for each in RAISED}


@pytest.mark.parametrize("error", RAISED, ids=[type(each).__name__ for each in RAISED])
def test_every_sentence_holds_every_field(error: ToolgaugeError) -> None:
    """What, where, what was found."""
    text = str(error)

    for value in vars(error).values():
        if isinstance(value, str):
            assert value in text


def test_the_tree_at_the_top_lists_all_of_them() -> None:
    """What a reader sees first is true."""
    assert errors.__doc__ is not None
    for error in RAISED:
        assert type(error).__name__ in errors.__doc__
