"""The strict rules for ``tools_json``: every sentence of the seed, as settled in T1 to T12."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.rules import check

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET = "tools-json-strict"
LOOKUP: dict[str, Any] = {
    "name": "lookup_customer",
    "description": "Find a customer by phone number",
    "input_schema": {
        "type": "object",
        "properties": {"phone": {"type": "string"}},
        "required": ["phone"],
        "additionalProperties": False,
    },
}


def errors(*tools: Any) -> list[tuple[str, str]]:
    """Give rule and pointer of each reason to refuse."""
    report = check(tools, [TARGET])
    return [(each.name, each.pointer) for each in report.findings if each.severity == "error"]


def tool(**members: Any) -> dict[str, Any]:
    """Change the seed's example."""
    return {**copy.deepcopy(LOOKUP), **members}


def schema(**members: Any) -> dict[str, Any]:
    """Change the example's schema."""
    return tool(input_schema={**copy.deepcopy(LOOKUP["input_schema"]), **members})


def prop(value: Any, **root: Any) -> dict[str, Any]:
    """Give the example another property."""
    return schema(properties={"phone": value}, **root)


def closed(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    """Give a strict object."""
    names = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


def test_the_example_of_the_seed_is_accepted() -> None:
    """As it stands there."""
    assert [] == errors(LOOKUP)


@pytest.mark.parametrize(("count", "is_refused"), [(0, False), (15, False), (16, True)])
def test_at_most_15_tools(count: int, is_refused: bool) -> None:
    """15 is allowed, and so is none (T8)."""
    tools = [tool(name=f"t{number}") for number in range(count)]

    assert is_refused == (("too-many-tools", "") in errors(*tools))


@pytest.mark.parametrize(("extra", "is_refused"), [(0, False), (1, True)])
def test_at_most_7500_characters_minified(extra: int, is_refused: bool) -> None:
    """Code points of the minified list, the limit itself allowed (T8)."""
    import json

    length = len(json.dumps([tool(description="")], separators=(",", ":"), ensure_ascii=False))
    padded = tool(description="ü" * (7500 - length + extra))

    assert is_refused == (("oversized-tool-list", "") in errors(padded))


@pytest.mark.parametrize(("count", "is_refused"), [(24, False), (25, True)])
def test_at_most_24_optional_parameters_over_all_tools(count: int, is_refused: bool) -> None:
    """Properties minus required, over every object, nested ones and ``$defs`` too (T7)."""
    one = closed({f"p{number}": {"type": "string"} for number in range(12)}, [])
    nested = closed({f"q{number}": {"type": "string"} for number in range(count - 12)}, [])
    tools = [
        tool(input_schema=one),
        tool(name="other", input_schema=closed({"inner": nested})),
    ]

    assert is_refused == (("too-many-optional-properties", "") in errors(*tools))


@pytest.mark.parametrize(("levels", "is_refused"), [(5, False), (6, True)])
def test_at_most_5_levels(levels: int, is_refused: bool) -> None:
    """The root is the first (T6)."""
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(levels - 1):
        inner = closed({"a": inner})
    found = [name for name, _ in errors(tool(input_schema=inner))]

    assert is_refused == ("too-deep-schema" in found)


def test_a_reference_counts_where_it_is_used() -> None:
    """``$defs`` by itself does not (T6)."""
    deep = closed({"a": closed({"b": closed({"c": {"type": "string"}})})})
    shallow = {**closed({"x": {"$ref": "#/$defs/d"}}), "$defs": {"d": deep}}
    deeper = {**closed({"y": closed({"x": {"$ref": "#/$defs/d"}})}), "$defs": {"d": deep}}

    assert "too-deep-schema" not in [name for name, _ in errors(tool(input_schema=shallow))]
    assert "too-deep-schema" in [name for name, _ in errors(tool(input_schema=deeper))]


@pytest.mark.parametrize("key", ["inputSchema", "title", "annotations", "strict", "type"])
def test_other_keys_of_a_tool_are_refused(key: str) -> None:
    """Only name, description, input_schema and parameters."""
    assert ("unknown-tool-key", f"/{key}") in errors(tool(**{key: {}}))


@pytest.mark.parametrize("name", ["a", "A-z_09", "x" * 64])
def test_names_that_are_allowed(name: str) -> None:
    """Letters, digits, underscores, hyphens; one to 64."""
    assert [] == errors(tool(name=name))


@pytest.mark.parametrize("name", ["", "a.b", "a b", "a/b", "ä", "abc\n", "x" * 65, None, 5])
def test_names_that_are_refused(name: Any) -> None:
    """A trailing newline too (T3)."""
    assert "/name" in [pointer for _, pointer in errors(tool(name=name))]


def test_a_name_is_required() -> None:
    """And may be used once (T12)."""
    nameless = tool()
    del nameless["name"]

    assert ("missing-tool-name", "/name") in errors(nameless)
    assert ("duplicate-tool-name", "/name") in errors(LOOKUP, LOOKUP)


@pytest.mark.parametrize("description", [None, 5, [], {}])
def test_a_description_is_text_or_absent(description: Any) -> None:
    """It is optional."""
    silent = tool()
    del silent["description"]

    assert [] == errors(silent)
    assert ("non-text-description", "/description") in errors(tool(description=description))


def test_exactly_one_of_the_two_schema_keys() -> None:
    """Neither is refused too (T2)."""
    both = tool(parameters=LOOKUP["input_schema"])
    neither = tool()
    del neither["input_schema"]

    assert "several-schema-keys" in [name for name, _ in errors(both)]
    assert "several-schema-keys" in [name for name, _ in errors(neither)]


def test_all_tools_use_the_same_schema_key() -> None:
    """Either will do."""
    other = tool(name="other", parameters=LOOKUP["input_schema"])
    del other["input_schema"]

    assert [] == errors(other)
    assert "mixed-schema-keys" in [name for name, _ in errors(LOOKUP, other)]


@pytest.mark.parametrize("value", [None, True, [], "x", 5])
def test_a_schema_is_an_object(value: Any) -> None:
    """A JSON Schema object, not a boolean one."""
    assert errors(tool(input_schema=value))


@pytest.mark.parametrize("value", ["string", "array", ["object", "null"], None])
def test_the_root_describes_an_object(value: Any) -> None:
    """``type`` is exactly ``"object"`` (T4)."""
    changed = schema(type=value)
    if value is None:
        del changed["input_schema"]["type"]

    assert ("non-object-root", "/input_schema/type") in errors(changed)


NESTED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "property": (lambda inner: closed({"a": inner}), "/properties/a"),
    "items": (
        lambda inner: closed({"a": {"type": "array", "items": inner}}),
        "/properties/a/items",
    ),
    "anyOf": (
        lambda inner: closed({"a": {"anyOf": [{"type": "null"}, inner]}}),
        "/properties/a/anyOf/1",
    ),
    "$defs": (
        lambda inner: {**closed({"a": {"$ref": "#/$defs/d"}}), "$defs": {"d": inner}},
        "/$defs/d",
    ),
}


