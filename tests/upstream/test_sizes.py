"""The values of a text are counted as they are, however it arrives."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.upstream import messages
from toolgauge.upstream.messages import (
    TOO_MANY_VALUES,
    Messages,
    ValueCount,
    read_message,
    too_many_values,
)

DENSE = b"[]," * 3_000_000 + b"[]"
MIB = 1024 * 1024


@given(
    text=st.lists(st.sampled_from([b'"', b",", b"[", b"{", b"\\", b"a", b"\n"])).map(b"".join),
    cuts=st.lists(st.integers(1, 4), min_size=1),
)
def test_pieces_are_counted_as_the_whole_is(text: bytes, cuts: list[int]) -> None:
    """A string or an escape may go over from one piece to the next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "MAX_MESSAGE_VALUES", 3)
        patch.setattr(messages, "SHORT_BYTES", 0)
        whole = ValueCount().add(text)
        count, start, turn, passed = ValueCount(), 0, 0, False
        while start < len(text):
            end = start + cuts[turn % len(cuts)]
            passed = count.add(text[start:end]) or passed
            start, turn = end, turn + 1

    assert whole == passed


def test_what_is_inside_strings_is_no_value() -> None:
    """Text of commas and brackets is one value, and a list of strings is many."""
    text = json.dumps("[1,2],{" * MIB).encode()
    strings = b"[" + b'"[",' * 2 * MIB + b'"]"]'

    assert too_many_values(text) is None
    assert TOO_MANY_VALUES == too_many_values(strings)


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[%b]}}' % DENSE,
        b'{"result":{"content":[%b]},"jsonrpc":"2.0","id":7}' % DENSE,
        b'{"result":{"content":[%b]},"id":7,"jsonrpc":"2.0"}' % DENSE,
    ],
    ids=["first", "last", "last but one"],
)
def test_an_answer_of_too_many_values_is_an_error_of_its_request(line: bytes) -> None:
    """It is not parsed, and the bound is named."""
    began = time.process_time()
    frame = read_message(line)
    took_s = time.process_time() - began

    assert frame is not None
    assert 7 == frame["id"]
    assert TOO_MANY_VALUES in frame["error"]["message"]
    assert took_s < 2


def test_other_messages_of_too_many_values_are_dropped() -> None:
    """Nobody waits for them."""
    line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"a":[%b]}}' % DENSE

    assert read_message(line) is None


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b'"x"', b"1"])
def test_lines_that_are_no_objects_cost_next_to_nothing(line: bytes) -> None:
    """A server may write millions of them."""
    output = Messages()
    chunk = (line + b"\n") * (2**20 // (len(line) + 1))
    began = time.process_time()
    frames = output.feed(chunk)
    took_s = time.process_time() - began

    assert [] == frames
    assert took_s < 5
