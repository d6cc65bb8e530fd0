"""Real faults of data sets that people reported: area e of the cases, each by its id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from toolgauge.auditing import Contracts, Judged, Row, RowReader, RowTools, Verdict
from toolgauge.auditing.dialects import bfcl, xlam
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.row_tools import without_nulls
from toolgauge.contract import compile_schema, schema_issues

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "suites" / "cases_e.jsonl").read_text().splitlines(),
    )
}


def case(number: str) -> tuple[dict[str, Any], Any]:
    """Give a case's input and what is expected of it."""
    return CASES[number]["input"], CASES[number]["expected"]


def judge(
    rows: list[Any], tools: list[Any], *, dialect: str | None = None, **options: Any
) -> list[Judged]:
    """Judge rows that share their tools."""
    row_tools = RowTools("tools", dialect, {"": tools}, **options)
    found: list[Judged] = []
    reader = RowReader(dialect=dialect)
    judging = Judge(Contracts(), reader, found.append, emit_valid=True, row_tools=row_tools)
    for number, row in enumerate(rows, 1):
        held = {"id": "", **row} if isinstance(row, dict) else row
        judging.line(orjson.dumps(held), Row("rows", number))
    return found


def calls(name: str, arguments: list[Any]) -> list[dict[str, Any]]:
    """Make direct rows."""
    return [{"name": name, "arguments": each} for each in arguments]


def verdicts(found: list[Judged]) -> list[Any]:
    """Write what was found as the cases do; a missing property at the object that lacks it."""
    written: list[Any] = []
    for each in found:
        if each.verdict is Verdict.VALID:
            written.append("valid")
            continue
        issue = each.issues[0]
        path = issue.pointer
        if issue.keyword == "required":
            path = path.rpartition("/")[0]
        written.append({"verdict": "invalid", "path": path, "keyword": issue.keyword})
    return written


def expected_verdicts(expected: list[Any]) -> list[Any]:
    """Leave out what a case says beside verdict, path and keyword."""
    kept = ("verdict", "path", "keyword")
    return [
        each if isinstance(each, str) else {key: each[key] for key in kept} for each in expected
    ]


def test_e01_types_of_bfcl_are_mapped() -> None:
    """``dict``, ``float`` and ``tuple`` are refused as they stand and right once mapped."""
    given, expected = case("E01")
    schema = given["function"]["parameters"]
    mapped, made = bfcl.to_schema(schema)

    # The engine names the first place; all of them are the check command's business.
    assert schema_issues(schema)
    assert compile_schema(schema).problem is not None
    assert () == tuple(schema_issues(mapped))
    for name, standard in expected["normalised"].items():
        assert made[f"type {name!r} read as {standard!r}"]
    found = judge(calls("geo.distance", given["calls"]), [given["function"]], dialect="bfcl")
    assert expected_verdicts(expected["calls_after_normalising"]) == verdicts(found)


def test_e02_whole_numbers_are_numbers() -> None:
    """JSON does not tell 3 from 3.0."""
    given, expected = case("E02")
    tool = {"name": "t", "parameters": given["parameters"]}
    found = judge(calls("t", [given["call"], given["also"]]), [tool], dialect="bfcl")

    assert [expected["call"], expected["also"]] == verdicts(found)


def test_e03_types_of_other_languages_are_mapped() -> None:
    """``String`` inside ``items``."""
    given, expected = case("E03")
    tool = {"name": "t", "parameters": given["parameters"]}

    found = judge(calls("t", given["calls"]), [tool], dialect="bfcl")

    assert expected_verdicts(expected["calls"]) == verdicts(found)


def test_e05_an_optional_parameter_may_be_left_out() -> None:
    """A default is no requirement."""
    given, expected = case("E05")

    found = judge(calls("house_estimate", given["calls"]), [given["function"]], dialect="bfcl")

    assert expected_verdicts(expected["calls"]) == verdicts(found)
    assert expected["calls"][2]["missing"] == found[2].issues[0].path[-1]


