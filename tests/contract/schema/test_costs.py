from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.contract import DEFAULT_BOUNDS, Bounds, InvalidJson, compile_schema, parse_json
from toolgauge.contract.schema.compiler import SchemaCompiler
from toolgauge.contract.schema.meta import pattern_issues
from toolgauge.contract.schema.pattern_cost import MAX_PATTERN_COMPILING, pattern_cost
from toolgauge.contract.schema.patterns import is_pattern
from toolgauge.contract.schema.work import MAX_REFERENCES, survey

if TYPE_CHECKING:
    from tests.contract.schema.hostile import Case

EMAIL = (
    r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"
)
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
TIME = (
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d"
    r"(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$"
)
PASSWORD = r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,64}$"
URL = (
    r"^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._\+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b"
    r"([-a-zA-Z0-9()@:%_\+.~#?&//=]*)$"
)
NOT_TWICE = (
    r"^(?!.*(?:^|,)(team|scim|mocks:deactivated),(?:.*,)?\1(?:$|,))"
    r"(team|scim|mocks:deactivated)(,(team|scim|mocks:deactivated))*$"
)


def _texts(pattern: str, text: str, count: int = 1) -> Case:
    return {"items": {"type": "string", "pattern": pattern}}, [text] * count


USUAL: dict[str, Case] = {
    "base64 of a megabyte": ({"pattern": "^[A-Za-z0-9+/]*={0,2}$"}, "QUJD" * 250_000),
    "data of a megabyte": (
        {"pattern": "^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$"},
        "data:image/png;base64," + "QUJD" * 250_000,
    ),
    "dates": _texts(r"^\d{4}-\d{2}-\d{2}$", "2024-01-02", 50_000),
    "times": _texts(TIME, "2024-01-02T10:11:12Z", 5_000),
    "uuids": _texts(UUID, "123e4567-e89b-12d3-a456-426614174000", 20_000),
    "addresses": _texts(EMAIL, "someone.else@mail.example.com", 2_000),
    "passwords": _texts(PASSWORD, "Passw0rd!Passw0rd!", 1_000),
    "links": _texts(URL, "https://www.example.com/some/path?query=1&b=2", 1_000),
    "a long link": _texts(URL, "https://www.example.com/" + "a" * 8_000),
    "names": _texts(r"^[\p{L}\p{M} .'-]{1,100}$", "José María de la Cruz", 2_000),
    "a back reference": _texts(NOT_TWICE, "team,scim,mocks:deactivated", 10),
    "quotes": _texts(r"^(['\"]).*\1$", "'" + "x" * 3_000 + "'"),
    "an element": _texts(r"<(\w+)>.*</\1>", "<b>" + "text " * 40 + "</b>"),
    "no blank text": _texts(r"^(?!\s*$).+", "hello " * 2_000),
    "a choice or null": (
        {"items": {"enum": [*(f"c{n}" for n in range(250)), None]}},
        ["c249", None] * 2_500,
    ),
    "prices": ({"items": {"multipleOf": 0.01, "minimum": 0}}, [n / 100 for n in range(50_000)]),
    "identifiers": ({"uniqueItems": True}, [f"id-{n}" for n in range(50_000)]),
    "amounts": ({"items": {"type": "integer", "minimum": 0}}, [10**24 + n for n in range(5_000)]),
    "names of members": (
        {"patternProperties": {"^[a-z0-9_]{1,64}$": {}}, "additionalProperties": False},
        {f"key_{n}": n for n in range(5_000)},
    ),
}


@pytest.mark.parametrize("name", USUAL)
def test_what_people_write_is_not_too_costly(name: str) -> None:
    """However many of them fit in a body, or nearly."""
    schema, value = USUAL[name]
    compiled = compile_schema(schema)

    assert None is compiled.problem
    assert () == compiled.issues(value)


def test_three_names_of_any_letters_are_within_the_bound() -> None:
    """They are the costliest that schemas of real tools have."""
    patterns = (r"^[\p{L} .'-]{1,100}$", r"^\p{L}{1,50}$", r"^\p{Lu}\p{Ll}{1,49}$")
    names = [f"p{n}" for n in range(3)]
    schema = {"properties": {name: {"pattern": p} for name, p in zip(names, patterns, strict=True)}}

    assert () == compile_schema(schema).issues(
        dict(zip(names, ("José", "María", "Łu"), strict=True))
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a{1000}", "a"),
        (r"\p{L}", "[a-z]"),
        (r"[\p{L}\p{N}]", "[a-zA-Z]"),
        (r"(?:\p{L}{10}){10}", r"\p{L}{10}"),
        (r"(?=a)\w{50}", r"a\w{50}"),
        ("(?:a{10}){0,10}", "a{10}"),
    ],
)
def test_what_is_larger_costs_more_to_compile(one: str, other: str) -> None:
    """Repetitions multiply, classes of Unicode are hundreds of ranges."""
    assert pattern_cost(one).compiling > 3 * (pattern_cost(other).compiling - 50)


