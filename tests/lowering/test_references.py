"""References that lead back, multiply, or lead to places that passes move."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import compile_schema
from toolgauge.lowering import lower
from toolgauge.rules import targets

TARGETS = [name for name, target in targets().items() if target.passes]
NODE = {"$ref": "#/$defs/node"}
NULL = {"type": "null"}
PING = {"name": "ping", "inputSchema": {"type": "object", "properties": {}}}


def recursive(child: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Give a tool whose ``node`` takes a node of that schema as its ``child``."""
    node = {"type": "object", "properties": {"child": child, "kind": {"const": "n"}}, **more}
    leaf = {"type": "object", "properties": {"kind": {"const": "l"}}}
    schema = {
        "type": "object",
        "properties": {"n": NODE},
        "$defs": {"node": node, "leaf": leaf},
    }
    return {"name": "t", "inputSchema": schema}


BESIDE: list[dict[str, Any]] = [
    {"x-order": 3},
    {"discriminator": {"propertyName": "kind"}},
    {"type": ["object", "null"]},
    {"minProperties": 1},
    {"required": ["kind"]},
    {"additionalProperties": True},
    {"properties": {"kind": {"type": "string"}}},
    NODE,
]


@pytest.mark.parametrize("beside", BESIDE, ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_a_recursive_union_may_have_anything_beside_it(target: str, beside: dict[str, Any]) -> None:
    """It is never written out; what cannot stay beside it is a loss, and calls come back."""
    leaf = {"$ref": "#/$defs/leaf"}
    given = recursive({"anyOf": [NODE, leaf, NULL], **beside})
    lowered = lower([given, PING], target)
    value = {"n": {"kind": "n", "child": {"kind": "n"}}}

    assert ["t", "ping"] == [each["name"] for each in lowered.tools], lowered.refused
    _, back = lowered.restore(*lowered.image("t", value))
    assert "n" == back["n"]["child"]["kind"]
    assert compile_schema(given["inputSchema"]).is_valid(back)


@pytest.mark.parametrize(
    "beside", [{"x-order": 1}, {"type": "object"}, {"minProperties": 1}, {"description": "d"}]
)
@pytest.mark.parametrize("target", TARGETS)
def test_a_recursive_reference_may_have_anything_beside_it(
    target: str, beside: dict[str, Any]
) -> None:
    """The reference stays; what its definition does not say is a loss."""
    lowered = lower([recursive({**NODE, **beside})], target)

    assert lowered.tools, lowered.refused


def test_only_what_the_definition_does_not_say_is_lost_beside_a_recursive_reference() -> None:
    """The type is the definition's own."""
    given = recursive({**NODE, "type": "object", "minProperties": 1})
    lost = {each.path[-1] for each in lower([given], "moonshot").losses if each.kind == "wider"}

    assert {"minProperties"} == lost


def test_what_stands_beside_a_chain_of_references_is_kept() -> None:
    """Each definition on the way has its say."""
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/b"}},
        "$defs": {
            "b": {"$ref": "#/$defs/c", "minLength": 3},
            "c": {"type": "string", "maxLength": 9},
        },
    }
    lowered = lower([{"name": "t", "inputSchema": schema}], "gemini-parameters")

    assert {"type": "string", "minLength": 3, "maxLength": 9} == lowered.tools[0]["inputSchema"][
        "properties"
    ]["a"]


def _doubling(keyword: str) -> dict[str, Any]:
    """Give definitions that each hold the next one twice."""
    defs: dict[str, Any] = {"d40": {"type": "object", "properties": {"x": {"type": "string"}}}}
    for index in range(40):
        both = [{"$ref": f"#/$defs/d{index + 1}"}] * 2
        defs[f"d{index}"] = {keyword: both, "minProperties": 1}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs}


TOO_MUCH: list[dict[str, Any]] = [
    _doubling("anyOf"),
    _doubling("allOf"),
    {"$defs": {"d": {"anyOf": [{"$ref": "#/$defs/d"}] * 2}}, "anyOf": [{"$ref": "#/$defs/d"}]},
    {"$defs": {"d": {"allOf": [{"$ref": "#/$defs/d"}] * 2}}, "allOf": [{"$ref": "#/$defs/d"}]},
    {
        "type": "object",
        "properties": {"d": {"$ref": "#/$defs/d"}},
        "$defs": {
            "d": {"properties": {"v": {"properties": {"v": {}}, "$ref": "#/$defs/d"}}},
        },
    },
    {"properties": {"d": {"anyOf": [{}], "$ref": "#/properties/d"}}},
]


@pytest.mark.parametrize("schema", TOO_MUCH, ids=range(len(TOO_MUCH)))
@pytest.mark.parametrize("target", TARGETS)
def test_a_tool_that_is_too_much_is_refused_alone(target: str, schema: dict[str, Any]) -> None:
    """With a sentence; where it is lowered after all, what it gives is a schema."""
    lowered = lower([{"name": "much", "inputSchema": schema}, PING], target)

    assert "ping" == lowered.tools[-1]["name"]
    for each in lowered.refused:
        assert "much" == each.tool
        assert each.reason
    for tool in lowered.tools:
        assert compile_schema(tool["inputSchema"]).problem is None


