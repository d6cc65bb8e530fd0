from __future__ import annotations

import time
from typing import Any

import pytest

from toolgauge.contract import undeclared

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "topic": {"type": "string"},
        "where": {"type": "object", "properties": {"city": {}, "zip": {}}},
        "rows": {"type": "array", "items": {"properties": {"value": {}}}},
    },
}


def test_a_misspelled_argument_is_noted_with_the_name_that_was_meant() -> None:
    """At the argument's own place; it is no failed keyword."""
    (warning,) = undeclared(SCHEMA, {"topc": "x"})

    assert "/topc" == warning.pointer
    assert None is warning.keyword
    assert warning.hint is not None
    assert "topic" in warning.hint


def test_an_argument_that_resembles_nothing_has_no_hint() -> None:
    """A guess that far is worse than none."""
    (warning,) = undeclared(SCHEMA, {"zzzzzz": 1})

    assert None is warning.hint


def test_members_further_down_are_noted_too() -> None:
    """In objects and in items of arrays, in the value's order."""
    value = {"rows": [{"value": 1}, {"valu": 2}, 5], "where": {"cty": 1}, "topic": "x"}

    assert ["/rows/1/valu", "/where/cty"] == [each.pointer for each in undeclared(SCHEMA, value)]


@pytest.mark.parametrize(
    "keyword",
    [
        {"$ref": "#/$defs/x"},
        {"$dynamicRef": "#x"},
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"allOf": [{}]},
        {"anyOf": [{}]},
        {"oneOf": [{}]},
        {"if": {}},
        {"dependentSchemas": {}},
        {"patternProperties": {"^x-": {}}},
        {"unevaluatedProperties": True},
    ],
)
def test_a_schema_that_may_declare_members_elsewhere_is_passed_over(
    keyword: dict[str, Any],
) -> None:
    """Only for its own members: those that it does name are looked into."""
    found = undeclared({**SCHEMA, **keyword}, {"topc": 1, "where": {"cty": 1}})

    assert ["/where/cty"] == [each.pointer for each in found]


@pytest.mark.parametrize("schema", [True, False, None, [], {}, {"type": "object"}, {"items": [1]}])
def test_a_schema_that_names_nothing_warns_of_nothing(schema: Any) -> None:
    """Without ``properties`` there is nothing to misspell."""
    assert () == undeclared(schema, {"a": [{"b": 1}]})


@pytest.mark.parametrize("value", [None, 1, "x", [], [{"topc": 1}]])
def test_values_of_another_kind_are_passed_over(value: Any) -> None:
    """Their type is the validator's matter."""
    assert () == undeclared(SCHEMA, value)


def test_the_walk_ends_at_some_depth() -> None:
    """A cyclic schema in process does not overflow."""
    schema: dict[str, Any] = {"properties": {}}
    schema["properties"]["a"] = schema
    value: dict[str, Any] = {"b": 1}
    for _ in range(3_000):
        value = {"a": value}

    assert () == undeclared(schema, value)


def test_at_most_a_thousand_warnings_are_given() -> None:
    """They are for people."""
    assert 1_000 == len(undeclared({"properties": {"a": {}}}, {f"b{n}": n for n in range(5_000)}))


@pytest.mark.parametrize(
    ("declared", "given"),
    [
        ([f"name{n}" for n in range(9_000)], [f"nam{n}" for n in range(9_000)]),
        (["a" * 50_000 + str(n) for n in range(10)], ["a" * 50_000 + f"-{n}" for n in range(10)]),
        (["a"], ["b" * 500_000]),
    ],
)
def test_hints_are_sought_within_a_bound(declared: list[str], given: list[str]) -> None:
    """Comparing two names takes the product of their lengths, and each with each the square."""
    started = time.process_time()
    found = undeclared({"properties": dict.fromkeys(declared, True)}, dict.fromkeys(given, 1))

    assert time.process_time() - started < 1
    assert min(len(given), 1_000) == len(found)
    assert all(len(each.message) < 400 for each in found)


def test_values_are_looked_at_within_a_bound() -> None:
    """A megabyte of small objects."""
    schema: dict[str, Any] = {"items": {"items": {"properties": {"a": {}}}}}
    started = time.process_time()
    found = undeclared(schema, [[{"a": 1}] * 100] * 2_000)

    assert time.process_time() - started < 1
    assert () == found
