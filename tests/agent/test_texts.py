from __future__ import annotations

from typing import Any

import pytest

from toolgauge.agent._texts import refusal, wanted_at
from toolgauge.contract import Issue, compile_schema

NAME = {"type": "string", "minLength": 1}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": NAME,
        "list": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "pair": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        "either": {"anyOf": [{"type": "null"}, {"properties": {"x": NAME}}]},
        "free": {"additionalProperties": {"type": "number"}},
        "loop": {"$ref": "#/properties/loop"},
        "away": {"$ref": "https://example.com/a"},
        "lost": {"$ref": "#/nowhere"},
        "open": True,
    },
    "$defs": {"item": {"type": "object", "properties": {"id": {"type": "integer"}}}},
}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (("name",), NAME),
        (("list", 3, "id"), {"type": "integer"}),
        (("pair", 1), {"type": "integer"}),
        (("pair", 2), None),
        (("either", "x"), NAME),
        (("free", "any"), {"type": "number"}),
        (("loop", "x"), None),
        (("away", "x"), None),
        (("lost", "x"), None),
        (("open",), None),
        (("open", "x"), None),
        (("unknown",), None),
        (("name", 0), None),
        ((), SCHEMA),
    ],
)
def test_what_is_wanted_is_found_along_the_schema(path: Any, wanted: object) -> None:
    """Through references, items and branches; nothing is made up where it says nothing."""
    assert wanted == wanted_at(SCHEMA, path)


def test_every_issue_is_a_line() -> None:
    """Found by the engine itself, in its order."""
    arguments = {"name": "", "list": [{"id": "x"}], "pair": ["a", "b"]}
    kept = {key: SCHEMA["properties"][key] for key in ("name", "list", "pair")}
    schema = {**SCHEMA, "properties": kept}
    issues = compile_schema(schema).issues(arguments)

    lines = refusal("t", issues, arguments, schema).split("\n")

    assert 3 == len(issues)
    assert len(issues) + 2 == len(lines)
    assert [each.pointer for each in issues] == [
        line.removeprefix("- ").split(":")[0] for line in lines[1:-1]
    ]


def test_long_things_are_cut() -> None:
    """A model's window is not ours to fill."""
    issues = [Issue(path=("a",), message="m" * 5_000, hint="try b")] * 100
    schema = {"properties": {"a": {"enum": ["x" * 5_000]}}}

    text = refusal("n" * 5_000, issues, {"a": "y" * 5_000}, schema)

    assert "and 80 more" in text
    assert "try b" in text
    assert len(text) < 20 * 1_200


def test_a_member_too_many_is_told_with_those_that_are_allowed() -> None:
    """At the root and further down; a slip of the pen shows."""
    closed: dict[str, Any] = {"properties": {"city": {}, "days": {}}, "additionalProperties": False}
    inner = {**closed["properties"], "a": closed, "b": {"additionalProperties": False}}
    schema = {"properties": inner, "additionalProperties": False}
    arguments = {"cty": 1, "a": {"x": 1}, "b": {"x": 1}}
    issues = compile_schema(schema).issues(arguments)

    text = refusal("t", issues, arguments, schema)

    assert 'allowed "city", "days", "a", "b"' in text
    assert 'allowed "city", "days";' in text
    assert "allowed none" in text


def test_an_issue_with_everything_says_so() -> None:
    """The place has no pointer, and what was sent is known."""
    text = refusal("t", [Issue(message="arguments are no JSON text")], "{", None)

    assert "- the arguments: arguments are no JSON text" in text
