"""The place that breaks is named, whatever else differs; drafts that mean the same are equal."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.profile import IS_LONG
from toolgauge.changes import Changes, compare_schemas
from toolgauge.contract import compile_schema

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
DRAFT_2019 = {"$schema": "https://json-schema.org/draft/2019-09/schema"}
TEXT = {"type": "string"}
PROFILE = settings(
    phases=[Phase.generate],
    max_examples=400 if IS_LONG else 12,
    deadline=None,
    derandomize=not IS_LONG,
    database=None,
)


def holding(schema: Any, **members: Any) -> dict[str, Any]:
    """Give an object with a property of a schema."""
    return {"type": "object", "properties": {"t": schema}, **members}


def broken(changes: Changes) -> list[str]:
    """Give the places that break."""
    return [each.pointer for each in changes.changes if each.severity == "breaking"]


def test_n17_a_place_that_refers_to_a_new_definition_is_named() -> None:
    """Not the harmless one before it."""
    limit = {"type": "integer", "maximum": 10}
    old = {
        "type": "object",
        "properties": {"count": limit, "mode": TEXT},
        "additionalProperties": False,
    }
    new = {
        "type": "object",
        "properties": {"count": {**limit, "maximum": 20}, "mode": {"$ref": "#/$defs/Mode"}},
        "additionalProperties": False,
        "$defs": {"Mode": {"type": "string", "enum": ["air", "sea"]}},
    }

    assert ["/properties/mode"] == broken(compare_schemas(old, new))
    assert ["/properties/count/maximum"] == broken(compare_schemas(old, new, direction="output"))


def test_a_changed_definition_is_named_where_it_lies() -> None:
    """Both sides refer to it."""
    old = {**holding({"$ref": "#/$defs/A"}), "$defs": {"A": TEXT, "B": TEXT}}
    new = {**old, "$defs": {"A": {**TEXT, "maxLength": 3}, "B": {**TEXT, "minLength": 0}}}

    assert ["/$defs/A/maxLength"] == broken(compare_schemas(old, new))


@PROFILE
@given(
    st.integers(0, 79),
    st.sampled_from(
        [
            ({"$ref": "#/$defs/new"}, ""),
            ({**TEXT, "maxLength": 2}, "/maxLength"),
            ({**TEXT, "enum": ["a"]}, "/enum"),
            ({"anyOf": [{"$ref": "#/$defs/new"}, {"type": "null"}]}, ""),
        ]
    ),
    st.booleans(),
)
def test_the_one_that_breaks_is_found_among_eighty(
    index: int, change: tuple[Any, str], is_deep: bool
) -> None:
    """Each of the others is wider than before."""
    schema, below = change
    olds: dict[str, Any] = {f"p{n:02}": {**TEXT, "maxLength": 9} for n in range(80)}
    olds[f"p{index:02}"] = TEXT
    news: dict[str, Any] = {name: {**TEXT, "maxLength": 10} for name in olds}
    news[f"p{index:02}"] = schema
    held = {"$defs": {"new": {"type": "string", "pattern": "^x"}}}
    old, new = ({"type": "object", "properties": each} for each in (olds, news))
    path = f"/properties/p{index:02}"
    if is_deep:
        old, new, path = holding(old), holding(new), f"/properties/t{path}"
    found = compare_schemas(old, {**new, **held})

    assert "breaking" == found.verdict
    assert broken(found)[0] in {path + below, f"{path}/anyOf", f"{path}/type", "/$defs/new"}


def test_every_place_that_breaks_is_listed() -> None:
    """Each with a witness of its own."""
    old: dict[str, Any] = {"type": "object", "properties": {f"p{n:02}": TEXT for n in range(40)}}
    new = copy.deepcopy(old)
    for n in range(40):
        new["properties"][f"p{n:02}"] = {**TEXT, **({"maxLength": 5} if n % 2 else {"title": "a"})}
    found = compare_schemas(old, new)

    assert [f"/properties/p{n:02}/maxLength" for n in range(1, 40, 2)] == broken(found)


MEANING_THE_SAME: list[tuple[dict[str, Any], Any, Any]] = [
    (
        DRAFT_7,
        {"type": "array", "items": [TEXT], "additionalItems": False},
        {"type": "array", "prefixItems": [TEXT], "items": False},
    ),
    (DRAFT_7, {"items": [TEXT, True]}, {"prefixItems": [TEXT, True]}),
    (DRAFT_7, {"items": TEXT, "additionalItems": False}, {"items": TEXT}),
    (DRAFT_2019, {"items": [TEXT]}, {"prefixItems": [TEXT]}),
    (
        DRAFT_7,
        {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
    ),
    (
        DRAFT_4,
        {"type": "number", "minimum": 1, "exclusiveMinimum": True, "maximum": 4},
        {"type": "number", "exclusiveMinimum": 1, "maximum": 4},
    ),
    (DRAFT_4, {"maximum": 4, "exclusiveMaximum": False}, {"maximum": 4}),
    (DRAFT_4, {"type": "string", "const": "a"}, TEXT),
    (DRAFT_7, {"type": "string", "minContains": 1, "unevaluatedItems": False}, TEXT),
    (DRAFT_7, {"$ref": "#/definitions/d", "maxLength": 2}, {"$ref": "#/definitions/d"}),
]


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize(("draft", "old", "new"), MEANING_THE_SAME)
def test_n20_what_two_drafts_write_differently_is_the_same(
    draft: dict[str, Any], old: Any, new: Any, direction: Any
) -> None:
    """Tuples, dependencies, exclusive limits, keywords that a draft does not have."""
    held = {"definitions": {"d": TEXT}}
    pair = {**draft, **holding(old), **held}, {**holding(new), **held}

    assert "compatible" == compare_schemas(*pair, direction=direction).verdict
    assert "compatible" == compare_schemas(*reversed(pair), direction=direction).verdict


@PROFILE
@given(st.data())
def test_a_change_between_drafts_is_never_called_compatible(data: st.DataObject) -> None:
    """What one draft has and the other reads otherwise is held against both engines."""
    draft, old, _ = data.draw(st.sampled_from(MEANING_THE_SAME))
    _, _, new = data.draw(st.sampled_from(MEANING_THE_SAME))
    held = {"definitions": {"d": TEXT}}
    one, other = {**draft, **holding(old), **held}, {**holding(new), **held}
    values: list[Any] = ["", "abc", 0, 1, 1.0, 4, 5, None, [], ["a"], ["a", 1], [1], {}, {"a": 1}]
    values += [{"c": 1}, {"c": 1, "d": 2}, {"a": 1, "b": 2}]
    for asked, given_ in ((one, other), (other, one)):
        if "compatible" == compare_schemas(asked, given_).verdict:
            admits, refuses = compile_schema(asked), compile_schema(given_)
            for value in values:
                assert admits.is_valid({"t": value}) <= refuses.is_valid({"t": value})


def branch(tag: str | None, **members: Any) -> dict[str, Any]:
    """Give one closed branch of a union with forty optional members."""
    named: dict[str, Any] = {f"p{n}": TEXT for n in range(40)}
    if tag is not None:
        named["kind"] = {"const": tag}
    asked = ["p0", "p1", *(["kind"] if tag else [])]
    return {
        "type": "object",
        "properties": {**named, **members},
        "required": asked,
        "additionalProperties": False,
    }


@PROFILE
@given(
    st.sampled_from(["anyOf", "oneOf"]),
    st.integers(2, 30),
    st.data(),
    st.sampled_from(["reorder", "narrow", "drop", "add", "require", "allow"]),
    st.booleans(),
)
def test_large_unions_are_decided(
    union: str, count: int, data: st.DataObject, change: str, is_held: bool
) -> None:
    """Forty optional members in each closed branch, told apart by a tag."""
    at = data.draw(st.integers(0, count - 1))
    rows = [branch(f"k{n}") for n in range(count)]
    made = copy.deepcopy(rows)
    if change == "reorder":
        made = [{**each, "required": each["required"][::-1]} for each in reversed(made)]
    elif change == "narrow":
        made[at]["properties"]["p7"] = {**TEXT, "maxLength": 5}
    elif change == "drop":
        del made[at]
    elif change == "add":
        made.append(branch("new"))
    elif change == "require":
        made[at]["required"].append("p9")
    else:
        made[at]["properties"]["z"] = TEXT
    old, new = (
        {**holding({"$ref": "#/$defs/u"}), "$defs": {"u": {union: each}}}
        if is_held
        else holding({union: each})
        for each in (rows, made)
    )
    is_wider = change in {"add", "allow"}
    breaking = {"reorder": set(), "add": {"output"}, "allow": {"output"}}.get(change, {"input"})
    for direction in ("input", "output"):
        expected = "breaking" if direction in breaking else "compatible"
        assert expected == compare_schemas(old, new, direction=direction).verdict, is_wider


def test_an_enum_behind_all_of_and_a_condition_is_decided() -> None:
    """One value less."""

    def conditional(modes: list[str], sizes: list[int]) -> dict[str, Any]:
        met = {"properties": {"mode": {"const": "a"}}, "required": ["mode"]}
        then = {"required": ["x"], "properties": {"size": {"enum": sizes}}}
        return {
            "type": "object",
            "properties": {"mode": TEXT, "x": {"properties": {f"o{n}": TEXT for n in range(40)}}},
            "allOf": [{"properties": {"mode": {"enum": modes}}}, {"if": met, "then": then}],
        }

    old = conditional(["a", "b", "c"], [1, 2, 3])
    for new in (conditional(["a", "b"], [1, 2, 3]), conditional(["a", "b", "c"], [1, 2])):
        assert "breaking" == compare_schemas(old, new).verdict
        assert "compatible" == compare_schemas(old, new, direction="output").verdict
