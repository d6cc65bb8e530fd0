from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import DEFAULT_BOUNDS, compile_schema
from toolgauge.contract.schema.meta import pattern_issues
from toolgauge.contract.schema.patterns import (
    PatternExhausted,
    is_match,
    is_pattern,
    searcher,
)


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        (r"^[\b]$", "\b", "b"),
        (r"^[^\b]$", "b", "\b"),
        (r"^[\b-\r]$", "\n", "b"),
        (r"\bword\b[\b]?", "a word", "swords"),
        (r"^(?!x)[\b]", "\b", "x\b"),
    ],
)
def test_verdict_and_words_read_a_backspace_alike(pattern: str, right: str, wrong: str) -> None:
    """The message quotes the pattern as it is written."""
    compiled = compile_schema({"properties": {"a": {"pattern": pattern}}})

    assert is_pattern(pattern, DEFAULT_BOUNDS)
    assert [] == pattern_issues({"pattern": pattern})
    assert None is compiled.problem
    assert () == compiled.issues({"a": right})
    (issue,) = compiled.issues({"a": wrong})
    assert (("a",), "pattern") == (issue.path, issue.keyword)
    assert issue.message == f"{wrong!r} does not match {pattern!r}"


def test_names_are_matched_the_same_way() -> None:
    """Patterns that are written differently and mean the same stay apart."""
    schema = {
        "patternProperties": {
            r"^[\b]": {"type": "integer"},
            r"^[\x08]": {"minimum": 3},
            r"^(?:[\b])": {"multipleOf": 2},
        },
        "additionalProperties": False,
    }
    compiled = compile_schema(schema)

    assert () == compiled.issues({"\bx": 4})
    assert ["type"] == [each.keyword for each in compiled.issues({"\bx": "1"})]
    assert ["minimum", "multipleOf"] == [each.keyword for each in compiled.issues({"\bx": 1})]
    assert ["additionalProperties"] == [each.keyword for each in compiled.issues({"x": 4})]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": {"pattern": r"[\b]"}}, {"pattern": r"[\b]"}),
        ({"properties": {"pattern": {"enum": [r"[\b]"]}}}, {"pattern": r"[\b]"}),
        ({"enum": [{"patternProperties": {r"[\b]": 1}}]}, {"patternProperties": {r"[\b]": 1}}),
    ],
)
def test_what_only_looks_like_a_pattern_is_left_alone(schema: dict[str, Any], value: Any) -> None:
    """Data beside a pattern that is translated."""
    compiled = compile_schema({**schema, "allOf": [{"pattern": r"[\b]"}]})

    assert None is compiled.problem
    assert () == compiled.issues(value)


@pytest.mark.parametrize("reference", ["#/$defs/a", "#/data/a", "#/properties/x"])
def test_a_pattern_behind_a_reference_is_read_alike(reference: str) -> None:
    """Wherever it lies, and whoever else refers to it."""
    below = {"type": "string", "pattern": r"^[\b]$"}
    schema = {"$defs": {"a": below}, "data": {"a": below}, "properties": {"x": below}}
    compiled = compile_schema({"items": {"$ref": reference}, **schema})

    assert () == compiled.issues(["\b"])
    assert ["pattern"] == [each.keyword for each in compiled.issues(["\b", "b"])]


def test_a_bad_pattern_stays_bad() -> None:
    """Beside one that is translated, and in its own words."""
    problem = compile_schema({"pattern": "[", "patternProperties": {r"[\b]": {}}}).problem

    assert problem is not None
    assert "schema" == problem.keyword
    assert not is_pattern(r"[\b", DEFAULT_BOUNDS)


def test_a_search_that_needs_no_backtracking_is_never_exhausted() -> None:
    """Others say so instead of giving a verdict."""
    text = "a" * 40 + "!"

    assert not is_match(r"^(a+)+$", text, DEFAULT_BOUNDS)
    assert searcher("a", DEFAULT_BOUNDS) is searcher("a", DEFAULT_BOUNDS)
    assert not is_match(r"(?=b)", text, DEFAULT_BOUNDS)
    assert is_match(r"(?=a)", text, DEFAULT_BOUNDS)
    with pytest.raises(PatternExhausted):
        is_match(r"(a*)*\1b", text, DEFAULT_BOUNDS)
