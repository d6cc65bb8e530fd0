from __future__ import annotations

import time
from typing import Any

import pytest

from toolgauge.contract import compile_schema, contains
from toolgauge.contract.schema.containing.alike import bare
from toolgauge.contract.schema.containing.modern import aligned
from toolgauge.contract.schema.containing.pattern_samples import pattern_samples
from toolgauge.contract.schema.equality import same

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}


def test_no_comes_with_a_witness_that_the_engine_confirms() -> None:
    """As small as shows it."""
    bigger = {"type": "object", "properties": {"a": {"maxLength": 3}}}
    smaller = {"type": "object", "properties": {"a": {"maxLength": 4}, "b": {}}, "required": ["b"]}
    found = contains(bigger, smaller)

    assert "no" == found.answer
    assert {"a", "b"} == found.witness.keys()
    assert compile_schema(smaller).is_valid(found.witness)
    assert not compile_schema(bigger).is_valid(found.witness)


def test_a_witness_may_be_null() -> None:
    """The answer says that there is one."""
    found = contains({"type": "string"}, {"type": ["string", "null"]})

    assert ("no", None) == (found.answer, found.witness)


@pytest.mark.parametrize("broken", [3, {"type": "objekt"}, {"$ref": "#/no"}, {"minimum": "1"}])
def test_a_broken_schema_proves_nothing(broken: Any) -> None:
    """As the smaller one it is unknown, with the reason; as the bigger one it refuses all."""
    assert "unknown" == contains({}, broken).answer
    assert contains({}, broken).reason
    assert "no" == contains(broken, {}).answer
    assert contains(broken, False).reason


