"""``restore`` gives back exactly what was meant, or says that it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolgauge.contract import compile_schema
from toolgauge.lowering import lower, restorer_from_map

ANY: dict[str, Any] = {}
TEXT = {"type": "string"}
OBJECT = {"type": "object"}
NODE = {"$ref": "#/$defs/node"}
STRICT = "openai-strict"
AS_TEXT = [STRICT, "anthropic-strict", "gemini-parameters", "tools-json-strict"]


def tool(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Give a tool called ``t``."""
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties, **more}}


def restored(given: dict[str, Any], target: str, sent: Any) -> Any:
    """Restore a call, through the object and through a map that went to disk."""
    lowered = lower([given], target)
    found = lowered.restore_report(lowered.tools[0]["name"], sent)
    from_disk = restorer_from_map(json.loads(json.dumps(lowered.to_map())))

    assert not found.unmapped
    assert found.arguments == from_disk.restore(lowered.tools[0]["name"], sent)[1]
    return found.arguments


ROW = {"patternProperties": {"^x-": TEXT}, "additionalProperties": ANY}


@pytest.mark.parametrize(
    ("row", "own"),
    [
        ({"type": "object", **ROW}, {"n": 5}),
        ({"type": "object", **ROW}, {"x-a": "5", "n": "5", "m": [1]}),
        ({"anyOf": [{"type": "object", **ROW}, {"type": "null"}]}, {"n": 5}),
        ({"type": "array", "items": {"type": "object", **ROW}}, [{"n": {"a": 1}}]),
        (
            {"type": "object", "patternProperties": {"^x-": ANY, "^y": TEXT}},
            {"x-a": 1, "y": "1", "z": "1"},
        ),
        (
            {"type": "object", "properties": {"n": TEXT}, "additionalProperties": ANY},
            {"n": "1", "m": 1},
        ),
    ],
)
def test_n8_each_member_is_read_as_its_own_schema_says(row: dict[str, Any], own: Any) -> None:
    """By its name, else by the patterns that are found in it, else as a further member."""
    lowered = lower([tool({"row": row}, required=["row"])], "moonshot")
    image = lowered.image("t", {"row": own})[1]

    assert compile_schema(lowered.tools[0]["inputSchema"]).is_valid(image)
    assert {"row": own} == restored(tool({"row": row}, required=["row"]), "moonshot", image)


UNIONS = [
    [TEXT, OBJECT],
    [OBJECT, TEXT],
    [TEXT, {"type": "null"}, OBJECT],
    [{"anyOf": [TEXT, {"type": "integer"}]}, {"anyOf": [{"type": "null"}, OBJECT]}],
]


@pytest.mark.parametrize("union", UNIONS, ids=range(len(UNIONS)))
@pytest.mark.parametrize("target", AS_TEXT)
def test_text_that_reads_as_the_other_alternative_is_that(
    target: str, union: list[dict[str, Any]]
) -> None:
    """Whatever stands first; other text is text, and the loss says which cannot be sent."""
    given = tool({"v": {"anyOf": union}}, required=["v"])

    assert {"v": {"a": [1]}} == restored(given, target, {"v": '{"a":[1]}'})
    for text in ("plain", "{", "[1]", "5"):
        assert {"v": text} == restored(given, target, {"v": text})
    kinds = {each.kind for each in lower([given], target).losses if each.path[2:3] == ("anyOf",)}
    assert "narrower" in kinds


@pytest.mark.parametrize("target", AS_TEXT)
def test_lists_beside_text_are_read_from_text_where_they_are_sent_so(target: str) -> None:
    """A recursion that is cut in a list, below a union with text."""
    node = {"anyOf": [TEXT, {"type": "array", "items": NODE}]}
    given = tool({"v": NODE}, required=["v"], **{"$defs": {"node": node}})
    lowered = lower([given], target)
    own = {"v": ["a", ["b", ["c"]]]}

    assert own == lowered.restore(*lowered.image("t", own))[1]


