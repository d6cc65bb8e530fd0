"""The places of faults, found by one function of source, are those of the words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.schema.official_suite import BY_NAME, Suite
from tests.schema_values import (
    TOOLLISTS,
    VALUES,
    common_schemas_of,
    corpus_schemas,
    damage,
    made_value,
)
from toolgauge.contract import Bounds, CompiledSchema, Places, compile_schema
from toolgauge.contract.schema.dialects import DIALECTS, Dialect
from toolgauge.contract.schema.explain.placing import Unplaced, placer

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 64


def find(compiled: CompiledSchema, value: object) -> Places | None:
    """Give what is found at once, and whether the function was sure of it."""
    explainer = compiled._make_explainer()
    try:
        return placer(compiled._schema, explainer)(value)
    except Unplaced:
        return None


def told(compiled: CompiledSchema, value: object) -> Places:
    """Give the places of the words."""
    return tuple((each.path, each.keyword) for each in compiled.issues(value))


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", DIALECTS, ids=[each.name for each in DIALECTS])
def test_any_value_has_its_places_or_none_are_known(dialect: Dialect) -> None:
    """Of schemas of common keywords, with some others below them."""
    known = unknown = 0

    @settings(max_examples=400, deadline=None, derandomize=True, database=None)
    @given(
        schema=common_schemas_of(dialect.number), values=st.lists(VALUES, min_size=4, max_size=8)
    )
    def hold(schema: Any, values: list[Any]) -> None:
        nonlocal known, unknown
        compiled = CompiledSchema(schema, default_dialect=dialect)
        for value in values:
            found = find(compiled, value)
            known, unknown = known + (found is not None), unknown + (found is None)
            assert found in {None, told(compiled, value)}

    hold()
    assert known > 1_000
    assert unknown < known


@pytest.mark.no_cover
@pytest.mark.skipif(not TOOLLISTS.is_dir(), reason="../shared is not here")
def test_damaged_arguments_of_real_tools_have_their_places() -> None:
    """Every tool of the corpus: most of what is wrong with a call is found at once."""
    draw = random.Random(12)
    refused = known = 0

    for name, schema in corpus_schemas():
        compiled = compile_schema(schema)
        value = made_value(schema, draw)
        if compiled.problem is not None or not isinstance(value, dict):
            continue
        for _ in range(3):
            found, expected = find(compiled, value), told(compiled, value)
            assert found in {None, expected}, name
            refused += bool(expected)
            known += bool(expected) and found is not None
            damage(value, draw)

    assert refused > 1_500
    assert known > 0.85 * refused


def test_the_official_suite_has_its_places(official: Suite) -> None:
    """Every schema and value of the suite for which the function is sure."""
    known = 0

    for name, dialect in BY_NAME.items():
        remotes = official.remotes(dialect)
        for case in official.cases(dialect):
            compiled = CompiledSchema(case.schema, resources=remotes, default_dialect=dialect)
            named = case.schema.get("$schema") if isinstance(case.schema, dict) else None
            if compiled.problem is None and named not in remotes:
                for test in case.tests:
                    found = find(compiled, test.data)
                    known += found is not None
                    # The engine asserts this one in drafts 6 and 7, and no walk does.
                    expected = tuple(
                        (path, keyword)
                        for path, keyword in told(compiled, test.data)
                        if keyword not in {"contentMediaType", "contentEncoding"}
                    )
                    assert found in {None, expected}, (name, case.description, test.description)

    assert known > 1_500


NAMES = ["'", '"', "\\", "\n", "k0", "{0}", '"]); raise SystemExit #', "é", "\u2028"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_no_text_of_a_schema_becomes_source(name: str) -> None:
    """Names, values and patterns of any form are found as they are."""
    text = {"type": "string", "enum": [name], "pattern": "^'\"\\\\$"}
    compiled = compile_schema(
        {
            "properties": {name: text, "a": {"items": {"properties": {name: text}}}},
            "required": [name],
            "additionalProperties": False,
        }
    )
    value = {"a": [{name: "b"}], "b": 1}

    assert told(compiled, value) == find(compiled, value)
    assert find(compiled, {name: "b"}) == told(compiled, {name: "b"})


def test_a_schema_that_is_not_often_asked_about_has_no_function() -> None:
    """Writing one takes as long as some hundred walks."""
    compiled = compile_schema({"type": "object", "properties": {"a": {"type": "string"}}})
    value = {"a": 1}
    expected = ((("a",), "type"),)

    assert compiled.places_at_once(value, 8) is None
    for _ in range(MANY - 1):
        assert expected == compiled.places(value)
    assert compiled.places_at_once(value, 8) is None
    assert expected == compiled.places(value)
    assert expected == compiled.places_at_once(value, 8)
    assert compiled.places_at_once({"a": "b"}, 8) is None


def often(schema: Any, value: object, bounds: Bounds | None = None) -> CompiledSchema:
    """Ask so often that the function is there, where there can be one."""
    compiled = CompiledSchema(schema, bounds=bounds or Bounds())
    for _ in range(MANY):
        compiled.places(value)
    return compiled


def test_what_the_bounds_of_a_walk_may_stop_is_left_to_it() -> None:
    """A large value, more issues than are listed, a search without end."""
    integers = {"items": {"type": "integer"}}
    bounded = often(integers, ["a"], Bounds(max_issues=3, max_explained=800))
    slow = often({"items": {"pattern": r"(a*)*\1b"}}, [5, ""])

    assert 3 == len(bounded.places_at_once(["a"] * 3, 20) or ())
    assert bounded.places_at_once(["a"] * 4, 20) is None
    assert bounded.places_at_once(["a"], 100) is not None
    assert bounded.places_at_once(["a"], 101) is None
    assert (((0,), "pattern"),) == slow.places_at_once(["c"], 20)
    assert slow.places_at_once(["a" * 40 + "!"], 50) is None


def test_a_meta_schema_of_the_callers_own_is_left_to_the_engine() -> None:
    """It may leave out the vocabulary that a walk takes for granted."""
    own: dict[str, Any] = {
        "$id": "https://example.com/own",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True},
    }
    schema = {"$schema": own["$id"], "items": {"type": "string"}}
    compiled = CompiledSchema(schema, resources={own["$id"]: own})
    for _ in range(MANY):
        compiled.places([1])

    assert compiled.is_valid([1])
    assert compiled.places_at_once([1], 3) is None


def nested(depth: int, wrap: Callable[[Any], Any], inner: Any) -> Any:
    """Put something into itself."""
    for _ in range(depth):
        inner = wrap(inner)
    return inner


MUCH = [
    (nested(9, lambda each: {"items": each}, {"type": "null"}), nested(9, lambda v: [v], 5)),
    (
        nested(30, lambda each: {"properties": {"a": each}}, {"type": "null"}),
        nested(30, lambda each: {"a": each}, 5),
    ),
    (
        {
            "properties": {
                f"a{n}": {"properties": {f"b{m}": {"type": "null"} for m in range(20)}}
                for n in range(20)
            }
        },
        {"a19": {"b1": 5}},
    ),
]


@pytest.mark.parametrize(("schema", "value"), MUCH, ids=["loops", "levels", "subschemas"])
def test_where_source_ends_the_walk_goes_on(schema: Any, value: object) -> None:
    """What is below is looked at; what is wrong there is left to the walk."""
    compiled = often(schema, value)

    assert compiled.places_at_once(value, 60) is None
    assert told(compiled, value) == compiled.places(value)
    assert () == find(compiled, {})


def test_an_object_of_many_members_is_passed_over_as_before() -> None:
    """Looking for each of fifty members costs more than looking at the two that are there."""
    wide = {"properties": {f"a{n}": {"type": "integer"} for n in range(50)}}
    compiled = often({"properties": {"wide": wide, "b": {"type": "null"}}}, {"b": 1})

    assert ((("b",), "type"),) == compiled.places_at_once({"wide": {"a1": 1}, "b": 1}, 30)
    assert compiled.places_at_once({"wide": {"a1": "x"}, "b": 1}, 30) is None


def test_values_that_a_number_may_equal_are_left_to_the_walk() -> None:
    """``1.0`` is ``1``, and ``True`` is not."""
    compiled = compile_schema({"items": {"enum": [1, "a", None, False]}})

    assert (((0,), "enum"),) == find(compiled, [True])
    assert find(compiled, [1, "a", None, False]) == ()
    assert find(compiled, [1.0]) is None
    assert () == compiled.issues([1.0])
