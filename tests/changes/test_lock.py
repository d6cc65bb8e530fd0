from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

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
        '{"version": 1}',
        '{"version": 1, "tools": []}',
        '{"version": 1, "tools": {"a": 3}}',
        '{"version": 1, "tools": {"a": {}}}',
        '{"version": 1, "tools": {"a": {"fingerprint": "sha256:0", "inputSchema": {}}}}',
    ],
)
def test_what_is_no_lock_is_refused(text: str) -> None:
    """Also one that was edited by hand."""
    with pytest.raises(InvalidLock):
        read_lock(text)


@pytest.mark.parametrize("version", ["2", "true", '"1"', "null"])
def test_a_lock_of_another_version_is_refused(version: str) -> None:
    """And says which."""
    with pytest.raises(OtherLockVersion) as caught:
        read_lock(f'{{"version": {version}, "tools": {{}}}}')

    assert json.loads(version) == caught.value.found
    assert 1 == caught.value.expected


@pytest.mark.parametrize("error", [InvalidLock("reason"), OtherLockVersion(2, 1)])
def test_exceptions_survive_pickle(error: InvalidLock | OtherLockVersion) -> None:
    """With all their fields and their sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)
