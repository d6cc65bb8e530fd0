"""Area b of the project's collection of real faults: arguments and their verdict."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from toolgauge.contract import (
    InvalidJson,
    Issue,
    compile_schema,
    parse_json,
    resolve,
    undeclared,
)

CASES = Path(__file__).parents[1] / "suites" / "cases_b.jsonl"
IDS = [
    *("B01", "B03", "B04", "B06", "B08", "B10", "B11", "B12", "B14", "B15"),
    *("B18", "B19", "B20", "B22", "B23", "B25"),
]
DIALECTS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}


@cache
def _cases() -> dict[str, dict[str, Any]]:
    lines = CASES.read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def case(name: str) -> tuple[Any, Any]:
    """Give a case's input and what is expected."""
    return _cases()[name]["input"], _cases()[name]["expected"]


def told(issues: tuple[Issue, ...]) -> list[tuple[str, str | None]]:
    """Give the place and keyword of each issue."""
    return [(each.pointer, each.keyword) for each in issues]


def expected_of(row: dict[str, Any]) -> list[tuple[str, str]]:
    """Give the place and keyword that a row expects, nothing where it expects "valid"."""
    if row["verdict"] == "valid":
        return []
    return [(each["path"], each["keyword"]) for each in row.get("errors", [row])]


def test_every_case_has_a_test() -> None:
    """The file and this module name the same cases."""
    assert IDS == list(_cases())
    assert all(any(name.startswith(f"test_{each.lower()}_") for name in globals()) for each in IDS)


def test_b01_the_error_comes_from_the_branch_whose_tag_matched() -> None:
    """One entry for ``anyOf`` (decision V5), with that branch's issues as its causes."""
    given, expected = case("B01")

    (issue,) = compile_schema(given["schema"]).issues(given["instance"])

    summary, primary = expected["acceptable_summary"], expected["primary"]
    assert (summary["path"], summary["keyword"]) == (issue.pointer, issue.keyword)
    assert [(primary["path"], primary["keyword"])] == told(issue.causes)


def test_b03_json_in_a_text_is_refused_with_a_hint() -> None:
    """At each place where the schema wants the object or array itself."""
    given, expected = case("B03")

    issues = compile_schema(given["schema"]).issues(given["instance"])

    assert expected_of(expected) == told(issues)
    for row, issue in zip(expected["errors"], issues, strict=True):
        assert issue.hint is not None
        assert row["hint"] in issue.hint


def test_b04_arguments_that_are_a_text_are_refused_as_a_whole() -> None:
    """Here the verdict and the hint; the JSON-RPC code is the envelope's."""
    given, expected = case("B04")
    arguments = resolve(given["wire"], expected["path"])

    (issue,) = compile_schema({"type": expected["want"]}).issues(arguments)

    assert ("", "type") == (issue.pointer, issue.keyword)
    assert issue.hint is not None
    assert "string" == expected["got"]


def test_b06_a_parameter_with_a_default_may_be_missing_and_not_null() -> None:
    """Only the verdicts: no tool here fills defaults in."""
    given, expected = case("B06")
    compiled = compile_schema(given["schema"])

    for value, row in zip(given["instances"], expected, strict=True):
        assert expected_of(row) == told(compiled.issues(value))


def test_b08_a_misspelled_argument_is_valid_with_a_warning() -> None:
    """Unless the schema is closed; then it is an error at the object (decision V4)."""
    given, expected = case("B08")
    closed = {**given["schema"], "additionalProperties": False}
    as_given, when_closed = (
        expected["schema_as_given"],
        expected["with_additionalProperties_false"],
    )

    (warning,) = undeclared(given["schema"], given["instance"])
    (error,) = compile_schema(closed).issues(given["instance"])

    assert () == compile_schema(given["schema"]).issues(given["instance"])
    assert as_given["warning"]["path"] == warning.pointer
    assert warning.hint is not None
    assert as_given["warning"]["did_you_mean"] in warning.hint
    assert (when_closed["path"], when_closed["keyword"]) == (error.pointer, error.keyword)
    assert when_closed["property"] in error.message
    assert () == undeclared(closed, given["instance"])


def test_b10_format_is_an_annotation_unless_switched_on() -> None:
    """Only the verdicts: to say which mode gave them is the transports' part."""
    given, expected = case("B10")

    for formats, mode in ((False, "format_annotation"), (True, "format_assertion")):
        issues = compile_schema(given["schema"], formats=formats).issues(given["instance"])
        assert expected_of(expected[mode]) == told(issues)


