from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgauge.contract.schema.explain.wording import quoted, quoted_list

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet="ab'\"\\\né\x00\U0001d4b3", max_size=30),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=12)
        | st.dictionaries(st.text(alphabet="a'\"", max_size=4), inner, max_size=5)
        | st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(value=VALUES, limit=st.integers(1, 60))
def test_the_beginning_is_that_of_repr(value: Any, limit: int) -> None:
    """All of it where it is short, and else at least as much as was asked for."""
    whole = repr(value)
    found = quoted(value, limit)

    assert whole[:limit] == found[:limit]
    assert len(whole) > limit or whole == found


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(values=st.lists(VALUES, max_size=12), limit=st.integers(1, 60))
def test_a_list_of_names_begins_as_all_of_it_would(values: list[Any], limit: int) -> None:
    """With commas between."""
    whole = ", ".join(map(repr, values))
    found = quoted_list(values, limit)

    assert whole[:limit] == found[:limit]
    assert len(whole) > limit or whole == found


@pytest.mark.parametrize(
    "text", ["'" * 50, '"' * 50, "a" * 30 + "'", "a" * 30 + '"', "a" * 30 + "'\"", "a" * 30]
)
def test_quotes_are_those_of_the_whole_text(text: str) -> None:
    """Python chooses them by what comes after the cut, too."""
    assert repr(text)[:10] == quoted(text, 10)[:10]


def test_a_class_of_its_own_keeps_its_repr() -> None:
    """In-process callers may pass any mapping."""
    value = OrderedDict(a=list(range(100)))

    assert repr(value) == quoted(value, 10)


def test_what_is_not_shown_is_not_written() -> None:
    """A value of a megabyte costs as little as its first characters."""
    value = [{"name": "x" * 1_000} for _ in range(20_000)]
    start = time.process_time()
    for _ in range(1_000):
        quoted(value, 100)
    taken_s = time.process_time() - start

    start = time.process_time()
    repr(value)
    assert taken_s < 1_000 * (time.process_time() - start) / 10
