from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from toolgauge.contract import Bounds, SchemaCompiler, compile_schema
from toolgauge.contract.schema.cache import WeightedCache

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["city"],
}


def test_equal_schemas_are_compiled_once() -> None:
    """The same content, whoever holds it and whichever compiler is asked."""
    first = compile_schema(dict(SCHEMA))

    assert first is compile_schema(dict(SCHEMA))
    assert first is SchemaCompiler().compile(dict(SCHEMA))


def test_settings_and_key_order_make_another_schema() -> None:
    """Errors come in the schema's own order (decision V25), so order is content."""
    first = compile_schema(SCHEMA)
    reversed_keys = dict(reversed(SCHEMA.items()))

    assert first is not compile_schema(SCHEMA, formats=True)
    assert first is not compile_schema(SCHEMA, bounds=Bounds(max_issues=7))
    assert first is not compile_schema(reversed_keys)
    bad = {"count": "x"}
    assert ["type", "required"] == [each.keyword for each in first.issues(bad)]
    assert ["required", "type"] == [
        each.keyword for each in compile_schema(reversed_keys).issues(bad)
    ]


def test_numbers_of_another_kind_make_another_schema() -> None:
    """``1`` and ``1.0`` are equal in Python and written differently in messages."""
    one, other = compile_schema({"minimum": 1}), compile_schema({"minimum": 1.0})
    yes = compile_schema({"const": True})

    assert one is not other
    assert yes is not compile_schema({"const": 1})
    assert yes.is_valid(value=True)
    assert not yes.is_valid(1)


def test_changing_a_schema_later_has_no_effect() -> None:
    """Neither on the verdict nor on the words, which are found later still."""
    schema: dict[str, Any] = {"properties": {"a": {"enum": ["x"]}}, "required": ["a"]}
    compiled = compile_schema(schema)
    schema["properties"]["a"]["enum"].append("y")
    schema["required"].clear()

    assert [(("a",), "enum")] == [(e.path, e.keyword) for e in compiled.issues({"a": "y"})]
    assert [(("a",), "required")] == [(e.path, e.keyword) for e in compiled.issues({})]
    assert compile_schema(schema).is_valid({"a": "y"})


def test_values_are_not_changed() -> None:
    """No default is filled in and nothing is converted."""
    value = {"city": "Paris", "count": "3"}
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "unit": {"default": "C"}}}

    compile_schema(schema).issues(value)

    assert {"city": "Paris", "count": "3"} == value


def test_a_compiled_schema_is_shared_between_threads() -> None:
    """Sixteen threads, valid and invalid values, the first explanation included."""
    schema = {**SCHEMA, "$comment": "only this test compiles it"}
    barrier = threading.Barrier(16)

    def work(number: int) -> list[tuple[str, str | None]]:
        barrier.wait(timeout=10)
        found = []
        for turn in range(50):
            compiled = compile_schema(schema)
            assert compiled.is_valid({"city": str(turn)})
            issues = compiled.issues({"count": f"{number}-{turn}"})
            assert f"{number}-{turn}" in issues[0].message
            found = [(each.pointer, each.keyword) for each in issues]
        return found

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(work, range(16)))

    assert [[("/count", "type"), ("/city", "required")]] * 16 == results


def test_the_cache_drops_what_was_used_longest_ago() -> None:
    """Weights add up to the bound and no further."""
    cache: WeightedCache[str] = WeightedCache(10)
    for key in ("a", "b"):
        cache.get(key, lambda: "made", 5)
    cache.get("a", lambda: "made again", 5)
    cache.get("c", lambda: "made", 5)

    assert 2 == len(cache)
    assert "made" == cache.get("a", lambda: "made again", 5)
    assert "made again" == cache.get("b", lambda: "made again", 5)
    assert "made again" == cache.get("c", lambda: "made again", 5)


