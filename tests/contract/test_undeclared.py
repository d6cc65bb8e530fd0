from __future__ import annotations

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
