"""Lowering by example: what each pass does to a tool, and to its calls."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

from toolgauge.contract import Tool, ToolgaugeError
from toolgauge.lowering import (
    SHAPES,
    InvalidMap,
    NoPasses,
    UnknownPass,
    UnknownTool,
    lower,
    passes,
    restorer_from_map,
)
from toolgauge.lowering.errors import CannotLower, CannotRefit
from toolgauge.rules import NotTools, targets
from toolgauge.rules._targets import PassNamed

STRICT = "openai-strict"
TEXT = {"type": "string"}


def tool(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Give a tool called ``t``."""
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties, **more}}


def schema_for(given: dict[str, Any], target: str = STRICT) -> dict[str, Any]:
    """Lower one tool and give its schema."""
    lowered = lower([given], target)
    assert not lowered.refused
    found: dict[str, Any] = lowered.tools[0]["inputSchema"]
    return found


ROUND_TRIPS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (STRICT, {"q": {"type": "string"}}, {}, {"q": None}),
    (STRICT, {"q": {"type": ["string", "null"]}}, {"q": None}, {"q": None}),
    (
        STRICT,
        {"m": {"type": "object", "additionalProperties": {"type": "integer"}}},
        {"m": {"a": 1}},
        {"m": [{"key": "a", "value": 1}]},
    ),
    (STRICT, {"m": {"type": "object"}}, {"m": {"a": [1]}}, {"m": '{"a":[1]}'}),
    (STRICT, {"v": {}}, {"v": [None]}, {"v": "[null]"}),
    ("gemini-parameters", {"n": {"type": "integer", "enum": [1, 2]}}, {"n": 2}, {"n": "2"}),
    ("gemini-parameters", {"s": {"enum": ["", "a"]}}, {"s": ""}, {"s": "(empty)"}),
    ("anthropic", {"$filter": {"type": "string"}}, {"$filter": "x"}, {"_filter": "x"}),
    (
        STRICT,
        {"d": {"default": {"properties": 1}, "enum": ["a"], "type": "string"}},
        {"d": "a"},
        {"d": "a"},
    ),
]


@pytest.mark.parametrize(("target", "properties", "own", "sent"), ROUND_TRIPS)
def test_calls_go_there_and_back(
    target: str, properties: dict[str, Any], own: dict[str, Any], sent: dict[str, Any]
) -> None:
    """Through the object, and through a map that went to disk."""
    lowered = lower([tool(properties)], target)
    from_disk = restorer_from_map(json.loads(json.dumps(lowered.to_map())))

    assert ("t", sent) == lowered.image("t", own)
    assert ("t", own) == lowered.restore("t", sent)
    assert ("t", own) == from_disk.restore("t", json.dumps(sent))


def test_recursion_is_kept_where_it_may_be_and_becomes_text_where_not() -> None:
    """Strict OpenAI takes references; Gemini's parameters do not."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    given = tool({"head": {"$ref": "#/$defs/node"}}, **{"$defs": {"node": node}})
    value: dict[str, Any] = {"head": {"next": {"next": {}}}}

    for target in (STRICT, "gemini-parameters", "anthropic-strict"):
        lowered = lower([given], target)
        assert lowered.tools, target
        assert ("t", value) == lowered.restore(*lowered.image("t", value)), target


def test_a_union_at_the_root_becomes_one_object() -> None:
    """Members of all branches; only what all require is required."""
    branches = [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
    ]
    lowered = lower([{"name": "t", "inputSchema": {"oneOf": branches}}], "anthropic")
    schema = lowered.tools[0]["inputSchema"]

    assert {"a", "b"} == set(schema["properties"])
    assert [] == schema.get("required", [])
    assert {"gate"} == {each.made_good_by for each in lowered.losses if each.kind == "wider"}


def test_allof_is_merged() -> None:
    """Bounds meet, required adds up."""
    schema = schema_for(
        tool(
            {
                "x": {
                    "allOf": [
                        {"type": "integer", "minimum": 1},
                        {"type": "number", "minimum": 3, "maximum": 9},
                    ]
                }
            },
            required=["x"],
        )
    )

    assert {"type": "integer", "minimum": 3, "maximum": 9} == schema["properties"]["x"]


def test_data_and_parameters_named_like_keywords_are_left_alone() -> None:
    """A parameter ``oneOf`` is no union, an enum member ``$ref`` no reference."""
    given = tool(
        {"oneOf": {"type": "string", "enum": ["$ref", "not"]}, "not": {"type": "integer"}},
        required=["oneOf", "not"],
        additionalProperties=False,
    )

    assert given["inputSchema"] == schema_for(given)


TARGETS = [name for name, target in targets().items() if target.passes]
DATA = {
    "$ref": "#/nowhere",
    "type": "none",
    "properties": {"a": {"oneOf": [True, {}]}},
    "allOf": [{"not": {}}],
    "required": ["b"],
    "additionalProperties": True,
    "nullable": True,
    "definitions": {"x": {"items": [1]}},
}
"""Reads like a schema wherever somebody takes it for one."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("keyword", ["default", "examples"])
def test_data_is_never_taken_for_a_schema(target: str, keyword: str) -> None:
    """It is kept as it was, or left out as a whole."""
    data = [DATA, "x"] if keyword == "examples" else DATA
    given = tool({"d": {"type": "string", keyword: data}}, required=["d"])
    found = lower([given], target).tools[0]["inputSchema"]["properties"]["d"]

    assert data == found.get(keyword, data)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("schema", [{"enum": [DATA, "x"]}, {"const": DATA}])