@pytest.mark.parametrize(
    "pattern",
    ["(a*)*\\1b", "(?=[^z]*z)b", "(a|aa)*\\1b", "(a?){30}\\1", "((?=a)a+)+b", "<(\\w+)>.*</\\1>"],
)
def test_a_pattern_that_backtracks_costs_more_than_one_that_does_not(pattern: str) -> None:
    """By far, in a text of some length."""
    found = pattern_cost(pattern)

    assert not found.is_linear
    assert found.searching(3_000) > 1_000 * pattern_cost("^[a-z]+$").searching(3_000)


@pytest.mark.parametrize(
    "pattern", ["", "a", "^a$", "(a|b)+", r"\bword\b", "[a-z]{2,}?", "(", "a**"]
)
def test_a_pattern_without_look_around_is_linear(pattern: str) -> None:
    """What is no pattern gets an estimate all the same."""
    found = pattern_cost(pattern)

    assert found.is_linear
    assert found.searching(2_000) < 4 * found.searching(1_000)


def test_an_anchored_pattern_of_fixed_length_is_at_one_place_at_a_time() -> None:
    """So is one behind an optional part, or two."""
    assert 0 == pattern_cost(UUID).open_positions
    assert pattern_cost(r"^(www\.)?[a-z]{1,200}$").open_positions < 10
    assert 200 <= pattern_cost("[a-z]{1,200}x").open_positions
    assert 200 <= pattern_cost("^.*[a-z]{1,200}x").open_positions
    assert 200 <= pattern_cost("(?m)^[a-z]*[a-z]{1,200}x").open_positions


@pytest.mark.parametrize("count", [10_000, 200_000])
def test_a_pattern_of_many_parts_is_not_read_to_the_end(count: int) -> None:
    """It is too costly anyway, and known to be within milliseconds."""
    assert pattern_cost("(a)" * count).compiling > MAX_PATTERN_COMPILING


def test_a_pattern_that_is_too_costly_is_not_compiled() -> None:
    """Alone, in a schema, and where the patterns of a schema are looked at."""
    pattern = r"(?:\p{L}\p{N}){199}N"
    schema = {"pattern": pattern}

    assert not is_pattern(pattern, DEFAULT_BOUNDS)
    assert ["pattern"] == [each.keyword for each in pattern_issues(schema)]
    problem = compile_schema(schema).problem
    assert problem is not None
    assert "schema" == problem.keyword
    assert str(MAX_PATTERN_COMPILING) in problem.message


def test_the_same_pattern_counts_once() -> None:
    """It is compiled once."""
    named = {"pattern": r"^[\p{L} ]{1,100}$"}

    assert None is compile_schema({"properties": {f"p{n}": named for n in range(50)}}).problem