def test_b11_format_says_nothing_about_values_that_are_no_text() -> None:
    """And 30 February is no date."""
    given, expected = case("B11")
    compiled = compile_schema(given["schema"], formats=True)

    for value, row in zip(given["instances"], expected, strict=True):
        assert expected_of(row) == told(compiled.issues(value))


def test_b12_an_unknown_format_is_an_annotation_in_both_modes() -> None:
    """Only the verdicts: the finding about the definition is a rule's part."""
    given, _ = case("B12")

    for formats in (False, True):
        compiled = compile_schema(given["schema"], formats=formats)
        assert None is compiled.problem
        assert () == compiled.issues(given["instance"])


def test_b14_a_zero_fraction_is_an_integer_from_draft_06_on() -> None:
    """And was not in draft-04."""
    given, expected = case("B14")

    for (dialect, text), verdict in zip(given["rows"], expected, strict=True):
        schema = {"$schema": DIALECTS[dialect], **given["schema"]}
        issues = compile_schema(schema).issues(parse_json(text))
        assert [("", "type")] * (verdict == "invalid") == told(issues)


def test_b15_numbers_are_decimals() -> None:
    """19.99 is a multiple of 0.01, whatever the two doubles say."""
    given, expected = case("B15")

    for (factor, text), verdict in zip(given["cases"], expected, strict=True):
        issues = compile_schema({"multipleOf": factor}).issues(parse_json(text))
        assert [("", "multipleOf")] * (verdict == "invalid") == told(issues)


def test_b18_a_pattern_is_a_search() -> None:
    """Not anchored."""
    given, expected = case("B18")
    compiled = compile_schema(given["schema"])

    for value, row in zip(given["instances"], expected, strict=True):
        assert expected_of(row) == told(compiled.issues(value))


def test_b19_pointers_escape_slash_and_tilde() -> None:
    """Each path holds the raw names, and its pointer leads to the failing value."""
    given, expected = case("B19")
    value = given["instance"]

    issues = compile_schema(given["schema"]).issues(value)

    assert expected["paths"] == [each.pointer for each in issues]
    assert expected["segments"] == [list(each.path) for each in issues]
    assert ["x", "x", "x", "", "x"] == [resolve(value, each.pointer) for each in issues]


def test_b20_keywords_beside_a_reference_count_from_2019_09_on() -> None:
    """No ``$schema`` means 2020-12, and a dialect that nobody knows is refused by name."""
    given, expected = case("B20")

    for uri, row in zip(given["dialects"], expected, strict=True):
        schema = {**given["schema_body"], **({"$schema": uri} if uri else {})}
        issues = compile_schema(schema).issues(given["instance"])
        if row["verdict"] == "error":
            assert [("", "schema")] == told(issues)
            assert uri in issues[0].message
        else:
            assert expected_of(row) == told(issues)


def test_b22_a_missing_member_is_one_error_at_its_own_place() -> None:
    """The case has the parent and the name apart; our path joins them (decision V1)."""
    given, expected = case("B22")
    (row,) = expected["errors"]

    (issue,) = compile_schema(given["schema"]).issues(given["instance"])

    parent, _, missing = issue.pointer.rpartition("/")
    assert (row["path"], row["missing"]) == (parent, missing)
    assert row["keyword"] == issue.keyword
    assert expected["count"] == 1


def test_b23_a_recursive_tree_is_judged_at_any_depth() -> None:
    """Up to the bound on values, and never overflows past it."""
    given, expected = case("B23")
    compiled = compile_schema(given["schema"])

    for value, row in zip(given["instances"], expected, strict=True):
        assert expected_of(row) == told(compiled.issues(value))
    for levels, verdict in ((30, []), (1_000, [("", None)])):
        tree: dict[str, Any] = {"label": "leaf"}
        for _ in range(levels):
            tree = {"label": "branch", "sub": [tree]}
        assert verdict == told(compiled.issues({"folders": [tree]}))


def test_b25_nan_and_infinity_are_not_json() -> None:
    """And a number past a double is one, with its own value."""
    given, _ = case("B25")
    compiled = compile_schema(given["schema"])
    not_a_number, infinite, large, usual = given["argument_texts"]

    for text in (not_a_number, infinite):
        with pytest.raises(InvalidJson):
            parse_json(text)
    score = parse_json(large)["score"]
    assert 10**400 == score
    assert () == compiled.issues({"score": score})
    assert () == compiled.issues(parse_json(usual))