def test_listed_values_are_never_taken_for_schemas(target: str, schema: dict[str, Any]) -> None:
    """They stay as they were, or become text that is read back."""
    own = {"d": DATA}
    lowered = lower([tool({"d": schema}, required=["d"])], target)
    found = lowered.tools[0]["inputSchema"]["properties"]["d"]
    listed = found["enum"] if "enum" in found else [found["const"]]

    assert schema.get("enum", [DATA]) == [
        json.loads(each) if isinstance(each, str) and each != "x" else each for each in listed
    ]
    assert ("t", own) == lowered.restore(*lowered.image("t", own))


@pytest.mark.parametrize("target", TARGETS)
def test_parameters_named_like_keywords_are_parameters(target: str) -> None:
    """Nested ones too; each keeps its name and its schema."""
    words = ["oneOf", "not", "default", "enum", "properties", "required", "items", "type"]
    words += ["examples", "const", "nullable", "if", "format", "allOf", "additionalProperties"]
    inner = {word: {"type": "integer"} for word in words}
    closed = {"type": "object", "additionalProperties": False, "required": words}
    own = {word: dict.fromkeys(words, 1) for word in words}
    members = {word: {**closed, "properties": inner} for word in words}
    lowered = lower([{"name": "t", "inputSchema": {**closed, "properties": members}}], target)
    found = lowered.tools[0]["inputSchema"]["properties"]

    assert members.keys() == found.keys()
    assert dict.fromkeys(words, inner) == {word: each["properties"] for word, each in found.items()}
    assert ("t", own) == lowered.image("t", own)
    assert ("t", own) == lowered.restore("t", own)


def test_names_that_become_the_same_stay_apart() -> None:
    """The suffix is of the whole name."""
    names = ["a/b", "a.b", "a b", "x" * 100 + "1", "x" * 100 + "2"]
    lowered = lower([{**tool({}), "name": name} for name in names], STRICT)
    sent = [each["name"] for each in lowered.tools]

    assert len(names) == len(set(sent))
    assert names == [lowered.restore(each, {})[0] for each in sent]


BAD = [
    ({"type": "object", "properties": []}, "valid"),
    ({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}, "nowhere"),
    ({"type": "object", "properties": {"a": {"$ref": "https://example.org/a"}}}, "leaves"),
    ({"type": "string"}, "root"),
    ("text", "object"),
]


@pytest.mark.parametrize(("schema", "word"), BAD)
def test_what_cannot_be_lowered_is_refused_with_reason_and_fix(schema: Any, word: str) -> None:
    """One bad tool hides no good one."""
    lowered = lower([{"name": "bad", "inputSchema": schema}, tool({})], STRICT)

    assert ["t"] == [each["name"] for each in lowered.tools]
    assert "bad" == lowered.refused[0].tool
    assert word in lowered.refused[0].reason
    assert lowered.refused[0].fix