def test_e06_arguments_in_the_wrong_form_are_named() -> None:
    """An object is read and noted; what is no JSON, or JSON twice, is a failure with its place."""
    given, expected = case("E06")
    tool = {"name": "w", "parameters": given["tool_schema"]}
    as_object, right, printed, cut, twice = judge(given["rows"], [tool])

    assert Verdict.VALID is as_object.verdict
    assert [expected[0]["format_finding"]["path"]] == [note.pointer for note in as_object.notes]
    assert "text" in as_object.notes[0].message
    assert Verdict.VALID is right.verdict
    assert () == right.notes
    for each in (printed, cut):
        assert Verdict.UNPARSABLE_ARGUMENTS is each.verdict
    assert expected[2]["path"] == printed.issues[0].pointer
    assert "Python" in (printed.issues[0].hint or "")
    assert f"column {expected[3]['column']}" in cut.issues[0].message
    assert "cut off" in (cut.issues[0].hint or "")
    assert Verdict.WRONG_SHAPE is twice.verdict
    assert "twice" in (twice.issues[0].hint or "")


def test_e08_the_padding_of_a_table_can_be_dropped() -> None:
    """As stored, the schema is broken and the call has a key too many; unpadded, all is well."""
    given, expected = case("E08")
    rows = [given["call"]]
    (stored,) = judge(rows, given["tools"])
    unpadded = without_nulls(given["tools"])
    (strict,) = judge(rows, unpadded)
    (dropped,) = judge(rows, given["tools"], drops_padding=True)

    assert Verdict.BROKEN_CONTRACT is stored.verdict
    assert expected["schema"]["findings"][0]["path"] in stored.issues[0].message
    after = expected["after_dropping_null_padding"]
    assert [
        {key: after["arguments_as_stored"][key] for key in ("verdict", "path", "keyword")}
    ] == verdicts([strict])
    assert after["arguments_without_padding"] == dropped.verdict


@pytest.mark.parametrize("variant", range(4))
def test_e10_each_call_is_answered_once(variant: int) -> None:
    """In any order; a missing answer, a second one and one to nobody are noted."""
    given, expected = case("E10")
    (first, *_) = judge([_conversation(given["assistant_calls"], given["variants"][variant])], TOOL)
    wanted = expected["variants"][variant]

    if isinstance(wanted, str):
        assert () == first.notes
    else:
        words = {
            "missing answer": "no answer",
            "answered twice": "answered twice",
            "unknown call id": "unknown call id",
        }[wanted["finding"]]
        (note,) = first.notes
        assert words in note.message
        assert repr(wanted["id"]) in note.message


def test_e10_a_call_id_is_used_once() -> None:
    """Two calls of one id cannot be answered apart."""
    given, expected = case("E10")
    ids = given["extra"]["assistant_calls"]
    (first, *_) = judge([_conversation(ids, ids)], TOOL)

    assert [f"duplicate call id {expected['extra']['id']!r}"] == [
        note.message for note in first.notes
    ]


def test_e11_a_call_made_of_nothing_is_malformed() -> None:
    """Null, an empty object and an empty name have their places; an empty list is no call."""
    given, expected = case("E11")
    found = judge(given["rows"], TOOL)

    assert [Verdict.MALFORMED_CALL] * 3 + [Verdict.NO_CALL] == [each.verdict for each in found]
    assert [each["path"] for each in expected[:3]] == [each.issues[0].pointer for each in found[:3]]
    assert "null" in found[0].issues[0].message
    assert "'function'" in found[1].issues[0].message


def test_e13_flat_parameters_become_a_schema() -> None:
    """A parameter called ``type`` stays one; the empty default of a bool is left out and told."""
    given, expected = case("E13")
    mapped, made = xlam.to_schema(given["tool"]["parameters"])

    assert expected["normalised"]["required"] == mapped["required"]
    for name, wanted in expected["normalised"]["properties"].items():
        assert wanted.items() <= mapped["properties"][name].items(), name
    assert made["flat parameters read as an object schema"]
    assert made["default '' of a parameter that is no text left out"]
    found = judge(calls("races", given["calls"]), [given["tool"]], dialect="xlam")
    assert expected_verdicts(expected["calls"]) == verdicts(found)


TOOL = [{"name": "t", "parameters": {"type": "object"}}]


def _conversation(asked: list[str], answered: list[str]) -> dict[str, Any]:
    function = {"name": "t", "arguments": "{}"}
    return {
        "messages": [
            {"role": "user", "content": "go"},
            {
                "role": "assistant",
                "tool_calls": [{"id": each, "function": function} for each in asked],
            },
            *({"role": "tool", "tool_call_id": each, "content": ""} for each in answered),
        ]
    }