@pytest.mark.parametrize("levels", [100, 200, 235, 245])
@pytest.mark.parametrize("target", ["openai-strict", "gemini-parameters", "mcp-spec"])
def test_a_tool_that_nests_too_deep_is_refused_alone(target: str, levels: int) -> None:
    """Also where only data is deep, which no pass looks into."""
    deep: Any = 1
    for _ in range(levels):
        deep = [deep]
    schema = {
        "properties": {"a": {"$ref": "#/$defs/b", "minItems": 1}},
        "$defs": {"b": {"type": "array", "items": {"enum": [deep]}}},
    }
    lowered = lower([{"name": "deep", "inputSchema": schema}, PING], target)

    assert "ping" == lowered.tools[-1]["name"]


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_root_reference_of_an_older_draft_is_read(target: str, draft: str) -> None:
    """What stands beside it means nothing there, ``$schema`` itself included."""
    args = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    schema = {
        "$ref": "#/definitions/Args",
        "definitions": {"Args": args},
        "$schema": f"http://json-schema.org/{draft}/schema#",
    }
    lowered = lower([{"name": "t", "inputSchema": schema}, PING], target)

    assert ["t", "ping"] == [each["name"] for each in lowered.tools], lowered.refused


TEXT = {"type": "string"}
MOVED: list[dict[str, Any]] = [
    # What `z.tuple([Point, Point])` becomes: the first of the two is written out.
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"v": {"items": [TEXT, {"$ref": "#/properties/v/items/0"}]}},
    },
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "v": {"items": [{"$ref": "#/properties/v/additionalItems"}], "additionalItems": TEXT}
        },
    },
    {
        "properties": {
            "a": {"definitions": {"x": TEXT}},
            "v": {"items": {"$ref": "#/properties/a/definitions/x"}},
        },
    },
    {
        "anyOf": [{"properties": {"a": TEXT}}, {"required": ["v"]}],
        "properties": {"v": {"items": {"$ref": "#/anyOf/0/properties/a"}}},
    },
    {
        "allOf": [{"properties": {"a": TEXT}}],
        "properties": {"v": {"items": {"$ref": "#/allOf/0/properties/a"}}},
    },
    {
        "then": {"properties": {"a": TEXT}},
        "if": {"required": ["v"]},
        "properties": {"v": {"items": {"$ref": "#/then/properties/a"}}},
    },
    {"properties": {"$fil ter": TEXT, "v": {"items": {"$ref": "#/properties/$fil%20ter"}}}},
    {
        "properties": {
            "$b": {"properties": {"@c": TEXT}},
            "v": {"items": {"$ref": "#/properties/$b/properties/@c"}},
        }
    },
    {
        "$defs": {"x": {"$anchor": "here", **TEXT}},
        "properties": {"v": {"items": {"$ref": "#here"}}},
    },
    {
        "$id": "https://example.org/a/schema",
        "$defs": {"x": TEXT},
        "properties": {"v": {"items": {"$ref": "https://example.org/a/schema#/$defs/x"}}},
    },
    {
        "$id": "https://example.org/a/schema",
        "$defs": {"x": {"$id": "other", **TEXT}},
        "properties": {"v": {"items": {"$ref": "other"}}},
    },
    {
        "$defs": {"x": {"type": "integer"}},
        "properties": {
            "v": {
                "$id": "urn:example:inner",
                "$defs": {"x": TEXT},
                "items": {"$ref": "#/$defs/x"},
            }
        },
    },
]


@pytest.mark.parametrize("schema", MOVED, ids=range(len(MOVED)))
@pytest.mark.parametrize("target", TARGETS)
def test_a_reference_goes_with_its_target(target: str, schema: dict[str, Any]) -> None:
    """Wherever the target stands, and whatever it is called."""
    given = {"type": "object", **schema}
    given["properties"] = {
        **given["properties"],
        "v": {"type": "array", **schema["properties"]["v"]},
    }
    lowered = lower([{"name": "t", "inputSchema": given}], target)
    assert lowered.tools, lowered.refused
    compiled = compile_schema(lowered.tools[0]["inputSchema"])
    _, good = lowered.image("t", {"v": ["x", "y"]})

    assert compiled.is_valid(good), compiled.issues(good)
    assert not compiled.is_valid({**good, "v": [1, 1]})
    assert {"v": ["x", "y"]} == lowered.restore("t", good)[1]


ROOTS: list[dict[str, Any]] = [
    {"type": "object", "anyOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]},
    {"allOf": [{"type": "object", "properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]},
    {"$ref": "#/$defs/Inner"},
]


@pytest.mark.parametrize("args", ROOTS, ids=range(len(ROOTS)))
@pytest.mark.parametrize("target", TARGETS)
def test_a_root_reference_may_lead_to_a_union(target: str, args: dict[str, Any]) -> None:
    """It is written out before unions are looked for; lowering twice is lowering once."""
    inner = {"type": "object", "oneOf": ROOTS[0]["anyOf"]}
    schema = {"$ref": "#/$defs/Args", "$defs": {"Args": args, "Inner": inner}}
    lowered = lower([{"name": "t", "inputSchema": schema}], target)

    assert lowered.tools, lowered.refused
    assert lowered.tools == lower(lowered.tools, target).tools
    assert ("t", {"b": "x"}) == lowered.restore(*lowered.image("t", {"b": "x"}))


@pytest.mark.parametrize("target", TARGETS)
def test_recursion_is_cut_where_the_text_contradicts_nothing(target: str) -> None:
    """The type may stand beside the union, and beside references on the way."""
    child = {"type": "object", "anyOf": [NODE, {"type": "object", "maxProperties": 0}]}
    schema = recursive({"$ref": "#/$defs/child", "type": "object"})["inputSchema"]
    schema["$defs"]["child"] = child
    lowered = lower([{"name": "t", "inputSchema": schema}], target)
    value = {"n": {"kind": "n", "child": {"kind": "n", "child": {}}}}

    assert lowered.tools, lowered.refused
    _, back = lowered.restore(*lowered.image("t", value))
    assert compile_schema(schema).is_valid(back)
    assert "n" == back["n"]["child"]["kind"]