@pytest.mark.parametrize("given", [None, 5, "x", {}, {"name": ""}, {"name": 3}, {"name": {1, 2}}])
def test_what_is_no_tool_is_refused(given: object) -> None:
    """By its place, where it has no name."""
    assert ("#0",) == tuple(each.tool for each in lower([given], STRICT).refused) or given


def test_the_second_of_two_equal_names_is_refused() -> None:
    """A call could not tell them apart."""
    lowered = lower([tool({}), tool({"a": {}})], STRICT)

    assert 1 == len(lowered.tools)
    assert 1 == len(lowered.refused)


ARGUMENTS: list[tuple[object, Any, bool]] = [
    ('{"q": null}', {}, True),
    (b"", {}, True),
    (None, {}, True),
    ("{", "{", False),
    ("[1]", [1], False),
    (7, 7, False),
    ({"q": "x", "more": 1}, {"q": "x", "more": 1}, True),
]


@pytest.mark.parametrize(("sent", "own", "is_mapped"), ARGUMENTS)
def test_arguments_of_any_kind_are_mapped_or_reported(
    sent: object, own: Any, is_mapped: bool
) -> None:
    """What cannot be mapped stays as it was, for the gate to refuse."""
    found = lower([tool({"q": {"type": "string"}})], STRICT).restore_report("t", sent)

    assert own == found.arguments
    assert is_mapped == (not found.unmapped)


def test_a_map_with_a_key_twice_is_reported_not_guessed() -> None:
    """Neither of the two values wins."""
    given = tool({"m": {"type": "object", "additionalProperties": {"type": "integer"}}})
    pairs = [{"key": "a", "value": 1}, {"key": "a", "value": 2}]
    found = lower([given], STRICT).restore_report("t", {"m": pairs})

    assert {"m": pairs} == found.arguments
    assert ("m",) == found.unmapped[0].path


def test_tools_given_are_not_changed() -> None:
    """A ``Tool`` object works too."""
    schema = {"properties": {"q": {"type": "string"}}}
    before = json.dumps(schema)
    lowered = lower([Tool(name="a/b", description="d", input_schema=schema)], STRICT)

    assert before == json.dumps(schema)
    assert "d" == lowered.tools[0]["description"]


AMBIGUOUS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    # Two branches accept the text; only one of their originals takes what it stands for.
    (
        STRICT,
        {"v": {"anyOf": [{"type": "array", "items": {}}, {"type": "array", "items": TEXT}]}},
        {"v": ["a"]},
        {"v": ["a"]},
    ),
    (
        "tools-json-strict",
        {
            "v": {
                "anyOf": [
                    {"type": "array", "items": {"properties": {"a": {}}, "type": "object"}},
                    {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["a"],
                            "properties": {"a": {"type": "string"}},
                        },
                    },
                ]
            }
        },
        {"v": [{"a": "x"}]},
        {"v": [{"a": "x"}]},
    ),
    # What the branch forbids was dropped on the way: the tool's own schema decides.
    (
        "moonshot",
        {"v": {"anyOf": [{"not": {"const": 5}}, {"type": "string"}]}},
        {"v": "5"},
        {"v": "5"},
    ),
    # Absent or null: only one of the two is valid in the end.
    (
        STRICT,
        {"v": {"type": ["string", "null"]}, "w": {"type": "string"}},
        {"w": "x"},
        {"v": None, "w": "x"},
    ),
]


@pytest.mark.parametrize(("target", "properties", "own", "sent"), AMBIGUOUS)
def test_where_two_readings_are_possible_the_tool_decides(
    target: str, properties: dict[str, Any], own: dict[str, Any], sent: dict[str, Any]
) -> None:
    """Through the object, and through a map that went to disk."""
    more = {"dependentSchemas": {"w": {"not": {"required": ["v"]}}}} if "w" in properties else {}
    lowered = lower([tool(properties, **more)], target)
    from_disk = restorer_from_map(json.loads(json.dumps(lowered.to_map())))

    assert ("t", own) == lowered.restore("t", sent)
    assert ("t", own) == from_disk.restore("t", sent)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_wire_shape_can_be_lowered_again(shape: str) -> None:
    """Each provider's own shape is one that we read."""
    lowered = lower([{**tool({"q": {"type": "string"}}), "description": "d"}], STRICT)

    assert lowered.tools == lower(lowered.wire(shape), STRICT).tools