def test_the_cache_does_not_keep_what_is_heavier_than_all_of_it() -> None:
    """It is made, given and forgotten, and nothing else is dropped for it."""
    cache: WeightedCache[str] = WeightedCache(10)
    cache.get("light", lambda: "light", 10)

    assert "heavy" == cache.get("heavy", lambda: "heavy", 11)
    assert 1 == len(cache)
    assert "light" == cache.get("light", lambda: "made again", 10)


def test_two_makers_at_once_count_once() -> None:
    """The lock is not held while an entry is made, so two may make the same."""
    cache: WeightedCache[str] = WeightedCache(10)

    def make() -> str:
        cache.get("a", lambda: "inner", 6)
        return "outer"

    assert "outer" == cache.get("a", make, 6)
    assert 1 == len(cache)
    assert "inner" == cache.get("a", make, 6)
    cache.get("b", lambda: "b", 4)
    assert 2 == len(cache)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), Decimal("NaN")])
@pytest.mark.parametrize("name", ["number", "integer", "string", "null"])
def test_numbers_that_json_lacks_have_no_type(value: object, name: str) -> None:
    """A caller in process may pass NaN; whatever type is asked for, it has another."""
    issues = compile_schema({"type": name}).issues(value)

    assert ["type"] == [each.keyword for each in issues]


@pytest.mark.parametrize("value", [object(), {1, 2}, {1: 2}, b"x", "\ud800", {"a": [object()]}])
def test_what_is_not_json_is_an_issue_and_no_exception(value: object) -> None:
    """A caller in process may pass anything."""
    for schema in ({}, {"type": "string"}, {"items": {"type": "string"}, "minLength": 1}):
        for issue in compile_schema({"$comment": "a", **schema}).issues(value):
            assert None is issue.keyword or "type" == issue.keyword


def test_tuples_are_arrays_and_subclasses_count_as_what_they_are() -> None:
    """As in the JSON that they would be written as."""

    class Members(dict[str, Any]):
        pass

    compiled = compile_schema({"type": "array", "items": {"type": "object", "required": ["a"]}})

    assert compiled.is_valid((Members(a=1),))
    assert [((0, "a"), "required")] == [(e.path, e.keyword) for e in compiled.issues((Members(),))]


@pytest.mark.parametrize(
    ("schema", "value", "keyword"),
    [
        ({"maximum": 5}, 10**400, "maximum"),
        ({"maximum": 5}, Decimal("1e400"), "maximum"),
        ({"minimum": 5}, Decimal("-1e400"), "minimum"),
        ({"exclusiveMaximum": 2**70}, 2**70, "exclusiveMaximum"),
        ({"exclusiveMinimum": 2**70}, 2**70, "exclusiveMinimum"),
        ({"multipleOf": 2}, 2**70 + 1, "multipleOf"),
        ({"type": "string"}, 2**70, "type"),
        ({"const": 2**70}, 2**70 + 1, "const"),
        ({"enum": [2**70]}, 2**70 + 1, "enum"),
    ],
)
def test_numbers_past_64_bits_keep_every_digit(schema: Any, value: object, keyword: str) -> None:
    """Neighbours that one double stands for are told apart."""
    assert [keyword] == [each.keyword for each in compile_schema(schema).issues(value)]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 2**70),
        ({"type": "integer"}, Decimal("1e400")),
        ({"const": 2**70}, 2**70),
        ({"enum": [2**70]}, 2**70),
        ({"maximum": 2**70}, 2**70),
        ({"multipleOf": 2}, 2**70),
        ({"uniqueItems": True}, [2**70, 2**70 + 1]),
    ],
)
def test_numbers_past_64_bits_are_accepted(schema: Any, value: object) -> None:
    """No size is a reason to refuse a number."""
    assert () == compile_schema(schema).issues(value)


def test_an_integer_too_long_to_write_gets_a_verdict() -> None:
    """CPython writes no integer of more than 4,300 digits; the words do without."""
    huge = 10**5_000

    assert compile_schema({"type": "integer"}).is_valid(huge)
    for schema in (
        {"type": "string"},
        {"enum": [1]},
        {"items": {"type": "string"}, "type": "array"},
    ):
        assert compile_schema(schema).issues(huge)
