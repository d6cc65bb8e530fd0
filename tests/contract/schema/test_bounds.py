from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.schema.watchdog import judge
from toolgauge.contract import Bounds, Issue, compile_schema

LEVELS = (10, 18, 22, 40)
NOTE = (None, ())
"""The keyword and path of a closing note: it is about no keyword and no place."""


def nested_list(levels: int) -> list[Any]:
    """Nest lists; the innermost is empty and counts as one level."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def by_pointer(keyword: str, levels: int) -> dict[str, Any]:
    """Refer twice to the next of so many definitions, by JSON Pointer."""
    defs: dict[str, Any] = {
        f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
        for n in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {"type": "string"}}}


def by_anchor(keyword: str, levels: int) -> dict[str, Any]:
    """Refer twice to the next of so many definitions, by anchor."""
    defs: dict[str, Any] = {
        f"d{n}": {"$anchor": f"a{n}", keyword: [{"$ref": f"#a{n + 1}"}, {"$ref": f"#a{n + 1}"}]}
        for n in range(levels)
    }
    last = {"$anchor": f"a{levels}", "type": "string"}
    return {"$ref": "#a0", "$defs": {**defs, "last": last}}


def by_fragment_id(keyword: str, levels: int) -> dict[str, Any]:
    """The same as drafts 6 and 7 write an anchor: as an ``$id`` that is only a fragment."""
    text = json.dumps(by_anchor(keyword, levels)).replace('"$anchor": "', '"$id": "#')
    defs = json.loads(text)["$defs"]
    # Beside a reference nothing counts there.
    start = {"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{"$ref": "#a0"}]}
    return {**start, "definitions": defs}


def by_dynamic_anchor(keyword: str, levels: int) -> dict[str, Any]:
    """Refer twice to the next of so many definitions, by dynamic anchor."""
    defs: dict[str, Any] = {
        f"d{n}": {
            "$dynamicAnchor": f"a{n}",
            keyword: [{"$dynamicRef": f"#a{n + 1}"}, {"$dynamicRef": f"#a{n + 1}"}],
        }
        for n in range(levels)
    }
    last = {"$dynamicAnchor": f"a{levels}", "type": "string"}
    return {"$dynamicRef": "#a0", "$defs": {**defs, "last": last}}


def by_id(keyword: str, levels: int) -> dict[str, Any]:
    """Refer twice to the next of so many embedded resources."""
    defs: dict[str, Any] = {
        f"d{n}": {
            "$id": f"http://bundle.test/r{n}",
            keyword: [{"$ref": f"r{n + 1}"}, {"$ref": f"/r{n + 1}#"}],
        }
        for n in range(levels)
    }
    last = {"$id": f"http://bundle.test/r{levels}", "type": "string"}
    return {"$ref": "http://bundle.test/r0", "$defs": {**defs, "last": last}}


def by_pointer_in_a_resource(keyword: str, levels: int) -> dict[str, Any]:
    """The same inside one embedded resource, with pointers from its own root."""
    return {
        "$ref": "urn:example:inner",
        "$defs": {"inner": {"$id": "urn:example:inner", **by_pointer(keyword, levels)}},
    }


def by_data(keyword: str, levels: int) -> dict[str, Any]:
    """Keep the definitions where no keyword expects a schema."""
    schema = by_pointer(keyword, levels)
    text = {"$ref": "#/data/d0", "data": schema["$defs"]}
    for each in text["data"].values():
        for branch in each.get(keyword, ()):
            branch["$ref"] = branch["$ref"].replace("$defs", "data")
    return text


SPELLINGS = (
    by_pointer,
    by_anchor,
    by_fragment_id,
    by_dynamic_anchor,
    by_id,
    by_pointer_in_a_resource,
    by_data,
)


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_doublings_are_decided_or_refused_and_never_hang(
    spelling: Callable[[str, int], dict[str, Any]], keyword: str
) -> None:
    """However the next definition is named, 2 ** 40 branches are never walked."""
    levels = LEVELS if spelling is by_pointer else (LEVELS[0], LEVELS[-1])
    schemas = [spelling(keyword, each) for each in levels]

    found = judge([(schema, value) for schema in schemas for value in (5, "text")])

    wrong, right = found[::2], found[1::2]
    assert all(wrong), "5 is no text, whatever the number of branches"
    # Two branches that accept are one too many for oneOf; below, no branch is left.
    assert {keyword == "oneOf"} == {bool(each) for each in right[:-1]}
    assert ["schema"] == [each["keyword"] for each in wrong[-1]]
    assert ["schema"] == [each["keyword"] for each in right[-1]]


@pytest.mark.parametrize(
    ("keyword", "inner", "value"),
    [
        ("unevaluatedProperties", {"properties": {"a": True}}, {"a": 1}),
        ("unevaluatedItems", {"prefixItems": [True]}, [1]),
    ],
)
@pytest.mark.parametrize("branch", ["allOf", "anyOf", "oneOf"])
def test_nested_unevaluated_keywords_are_decided_or_refused(
    keyword: str, inner: dict[str, Any], value: Any, branch: str
) -> None:
    """The engine asks every branch again at every level: 2.6 times the work for each."""
    schemas = []
    schema = inner
    for _ in range(40):
        schema = {branch: [schema], keyword: False}
        schemas.append(schema)

    found = judge([(each, value) for each in (schemas[0], schemas[4], schemas[20], schemas[39])])

    assert [[], []] == found[:2]
    assert [["schema"], ["schema"]] == [[each["keyword"] for each in one] for one in found[2:]]


def test_doublings_below_an_unevaluated_keyword_are_refused_earlier() -> None:
    """There each visit costs more."""
    schemas = []
    for levels in (4, 18):
        schema = by_pointer("allOf", levels)
        schema["$defs"][f"d{levels}"] = {"properties": {"a": True}}
        schemas.append({**schema, "unevaluatedProperties": False})

    found = judge([(schema, {"a": 1}) for schema in schemas])

    assert [] == found[0]
    assert ["schema"] == [each["keyword"] for each in found[1]]


def test_a_tree_with_unevaluated_members_is_no_problem_at_any_depth() -> None:
    """Work that is done once for each member does not multiply."""
    schema = {
        "$ref": "#/$defs/node",
        "$defs": {
            "named": {"properties": {"name": {"type": "string"}}},
            "node": {
                "allOf": [
                    {"$ref": "#/$defs/named"},
                    {"properties": {"below": {"items": {"$ref": "#/$defs/node"}}}},
                ],
                "unevaluatedProperties": False,
            },
        },
    }
    value: dict[str, Any] = {"name": "leaf"}
    for _ in range(45):
        value = {"name": "branch", "below": [value]}

    assert () == compile_schema(schema).issues(value)


def test_work_that_grows_with_the_value_is_refused_for_that_value() -> None:
    """Three branches at every member: fine for small values, 3 ** 40 for deep ones."""
    branch = {"properties": {"a": {"$ref": "#"}}, "required": ["a"]}
    schema = {"anyOf": [branch, dict(branch), dict(branch), {"type": "string"}]}
    deep: Any = 5
    for _ in range(40):
        deep = {"a": deep}

    found = judge([(schema, "x"), (schema, {"a": "x"}), (schema, deep)])

    assert [[], []] == found[:2]
    assert [("", None)] == [(each["path"], each.get("keyword")) for each in found[2]]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"oneOf": [{"$ref": "#/anyOf/0"}]}}},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"not": {"$ref": "#"}},
    ],
)
def test_references_in_a_circle_end(schema: dict[str, Any]) -> None:
    """A schema that only refers to itself says nothing, whatever the verdict."""
    assert 1 == len(judge([(schema, {"a": [1]})]))


def test_a_recursive_schema_holds_to_the_depth_bound() -> None:
    """Recursion is legal where the value gets smaller; the word is for the right place."""
    schema = {"type": "object", "additionalProperties": {"$ref": "#"}}
    value: Any = 5
    for _ in range(99):
        value = {"a": value}

    found = compile_schema(schema).issues(value)

    assert [(("a",) * 99, "type")] == [(each.path, each.keyword) for each in found]


@pytest.mark.parametrize("schema", [True, {}, {"type": "array"}, {"items": {"$ref": "#"}}])
def test_a_value_of_100_levels_is_judged_and_one_of_101_is_not(schema: Any) -> None:
    """The bound is the last depth that is allowed."""
    compiled = compile_schema(schema)

    assert () == compiled.issues(nested_list(100))
    assert [NOTE] == [(each.keyword, each.path) for each in compiled.issues(nested_list(101))]


def test_values_that_no_engine_survives_are_refused() -> None:
    """5,000 levels end the process of one engine and overflow the other."""
    itself: list[Any] = []
    itself.append(itself)
    twice: list[Any] = []
    twice += [twice, twice]
    around: dict[str, Any] = {}
    around["a"] = ({"b": around},)
    compiled = compile_schema({"items": {"$ref": "#"}})

    for value in (nested_list(5_000), itself, twice, around):
        assert [NOTE] == [(each.keyword, each.path) for each in compiled.issues(value)]


def test_many_branches_of_a_value_are_counted_once_each() -> None:
    """Wide rows of containers stay within the bound, and are judged."""
    compiled = compile_schema({"items": {"items": {"type": "integer"}}})
    value = [[n] for n in range(10_000)]

    assert () == compiled.issues(value)
    assert [("type", (9_999, 0))] == [
        (each.keyword, each.path) for each in compiled.issues([*value[:-1], ["x"]])
    ]


def test_a_schema_of_64_levels_compiles_and_one_of_65_does_not() -> None:
    """The root is the first level."""

    def nested(levels: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        for _ in range(levels - 1):
            schema = {"properties": {"a": schema}}
        return schema

    assert None is compile_schema(nested(64)).problem
    for levels in (65, 200, 5_000):
        problem = compile_schema(nested(levels)).problem
        assert problem is not None
        assert "schema" == problem.keyword


def test_depth_behind_a_reference_into_data_is_bounded_too() -> None:
    """What lies under no keyword becomes a schema where a reference points at it."""
    deep: dict[str, Any] = {}
    for _ in range(70):
        deep = {"not": deep}

    problem = compile_schema({"x": deep, "$ref": "#/x"}).problem

    assert problem is not None
    assert "schema" == problem.keyword


def test_10_000_subschemas_compile_and_one_more_does_not() -> None:
    """The root is one of them; booleans count."""

    def wide(count: int) -> dict[str, Any]:
        return {"properties": {f"p{n}": n % 2 == 0 or {} for n in range(count - 1)}}

    assert None is compile_schema(wide(10_000)).problem
    problem = compile_schema(wide(10_001)).problem
    assert problem is not None
    assert "schema" == problem.keyword


def test_at_most_1_000_issues_are_given_and_then_a_note() -> None:
    """The last one says that there are more; the first ones are in order."""
    issues = compile_schema({"items": {"type": "string"}}).issues([1] * 2_000)

    assert 1_001 == len(issues)
    assert [(n,) for n in range(1_000)] == [each.path for each in issues[:-1]]
    assert NOTE == (issues[-1].keyword, issues[-1].path)


def test_exactly_as_many_issues_as_the_bound_need_no_note() -> None:
    """Nothing was left out."""
    compiled = compile_schema({"items": {"type": "string"}}, bounds=Bounds(max_issues=3))

    assert ["type"] * 3 == [each.keyword for each in compiled.issues([1, 2, 3])]
    assert ["type"] * 3 + [None] == [each.keyword for each in compiled.issues([1, 2, 3, 4])]


def test_an_explanation_that_takes_too_long_stops_with_a_note() -> None:
    """The verdict stands, with the errors found until then."""
    schema: dict[str, Any] = {"prefixItems": [{"type": "string"}, by_pointer("anyOf", 18)]}
    schema["$defs"] = schema["prefixItems"][1].pop("$defs")

    issues = compile_schema(schema).issues([1, 5])

    assert [("type", (0,)), NOTE] == [(each.keyword, each.path) for each in issues]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, "x" * 1_000_000),
        ({"additionalProperties": False}, {f"name{n}": n for n in range(5_000)}),
        ({"enum": ["x" * 5_000]}, 1),
        ({"type": "x" * 5_000}, 1),
        ({"$ref": "#/" + "x" * 5_000}, 1),
    ],
)
def test_no_message_is_longer_than_2_048_characters(schema: Any, value: Any) -> None:
    """A message quotes the value; what is cut ends with an ellipsis."""
    (issue,) = compile_schema(schema).issues(value)

    assert 2_048 == len(issue.message)
    assert issue.message.endswith("…")


def test_bounds_are_settings() -> None:
    """Each compiler has its own, whatever another one compiled before."""
    tight = Bounds(max_instance_depth=1, max_schema_depth=2, max_subschemas=3, max_message_chars=20)
    schema: dict[str, Any] = {"items": {"items": {}}}

    assert None is compile_schema(schema).problem
    assert None is not compile_schema(schema, bounds=tight).problem
    assert () == compile_schema({}).issues([[]])
    assert () != compile_schema({}, bounds=tight).issues([[]])
    (issue,) = compile_schema({"type": "null"}, bounds=tight).issues("a" * 40)
    assert 20 == len(issue.message)


def test_unique_items_and_enums_of_thousands_are_decided() -> None:
    """Both are linear here, where the reference compares each with each."""
    items: list[Any] = [{"n": n} for n in range(3_000)]
    listed = {"items": {"enum": items}}

    found = judge(
        [
            ({"uniqueItems": True}, items),
            ({"uniqueItems": True}, [*items, {"n": 7}]),
            (listed, items),
            (listed, [{"n": -1}] * 1_000),
        ]
    )

    assert [[], ["uniqueItems"], []] == [[each["keyword"] for each in one] for one in found[:3]]
    assert "enum" == found[3][0]["keyword"]


def issue_of(issues: tuple[Issue, ...]) -> tuple[tuple[str | int, ...], str | None]:
    """Give path and keyword of the only issue."""
    (issue,) = issues
    return issue.path, issue.keyword


@pytest.mark.parametrize(
    ("one", "two"),
    [(1, 1.0), ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}), ("x", "x"), (None, None), ([], [])],
)
def test_unique_items_compares_as_json_does(one: Any, two: Any) -> None:
    """The number counts, not how it is written; order of members does not."""
    assert ((), "uniqueItems") == issue_of(compile_schema({"uniqueItems": True}).issues([one, two]))


@pytest.mark.parametrize(("one", "two"), [(1, True), (0, False), ("1", 1), ([], {}), (None, 0)])
def test_unique_items_keeps_kinds_apart(one: Any, two: Any) -> None:
    """A boolean is no number."""
    assert () == compile_schema({"uniqueItems": True}).issues([one, two])
