"""What the straight walk of a schema notes is what its closures note."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.schema.official_suite import BY_NAME, Suite
from tests.profile import IS_LONG
from tests.schema_values import (
    EVERY,
    TOOLLISTS,
    VALUES,
    common_schemas_of,
    corpus_schemas,
    damage,
    made_value,
)
from toolgauge.contract import DEFAULT_BOUNDS, Bounds, CompiledSchema, Issue, compile_schema
from toolgauge.contract.schema.dialects import DIALECTS, Dialect
from toolgauge.contract.schema.explain.run import _MANY
from toolgauge.contract.schema.explain.scopes import Unresolved
from toolgauge.contract.schema.explain.straight import _code, straight_walk
from toolgauge.contract.schema.explain.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Callable


def straight_on(compiled: CompiledSchema, value: object) -> tuple[tuple[Issue, ...], bool]:
    """Give what a straight walk notes, in words, and whether that is sure."""
    explainer = compiled._make_explainer()
    walk = Walk(explainer._scope, DEFAULT_BOUNDS.max_explained, DEFAULT_BOUNDS.max_issues)
    straight_walk(compiled._schema, explainer)(walk, value)
    return tuple(explainer._words.issue(note, walk) for note in walk.notes), walk.is_sure


def holds(compiled: CompiledSchema, value: object) -> bool:
    """Hold a straight walk against the closures and the engine; tell whether it is sure."""
    expected = compiled.issues(value)
    try:
        found, is_sure = straight_on(compiled, value)
    except Unresolved:
        return False  # a reference that the closures cannot follow either
    if expected or is_sure:
        assert expected == found
    return is_sure


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", DIALECTS, ids=[each.name for each in DIALECTS])
def test_any_value_has_the_words_of_the_closures(dialect: Dialect) -> None:
    """Of schemas of common keywords, with some others below them."""
    sure = unsure = 0

    @settings(max_examples=400 if IS_LONG else 80, deadline=None, derandomize=True, database=None)
    @given(
        schema=common_schemas_of(dialect.number), values=st.lists(VALUES, min_size=4, max_size=8)
    )
    def hold(schema: Any, values: list[Any]) -> None:
        nonlocal sure, unsure
        compiled = CompiledSchema(schema, default_dialect=dialect)
        for value in values:
            is_sure = holds(compiled, value)
            sure, unsure = sure + is_sure, unsure + (not is_sure)

    hold()
    assert sure > (1_000 if IS_LONG else 200)
    assert unsure < sure


@pytest.mark.no_cover
@pytest.mark.skipif(not TOOLLISTS.is_dir(), reason="../shared is not here")
def test_damaged_arguments_of_real_tools_have_the_same_words() -> None:
    """Tools of the corpus: most of what is wrong with a call is sure at once."""
    draw = random.Random(12)
    refused = sure = 0

    for _, schema in corpus_schemas(EVERY):
        compiled = compile_schema(schema)
        value = made_value(schema, draw)
        if compiled.problem is not None or not isinstance(value, dict):
            continue
        for _ in range(3):
            is_refused = not compiled.is_valid(value)
            refused += is_refused
            sure += holds(compiled, value) and is_refused
            damage(value, draw)

    assert refused > 1_500 // EVERY
    assert sure > 0.8 * refused


def test_the_official_suite_has_the_same_words(official: Suite) -> None:
    """Every schema and value of the suite."""
    sure = 0

    for dialect in BY_NAME.values():
        remotes = official.remotes(dialect)
        for case in official.cases(dialect):
            compiled = CompiledSchema(case.schema, resources=remotes, default_dialect=dialect)
            named = case.schema.get("$schema") if isinstance(case.schema, dict) else None
            # The engine asserts these two in drafts 6 and 7, and no walk does.
            is_of_content = isinstance(case.schema, dict) and any(
                each in case.schema for each in ("contentMediaType", "contentEncoding")
            )
            if compiled.problem is None and named not in remotes and not is_of_content:
                sure += sum(holds(compiled, test.data) for test in case.tests)

    assert sure > 2_000


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

    assert holds(compiled, value)
    assert holds(compiled, {name: "b"})


def test_schemas_of_one_form_keep_their_own_names_and_limits() -> None:
    """Their source is the same text, and is compiled once."""
    schemas = [
        {"type": "object", "properties": {name: {"type": kind, limit: 3}}, "required": [name]}
        for name, kind, limit in (
            ("a", "integer", "minimum"),
            ("b", "integer", "minimum"),
            ("c", "number", "minimum"),
            ("d", "integer", "maximum"),
        )
    ]
    compiled = [compile_schema(schema) for schema in schemas]
    _code.cache_clear()

    for value in ({}, {"a": 2}, {"b": 2}, {"b": "x", "a": 1}, {"c": 2.5}, {"d": 4}, {"d": None}):
        for each in compiled:
            assert holds(each, value)
    # The first two are of one form.
    assert 3 == _code.cache_info().misses


def test_a_schema_that_is_not_often_asked_about_has_no_function() -> None:
    """Writing one takes as long as some hundred walks."""
    compiled = compile_schema({"type": "object", "properties": {"a": {"type": "string"}}})
    value = {"a": 1}
    issues = compiled.issues(value)
    places = ((("a",), "type"),)

    for _ in range(_MANY - 2):
        assert places == compiled.places(value, 8)
    assert compiled.places_at_once(value, 8) is None
    assert places == compiled.places(value, 8)
    assert places == compiled.places_at_once(value, 8)
    assert places == compiled.places(value, 8)
    assert issues == compiled.issues(value)
    assert compiled.places_at_once({"a": "b"}, 8) is None


def often(schema: Any, value: object, bounds: Bounds = DEFAULT_BOUNDS) -> CompiledSchema:
    """Ask so often that the function is there."""
    compiled = CompiledSchema(schema, bounds=bounds)
    for _ in range(_MANY):
        compiled.places(value, 20)
    return compiled


def test_what_the_bounds_of_a_walk_may_stop_is_left_to_it() -> None:
    """A large value, more issues than are listed, a search without end."""
    integers = {"items": {"type": "integer"}}
    bounded = often(integers, ["a"], Bounds(max_issues=3, max_explained=808))
    slow = often({"items": {"type": "string", "pattern": r"(a*)*\1b"}}, [""])

    assert 3 == len(bounded.places_at_once(["a"] * 3, 20) or ())
    assert bounded.places_at_once(["a"] * 4, 20) is None
    assert (
        "stopped after 3 errors: too much to list in full" == bounded.issues(["a"] * 4)[3].message
    )
    assert bounded.places_at_once(["a"], 100) is not None
    assert bounded.places_at_once(["a"], 101) is None
    assert (((0,), "pattern"),) == slow.places_at_once(["c"], 20)
    assert slow.places_at_once(["a" * 40 + "!"], 50) is None
    assert "schema" == slow.issues(["a" * 40 + "!"])[0].keyword


def test_a_meta_schema_of_the_callers_own_is_left_to_the_engine() -> None:
    """It may leave out the vocabulary that a walk takes for granted."""
    own: dict[str, Any] = {
        "$id": "https://example.com/own",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True},
    }
    schema = {"$schema": own["$id"], "items": {"type": "string"}}
    compiled = CompiledSchema(schema, resources={own["$id"]: own})
    for _ in range(_MANY):
        compiled.places([1], 3)

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
def test_where_source_ends_the_closures_go_on(schema: Any, value: object) -> None:
    """A schema of any size has a function, and source of some hundred lines."""
    compiled = compile_schema(schema)

    assert compiled.issues(value)
    assert not holds(compiled, value)
    assert holds(compiled, {})


def test_an_object_of_many_members_is_passed_over_as_before() -> None:
    """Looking for each of fifty members costs more than looking at the two that are there."""
    wide = {"properties": {f"a{n}": {"type": "integer"} for n in range(50)}}
    compiled = compile_schema({"properties": {"wide": wide, "b": {"type": "null"}}})

    assert holds(compiled, {"wide": {"a1": 1}, "b": 1})
    assert not holds(compiled, {"wide": {"a1": "x"}, "b": 1})


def test_values_that_a_number_may_equal_are_left_to_the_closures() -> None:
    """``1.0`` is ``1``, and ``True`` is not."""
    compiled = compile_schema({"type": ["number", "boolean", "string"], "enum": [1, "a", False]})

    assert holds(compiled, "b")
    assert holds(compiled, False)
    assert holds(compiled, 1.0)
    assert not holds(compiled, 2.0)
    assert straight_on(compiled, 1.0) == ((), True)
