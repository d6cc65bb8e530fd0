"""``check``: what is asked of whom, and what comes of it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from toolgauge.rules import NotTools, UnknownTarget, check, select, targets

GOOD = {
    "name": "search",
    "description": "Search the notes.",
    "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look for."}},
        "required": ["query"],
        "additionalProperties": False,
    },
}
DOTTED = {**GOOD, "name": "notes.search"}


def test_a_plain_tool_is_accepted_nearly_everywhere() -> None:
    """No form is legal for all: Gemini's Schema has no ``additionalProperties``."""
    report = check([GOOD])
    refused = {each.target.name for each in report.verdicts if each.verdict == "refused"}

    # The strict rules take the schema under another key, and say so.
    assert {"gemini-parameters", "tools-json-strict"} == refused


def test_one_bad_tool_is_one_refused_tool() -> None:
    """The others stay accepted; the finding says whose it is and where."""
    report = check([GOOD, DOTTED], ["anthropic"])
    (verdict,) = report.verdicts
    errors = [each for each in report.findings if each.severity == "error"]

    assert {"tools": 2, "accepted": 1, "refused": 1, "verdict": "refused"} == verdict.to_json()
    assert [("notes.search", 1, "/name", "malformed-tool-name")] == [
        (each.tool, each.index, each.pointer, each.name) for each in errors
    ]


def test_a_finding_about_the_whole_list_refuses_all() -> None:
    """It has no tool and no index."""
    tools = [{**GOOD, "name": f"t{number}"} for number in range(129)]
    report = check(tools, ["openai"])
    (found,) = [each for each in report.findings if each.name == "too-many-tools"]

    assert (None, None) == (found.tool, found.index)
    assert 129 == report.verdicts[0].refused


def test_no_tools_at_all_are_no_error_of_ours() -> None:
    """An empty list is a list."""
    assert {"tools": 0, "accepted": 0, "refused": 0} == {
        key: value
        for key, value in check([], ["anthropic"]).verdicts[0].to_json().items()
        if key != "verdict"
    }


def test_the_json_form_is_that_of_the_command() -> None:
    """Targets by name, findings with every member."""
    body = check([DOTTED], ["anthropic", "openai"]).to_json()

    assert {"anthropic", "openai"} == set(body["targets"])
    assert {
        "rule",
        "name",
        "target",
        "tool",
        "index",
        "path",
        "message",
        "severity",
        "fix",
    } == set(body["findings"][0])


def test_a_prefix_counts() -> None:
    """A client puts it before the name, and the limit is on the whole."""
    tool = {**GOOD, "name": "a" * 60}
    bare = check([tool], ["bedrock-converse"])
    prefixed = check([tool], ["bedrock-converse"], prefix="mcp__acme__")

    assert "refused" != bare.verdicts[0].verdict
    assert "refused" == prefixed.verdicts[0].verdict


def test_conservative_turns_conflicts_into_errors() -> None:
    """Where sources contradict each other, the stricter one counts."""
    applied = [
        each
        for target in targets().values()
        for each in target.applied
        if each.severity != each.conservative
    ]

    assert applied
    assert all(each.conflict for each in applied)


def test_targets_are_chosen_by_name_and_by_group() -> None:
    """Underscores are hyphens, and each target comes once."""
    names = [each.name for each in select(["openai_strict", "OPENAI-STRICT", "strict"])]

    assert "openai-strict" == names[0]
    assert len(set(names)) == len(names)
    assert len(targets()) == len(select(["all"]))


def test_an_unknown_target_is_named_with_its_neighbours() -> None:
    """And survives a process boundary."""
    with pytest.raises(UnknownTarget) as caught:
        check([], ["opnai"])
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - it is our own

    assert "opnai" == copy.name
    assert "openai" in str(copy)


@pytest.mark.parametrize("tools", ["text", b"bytes", {"tools": []}, 5, None])
def test_what_is_no_list_is_an_error_of_the_caller(tools: Any) -> None:
    """A mapping iterates over its keys, a text over its characters."""
    with pytest.raises(NotTools) as caught:
        check(tools)

    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))  # noqa: S301


def test_a_broken_tool_hides_no_other() -> None:
    """Whatever it is, it gets findings of its own."""
    report = check([None, GOOD, 5, {"name": 5}, DOTTED], ["anthropic"])
    by_tool = {each.index for each in report.findings if each.severity == "error"}

    assert {0, 2, 3, 4} == by_tool


def test_findings_come_by_tool_and_severity() -> None:
    """Those about the list first, errors before warnings."""
    report = check([DOTTED, DOTTED, GOOD])
    order = [(-1 if each.index is None else each.index) for each in report.findings]

    assert sorted(order) == order


def deep(levels: int) -> dict[str, Any]:
    """Give a schema that nests."""
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return schema


HOSTILE: dict[str, Any] = {
    "a thousand levels": deep(1_000),
    "nine thousand broken properties": {
        "properties": {f"p{number}": {"type": "strng"} for number in range(9_000)}
    },
    "a ring of references": {
        "$defs": {
            f"d{number}": {"anyOf": [{"$ref": f"#/$defs/d{(number * 7 + 1) % 2_000}"}] * 2}
            for number in range(2_000)
        }
    },
    "five thousand patterns": {
        "properties": {
            f"p{number}": {"type": "string", "pattern": f"a{{{number}}}("}
            for number in range(5_000)
        }
    },
    "a long enum": {"properties": {"e": {"enum": list(range(50_000))}}},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_schema_gets_findings_and_hides_no_other_tool(kind: str) -> None:
    """Bounded in number, from every target, and never a traceback."""
    hostile = {"name": "t", "inputSchema": {"type": "object", **HOSTILE[kind]}}
    report = check([hostile, GOOD])

    assert [each for each in report.findings if each.index == 0]
    assert len(report.findings) < 20_000
    assert {2} == {each.tools for each in report.verdicts}


def test_ten_thousand_tools_are_a_list_like_any_other() -> None:
    """Most targets take fewer, and say so once."""
    tools = [{**GOOD, "name": f"t{number}"} for number in range(10_000)]
    report = check(tools, ["openai", "mcp-spec"])

    assert 1 == len([each for each in report.findings if each.name == "too-many-tools"])
    assert [10_000, 0] == [each.refused for each in report.verdicts]
