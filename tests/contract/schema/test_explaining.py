from __future__ import annotations

import copy
import dataclasses
import pickle
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from toolgauge.contract import DEFAULT_BOUNDS, Bounds, CompiledSchema, Issue, compile_schema
from toolgauge.contract.schema.dialects import DIALECTS, dialect_of
from toolgauge.contract.schema.explain import Explainer, scope_of
from toolgauge.contract.schema.patterns import searcher

CIRCLE = {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["r"]}
SQUARE = {"properties": {"kind": {"const": "square"}, "a": {"type": "number"}}, "required": ["a"]}


def told(issues: tuple[Issue, ...]) -> list[tuple[str, str | None]]:
    """Give the place and keyword of each issue."""
    return [(each.pointer, each.keyword) for each in issues]


def test_all_issues_come_in_the_schemas_order() -> None:
    """The keywords' own order, then the members' (decision V25)."""
    schema = {
        "required": ["z", "a"],
        "properties": {"b": {"minLength": 2, "type": "integer"}, "c": {"items": {"type": "null"}}},
        "additionalProperties": False,
    }

    found = told(compile_schema(schema).issues({"c": [None, 1], "x": 1, "b": "s"}))

    assert [
        ("/z", "required"),
        ("/a", "required"),
        ("/b", "minLength"),
        ("/b", "type"),
        ("/c/1", "type"),
        ("", "additionalProperties"),
    ] == found


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"required": ["a/b", "~"]}, [("/a~1b", "required"), ("/~0", "required")]),
        ({"dependentRequired": {"x": ["y", "z"]}}, [("/y", "dependentRequired")] * 1),
        ({"dependentRequired": {"no": ["y"]}}, []),
        ({"dependencies": {"x": ["y"]}}, [("/y", "dependencies")]),
        ({"dependencies": {"x": {"required": ["q"]}, "no": False}}, [("/q", "required")]),
    ],
)
def test_a_missing_member_is_placed_where_it_should_be(
    schema: Any, expected: list[tuple[str, str]]
) -> None:
    """One issue for each, parent and name joined and escaped (decision V1)."""
    found = told(compile_schema(schema).issues({"x": 1, "z": 2}))

    assert expected == found


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (False, 1, [("", None)]),
        ({"properties": {"a": False}}, {"a": 1}, [("/a", None)]),
        ({"prefixItems": [True, False]}, [1, 2], [("/1", None)]),
        ({"patternProperties": {"^x": False}}, {"xy": 1}, [("/xy", None)]),
        ({"allOf": [False]}, 1, [("", None)]),
        ({"if": True, "then": False}, 1, [("", None)]),
        ({"if": False, "else": False}, 1, [("", None)]),
    ],
)
def test_a_false_subschema_has_a_place_and_no_keyword(
    schema: Any, value: Any, expected: list[tuple[str, None]]
) -> None:
    """There is none to name (decision V17)."""
    assert expected == told(compile_schema(schema).issues(value))


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("value", "causes"),
    [
        ({"kind": "circle", "r": "x"}, [("/r", "type")]),
        ({"kind": "square"}, [("/a", "required")]),
        ({"r": "x", "a": "y"}, []),
        ({"kind": "star"}, []),
        (5, []),
        ([1], []),
    ],
)
def test_the_branch_that_was_meant_is_the_cause(
    keyword: str, value: Any, causes: list[tuple[str, str]]
) -> None:
    """Where a tag tells, and only there: two that are equally likely are not guessed at."""
    branches = [{**CIRCLE, "type": "object"}, {**SQUARE, "type": "object"}, {"type": "null"}]

    (issue,) = compile_schema({keyword: branches}).issues(value)

    assert ("", keyword) == (issue.pointer, issue.keyword)
    assert causes == told(issue.causes)


