"""Real faults that people reported, rebuilt small: area a, and dataset types of area e."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolgauge.rules import check, targets

SUITE = Path(__file__).parents[1] / "suites" / "cases_a.jsonl"
CASES = {
    case["id"]: case["input"] for case in map(json.loads, SUITE.read_text().splitlines()) if case
}
PROVIDERS = [target.name for target in targets().values() if "providers" in target.groups]
PLAIN = [name for name in PROVIDERS if name != "tools-json-strict"]


def errors(tool: Any, target: str) -> list[tuple[str, str]]:
    """Give rule and pointer of each reason to refuse."""
    report = check([tool], [target])
    return [(each.name, each.pointer) for each in report.findings if each.severity == "error"]


def tool_of(case: str) -> Any:
    """Give a case's tool."""
    return CASES[case]["tool"]


def at(*steps: str) -> str:
    """Give a pointer into the input schema."""
    return "".join(f"/{step}" for step in ("inputSchema", *steps))


# case, target, reasons to refuse: empty where it accepts.
EXPECTED: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("A01", "mcp-spec", []),
    ("A01", "anthropic", []),
    ("A01", "openai", [("array-without-items", at("properties", "labels"))]),
    ("A02", "openai", [("array-without-items", at("properties", "rows", "items"))]),
    ("A04", "mcp-spec", []),
    ("A04", "anthropic", [("root-combinator", at("anyOf"))]),
    ("A05", "mcp-spec", [("invalid-schema", at("properties", "ttl", "exclusiveMinimum"))]),
    ("A05", "anthropic", [("invalid-schema", at("properties", "ttl", "exclusiveMinimum"))]),
    ("A06", "mcp-spec", [("invalid-schema", at("properties", "points", "items", "items"))]),
    ("A06", "anthropic", [("invalid-schema", at("properties", "points", "items", "items"))]),
    ("A08", "anthropic", [("malformed-tool-name", "/name")]),
    ("A08", "openai", [("malformed-tool-name", "/name")]),
    ("A08", "mcp-spec", []),
    ("A09", "mcp-spec", []),
    ("A09", "anthropic", [("malformed-tool-name", "/name")]),
    ("A09", "openai", [("malformed-tool-name", "/name")]),
    ("A10", "anthropic", [("malformed-tool-name", "/name")]),
    ("A10", "openai", [("malformed-tool-name", "/name")]),
    ("A10", "mcp-spec", []),
    ("A12", "mcp-spec", []),
    ("A12", "anthropic", [("malformed-property-name", at("properties", "filter[name]"))]),
    ("A13", "mcp-spec", []),
    (
        "A13",
        "anthropic",
        [
            ("malformed-property-name", at("properties", "$top")),
            ("malformed-property-name", at("properties", "@vendor.conflict")),
        ],
    ),
    ("A17", "openai", []),
    ("A17", "anthropic", []),
    ("A17", "gemini-parameters", [("empty-enum-member", at("properties", "kind", "enum", "0"))]),
    ("A19", "gemini-parameters", [("undeclared-required-property", at("required", "0"))]),
    ("A22", "mcp-spec", []),
    ("A22", "openai", [("object-without-properties", at())]),
    ("A27", "openai", []),
    (
        "A27",
        "openai-strict",
        [("open-object", at()), ("open-object", at("properties", "slot"))],
    ),
    ("A28", "mcp-spec", []),
    ("A28", "openai-strict", [("reference-siblings", at("properties", "user"))]),
]


@pytest.mark.parametrize(
    ("case", "target", "expected"),
    [pytest.param(*each, id="-".join(each[:2])) for each in EXPECTED],
)
def test_a_case_is_refused_for_its_reason_and_no_other(
    case: str, target: str, expected: list[tuple[str, str]]
) -> None:
    """All reasons at once, at their places, and no more."""
    assert sorted(expected) == sorted(errors(tool_of(case), target))