def chain(length: int) -> dict[str, Any]:
    """Give definitions that each refer twice to the next."""
    definitions: dict[str, Any] = {
        f"d{n}": {"properties": {name: {"$ref": f"#/$defs/d{n + 1}"} for name in "ab"}}
        for n in range(length)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{length}": {"type": "string"}}}


def wide(count: int, **members: Any) -> dict[str, Any]:
    """Give an object of many properties."""
    named = {f"p{n}": {"type": "string", "minLength": n, **members} for n in range(count)}
    return {"type": "object", "properties": named, "additionalProperties": False}


LOOP = {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}
BESIDE = {"minLength": 1, "$ref": "#"}
LISTED = {"enum": [{"a": n, "b": [n]} for n in range(4_000)]}
NEEDED = {"type": "object", "required": [f"v{n}" for n in range(10_000)]}
REPEATED = {"allOf": [{"pattern": f"^(a|b|c){{{n},}}[a-f]*{'x' * n}"} for n in range(30)]}
STEPS = {"type": "integer", "not": {"anyOf": [{"multipleOf": n} for n in range(2, 60)]}}
UNIONS = {"allOf": [{"anyOf": [{"minLength": n}, {"minimum": n}]} for n in range(30)]}


@pytest.mark.parametrize(
    ("bigger", "smaller"),
    [
        (chain(12), chain(13)),
        (wide(300), wide(300, maxLength=400)),
        (wide(300, maxLength=400), wide(300)),
        (LOOP, {**LOOP, "type": "null"}),
        (BESIDE, {**BESIDE, "minLength": 2}),
        (UNIONS, {"allOf": [*UNIONS["allOf"], {"oneOf": UNIONS["allOf"]}]}),
        ({"items": UNIONS}, {"items": {"not": UNIONS}}),
        (LISTED, {"enum": LISTED["enum"][:-1]}),
        (NEEDED, {**NEEDED, "required": NEEDED["required"][:-1]}),
        (REPEATED, {**REPEATED, "maxLength": 50}),
        (STEPS, {**STEPS, "minimum": 1}),
    ],
)
def test_the_work_is_bounded(bigger: dict[str, Any], smaller: dict[str, Any]) -> None:
    """Recursion, width and branching end, whatever the answer is."""
    start = time.process_time()
    contains(bigger, smaller)
    contains(smaller, bigger)

    assert time.process_time() - start < 5


def test_the_one_value_that_a_long_list_no_longer_has_is_found() -> None:
    """Wherever it stood."""
    values = [f"v{n}" for n in range(5_000)]

    assert ("no", "v4999") == (
        (found := contains({"enum": values[:-1]}, {"enum": values})).answer,
        found.witness,
    )
    assert "yes" == contains({"enum": values}, {"enum": values[:-1]}).answer
    assert "no" == contains({"enum": [1, True]}, {"enum": [1.0, 0]}).answer
    assert "yes" == contains({"enum": [1, 2]}, {"enum": [1.0]}).answer


def test_a_wide_witness_is_made_small() -> None:
    """Members are left out by the hundred."""
    many = {"type": "object", "minProperties": 900, "properties": {"a": {}}}
    found = contains({"not": {"required": ["a"]}}, {**many, "required": ["a"]})

    assert ("no", 900) == (found.answer, len(found.witness))


def test_a_recursive_definition_is_proven_by_itself() -> None:
    """Where canonical forms give up."""

    def tree(kind: str) -> dict[str, Any]:
        node = {"properties": {"v": {"type": kind}, "next": {"$ref": "#/$defs/n"}}}
        return {"$ref": "#/$defs/n", "$defs": {"n": node}}

    assert "yes" == contains(tree("number"), tree("integer")).answer
    assert {"v": 0.5} == contains(tree("integer"), tree("number")).witness


def filters(**members: Any) -> dict[str, Any]:
    """Give a filter language: conditions, and groups of filters in several ways."""
    each = {"$ref": "#/$defs/filter"}
    groups = [
        {
            "type": "object",
            "properties": {name: {"type": "array", "items": each}},
            "required": [name],
        }
        for name in ("and", "or", "nor")
    ]
    leaf = {"type": "object", "properties": {"field": {"type": "string"}}, "required": ["field"]}
    return {
        "type": "object",
        "properties": {"filter": each, **members},
        "$defs": {"filter": {"oneOf": [leaf, *groups, {"properties": {"not": each}}]}},
    }


JSON_VALUE: dict[str, Any] = {
    "anyOf": [
        {"type": ["string", "null"]},
        {"type": "array", "items": {"$ref": "#/$defs/json"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/json"}},
    ]
}


@pytest.mark.parametrize("limit", [3, 2**53 - 1])
def test_a_recursive_type_that_branches_hides_no_witness(limit: int) -> None:
    """Its worst case passes the bound on work, a small value does not."""
    many, few = filters(n={"maximum": limit + 1}), filters(n={"maximum": limit})

    assert ("no", {"n": limit + 1}) == ((no := contains(few, many)).answer, no.witness)
    assert "yes" == contains(many, few).answer


def test_a_type_of_any_json_value_hides_no_witness() -> None:
    """Above it, and in it."""

    def with_values(schema: Any) -> dict[str, Any]:
        named = {"a": {"$ref": "#/$defs/json"}, "b": {"type": "string"}}
        return {"properties": named, "$defs": {"json": schema}}

    old = with_values(JSON_VALUE)
    assert {} == contains({**old, "required": ["b"]}, {**old, "type": "object"}).witness
    narrowed = with_values({"anyOf": JSON_VALUE["anyOf"][1:]})
    assert "no" == contains(narrowed, old).answer
    assert "yes" == contains(old, narrowed).answer


def test_a_reference_is_not_text() -> None:
    """The same ``$ref`` may lead to something else."""

    def with_target(schema: dict[str, Any]) -> dict[str, Any]:
        return {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": schema}}

    found = contains(with_target({"type": "number"}), with_target({"type": "integer"}))
    assert ("no", 0.5) == (found.answer, found.witness)


@pytest.mark.parametrize("anchor", [{"$ref": "#a"}, {"$dynamicRef": "#a"}, {"$ref": "#/$defs/%61"}])
def test_references_that_are_not_plain_pointers_are_never_guessed(anchor: Any) -> None:
    """An anchor or an escape is the engine's to follow."""
    one = {**anchor, "$defs": {"a": {"$dynamicAnchor": "a", "type": "integer"}}}
    two = {**anchor, "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}}}

    assert "yes" != contains(one, two).answer
    assert "yes" == contains(one, {**one, "title": "x"}).answer


def test_draft_4_is_left_to_canonical_forms() -> None:
    """There, ``exclusiveMinimum`` is a flag."""
    one = {**DRAFT_4, "minimum": 1, "exclusiveMinimum": True}
    two = {**DRAFT_4, "minimum": 1}

    assert "yes" == contains(two, one).answer
    assert ("no", 1) == (contains(one, two).answer, contains(one, two).witness)
    assert aligned({"$schema": "urn:mine"}, {}) is None


def test_dialects_share_what_they_read_alike() -> None:
    """Most schemas of tools are the same in every draft."""
    assert "yes" == contains({**DRAFT_7, "type": "number"}, {"type": "integer"}).answer
    assert "no" == contains({"prefixItems": [{}, False]}, {**DRAFT_7, "prefixItems": [{}]}).answer
    beside = {"$ref": "#/definitions/a", "minLength": 2, "definitions": {"a": {}}}
    assert "yes" == contains({**DRAFT_7, **beside}, {**DRAFT_7, "minLength": 1}).answer
    assert "no" == contains(beside, {**DRAFT_7, **beside}).answer


KEYWORDS_AS_NAMES = ["id", "$id", "if", "then", "else", "dependencies", "contentEncoding", "format"]
DRAFTS = [f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7)]
DRAFTS += [f"https://json-schema.org/draft/{name}/schema" for name in ("2019-09", "2020-12")]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("name", KEYWORDS_AS_NAMES)
def test_a_property_that_is_called_as_a_keyword_is_none(draft: str, name: str) -> None:
    """Nor is one in data: the schema means the same in every draft."""
    named = {"type": "object", "properties": {name: {"enum": [{name: "a", "$ref": "#/no"}]}}}
    pair = {**named, "description": "new"}, {"$schema": draft, **named}

    assert "yes" == contains(*pair).answer == contains(*reversed(pair)).answer


@pytest.mark.parametrize(
    ("schema", "forth", "back"),
    [
        ({"type": "object", "properties": {"q": {"type": "string"}}}, "yes", "yes"),
        ({"type": "number", "maximum": 3}, "yes", "yes"),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"maximum": 3}}}, "yes", "yes"),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, "yes", "no"),
        ({"not": {"type": "integer"}}, "no", "unknown"),
        ({"exclusiveMaximum": True, "maximum": 3}, "no", "unknown"),
        ({"const": 1}, "no", "yes"),
    ],
)
def test_draft_4_is_read_with_a_later_one_where_both_read_alike(
    schema: dict[str, Any], forth: str, back: str
) -> None:
    """To it, ``1.0`` is no integer, ``exclusiveMaximum`` is a flag, and some keywords are none."""
    newer = {"$schema": DRAFTS[2], **schema}

    assert forth == contains(newer, {**DRAFT_4, **schema}).answer
    assert back == contains({**DRAFT_4, **schema}, newer).answer


