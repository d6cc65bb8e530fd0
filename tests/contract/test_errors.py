from __future__ import annotations

import inspect
import pickle

import pytest

from toolgauge.contract import (
    CodeAborted,
    InvalidJson,
    InvalidProvider,
    InvalidTool,
    Issue,
    ToolgaugeError,
    ToolInputInvalid,
    UnknownTool,
    errors,
)
from toolgauge.contract.schema.patterns import PatternExhausted

ISSUE = Issue(path=("inputSchema", "type"), message="is odd", keyword="type")

RAISED: list[Exception] = [
    ToolgaugeError("anything"),
    InvalidTool("search", [ISSUE]),
    InvalidTool("", (ISSUE, ISSUE)),
    InvalidProvider("an int"),
    InvalidProvider("a dict", "tools()"),
    InvalidJson("unexpected end"),
    ToolInputInvalid("search", [ISSUE]),
    UnknownTool("x" * 1_000),
    CodeAborted("SystemExit"),
    PatternExhausted("(a*)*"),
]


@pytest.mark.parametrize("error", RAISED, ids=[type(each).__name__ for each in RAISED])
def test_every_exception_survives_pickle(error: Exception) -> None:
    """Ours cross processes, with all their fields and their sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_every_exception_of_the_room_is_in_the_list_above() -> None:
    """A new one cannot be forgotten, and has the one root."""
    ours = {each for _, each in inspect.getmembers(errors, inspect.isclass)} - {type(ISSUE)}
    ours = {each for each in ours if issubclass(each, Exception)}

    assert ours <= {type(each) for each in RAISED}
    assert all(issubclass(each, ToolgaugeError) for each in ours)


def test_an_invalid_tool_says_which_and_where() -> None:
    """What, where, what was found; how many more."""
    one, two = str(InvalidTool("search", [ISSUE])), str(InvalidTool("search", [ISSUE, ISSUE]))

    for part in ("search", "/inputSchema/type", "is odd"):
        assert part in one
    assert one == two[: len(one)]
    assert "1 more" in two
    assert "/" in str(InvalidTool("", [Issue(message="m")]))


def test_an_unknown_name_is_echoed_up_to_256_characters() -> None:
    """The field keeps all of it (decision D15)."""
    error = UnknownTool("x" * 1_000)

    assert "Tool not found: " + "x" * 256 == str(error)
    assert "x" * 1_000 == error.name


def test_an_invalid_provider_says_what_to_pass() -> None:
    """What was found, and for which place."""
    text = str(InvalidProvider("a dict", "tools()"))

    assert text.startswith("tools() is a dict")