def test_a_oneof_whose_branches_changed_is_opened() -> None:
    """Else a value that the tool takes would match two of them."""
    branches = [
        {"type": "array", "items": {}},
        {"type": "string"},
        {"type": "array", "maxItems": 0},
    ]
    given = tool({"v": {"oneOf": branches}}, required=["v"])
    lowered = lower([given], "gemini-json-schema")
    changed = tool({"v": {"oneOf": [{"pattern": "a", "type": "string"}, {"type": "string"}]}})
    opened = lower([changed], "gemini-json-schema")

    assert "oneOf" in lowered.tools[0]["inputSchema"]["properties"]["v"]
    assert "anyOf" in opened.tools[0]["inputSchema"]["properties"]["v"]
    assert ("properties", "v", "oneOf") in {each.path for each in opened.losses}


NEGATED: list[tuple[dict[str, Any], set[str]]] = [
    ({"not": {"format": "never-heard-of", "type": "string"}}, {"not"}),
    ({"if": {"format": "never-heard-of", "type": "string"}, "then": {"minLength": 1}}, {"if"}),
    (
        {"type": "array", "contains": {"pattern": r"\bx", "type": "string"}, "maxContains": 1},
        {"maxContains"},
    ),
    (
        {
            "type": "array",
            "contains": {"type": "string"},
            "items": {"pattern": r"\bx", "type": "string"},
        },
        {"contains"},
    ),
    ({"not": {"type": "string"}, "oneOf": [{"type": "integer"}, {"type": "number"}]}, set()),
    (
        {"anyOf": [{"type": "string"}], "oneOf": [{"format": "x", "type": "string"}]},
        {"oneOf"},
    ),
]


@pytest.mark.parametrize(("schema", "dropped"), NEGATED)
def test_what_looks_at_a_changed_schema_is_given_up(
    schema: dict[str, Any], dropped: set[str]
) -> None:
    """And only then."""
    steps = tuple(
        PassNamed(name=name, options=options)
        for name, options in (
            ("formats", {}),
            ("patterns", {"forbidden": ["word-boundary"]}),
            ("negations", {}),
        )
    )
    target = replace(targets()["mcp-spec"], passes=steps)
    lowered = lower([tool({"v": schema})], target)
    found = lowered.tools[0]["inputSchema"]["properties"]["v"]

    assert dropped == schema.keys() - found.keys() - {"then", "format", "pattern"}
    assert dropped <= {each.path[-1] for each in lowered.losses}


def test_misuse_is_an_exception() -> None:
    """Unknown tools, targets without passes, maps that are none."""
    lowered = lower([tool({})], STRICT)
    with pytest.raises(UnknownTool):
        lowered.restore("other", {})
    with pytest.raises(UnknownTool):
        lowered.image("other", {})
    with pytest.raises(NoPasses):
        lower([], next(each for each in targets().values() if not each.passes))
    with pytest.raises(NotTools):
        lower("text", STRICT)
    step = {"pass": "maps", "schema": {}, "marks": {}, "places": {"/a": "/a"}}
    whole: dict[str, Any] = {"version": 1, "target": "x"}
    for document in (
        None,
        {},
        {"version": 1},
        {**whole, "tools": {"a": 1}},
        {**whole, "tools": {"a": {"name": "a", "steps": [step]}}},
        {**whole, "tools": {"a": {"name": "a", "steps": [{**step, "schema": 1}]}}},
        {**whole, "tools": {"a": {"name": "a", "steps": [{**step, "pass": "close"}]}}},
        {**whole, "tools": {"a": {"name": 1, "steps": []}}},
    ):
        with pytest.raises(InvalidMap):
            restorer_from_map(document)


EXCEPTIONS = [
    UnknownPass("t", "p", "o"),
    UnknownPass("t", "p"),
    NoPasses("t"),
    InvalidMap("r"),
    CannotRefit("r"),
    CannotLower("r", "f"),
]


@pytest.mark.parametrize("error", EXCEPTIONS)
def test_exceptions_survive_pickling(error: ToolgaugeError) -> None:
    """They cross processes."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert str(error) == str(again)
    assert type(error) is type(again)


def test_passes_are_found_by_the_name_of_their_file() -> None:
    """And every one is used by a target."""
    used = {each.name for target in targets().values() for each in target.passes}

    assert set(passes()) == used
