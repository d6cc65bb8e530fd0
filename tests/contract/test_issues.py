from __future__ import annotations

import dataclasses
import pickle

import pytest

from toolgauge.contract import CallResult, Issue


def test_an_issue_travels_with_what_it_has() -> None:
    """Members that have nothing to say are left out (decision V17)."""
    assert {"path": "", "message": "no"} == Issue(message="no").to_json()


def test_an_issue_travels_whole() -> None:
    """The path as a pointer; causes in the same shape."""
    cause = Issue(path=("a", 0, "b"), message="inner", keyword="type")
    issue = Issue(path=("a/b",), message="m", keyword="anyOf", hint="try", causes=(cause,))

    assert {
        "path": "/a~1b",
        "message": "m",
        "keyword": "anyOf",
        "hint": "try",
        "causes": [{"path": "/a/0/b", "message": "inner", "keyword": "type"}],
    } == issue.to_json()
    assert "/a~1b" == issue.pointer


def test_issues_are_values() -> None:
    """Equal by content, hashable, frozen, and they cross processes."""
    issue = Issue(path=("a", 1), message="m")

    assert {issue} == {Issue(path=("a", 1), message="m")}
    assert issue == pickle.loads(pickle.dumps(issue))  # noqa: S301 - our own bytes
    with pytest.raises(dataclasses.FrozenInstanceError):
        issue.message = "other"  # type: ignore[misc]


def test_an_empty_result_is_no_error() -> None:
    """A tool that gives nothing back has not failed."""
    result = CallResult()

    assert ((), False, None, None, ()) == (
        result.content,
        result.is_error,
        result.structured,
        result.trace_id,
        result.issues,
    )