def test_a04_the_same_keyword_below_the_root_is_accepted() -> None:
    """Moving the anyOf inside a property removes the finding."""
    moved = {
        "name": "ticket_update",
        "description": "demo",
        "inputSchema": {"type": "object", "properties": {"ticket": tool_of("A04")["inputSchema"]}},
    }

    assert [] == errors(moved, "anthropic")


@pytest.mark.parametrize("case", ["A08", "A10"])
def test_mcp_warns_of_names_that_its_specification_advises_against(case: str) -> None:
    """At the name (A08, A10)."""
    report = check([tool_of(case)], ["mcp-spec"])

    assert ("malformed-tool-name", "/name", "warning") in [
        (each.name, each.pointer, each.severity) for each in report.findings
    ]


def test_a09_a_dot_is_fine_for_gemini() -> None:
    """Whatever else it may say of the tool."""
    found = check([tool_of("A09")], ["gemini-parameters", "gemini-json-schema"]).findings

    assert not [each for each in found if each.pointer == "/name"]


def test_a15_all_reasons_come_at_once() -> None:
    """The type list, and the field that Gemini's Schema does not have."""
    found = errors(tool_of("A15"), "gemini-parameters")

    assert ("type-list", at("properties", "lang", "type")) in found
    assert ("unknown-keyword", at("properties", "tags", "uniqueItems")) in found


@pytest.mark.parametrize("target", ["mcp-spec", *PLAIN])
@pytest.mark.parametrize(
    ("case", "pointer"),
    [("A20", at("properties")), ("A31", at("properties", "when", "type"))],
)
def test_a_schema_that_is_none_is_refused_by_all(case: str, pointer: str, target: str) -> None:
    """At the place that breaks the meta-schema (A20, A31)."""
    assert pointer in [place for _, place in errors(tool_of(case), target)]


@pytest.mark.parametrize("target", ["mcp-spec", "bedrock-converse", "anthropic"])
def test_a23_a_union_at_the_root_needs_a_type(target: str) -> None:
    """``type`` is missing, which is said at the type."""
    assert ("non-object-root", at("type")) in errors(tool_of("A23"), target)


def test_a25_a_reference_that_lost_its_target_is_an_error() -> None:
    """Before the client's trimming it was none."""
    before, after = (
        {"name": "t", "description": "demo", "inputSchema": CASES["A25"][key]}
        for key in ("before", "after")
    )

    assert [] == errors(before, "mcp-spec")
    assert ("dangling-reference", at("properties", "fit", "$ref")) in errors(after, "mcp-spec")


def test_a31_a_misspelled_keyword_is_pointed_out() -> None:
    """``values`` was meant to be ``enum``."""
    found = [each for each in check([tool_of("A31")]).findings if each.name == "misspelled-keyword"]

    assert {at("properties", "when", "values")} == {each.pointer for each in found}
    assert "enum" in found[0].message + found[0].fix


def test_e01_type_names_of_a_dataset_are_no_types() -> None:
    """Each of the five, at its place; and the dotted name is refused too."""
    tool = CASES["E01"]["function"]
    places = [pointer for name, pointer in errors(tool, "openai") if name == "invalid-schema"]
    expected = [
        "/parameters/type",
        "/parameters/properties/a/type",
        "/parameters/properties/a/items/type",
        "/parameters/properties/opts/type",
        "/parameters/properties/ratio/type",
    ]

    assert sorted(expected) == sorted(places)
    for target in ("openai", "anthropic"):
        assert ("malformed-tool-name", "/name") in errors(tool, target)


def test_e08_null_padding_is_a_broken_schema() -> None:
    """A property whose schema is null."""
    found = errors(CASES["E08"]["tools"][0], "mcp-spec")

    assert ("invalid-schema", "/parameters/properties/ticker") in found


def test_e13_a_flat_map_of_parameters_is_recognised() -> None:
    """It is no JSON Schema: its ``type`` member is a parameter."""
    report = check([tool_of("E13")], ["mcp-spec"])
    found = [(each.name, each.pointer) for each in report.findings]

    assert ("flat-parameter-map", "/parameters") in found
    assert ("invalid-schema", "/parameters/type") in found
