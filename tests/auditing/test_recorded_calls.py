"""Real recorded calls and the verdicts that are known of them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from toolgauge.auditing import Contracts, Judged, Row, RowReader, Verdict
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.verdicts import Call

FOLDER = pathlib.Path(__file__).parents[3] / "shared" / "corpus" / "calls"

needs_corpus = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the corpus of recorded calls is not beside the project"
)


@needs_corpus
def test_every_recorded_call_gets_the_verdict_that_is_known_of_it() -> None:
    """Path and keyword of every error, in order, over all cases."""
    toolsets = json.loads((FOLDER / "toolsets.json").read_text())
    lines = (FOLDER / "cases.jsonl").read_text().splitlines()
    number = 0
    for line in lines:
        case = json.loads(line)
        tools = case.get("tools") or toolsets[case["toolset"]]
        for call in case["calls"]:
            found = _judged(tools, call["name"], call["arguments"])
            number += 1

            assert (call["expect"] == "valid") == (found.verdict is Verdict.VALID), case["id"]
            assert _expected(call) == _errors(found), case["id"]
    assert number > len(lines) / 2


def _expected(call: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the known errors; where the schema itself is unusable, ours says so alone."""
    errors: list[dict[str, Any]] = call.get("errors", [])
    if any(each["keyword"].startswith("(schema unusable") for each in errors):
        return [{"path": "", "keyword": "schema"}]
    return errors


def _judged(tools: list[Any], name: str, arguments: Any) -> Judged:
    found: list[Judged] = []
    judge = Judge(Contracts(tools), RowReader(), found.append, emit_valid=True)
    judge.call(Call(name, arguments), Row("cases", 1))
    return found[0]


def _errors(found: Judged) -> list[dict[str, Any]]:
    """Write issues as the cases do: a missing property is told at the object that lacks it."""
    return [
        {
            "path": issue.pointer.rpartition("/")[0]
            if issue.keyword == "required"
            else issue.pointer,
            "keyword": issue.keyword,
        }
        for issue in found.issues
    ]