@pytest.mark.parametrize("place", NESTED)
@pytest.mark.parametrize(
    ("missing", "rule"),
    [
        ("additionalProperties", "open-object"),
        ("properties", "object-without-properties"),
        ("required", "missing-required-list"),
    ],
)
def test_every_object_is_strict_wherever_it_lies(place: str, missing: str, rule: str) -> None:
    """Nested ones as well as the root."""
    build, pointer = NESTED[place]
    inner = closed({"b": {"type": "string"}})
    del inner[missing]

    assert (rule, f"/input_schema{pointer}") in errors(tool(input_schema=build(inner)))


@pytest.mark.parametrize("value", [True, {}, {"type": "string"}, None])
def test_additional_properties_is_false(value: Any) -> None:
    """Nothing else will do."""
    assert ("open-object", "/input_schema") in errors(schema(additionalProperties=value))


@pytest.mark.parametrize("value", [[], None, "x"])
def test_properties_is_an_object(value: Any) -> None:
    """Keyed by parameter names; an empty one is allowed."""
    assert errors(schema(properties=value))
    assert [] == errors(tool(input_schema=closed({})))


@pytest.mark.parametrize("value", [True, "phone", [5], [None], {}])
def test_required_is_a_list_of_texts(value: Any) -> None:
    """An empty one is allowed."""
    assert errors(schema(required=value))
    assert [] == errors(schema(required=[]))


def test_required_names_declared_properties_once() -> None:
    """Every entry exists, and none comes twice (T12)."""
    assert ("undeclared-required-property", "/input_schema/required/1") in errors(
        schema(required=["phone", "mail"])
    )
    assert "duplicate-required" in [name for name, _ in errors(schema(required=["phone"] * 2))]


@pytest.mark.parametrize(
    "name", ["object", "array", "string", "integer", "number", "boolean", "null"]
)
def test_the_seven_types_are_allowed(name: str) -> None:
    """An object must be strict, an array may be plain."""
    value = closed({}) if name == "object" else {"type": name}

    assert [] == errors(prop(value))


@pytest.mark.parametrize("value", ["any", "float", ["string", "any"], [], ["string", "string"], 5])
def test_other_types_are_refused(value: Any) -> None:
    """Lists of types are allowed if every member is, none twice, and there is one (T9)."""
    assert [] == errors(prop({"type": ["string", "null"]}))
    assert errors(prop({"type": value}))


@pytest.mark.parametrize("value", [{}, True, False, {"description": "x"}])
def test_a_schema_without_type_needs_something_instead(value: Any) -> None:
    """enum, const, anyOf, allOf or $ref (T9)."""
    assert errors(prop(value))


@pytest.mark.parametrize("value", [{"enum": ["a"]}, {"const": 1}, {"anyOf": [{"type": "string"}]}])
def test_these_stand_for_a_type(value: Any) -> None:
    """They say what the value is (T9)."""
    assert [] == errors(prop(value))