def test_dialects_are_not_mixed_where_a_reference_makes_a_schema_of_data() -> None:
    """Draft-07 does not know ``dependentRequired``, wherever it stands."""
    kept = {"$ref": "#/x-kept", "x-kept": {"dependentRequired": {"a": ["b"]}}}

    assert "no" == contains(kept, {**DRAFT_7, **kept}).answer
    assert "yes" != contains({**DRAFT_7, **kept}, kept).answer
    assert "yes" == contains(kept, {**kept, "$schema": DRAFTS[-1]}).answer


def test_dialects_are_not_mixed_where_formats_are_asserted() -> None:
    """Each draft has its own."""
    form = {"type": "string", "format": "uuid"}

    assert "yes" == contains(form, {**DRAFT_7, **form}).answer
    assert "no" == contains(form, {**DRAFT_7, **form}, formats=True).answer


def test_annotations_are_dropped_only_where_they_are_keywords() -> None:
    """Not a property of that name, nor one that somebody refers into."""
    schema = {"title": "a", "properties": {"title": {"title": "b", "type": "string"}}}
    kept = {"examples": [{"type": "string"}], "$ref": "#/examples/0"}

    assert {"properties": {"title": {"type": "string"}}} == bare(schema, formats=False)
    assert kept == bare(kept, formats=False)
    assert kept == bare({**kept, "title": "a"}, formats=False)
    assert {} == bare({"format": "date"}, formats=False)
    assert {"format": "date"} == bare({"format": "date"}, formats=True)
    assert "no" == contains(kept, {**kept, "examples": [{}]}).answer