def test_the_branch_with_fewest_issues_is_the_cause() -> None:
    """Where no tag tells."""
    schema = {"items": {"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}}

    (issue,) = compile_schema(schema).issues([{}])

    assert ("/0", "anyOf") == (issue.pointer, issue.keyword)
    assert [("/0/c", "required")] == told(issue.causes)


def test_a_value_that_too_many_branches_accept_has_no_cause() -> None:
    """Nothing is wrong with any of them."""
    (issue,) = compile_schema({"oneOf": [{}, {"type": "integer"}]}).issues(1)

    assert "oneOf" == issue.keyword
    assert () == issue.causes


@pytest.mark.parametrize(
    ("text", "name", "is_hinted"),
    [
        ('{"a": 1}', "object", True),
        (' [1, "b"]', "array", True),
        ("[1]", "object", False),
        ('{"a": 1}', "array", False),
        ("{not JSON}", "object", False),
        ("[1", "array", False),
        ("{} x", "object", False),
        ("text", "object", False),
        ("5", "integer", False),
    ],
)
def test_json_in_a_text_is_noticed(text: str, name: str, is_hinted: bool) -> None:
    """Where the schema wants what is in it, and nowhere else. The verdict stays."""
    (issue,) = compile_schema({"type": [name, "null"]}).issues(text)

    assert "type" == issue.keyword
    assert is_hinted is (issue.hint is not None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("yes", []), ("2026-02-30", [("", "format")]), ("2026-02-28", [])],
)
def test_formats_are_checked_where_they_are_switched_on(
    value: str, expected: list[tuple[str, str]]
) -> None:
    """One that nobody knows is kept by everything."""
    name = "date" if value.startswith("2") else "answer"
    schema = {"properties": {"a": {"type": "null"}, "b": {"format": name}}}

    assert expected == told(compile_schema({"format": name}, formats=True).issues(value))
    found = told(compile_schema(schema, formats=True).issues({"a": 1, "b": value}))
    assert [("/a", "type"), *(("/b", keyword) for _, keyword in expected)] == found
    assert () == compile_schema({"format": name}).issues(value)


NUMBERS = {"minimum", "multipleOf"}
ARRAYS: list[dict[str, Any]] = [
    {"prefixItems": [False]},
    {"contains": False},
    {"uniqueItems": True},
    {"minItems": 1},
    {"maxItems": 0},
    {"minLength": 1},
    {"pattern": "x"},
    {"minimum": 1},
    {"unevaluatedItems": False},
    {"$schema": DIALECTS[2].uri, "items": {"type": "null"}},
    {"$schema": DIALECTS[2].uri, "items": [True], "additionalItems": False},
    {"$schema": DIALECTS[2].uri, "contains": False},
]


@pytest.mark.parametrize(
    "keyword",
    [
        {"unevaluatedProperties": False},
        {"unevaluatedItems": False},
        {"dependentSchemas": {"a": False}},
        {"dependentRequired": {"a": ["b"]}},
        {"dependencies": {"a": ["b"]}},
        {"properties": {"a": False}},
        {"patternProperties": {"": False}},
        {"additionalProperties": False},
        {"propertyNames": False},
        {"required": ["a"]},
        {"items": False},
        {"prefixItems": [False]},
        {"contains": False},
        {"uniqueItems": True},
        {"minItems": 1},
        {"minLength": 1},
        {"minimum": 1},
        {"multipleOf": 2},
        {"pattern": "a"},
        {"minProperties": 1},
    ],
)
def test_a_keyword_says_nothing_of_values_of_another_type(keyword: dict[str, Any]) -> None:
    """What is refused for its type is refused for that alone."""
    compiled = compile_schema({**keyword, "type": "null"})

    assert [("", "type")] == told(compiled.issues(value=True))
    # Nor of one whose class says nothing.
    assert [("", "type")] == [
        each for each in told(compiled.issues(Decimal("1e400"))) if each[1] not in NUMBERS
    ]


@pytest.mark.parametrize("keyword", [{"items": {"type": "null"}}, {"items": False}, *ARRAYS])
def test_a_mapping_of_another_class_is_an_object(keyword: dict[str, Any]) -> None:
    """And no array, text or number, whatever is asked of those."""
    compiled = compile_schema({"properties": {"a": False}, "required": ["b"], **keyword})

    assert [("/a", None), ("/b", "required")] == told(compiled.issues(OrderedDict(a=1)))


def test_items_that_a_branch_looked_at_are_evaluated() -> None:
    """By its own ``unevaluatedItems`` too: of two that are wrong, each says so once."""
    schema = {"allOf": [{"unevaluatedItems": {"type": "integer"}}], "unevaluatedItems": False}

    assert () == compile_schema(schema).issues([1, 2])
    assert "unevaluatedItems" in {each.keyword for each in compile_schema(schema).issues(["x"])}


def test_draft_04_writes_exclusive_limits_as_flags() -> None:
    """The keyword that fails is still the limit."""
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "items": {
            "minimum": 1,
            "exclusiveMinimum": True,
            "maximum": 3,
            "exclusiveMaximum": True,
        },
    }

    assert [("/0", "minimum"), ("/2", "maximum"), ("/3", "minimum")] == told(
        compile_schema(schema).issues([1, 2, 3, 0])
    )
    for limit, flag, right in (
        ("minimum", "exclusiveMinimum", 4),
        ("maximum", "exclusiveMaximum", 2),
    ):
        alone = {"$schema": schema["$schema"], "items": {limit: 3, flag: True}}
        assert [("/1", limit)] == told(compile_schema(alone).issues([right, 3]))


