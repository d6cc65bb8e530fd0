"""What providers and clients refuse, and what lowering makes of it: cases N13, N15, N16."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.lowering import lower
from toolgauge.rules import check

BOOLEANS = [("inputSchema", "properties", "a"), ("outputSchema", "properties", "a")]


def tool(schema: Any, **more: Any) -> dict[str, Any]:
    """Write a tool as MCP does."""
    return {"name": "t", "description": "d", "inputSchema": schema, **more}


def refusals(definition: Any, target: str) -> set[tuple[str, str]]:
    """Give rule and pointer of each reason to refuse."""
    findings = check([definition], [target]).findings
    return {(each.name, each.pointer) for each in findings if each.severity == "error"}


def accepts_lowered(definition: Any, target: str) -> bool:
    """Lower a tool, and ask the target again."""
    lowered = lower([definition], target)
    return not lowered.refused and not any(refusals(each, target) for each in lowered.tools)


def test_n13_moonshot_takes_references_into_defs_alone() -> None:
    """N13: the case, and what lowering makes of it."""
    event = {"type": "object", "properties": {"at": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {
            "event": {"$ref": "#/definitions/Event"},
            "end": {"$ref": "#/properties/event"},
        },
        "definitions": {"Event": event},
    }

    assert {
        ("unsupported-reference-target", "/inputSchema/properties/event/$ref"),
        ("unsupported-reference-target", "/inputSchema/properties/end/$ref"),
    } == refusals(tool(schema), "moonshot")
    assert accepts_lowered(tool(schema), "moonshot")


@pytest.mark.parametrize(
    ("reference", "is_taken"),
    [
        ("#/$defs/a", True),
        ("#/$defs/a/properties/b", True),
        ("#", True),
        ("#/definitions/a", False),
        ("#/components/schemas/a", False),
        ("#/properties/x", False),
        ("#/$defs/a~1b", False),
        ("#/$defs/a%20b", False),
        ("#a", False),
        ("https://x.example/a", False),
    ],
)
def test_moonshot_looks_names_up_as_they_are_written(reference: str, is_taken: bool) -> None:
    """Its validator decodes nothing."""
    found = refusals(tool({"type": "object", "properties": {"p": {"$ref": reference}}}), "moonshot")

    assert is_taken == ("unsupported-reference-target" not in {name for name, _ in found})


@given(
    st.sets(st.sampled_from(("description", "title"))),
    st.sets(st.sampled_from(("description", "title"))),
)
def test_moonshot_refuses_what_stands_on_both_sides_of_a_reference(
    beside: set[str], inside: set[str]
) -> None:
    """An annotation on one side is taken."""
    schema = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/a", **dict.fromkeys(beside, "x")}},
        "$defs": {"a": {"type": "string", **dict.fromkeys(inside, "y")}},
    }
    found = refusals(tool(schema), "moonshot")

    assert bool(beside & inside) == (("reference-siblings", "/inputSchema/properties/p") in found)
    assert accepts_lowered(tool(schema), "moonshot")


@pytest.mark.parametrize("value", [True, False])
def test_n15_claude_code_loses_all_tools_by_a_boolean_schema(value: bool) -> None:
    """N15: in properties of the input and the output schema, at any depth."""
    schema = {"type": "object", "properties": {"raw_input": value, "id": {"type": "string"}}}
    deep = {"type": "object", "properties": {"a": {"properties": {"b": value}}}}

    assert {
        ("boolean-subschema", "/inputSchema/properties/raw_input"),
        ("boolean-subschema", "/outputSchema/properties/a/properties/b"),
    } == refusals(tool(schema, outputSchema=deep), "claude-code")
    assert accepts_lowered(tool(schema), "claude-code")


def test_the_typescript_sdk_looks_at_the_root_alone() -> None:
    """What lies deeper, or is no property, passes."""
    schema = {
        "type": "object",
        "properties": {"a": True, "b": {"properties": {"c": True}, "items": False}},
        "additionalProperties": True,
    }
    report = check([tool(schema, outputSchema=schema)], ["mcp-spec"], conservative=True)

    assert {"/inputSchema/properties/a", "/outputSchema/properties/a"} == {
        each.pointer for each in report.findings if each.name == "boolean-subschema"
    }


@pytest.mark.parametrize("target", ["gemini-parameters", "gemini-json-schema"])
@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "string", "format": "enum"}, "format"),
        ({"type": "string", "format": "enum", "enum": []}, "enum"),
        ({"type": "string", "enum": []}, "enum"),
    ],
)
def test_n16_gemini_wants_values_in_an_enum(target: str, schema: Any, path: str) -> None:
    """N16: the format alone promises them."""
    definition = tool({"type": "object", "properties": {"p": schema, "q": {"type": "string"}}})

    assert ("empty-enum", f"/inputSchema/properties/p/{path}") in refusals(definition, target)
    assert accepts_lowered(definition, target)


@given(
    st.dictionaries(
        st.sampled_from("abcd"),
        st.fixed_dictionaries(
            {"type": st.just("string")},
            optional={
                "format": st.sampled_from(("enum", "date-time", "other")),
                "enum": st.lists(st.sampled_from(("x", "y")), unique=True),
            },
        ),
        min_size=1,
    ),
    st.sampled_from(("gemini-parameters", "gemini-json-schema", "moonshot")),
)
def test_enums_and_formats_are_lowered_to_what_is_taken(
    properties: dict[str, Any], target: str
) -> None:
    """Any of them, side by side."""
    assert accepts_lowered(tool({"type": "object", "properties": properties}), target)


def test_anthropic_checks_examples() -> None:
    """An invalid one refuses the request."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    good, bad = {"n": 1}, {"n": "1"}
    definition = {"name": "t", "input_schema": schema, "input_examples": [good, bad, {}]}

    assert {
        ("invalid-example", "/input_examples/1/n"),
        ("invalid-example", "/input_examples/2/n"),
    } == {each for each in refusals(definition, "anthropic") if each[0] == "invalid-example"}