@pytest.mark.parametrize(
    "reference",
    [
        {"$ref": "#/default"},
        {"$ref": "#/%64efault"},
        {"$ref": "#/d%65f%61ult"},
        {"$dynamicRef": "#/default"},
        {"$dynamicRef": "#/%64efault"},
        {"properties": {"a": {"$ref": "#/default"}}, "type": "object"},
        {"$id": "http://x/a", "properties": {"a": {"$ref": "a#/default"}}, "type": "object"},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "#/default"},
    ],
)
def test_no_annotation_is_dropped_that_a_reference_leads_into(reference: Any) -> None:
    """However the reference is written, and whichever keyword holds it."""
    text, number = ({**reference, "default": {"type": each}} for each in ("string", "integer"))
    admits, refuses = compile_schema(text), compile_schema(number)
    differ = [
        each for each in ("", {"a": ""}) if admits.is_valid(each) and not refuses.is_valid(each)
    ]

    assert text == bare(text, formats=False)
    assert ("no" if differ else "unknown") == contains(number, text).answer
    assert "yes" == contains({**text, "title": "a"}, {**text, "title": "b"}).answer


def test_true_is_not_one() -> None:
    """But one is one point nought."""
    assert not same([1], [True])
    assert not same({"a": False}, {"a": 0})
    assert same({"a": [1]}, {"a": [1.0]})