def test_words_that_ours_do_not_find_are_the_engines() -> None:
    """A refusal never comes without an issue (decision X2)."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "contentMediaType": "application/json",
    }

    (issue,) = compile_schema(schema).issues("{:}")

    assert ("", "contentMediaType") == (issue.pointer, issue.keyword)


def test_words_of_the_engine_are_not_asked_for_where_they_multiply() -> None:
    """It lists errors branch by branch; the verdict stands without more words."""
    definitions: dict[str, Any] = {
        f"d{n}": {"allOf": [{"$ref": f"#/definitions/d{n + 1}"}] * 2} for n in range(14)
    }
    definitions["d14"] = {"contentMediaType": "application/json"}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": definitions,
        "allOf": [{"$ref": "#/definitions/d0"}],
    }

    assert [("", None)] == told(compile_schema(schema).issues("{:}"))


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({}, "2020-12"),
        (True, "2020-12"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, "2020-12"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema#"}, "2020-12"),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema"}, "2019-09"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "draft-07"),
        ({"$schema": "http://json-schema.org/draft-07/schema"}, "draft-07"),
        ({"$schema": "http://json-schema.org/draft-06/schema#"}, "draft-06"),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, "draft-04"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, None),
        ({"$schema": "http://json-schema.org/schema#"}, None),
        ({"$schema": ["a list"]}, None),
        ({"$schema": None}, None),
    ],
)
def test_the_dialect_is_named_by_the_schema(schema: object, name: str | None) -> None:
    """An empty fragment does not count; without a name it is 2020-12 (decision V6)."""
    dialect = dialect_of(schema)

    assert name == (dialect.name if dialect else None)


def test_a_meta_schema_of_the_callers_own_has_the_dialect_it_is_written_in() -> None:
    """Handed in, never fetched."""
    draft_07 = DIALECTS[2]
    meta = {"https://host.test/meta": {"$schema": draft_07.uri}}

    assert draft_07 == dialect_of({"$schema": "https://host.test/meta"}, DIALECTS[0], meta)
    assert None is dialect_of({"$schema": "https://host.test/other"}, DIALECTS[0], meta)


def test_schemas_that_are_handed_in_are_found() -> None:
    """By the engine that decides and by what explains."""
    resources = {"https://host.test/city": {"$defs": {"c": {"type": "string", "minLength": 2}}}}
    schema = {"properties": {"city": {"$ref": "https://host.test/city#/$defs/c"}}}

    compiled = CompiledSchema(schema, resources=resources)

    assert () == compiled.issues({"city": "Paris"})
    assert [("/city", "minLength")] == told(compiled.issues({"city": "P"}))


TAGGED: list[dict[str, Any]] = [
    {
        "type": "object",
        "properties": {"kind": {"const": name}, "size": {"type": "integer", "minimum": 1}},
        "required": ["kind", "size"],
        "additionalProperties": False,
    }
    for name in ("a", "b", "c")
]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("value", "causes"),
    [
        ({"kind": "b", "size": 0}, [("/0/size", "minimum")]),
        (
            {"kind": "b", "more": 1},
            [("/0/size", "required"), ("/0", "additionalProperties")],
        ),
        ({"kind": "d", "size": 0}, []),
        ({"kind": 5, "size": 0}, []),
        ({"size": "x"}, []),
    ],
)
def test_a_tag_decides_which_branch_was_meant(
    keyword: str, value: Any, causes: list[tuple[str, str]]
) -> None:
    """Other branches are not walked for more than their tag."""
    for branches in (TAGGED, [*TAGGED, {"type": "string"}]):
        (issue,) = compile_schema({"items": {keyword: branches}}).issues([value])

        assert (("/0", keyword), causes) == ((issue.pointer, issue.keyword), told(issue.causes))


def test_a_tag_beside_an_old_reference_is_none() -> None:
    """Up to draft-07 a reference is all that counts in its schema."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"n": {"type": "object", "required": ["n"]}},
        "anyOf": [
            {"$ref": "#/definitions/n", "properties": {"kind": {"const": "b"}}},
            {"type": "null"},
        ],
    }

    (issue,) = compile_schema(schema).issues({"kind": "a"})

    assert [("/n", "required")] == told(issue.causes)


def test_an_issue_is_as_good_as_one_made_by_hand() -> None:
    """Equal, hashable, frozen, and fit to travel between processes."""
    (found,) = compile_schema({"properties": {"a": {"type": "integer"}}}).issues({"a": "x"})
    made = Issue(path=("a",), message="'x' is not of type 'integer'", keyword="type")

    assert made == found
    assert hash(made) == hash(found)
    assert repr(made) == repr(found)
    assert made == pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert made == copy.deepcopy(found)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.message = "x"  # type: ignore[misc]  # it is frozen


