"""Targets that are engines: small schemas that their engines refuse, and their repair.

Cases N10 and N12 are real reports; the others are members of the same kinds. The engines
themselves are heard in ``judges``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.contract import compile_schema
from toolgauge.lowering import lower
from toolgauge.lowering._plain_patterns import plain
from toolgauge.rules import check


def tool(place: Any, **more: Any) -> dict[str, Any]:
    """Make a tool with one parameter."""
    schema = {"type": "object", "properties": {"p": place}, **more}
    return {"name": "t", "description": "d", "inputSchema": schema}


def errors(given: Any, target: str) -> list[tuple[str, str]]:
    """Give rule and pointer of each reason to refuse."""
    found = check([given], [target]).findings
    return [
        (each.name, each.pointer.removeprefix("/inputSchema"))
        for each in found
        if each.severity == "error"
    ]


N12 = {
    "id": r"^\d+$",
    "slug": r"^[\w-]+$",
    "mail": r"^\S+$",
    "url": r"^https:\/\/x$",
    "ok": "^[0-9]{4}$",
}


def test_n12_escapes_that_make_a_grammar_unreadable_are_found_and_written_out() -> None:
    """Without a loss: the same texts match."""
    members = {name: {"type": "string", "pattern": each} for name, each in N12.items()}
    given = {
        "name": "order_get",
        "description": "d",
        "inputSchema": {"type": "object", "properties": members},
    }
    lowered = lower([given], "llamacpp")
    made = lowered.tools[0]["inputSchema"]["properties"]

    assert errors(given, "llamacpp") == [
        ("unsupported-pattern-escape", f"/properties/{name}/pattern")
        for name in ("id", "slug", "mail", "url")
    ]
    assert made["id"]["pattern"] == "^[0-9]+$"
    assert made["ok"] == members["ok"]
    assert lowered.losses == ()


def test_n10_a_definition_with_a_slash_in_its_name_is_taken() -> None:
    """The escaped pointer is read by xgrammar 0.2.9; the tool was refused."""
    schema = {
        "type": "object",
        "properties": {"q": {"$ref": "#/$defs/x~1y"}},
        "$defs": {"x/y": {"type": "string"}},
    }
    lowered = lower([{"name": "t", "inputSchema": schema}], "vllm-xgrammar")

    assert lowered.refused == ()
    assert compile_schema(lowered.tools[0]["inputSchema"]).is_valid({"q": "a"})
    assert not compile_schema(lowered.tools[0]["inputSchema"]).is_valid({"q": 1})


TAGGED = {
    name: {
        "type": "object",
        "properties": {"kind": {"const": name}},
        "required": ["kind"],
    }
    for name in ("cat", "dog")
}
PETS = [{"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}]
TAGLESS = [{"type": "object", "properties": {"kind": {"const": name}}} for name in ("cat", "dog")]
A_AND_B = {"a": {"type": "string"}, "b": {"type": "string"}}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("llamacpp", tool(True), "boolean-subschema"),
    ("llamacpp", tool({"type": "array", "items": False}), "boolean-subschema"),
    ("llamacpp", tool({"anyOf": [True, {"type": "null"}]}), "boolean-subschema"),
    (
        "llamacpp",
        tool({"type": "array", "prefixItems": [{"type": "null"}], "items": False}),
        "boolean-subschema",
    ),
    ("llamacpp", tool({"$ref": "#"}), "unsupported-reference-target"),
    (
        "llamacpp",
        tool({"$ref": "#/$defs/a~1b"}, **{"$defs": {"a/b": {"type": "string"}}}),
        "unsupported-reference-target",
    ),
    ("llamacpp", tool({"enum": []}), "empty-enum"),
    ("llamacpp", tool({"type": "string", "pattern": r"^a\b$"}), "unsupported-pattern-escape"),
    ("llamacpp", tool({"type": "string", "pattern": r"^[\.]$"}), "unsupported-pattern-escape"),
    ("llguidance", tool({"oneOf": PETS}, **{"$defs": TAGGED}), "undecided-one-of"),
    ("llguidance", tool({"oneOf": TAGLESS}), "undecided-one-of"),
    ("llguidance", tool({"oneOf": [{"type": "number"}, {"const": 1}]}), "undecided-one-of"),
    (
        "llguidance",
        tool({"type": "object", "properties": A_AND_B, "minProperties": 1}),
        "counted-optional-property",
    ),
    (
        "llguidance",
        tool({"type": "object", "properties": A_AND_B, "required": ["a"], "maxProperties": 1}),
        "counted-optional-property",
    ),
    ("llguidance", tool({"format": "color"}), "unsupported-format"),
    ("llguidance", tool({"$ref": "#", "type": "object"}), "reference-siblings"),
    ("mistral", tool({"type": "string", "pattern": r"^\p{L}+$"}), "non-python-pattern"),
    ("mistral", tool({"type": "string", "pattern": "(?<year>[0-9]+)"}), "non-python-pattern"),
    ("ollama", tool(True), "boolean-subschema"),
    ("sglang-outlines", tool({"oneOf": PETS}, **{"$defs": TAGGED}), "unsupported-keyword"),
    (
        "sglang-outlines",
        tool({"type": "object", "properties": A_AND_B, "additionalProperties": {"type": "null"}}),
        "keyword-combination",
    ),
    ("sglang-xgrammar", tool({"type": "integer", "multipleOf": 5}), "unsupported-keyword"),
    (
        "sglang-xgrammar",
        tool({"pattern": "^a$", "format": "uuid"}),
        "keyword-combination",
    ),
    ("vllm-xgrammar", tool({"type": "array", "minItems": 2}), "unshaped-bound"),
    ("vllm-xgrammar", tool({"type": "object", "minProperties": 1}), "unshaped-bound"),
    ("vllm-xgrammar", tool({"type": ["array", "null"], "minItems": 1}), "unshaped-bound"),
    ("vllm-xgrammar", tool({"type": "string", "pattern": r"\p{L}"}), "unsupported-pattern-syntax"),
    (
        "vllm-xgrammar",
        tool({"type": "object", "patternProperties": {"^a": {}, "^b": {"type": "null"}}}),
        "several-pattern-properties",
    ),
]


@pytest.mark.parametrize(
    ("target", "given", "rule"), REFUSED, ids=[f"{target}: {rule}" for target, _, rule in REFUSED]
)
def test_what_an_engine_refuses_is_found_and_repaired(
    target: str, given: dict[str, Any], rule: str
) -> None:
    """Unless no value fits: such a tool is refused by lowering too."""
    assert rule in {name for name, _ in errors(given, target)}
    lowered = lower([given], target)
    if "[]" in json.dumps(given):
        return

    assert lowered.refused == ()
    assert errors(lowered.tools[0], target) == []


def test_all_of_a_type_and_an_enum_becomes_what_xgrammar_reads() -> None:
    """With several members in allOf it takes any JSON."""
    given = tool({"allOf": [{"type": "string"}, {"enum": ["a", "b"]}]})
    lowered = lower([given], "vllm-xgrammar")

    assert "several-all-of" in {each.name for each in check([given], ["vllm-xgrammar"]).findings}
    assert lowered.tools[0]["inputSchema"]["properties"]["p"] == {
        "type": "string",
        "enum": ["a", "b"],
    }


def test_required_members_that_are_not_declared_can_be_written_once_lowered() -> None:
    """llama.cpp and xgrammar write declared members only."""
    given = tool({"type": "object", "properties": {"a": {}}, "required": ["b"]})
    for target in ("llamacpp", "vllm-xgrammar", "sglang-xgrammar"):
        made = lower([given], target).tools[0]["inputSchema"]["properties"]["p"]

        assert "b" in made["properties"]


PIECES = st.sampled_from(
    [
        *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\/", r"\.", r"\\", r"\t", r"\cA", r"\0"),
        *(r"\u0041", r"\u{42}", r"\x43", "a", "-", "[a-c]", r"[\w.-]", r"[^\s\-]", r"[\d\]]"),
        *("(?<n>a)", "(?:b)", "a+?", "b{1,2}?", "c*", "(a|b)", "."),
    ]
)
TEXTS = st.text(st.sampled_from("aAbBcC019_-./\\]\t \x00\x01é\u2028"), max_size=6)


@given(st.lists(PIECES, min_size=1, max_size=4), TEXTS)
def test_a_plain_pattern_matches_the_same_texts(pieces: list[str], text: str) -> None:
    """For both engines' readers: no escape is left that they do not know."""
    names = iter("nm")
    pattern = "^" + "".join(
        each.replace("<n>", f"<{next(names, '')}>") if "<n>" in each else each for each in pieces
    )
    if "<>" in pattern:
        return
    pattern += "$"
    made = plain(pattern)

    assert made is not None
    assert compile_schema({"pattern": pattern}).is_valid(text) == compile_schema(
        {"pattern": made}
    ).is_valid(text)
    assert errors(tool({"type": "string", "pattern": made}), "llamacpp") == []
    assert errors(tool({"type": "string", "pattern": made}), "mistral") == []


@pytest.mark.parametrize(
    "pattern",
    [r"^\p{L}$", r"^a\b$", r"^(a)\1$", "^(?=a)a$", r"^[^\S]$", r"^[\D]$", "^[]$", "^[^]$"],
)
def test_a_pattern_without_a_plain_form_has_none(pattern: str) -> None:
    """It is dropped, and told."""
    assert plain(pattern) is None