PATTERNS = [
    r"^[A-Z]{2,3}-\d+$",
    r"^(foo|bar)?baz$",
    r"^(?:a|b){2}[^a-z]\w\s\S\.$",
    r"^(?<name>x)y+?z*\u0041\x42[\d\-]$",
    r"^.\/\bfoo$",
    r"^(?=a)a$",
    r"^[a-c_.-]{3}$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_samples_match_their_pattern(pattern: str) -> None:
    """At least one does; the engine is asked about each."""
    compiled = compile_schema({"pattern": pattern})

    assert any(compiled.is_valid(each) for each in pattern_samples(pattern)), pattern


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a\\", "(" * 50 + ")" * 50, "(?<a", "a{2000}{2000}"]
)
def test_a_pattern_that_is_not_read_has_few_samples_or_none(pattern: str) -> None:
    """And never a traceback."""
    assert len(pattern_samples(pattern)) <= 6


def test_formats_count_where_they_are_asserted() -> None:
    """As for ``compile_schema``."""
    dated = {"type": "string", "format": "date"}

    assert "yes" == contains(dated, {"type": "string"}).answer
    assert "no" == contains(dated, {"type": "string"}, formats=True).answer
    assert "no" == contains({**dated, "format": "time"}, dated, formats=True).answer
    assert "yes" == contains({"type": "string"}, dated, formats=True).answer


@pytest.mark.parametrize("form", ["password", "int32", "byte", "made-up"])
def test_a_format_that_the_engine_does_not_check_is_an_annotation(form: str) -> None:
    """Also where formats are asserted; which they are differs by draft."""
    made = {"type": "string", "format": form}

    assert "yes" == contains(made, {"type": "string"}, formats=True).answer
    assert "yes" == contains({**made, "format": "x"}, made, formats=True).answer
    assert {"type": "string"} == bare(made, formats=True)


def test_which_formats_are_checked_differs_by_draft() -> None:
    """A schema below may be written in another draft than the whole."""
    form = {"type": "string", "format": "uuid"}
    inside = {**DRAFT_7, "properties": {"a": {"$schema": DRAFTS[-1], **form}}}

    assert {**DRAFT_7, "type": "string"} == bare({**DRAFT_7, **form}, formats=True)
    assert form == bare(form, formats=True)
    assert inside == bare(inside, formats=True)


@pytest.mark.parametrize(
    ("bigger", "smaller", "answer"),
    [
        ("uri-reference", "uri", "yes"),
        ("iri", "uri", "yes"),
        ("iri-reference", "uri-reference", "yes"),
        ("uri", "uri-reference", "no"),
        ("idn-email", "email", "unknown"),
        ("date-time", "date", "no"),
    ],
)
def test_formats_follow_from_each_other_where_the_engine_says_so(
    bigger: str, smaller: str, answer: str
) -> None:
    """It refuses some mail addresses as international ones."""
    one, other = ({"type": "string", "format": each} for each in (bigger, smaller))

    assert answer == contains(one, other, formats=True).answer
    if answer == "yes":
        judge, judged = (compile_schema(each, formats=True) for each in (one, other))
        texts = ["http://a.b/?c#d", "urn:a:b", "//a", "?", "", "%41", "a:b", "http://[::1]:80/"]
        assert any(map(judged.is_valid, texts))
        assert all(judge.is_valid(each) for each in texts if judged.is_valid(each))


def test_a_schema_below_may_be_written_in_another_draft() -> None:
    """Draft-07 does not know ``dependentRequired``: the keyword alone says nothing."""
    needs = {"dependentRequired": {"a": ["b"]}}
    plain, older = ({"properties": {"a": each}} for each in (needs, {**DRAFT_7, **needs}))

    assert "no" == contains(plain, older).answer
    assert "yes" != contains(older, plain).answer
    same_draft = {"properties": {"a": {"$schema": DRAFTS[-1], **needs}}}
    assert "yes" == contains(plain, same_draft).answer == contains(same_draft, plain).answer


def test_deep_data_is_compared_without_a_traceback() -> None:
    """As deep as a value may be, and deeper."""

    def nested(levels: int, value: Any) -> Any:
        for _ in range(levels):
            value = [value]
        return value

    assert "no" == contains({"const": nested(90, 1)}, {"const": nested(90, 2)}).answer
    assert "unknown" == contains({"const": nested(240, 1)}, {"const": nested(240, 2)}).answer
    assert "unknown" == contains({"const": 1}, {"const": nested(2_000, 2)}).answer


@pytest.mark.parametrize(
    ("bigger", "smaller", "answer"),
    [
        ({"items": {}}, {"type": "array", "prefixItems": [{"type": "null"}]}, "yes"),
        ({"items": {"type": "null"}}, {"prefixItems": [{"type": "null"}]}, "no"),
        ({"prefixItems": [{}, {"type": "number"}]}, {"items": {"type": "integer"}}, "yes"),
        ({**DRAFT_7, "items": [{}]}, {**DRAFT_7, "items": [{"type": "null"}]}, "yes"),
        ({**DRAFT_7, "items": [{"minimum": 2}]}, {**DRAFT_7, "items": {"minimum": 1}}, "no"),
        ({"minProperties": 2}, {"type": "object", "required": ["a", "b"]}, "yes"),
        ({"multipleOf": 2}, {"type": "integer", "multipleOf": 6}, "yes"),
        ({"exclusiveMinimum": 1}, {"type": "number", "minimum": 2}, "yes"),
        ({"exclusiveMaximum": 3}, {"type": "number", "maximum": 2}, "yes"),
        ({"required": ["a"]}, {"type": "object", "dependentRequired": {"b": ["a"]}}, "no"),
        ({"properties": {"a": {"type": "null"}}}, {"type": "object", "maxProperties": 0}, "yes"),
        ({"additionalProperties": False}, {"type": "object", "patternProperties": {"a": {}}}, "no"),
        ({"anyOf": [{"type": "null"}, {"type": "number"}]}, {"type": ["null", "integer"]}, "yes"),
        ({"minItems": 6_000}, {"type": "array", "minItems": 5_500}, "unknown"),
        ({"minimum": 1}, {"type": "integer", "exclusiveMinimum": 0}, "yes"),
        ({"minimum": 1}, {"type": "integer", "exclusiveMinimum": 0.5}, "yes"),
        ({"exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}, "yes"),
        ({"exclusiveMinimum": 0.5}, {"type": "integer", "minimum": 0.25}, "yes"),
        ({"maximum": 1}, {"type": ["integer", "null"], "exclusiveMaximum": 2}, "yes"),
        ({"exclusiveMaximum": 2.5}, {"type": "integer", "maximum": 2.75}, "yes"),
        ({"minimum": 1}, {"type": "integer", "exclusiveMinimum": -0.5}, "no"),
        ({"minimum": 1}, {"type": "number", "exclusiveMinimum": 0}, "no"),
        ({"exclusiveMaximum": 2}, {"type": "integer", "maximum": 2.5}, "no"),
    ],
)
def test_keywords_follow_from_each_other(bigger: Any, smaller: Any, answer: str) -> None:
    """Also where one keyword makes up for another, and not where it does not."""
    assert answer == contains(bigger, smaller).answer


@pytest.mark.parametrize("kind", ["integer", "number"])
@pytest.mark.parametrize(
    "limit", [2**53 - 1, 2**53, 2**63 - 1, 2**64 - 1, 10**18, 1e18, 1e25, 10**25, 10**39]
)
def test_bounds_past_a_double_are_reckoned_with_exactly(kind: str, limit: float) -> None:
    """Libraries write the safe integers, and those of 64 bits, as bounds."""
    least, most = {"minimum": -limit}, {"maximum": limit}
    for bound, beyond in ((least, -int(limit) - 1), (most, int(limit) + 1)):
        found = contains({"type": kind, **bound}, {"type": kind})
        assert ("no", beyond) == (found.answer, found.witness)
        assert "yes" == contains({"type": kind}, {"type": kind, **bound}).answer
    assert "no" == contains({"maximum": limit}, {"type": kind, "maximum": int(limit) + 1}).answer
    at_most = {"type": "integer", "exclusiveMinimum": 0, **most}
    assert "yes" == contains({"type": "integer", "minimum": 1, **most}, at_most).answer
    assert "yes" == contains(at_most, {"type": "integer", "minimum": 1, **most}).answer
    assert "no" == contains({**most, "exclusiveMaximum": int(limit)}, {"type": kind, **most}).answer


@pytest.mark.parametrize("keyword", ["minimum", "maximum", "multipleOf", "exclusiveMinimum"])
@pytest.mark.parametrize("number", [10**400, 1e308, 1e-300])
def test_numbers_past_a_double_are_no_reason_to_fail(keyword: str, number: float) -> None:
    """Python's own arithmetic would raise."""
    for other in ({}, {"multipleOf": 0.1}, {"enum": [1]}, {"type": "integer", "minimum": 0.1}):
        for pair in (({keyword: number}, other), (other, {keyword: number})):
            assert contains(*pair).answer in {"yes", "no", "unknown"}
