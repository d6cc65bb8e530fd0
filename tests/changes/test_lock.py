from __future__ import annotations

import json
import pickle
from decimal import Decimal
from typing import Any

import pytest

from toolgauge import InvalidTool
from toolgauge.changes import (
    InvalidLock,
    OtherLockVersion,
    compare,
    dump_lock,
    lock_of,
    read_lock,
)

TOOLS: list[dict[str, Any]] = [
    {"name": "b", "inputSchema": {"type": "object", "required": ["q"]}, "title": "B"},
    {"name": "a", "description": "é", "outputSchema": {"type": "object"}},
    {"name": "a", "description": "the second one"},
]


def test_a_lock_reads_back_as_it_was() -> None:
    """With schemas, description, annotations and other members."""
    lock = lock_of(TOOLS)

    assert lock == read_lock(dump_lock(lock))
    assert lock == read_lock(dump_lock(lock).decode())
    assert () == compare(lock, TOOLS).changes


def test_the_same_tools_give_the_same_bytes() -> None:
    """Whatever the order of the list and of keys."""
    shuffled = [dict(reversed(TOOLS[1].items())), TOOLS[0]]

    assert dump_lock(lock_of(TOOLS)) == dump_lock(lock_of(shuffled))
    assert ["a", "b"] == list(json.loads(dump_lock(lock_of(TOOLS)))["tools"])


def test_every_tool_has_a_fingerprint_that_its_content_gives() -> None:
    """A reworded description is another contract."""
    before = lock_of(TOOLS).fingerprints()
    after = lock_of([TOOLS[0], {**TOOLS[1], "description": "e"}]).fingerprints()

    assert before["b"] == after["b"]
    assert before["a"] != after["a"]
    assert before["a"].startswith("sha256:")


def test_a_server_whose_tools_change_after_approval_is_caught() -> None:
    """A description counts too."""
    assert "notice" == compare(lock_of(TOOLS), [{**TOOLS[0], "title": "C"}, TOOLS[1]]).verdict


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2}',
        '{"version": 2, "tools": {}}',
        '{"version": 2, "fingerprint": "sha256:0", "tools": {}}',
        '{"version": 2, "tools": []}',
        '{"version": 2, "tools": {"a": 3}}',
        '{"version": 2, "tools": {"a": {}}}',
        '{"version": 2, "tools": {"a": {"fingerprint": "sha256:0", "inputSchema": {}}}}',
    ],
)
def test_what_is_no_lock_is_refused(text: str) -> None:
    """Also one that was edited by hand."""
    with pytest.raises(InvalidLock):
        read_lock(text)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('    "a": {', '    "c": {'),
        ('"title": "B"', '"title": "C"'),
        ('"title": "B"', '"title": "B", "title": "B"'),
        ('"title": "B"', '"icons": [], "title": "B"'),
        ('  "tools": {', '  "tools": {"b": {}, '),
        ('  "tools": {', '  "tools": {}, "tools": {'),
    ],
)
def test_a_lock_that_was_edited_by_hand_is_refused(was: str, now: str) -> None:
    """Whatever of it."""
    text = dump_lock(lock_of(TOOLS)).decode()
    assert 1 == text.count(was)

    with pytest.raises(InvalidLock):
        read_lock(text.replace(was, now))


@pytest.mark.parametrize("kept", [["a"], ["b"], []])
def test_an_entry_that_was_deleted_is_missed(kept: list[str]) -> None:
    """Each of them."""
    document = json.loads(dump_lock(lock_of(TOOLS)))
    document["tools"] = {name: document["tools"][name] for name in kept}

    with pytest.raises(InvalidLock):
        read_lock(json.dumps(document))


NUMBERS = [10**400, -(2**64), Decimal("1E+400"), Decimal("0.1"), 1e300, 1e-300, 5e-324, 0.1, 1.0, 1]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_locked_as_it_is(number: object) -> None:
    """Past a double too."""
    schema = {"type": "object", "properties": {"n": {"maximum": number}}}
    text = dump_lock(lock_of([{"name": "a", "inputSchema": schema}]))
    read = read_lock(text)

    assert text == dump_lock(read)
    assert str(number) == str(read.tools[0].input_schema["properties"]["n"]["maximum"])


@pytest.mark.parametrize("value", ["\ud800", float("nan"), float("inf"), Decimal("NaN"), object()])
def test_what_json_cannot_carry_is_not_locked(value: object) -> None:
    """It could not be read back."""
    with pytest.raises((InvalidTool, TypeError, ValueError)):
        dump_lock(lock_of([{"name": "a", "inputSchema": {"const": value}}]))


def test_a_lock_that_is_too_deep_to_be_read_is_not_written() -> None:
    """The bound is the same, to the level."""
    schema: dict[str, Any] = {}
    for _ in range(251):
        lock = lock_of([{"name": "a", "inputSchema": schema}])
        assert lock == read_lock(dump_lock(lock))
        schema = {"not": schema}

    for _ in range(50):
        schema = {"not": schema}
        with pytest.raises((TypeError, ValueError)):
            dump_lock(lock_of([{"name": "a", "inputSchema": schema}]))


def test_letters_beyond_ascii_are_escaped() -> None:
    """None hides in the text, and all are read back."""
    odd = "é\u202e\u200b😀\x7f"
    text = dump_lock(lock_of([{"name": odd, "description": odd}]))

    assert text.isascii()
    assert (odd, odd) == ((tool := read_lock(text).tools[0]).name, tool.description)


@pytest.mark.parametrize("version", ["1", "3", "true", '"2"', "null"])
def test_a_lock_of_another_version_is_refused(version: str) -> None:
    """And says which."""
    with pytest.raises(OtherLockVersion) as caught:
        read_lock(f'{{"version": {version}, "tools": {{}}}}')

    assert json.loads(version) == caught.value.found
    assert 2 == caught.value.expected


@pytest.mark.parametrize("error", [InvalidLock("reason"), OtherLockVersion(1, 2)])
def test_exceptions_survive_pickle(error: InvalidLock | OtherLockVersion) -> None:
    """With all their fields and their sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)