OPTIONAL: list[tuple[dict[str, Any], bool]] = [
    ({"type": ["string", "null"], "default": "a"}, True),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 5}, True),
    ({"$ref": "#/$defs/d"}, True),
    ({"enum": ["a", None], "default": "a"}, True),
    ({"type": ["string", "null"], "default": None}, False),
    ({"type": ["string", "null"]}, False),
    ({"type": "string", "default": "a"}, True),
]


@pytest.mark.parametrize(("schema", "is_absent"), OPTIONAL, ids=range(len(OPTIONAL)))
def test_null_stands_for_the_default_of_the_tool(schema: dict[str, Any], is_absent: bool) -> None:
    """A default that is not null holds where the member is absent; the loss says it."""
    definition = {"type": ["string", "null"], "default": "a"}
    given = tool({"o": schema}, **{"$defs": {"d": definition}})
    nested = tool({"in": {"anyOf": [TEXT, given["inputSchema"] | {"$defs": {}}]}}, required=["in"])
    nested["inputSchema"]["$defs"] = given["inputSchema"]["$defs"]
    own: dict[str, Any] = {} if is_absent else {"o": None}

    assert own == restored(given, STRICT, {"o": None})
    assert {"in": own} == restored(nested, STRICT, {"in": {"o": None}})


def test_null_is_null_where_the_tool_refuses_absent() -> None:
    """Each reading is held against the tool's own schema."""
    given = tool(
        {"a": {"type": ["string", "null"], "default": "x"}, "b": {"type": ["integer", "null"]}},
        minProperties=1,
    )

    assert {"b": None} == restored(given, STRICT, {"a": None, "b": None})
    assert {"a": None} == restored(
        tool({"a": {"type": ["string", "null"], "default": "x"}}, minProperties=1),
        STRICT,
        {"a": None},
    )


CONDITIONAL: list[dict[str, Any]] = [
    {"if": {"required": ["kind"]}, "then": {"properties": {"next": NODE}}},
    {"if": {"required": ["other"]}, "else": {"properties": {"next": NODE}}},
    {"dependentSchemas": {"kind": {"properties": {"next": NODE}}}},
    {"patternProperties": {"^n": NODE}},
    {"properties": {"next": NODE}, "patternProperties": {"^n": NODE}},
    {"unevaluatedProperties": NODE},
]


@pytest.mark.parametrize("more", CONDITIONAL, ids=range(len(CONDITIONAL)))
@pytest.mark.parametrize("target", ["ollama", "anthropic-managed-agents"])
def test_recursion_is_restored_below_whatever_applies_it(target: str, more: dict[str, Any]) -> None:
    """Conditions, dependencies, patterns, and what is left over."""
    node = {"type": "object", "properties": {"kind": TEXT}, **more}
    given = tool({"v": NODE}, required=["v"], **{"$defs": {"node": node}})
    if "properties" in more:
        node["properties"] = {"kind": TEXT, **more["properties"]}
    own = {"v": {"kind": "a", "next": {"kind": "b", "next": {"kind": "c"}}}}
    lowered = lower([given], target)
    name, image = lowered.image("t", own)

    assert isinstance(image["v"]["next"], str) or isinstance(image["v"]["next"]["next"], str)
    assert own == restored(given, target, image)
    assert name == "t"


def test_what_cannot_be_mapped_is_said() -> None:
    """Text that is no JSON, and more names than patterns are tried on."""
    row = {"type": "object", "patternProperties": {f"^{each}": ANY for each in "abcdefghij"}}
    lowered = lower([tool({"row": row, "v": ANY})], "moonshot")
    many = {f"a{each}": "1" for each in range(20_000)}

    assert ("v",) == lowered.restore_report("t", {"v": "{"}).unmapped[0].path
    assert ("row",) == lowered.restore_report("t", {"row": many}).unmapped[0].path