@pytest.mark.parametrize(
    ("schema", "right", "wrong", "keyword"),
    [
        ({"type": "object", "required": ["a"]}, OrderedDict(a=1), OrderedDict(b=1), "required"),
        ({"type": "integer"}, 1.0, 1.5, "type"),
        ({"type": "integer", "minimum": 3}, 3.0, 1.0, "minimum"),
        ({"enum": [1, 2.5]}, 1.0, True, "enum"),
        ({"const": 1}, 1.0, True, "const"),
        ({"type": "array", "items": {"type": "null"}}, (None,), (1,), "type"),
        ({"exclusiveMinimum": 1, "maximum": 3}, 2, 1, "exclusiveMinimum"),
        ({"exclusiveMaximum": 3, "minimum": 1}, 2, 3, "exclusiveMaximum"),
    ],
)
def test_values_are_judged_by_what_they_are(
    schema: dict[str, Any], right: Any, wrong: Any, keyword: str
) -> None:
    """Not by their class alone: what is seen at a glance is only what is sure."""
    compiled = compile_schema({"properties": {"x": schema, "y": schema}})

    found = compiled.issues({"x": right, "y": wrong})

    assert [keyword] == [each.keyword for each in found]
    assert "y" == found[0].path[0]


def test_long_values_are_quoted_up_to_the_bound() -> None:
    """Short messages about a long value are whole; long ones are cut where they always were."""
    schema = {"properties": {"a": {"type": "integer"}, "b": {"maxLength": 3}, "c": False}}
    value = {"a": "x", "b": "y" * 10_000, "c": ["z'" * 2_000]}
    limit = DEFAULT_BOUNDS.max_message_chars

    messages = [each.message for each in compile_schema(schema).issues(value)]

    whole = [
        "'x' is not of type 'integer'",
        f"{value['b']!r} is too long",
        f"False schema does not allow {value['c']!r}",
    ]
    assert [each if len(each) <= limit else each[: limit - 1] + "…" for each in whole] == messages


def test_causes_are_bounded_like_everything_else() -> None:
    """Where there are more words than may be, the issues before them are given."""
    branch = {"type": "array", "items": {"type": "string", "pattern": "^b"}}
    schema = {
        "prefixItems": [{"type": "null"}],
        "items": {"anyOf": [branch, {"type": "integer"}]},
    }
    row = ["a" * 3_000] * 20

    issues = compile_schema(schema, bounds=Bounds(max_explained=2_000)).issues([1, *[row] * 8])

    assert [("/0", "type"), ("/1", "anyOf"), ("/2", "anyOf")] == told(issues)[:-1]
    assert (None, ()) == (issues[-1].keyword, issues[-1].path)
    assert 20 == len(issues[1].causes)


def test_places_are_not_told_where_words_might_tell_more() -> None:
    """Of what a bound stops or may stop, and where a reference or a pattern gives up."""
    many = compile_schema({"items": {"type": "string"}}, bounds=Bounds(max_issues=3))
    anyof = {"anyOf": [{"type": "string"}, {"anyOf": [{"type": "null"}, {"enum": [7]}]}]}
    branches, short = compile_schema(anyof), compile_schema(anyof, bounds=Bounds(max_explained=40))
    broken = compile_schema({"$ref": "#/nowhere"})
    slow = compile_schema({"pattern": r"(a*)*\1b"})

    assert ((("a", 0), "type"),) == compile_schema(
        {"properties": {"a": {"items": {"type": "string"}}}}
    ).places({"a": [1]}, 50)
    assert 4 == len(many.issues([1] * 9))
    assert many.places([1] * 3, 50) is not None
    assert many.places([1] * 9, 50) is None
    assert branches.places(1, 50) == (((), "anyOf"),)
    assert short.places(1, 50) is None
    assert [("", "anyOf")] == told(short.issues(1))
    assert broken.problem is not None
    assert broken.places(1, 50) is None
    assert slow.places("a" * 40 + "!", 50) is None


def test_a_reference_into_what_is_no_schema_finds_no_words() -> None:
    """The engine follows it all the same; its verdict and its words stand."""
    explainer = Explainer(
        {"$ref": "#/x"},
        dialect=DIALECTS[0],
        scope=scope_of({"x": 5}, DIALECTS[0], {}, is_self_contained=True),
        branches=None,
        bounds=DEFAULT_BOUNDS,
        searcher=lambda pattern: searcher(pattern, DEFAULT_BOUNDS),
        format_check=None,
    )

    assert () == explainer.explain(1, 1)
    assert explainer.places(1, 50) is None


def test_many_threads_may_explain_at_once() -> None:
    """What is compiled at the first reject is the same, whoever comes first."""
    schema = {"items": {"properties": {f"p{n}": {"type": "integer"} for n in range(50)}}}
    value = [{f"p{n}": "x"} for n in range(50)]
    expected = compile_schema(schema).issues(value)

    for _ in range(20):
        compiled = CompiledSchema(schema)
        with ThreadPoolExecutor(4) as pool:
            found = [pool.submit(compiled.issues, value) for _ in range(4)]
        assert [expected] * 4 == [each.result() for each in found]