FORMATS = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
]


@pytest.mark.parametrize("name", FORMATS)
def test_the_ten_formats_are_allowed(name: str) -> None:
    """On strings."""
    assert [] == errors(prop({"type": "string", "format": name}))


@pytest.mark.parametrize("name", ["datetime", "uri-reference", "regex", "byte", ""])
def test_other_formats_are_refused(name: str) -> None:
    """At the format."""
    found = errors(prop({"type": "string", "format": name}))

    assert ("unsupported-format", "/input_schema/properties/phone/format") in found


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("oneOf", [{"type": "string"}]),
        ("not", {"type": "null"}),
        ("if", {"type": "string"}),
        ("then", {"type": "string"}),
        ("else", {"type": "string"}),
        ("minimum", 1),
        ("maximum", 1),
        ("minLength", 1),
        ("maxLength", 1),
        ("maxItems", 1),
        ("uniqueItems", True),
        # Neither allowed nor listed as unsupported: refused all the same (T1).
        ("default", "x"),
        ("minItems", 1),
        ("prefixItems", []),
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("examples", []),
        ("nullable", True),
    ],
)
def test_other_keywords_are_refused_where_they_stand(keyword: str, value: Any) -> None:
    """Unsupported and unlisted ones alike."""
    pointers = [
        pointer for _, pointer in errors(prop({"type": ["string", "array"], keyword: value}))
    ]

    assert f"/input_schema/properties/phone/{keyword}" in pointers


@pytest.mark.parametrize("keyword", ["description", "title"])
def test_annotations_for_people_are_allowed(keyword: str) -> None:
    """The seed's own example needs them (T1)."""
    assert [] == errors(prop({"type": "string", keyword: "x"}))


def test_a_parameter_named_like_a_keyword_is_a_parameter() -> None:
    """``oneOf`` and ``default`` may be asked for."""
    names = ["oneOf", "default", "minimum", "$schema", "type", "properties", "required"]

    assert [] == errors(tool(input_schema=closed({name: {"type": "string"} for name in names})))


@pytest.mark.parametrize("reference", ["https://example.test/x", "other.json#/a", ""])
def test_references_are_local(reference: str) -> None:
    """They start with ``#``."""
    found = errors(prop({"$ref": reference}))

    assert ("remote-reference", "/input_schema/properties/phone/$ref") in found


def test_a_dangling_reference_is_refused() -> None:
    """It leads nowhere (T10)."""
    found = errors(prop({"$ref": "#/$defs/nope"}))

    assert ("dangling-reference", "/input_schema/properties/phone/$ref") in found


@pytest.mark.parametrize(
    "defs",
    [
        {"a": {"$ref": "#"}},
        {"a": {"$ref": "#/$defs/a"}},
        {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
    ],
)
def test_recursive_references_are_refused_even_if_unused(defs: Any) -> None:
    """The root, itself, and around a corner (T10)."""
    found = [name for name, _ in errors(schema(**{"$defs": defs}))]

    assert "recursive-reference" in found


def test_a_reference_used_twice_is_not_recursive() -> None:
    """A diamond is no cycle."""
    value = {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}
    defs = {"a": {"type": "string"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}

    assert [] == errors(prop(value, **{"$defs": defs}))


def test_no_reference_lies_below_all_of() -> None:
    """At any depth below it (T10)."""
    value = {"allOf": [{"anyOf": [{"$ref": "#/$defs/a"}]}]}
    found = errors(prop(value, **{"$defs": {"a": {"type": "string"}}}))

    assert "reference-inside-all-of" in [name for name, _ in found]


@pytest.mark.parametrize(
    "pattern", ["^[a-z]+$", r"\\b", r"[\b]", "a{99}", "a{1,99}", "a{5,}", r"\d", "(a|b)"]
)
def test_patterns_that_are_allowed(pattern: str) -> None:
    r"""A backspace in a class and an escaped backslash are no word boundary (T11)."""
    assert [] == errors(prop({"type": "string", "pattern": pattern}))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a)\1",
        r"(?<x>a)\k<x>",
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        "(?<!a)b",
        r"\bword\b",
        r"\B",
        "a{100}",
        "a{1,100}",
        "a{100,}",
        "[",
        "(",
    ],
)
def test_patterns_that_are_refused(pattern: str) -> None:
    """Backreferences, lookaround, word boundaries, large quantifiers, and no patterns at all."""
    assert errors(prop({"type": "string", "pattern": pattern}))


def test_all_violations_are_reported_at_once() -> None:
    """One round is enough to mend them all."""
    broken = tool(
        name="a b",
        description=5,
        input_schema={"type": "object", "properties": {"x": {"type": "any", "minimum": 1}}},
    )
    found = {name for name, _ in errors(broken)}

    assert {
        "malformed-tool-name",
        "non-text-description",
        "open-object",
        "missing-required-list",
        "unsupported-type",
    } <= found