@pytest.mark.parametrize(
    ("target", "limit", "more"),
    [
        ("mistral", 128, {}),
        ("deepseek", 128, {}),
        ("openai-chat", 128, {}),
        ("anthropic", 10_000, {"defer_loading": True}),
    ],
)
def test_so_many_tools_are_taken_and_no_more(target: str, limit: int, more: dict[str, Any]) -> None:
    """The list as a whole is refused."""
    schema = {"type": "object", "properties": {}}
    tools = [
        {"type": "function", "name": f"t{number}", "input_schema": schema, **more}
        for number in range(limit + 1)
    ]

    def names(listed: Any) -> set[str]:
        findings = check(listed, [target]).findings
        return {each.name for each in findings if each.severity == "error"}

    assert "too-many-tools" not in names(tools[:limit])
    assert "too-many-tools" in names(tools)


@pytest.mark.parametrize(
    ("target", "length", "is_taken"),
    [
        ("openai-chat", 64, True),
        ("openai-chat", 65, False),
        ("openai-responses", 128, True),
        ("openai-responses", 129, False),
        ("openai", 65, True),
        ("openai", 129, False),
    ],
)
def test_the_apis_of_openai_have_their_own_limits(target: str, length: int, is_taken: bool) -> None:
    """What one of them takes is a warning of ``openai``."""
    found = refusals(tool({"type": "object", "properties": {}}) | {"name": "n" * length}, target)

    assert is_taken == (("overlong-tool-name", "/name") not in found)


def test_a_union_at_the_root_is_refused_by_responses() -> None:
    """Chat Completions warns."""
    schema = {"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]}

    assert ("root-combinator", "/inputSchema/anyOf") in refusals(tool(schema), "openai-responses")
    assert not refusals(tool(schema), "openai-chat")


def test_keywords_that_interactions_ignores_are_warnings() -> None:
    """Those that the SDK names."""
    ignored = {
        "minLength": 1,
        "maxLength": 2,
        "minProperties": 1,
        "maxProperties": 2,
        "uniqueItems": True,
        "contains": {},
        "minContains": 1,
        "maxContains": 2,
    }
    report = check(
        [tool({"type": "object", "properties": {"p": ignored}})], ["gemini-interactions"]
    )

    assert ignored.keys() <= {
        each.path[-1] for each in report.findings if each.severity == "warning"
    }
