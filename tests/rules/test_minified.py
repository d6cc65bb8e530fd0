"""Characters are counted in the minified form, however deep a value is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolgauge.rules._minified import _counted, minified_length


@pytest.mark.parametrize(
    "value",
    [{}, [], "é\n", {"a": [1, 2.5, None], "b": {"c": True}}, [[], [{}], ["x", "y"]], 10**18],
    ids=repr,
)
def test_both_ways_of_counting_agree(value: Any) -> None:
    """The way for deep values gives what writing the value gives."""
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    assert len(written) == minified_length(value)
    assert len(written) == _counted(value)


def test_a_value_too_deep_to_be_written_is_counted() -> None:
    """Ten thousand lists, one in the other."""
    value: list[Any] = []
    for _ in range(9_999):
        value = [value]

    assert minified_length(value) == 20_000


def test_a_value_that_holds_itself_is_longer_than_any_limit() -> None:
    """It is no JSON, and it raises nothing."""
    value: list[Any] = []
    value.append(value)

    assert minified_length(value) > 10**9