def test_references_are_counted() -> None:
    """Each anchor of a name may be what a dynamic reference means."""
    resources = {
        f"d{n}": {"$id": f"http://h/{n}", "$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}
        for n in range(400)
    }
    found = survey({"$defs": resources}, DEFAULT_BOUNDS)

    assert found.problem is not None
    assert str(MAX_REFERENCES) in found.problem


def test_the_cache_holds_what_compiled_schemas_weigh() -> None:
    """A pattern of forty characters is megabytes, and so are ten thousand subschemas."""
    small = compile_schema({"type": "object"})
    pattern = compile_schema({"pattern": r"\p{L}{0,100}"})
    wide = compile_schema({"properties": {f"p{n}": {} for n in range(5_000)}})

    assert small.memory_bytes < 10_000
    assert pattern.memory_bytes > 5_000_000
    assert wide.memory_bytes > 5_000_000


def test_a_compiler_forgets_what_is_too_much_to_keep() -> None:
    """What it knows by identity is bounded by weight as the cache is."""
    compiler = SchemaCompiler()
    schemas = [{"pattern": r"\p{L}{0,99}" + str(n)} for n in range(15)]
    for schema in schemas:
        compiler.compile(schema)

    assert len(compiler._recent) < len(schemas)


def test_an_object_in_two_places_counts_twice() -> None:
    """Forty times two are more than any memory holds; thirteen times are not."""
    shared: dict[str, Any] = {"type": "object"}
    for _ in range(40):
        shared = {"properties": {"a": shared, "b": shared}}
    problem = compile_schema(shared).problem

    assert problem is not None
    assert "schema" == problem.keyword
    assert None is compile_schema({"allOf": [{"type": "object"}] * 100}).problem


@pytest.mark.parametrize(
    "make",
    [
        lambda n: [Decimal("1e9000")] * n,
        lambda n: [{"a": Decimal("1e9000")}] * n,
        lambda n: {"a": [10**4_000] * n},
    ],
)
def test_large_numbers_are_charged_by_their_digits(make: Callable[[int], Any]) -> None:
    """A few are judged, and thousands are not looked at."""
    schema = {
        "$ref": "#/$defs/n",
        "$defs": {
            "n": {
                "multipleOf": 0.5,
                "items": {"$ref": "#/$defs/n"},
                "additionalProperties": {"$ref": "#/$defs/n"},
            }
        },
    }
    compiled = compile_schema(schema)

    assert () == compiled.issues(make(3))
    (issue,) = compiled.issues(make(3_000))
    assert ((), None) == (issue.path, issue.keyword)


def test_a_document_holds_so_many_digits_of_numbers_past_a_double() -> None:
    """Two of ten thousand; integers and doubles are not counted."""
    assert 2 == len(parse_json("[1e9999, 1e9999]"))
    assert 2_000 == len(parse_json(f"[{','.join(['1e308'] * 1_999)}, 123456789012345678901]"))
    with pytest.raises(InvalidJson, match="20000 digits"):
        parse_json("[1e9999, 1e9999, 1e9999]")


@pytest.mark.parametrize(
    "text", ['["\\ud800", 123456789012345678901]', '[12345678901234567890, "\\uDFFF"]']
)
def test_lone_surrogates_are_found_beside_long_numbers(text: str) -> None:
    """They can only be written as escapes there."""
    with pytest.raises(InvalidJson, match="surrogate"):
        parse_json(text)
    assert ["\U0001f600", 123456789012345678901] == parse_json(
        '["\\ud83d\\ude00", 123456789012345678901]'
    )


LISTED: list[Any] = [{"a": n, "b": [n, None]} for n in range(200)] + [
    1,
    2.5,
    "x",
    None,
    True,
    [1.0],
]


@pytest.mark.parametrize("dialect", ["2020-12/schema", "2019-09/schema"])
@pytest.mark.parametrize(
    ("value", "is_listed"),
    [
        ({"a": 7, "b": [7, None]}, True),
        ({"b": [7.0, None], "a": 7.0}, True),
        ({"a": 7, "b": [8, None]}, False),
        (1.0, True),
        (True, True),
        (False, False),
        (0, False),
        (2.5, True),
        ("x", True),
        ("y", False),
        (None, True),
        ([1], True),
        ([True], False),
        ({}, False),
    ],
)
def test_a_long_list_compares_as_json_does(dialect: str, value: Any, is_listed: bool) -> None:
    """The engine's own comparison, without going through the list."""
    uri = f"https://json-schema.org/draft/{dialect}"
    long = compile_schema({"$schema": uri, "properties": {"v": {"enum": LISTED}}})
    short = compile_schema({"$schema": uri, "properties": {"v": {"enum": LISTED[190:]}}})
    const = compile_schema({"$schema": uri, "properties": {"v": {"const": LISTED}}})

    assert is_listed is (not long.issues({"v": value}))
    assert is_listed or short.issues({"v": value})
    if not is_listed:
        assert [("/v", "enum")] == [(e.pointer, e.keyword) for e in long.issues({"v": value})]
    assert () == const.issues({"v": LISTED})
    assert ["const"] == [e.keyword for e in const.issues({"v": [*LISTED, value]})]


@pytest.mark.parametrize("draft", ["draft-04", "draft-07"])
def test_a_long_list_beside_a_reference_says_nothing_in_old_drafts(draft: str) -> None:
    """JSON Schema draft-07 core section 8.3: siblings of $ref are ignored."""
    schema = {
        "$schema": f"http://json-schema.org/{draft}/schema#",
        "definitions": {"a": {"type": "integer"}},
        "properties": {"v": {"$ref": "#/definitions/a", "enum": LISTED}},
    }

    assert () == compile_schema(schema).issues({"v": 5_000})
    assert ["type"] == [e.keyword for e in compile_schema(schema).issues({"v": "x"})]


def test_the_bound_on_work_is_a_setting() -> None:
    """A place costs a step, a text as much as its patterns."""
    schema = {"items": {"pattern": "[a-z]{0,200}x"}}
    value = ["abc" * 50] * 100

    assert ["pattern"] * 100 == [e.keyword for e in compile_schema(schema).issues(value)]
    tight = compile_schema(schema, bounds=Bounds(max_work=1_000_000))
    assert [None] == [e.keyword for e in tight.issues(value)]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"pattern": "[a-z]{0,200}x"}}},
        {"anyOf": [{"properties": {"a": {"pattern": "[a-z]{0,200}x"}}}, False]},
        {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"a": {"pattern": "[a-z]{0,200}x"}}}}},
    ],
)
def test_a_text_is_charged_for_the_patterns_that_apply_to_it(schema: dict[str, Any]) -> None:
    """A long text beside it costs nothing."""
    schema = {**schema, "type": "object"}
    compiled = compile_schema(schema)

    assert () == compiled.issues({"a": "abcx", "b": "a" * 900_000})
    assert [None] == [e.keyword for e in compiled.issues({"a": "a" * 900_000, "b": "x"})]
