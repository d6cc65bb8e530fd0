"""References, booleans and definitions wherever they stand are lowered as if they stood in $defs.

Source: cases N1, N2, N3, N4, N5, N10 and N11 of the reports that people made, and their kind.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lowering.corpus import EVERY, needs_corpus, readable, tools
from tests.lowering.sampling import values
from tests.profile import IS_LONG
from toolgauge.contract import compile_schema, from_pointer, resolve, to_pointer
from toolgauge.contract.schema.subschemas import iter_subschemas
from toolgauge.lowering import lower
from toolgauge.rules import check, targets

if TYPE_CHECKING:
    from toolgauge.lowering import Lowered

TARGETS = [name for name, target in targets().items() if target.passes]
POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
    "required": ["x"],
    "additionalProperties": False,
}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def lowered_for(target: str, schema: dict[str, Any]) -> Lowered:
    """Lower one tool, which must not be refused, and hold what is true of every result."""
    tool = {"name": "t", "inputSchema": {"type": "object", **schema}}
    lowered = lower([tool], target)
    assert lowered.tools, lowered.refused
    made = lowered.tools[0]["inputSchema"]
    assert compile_schema(made).problem is None
    assert lowered.tools == lower(lowered.tools, target).tools
    for node in iter_subschemas(made):
        for reference in (
            node.get("$ref"),
            *node.get("discriminator", {}).get("mapping", {}).values(),
        ):
            if isinstance(reference, str) and reference.startswith("#"):
                resolve(made, reference[1:])
    for loss in lowered.losses:
        resolve(tool["inputSchema"], to_pointer(_without_last(tool["inputSchema"], loss.path)))
    return lowered


def _without_last(schema: Any, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """A loss may name a keyword that a pass wrote itself, at a place that is there."""
    try:
        resolve(schema, to_pointer(path))
    except LookupError:
        return path[:-1]
    return path


def goes(lowered: Lowered, value: Any) -> None:
    """A call of the tool can be sent, and comes back as it was."""
    name, image = lowered.image("t", value)
    compiled = compile_schema(readable(lowered.tools[0]["inputSchema"]))

    assert compiled.is_valid(image), compiled.issues(image)
    assert ("t", value) == lowered.restore(name, image)


BESIDE: list[dict[str, Any]] = [
    {"type": "object"},
    {"required": ["y"]},
    {"properties": {"x": {"minimum": 0}}},
    {"type": "object", "properties": {"x": {}}, "required": ["x"]},
    {"minProperties": 1},
    {"anyOf": [{"required": ["x"]}, {"required": ["y"]}]},
    {"allOf": [{"required": ["y"]}]},
    {"description": "where to", "type": "object"},
]


@pytest.mark.parametrize("beside", BESIDE, ids=range(len(BESIDE)))
@pytest.mark.parametrize("target", TARGETS)
def test_n1_n2_what_is_beside_a_reference_and_what_it_leads_to_both_hold(
    target: str, beside: dict[str, Any]
) -> None:
    """Nothing is closed over the referent; what it declares counts as declared."""
    schema = {
        "properties": {"to": {"$ref": "#/$defs/Point", **beside}},
        "required": ["to"],
        "additionalProperties": False,
        "$defs": {"Point": POINT},
    }
    lowered = lowered_for(target, schema)

    goes(lowered, {"to": {"x": 1, "y": 2}})
    assert not [each for each in lowered.losses if each.kind == "narrower"]


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
@pytest.mark.parametrize("target", TARGETS)
def test_older_drafts_ignore_what_is_beside_a_reference(target: str, draft: str) -> None:
    """Also where something else refers into it."""
    schema = {
        "$schema": f"http://json-schema.org/{draft}/schema#",
        "properties": {
            "a": {"$ref": "#/definitions/P", "required": ["z"], "properties": {"q": POINT}},
            "b": {"$ref": "#/properties/a/properties/q"},
        },
        "required": ["a", "b"],
        "definitions": {"P": POINT},
    }

    goes(lowered_for(target, schema), {"a": {"x": 1, "y": 1}, "b": {"x": 2, "y": 2}})


@pytest.mark.parametrize(
    "given_schema",
    [
        {"p": {"$ref": "#/$defs/Any"}},
        {"p": {"$ref": "#/$defs/Again"}},
        {"p": {"$ref": "#/properties/q"}, "q": True},
        {"p": {"$ref": "#/$defs/Any", "description": "anything"}},
        {"p": {"anyOf": [{"$ref": "#/$defs/Any"}, {"type": "null"}]}},
    ],
    ids=range(5),
)
@pytest.mark.parametrize("target", TARGETS)
def test_n3_a_reference_to_true_takes_any_value(target: str, given_schema: dict[str, Any]) -> None:
    """It does not dangle."""
    schema = {
        "properties": {"id": {"type": "string"}, **given_schema},
        "required": ["id", "p"],
        "$defs": {"Any": True, "Again": {"$ref": "#/$defs/Any"}},
    }

    lowered = lowered_for(target, schema)
    for value in (1, "x", [None], {"k": True}):
        _, image = lowered.image("t", {"id": "a", "p": value})
        assert {"id": "a", "p": value} == {
            key: each for key, each in lowered.restore("t", image)[1].items() if key != "q"
        }


@pytest.mark.parametrize("target", TARGETS)
def test_what_refuses_every_value_is_left_out_where_it_may_be(target: str) -> None:
    """An optional member, an alternative, items: the rest of the tool is of use."""
    schema = {
        "properties": {
            "a": {"type": "string"},
            "never": {"$ref": "#/$defs/Never"},
            "either": {"anyOf": [{"$ref": "#/$defs/Never"}, {"type": "string"}]},
            "none": {"type": "array", "items": {"$ref": "#/$defs/Never"}},
            "deep": {
                "type": "object",
                "properties": {"m": {"$ref": "#/$defs/Never"}},
                "required": ["m"],
            },
        },
        "required": ["a", "either", "none"],
        "additionalProperties": False,
        "$defs": {"Never": False},
    }

    goes(lowered_for(target, schema), {"a": "x", "either": "y", "none": []})


SLACK = {"type": "object", "properties": {"token": {"$ref": "#/definitions/text"}}}
ELSEWHERE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (  # N4
        {
            "$schema": DRAFT_7,
            "properties": {"v": {"$ref": "#/definitions/channels/slack"}},
            "definitions": {"text": {"type": "string"}, "channels": {"slack": SLACK}},
        },
        {"token": "x"},
    ),
    (
        {
            "properties": {"v": {"$ref": "#/components/schemas/a~1b~0c%25"}},
            "components": {"schemas": {"a/b~c%": {"$ref": "#/x-more/0"}}},
            "x-more": [POINT],
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "properties": {"v": {"$ref": "#/$defs/a~1b"}},
            "$defs": {"a/b": POINT, "a_b": {"type": "string"}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "properties": {"v": {"$ref": "#/$defs/x/$defs/y"}},
            "$defs": {"x": {"$defs": {"y": POINT}}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "properties": {"v": {"$ref": "#/properties/w/enum/0"}, "w": {"enum": [POINT]}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "properties": {"v": {"$ref": "#here"}},
            "$defs": {"x": {"$anchor": "here", **POINT}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "$schema": DRAFT_7,
            "properties": {"v": {"$ref": "#here"}},
            "definitions": {"x": {"$id": "#here", **POINT}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "$id": "https://example.org/t",
            "properties": {"v": {"$ref": "point"}},
            "$defs": {"x": {"$id": "point", **POINT}},
        },
        {"x": 1, "y": 2},
    ),
    (
        {
            "properties": {"v": {"$dynamicRef": "#node"}},
            "$defs": {"x": {"$dynamicAnchor": "node", **POINT}},
        },
        {"x": 1, "y": 2},
    ),
]


@pytest.mark.parametrize(("schema", "value"), ELSEWHERE, ids=range(len(ELSEWHERE)))
@pytest.mark.parametrize("target", TARGETS)
def test_n4_n10_definitions_may_live_anywhere(
    target: str, schema: dict[str, Any], value: dict[str, Any]
) -> None:
    """Under whatever name, however they are referred to."""
    given_schema = {"type": "object", "required": ["v"], **schema}
    lowered = lowered_for(target, given_schema)

    assert compile_schema(given_schema).is_valid({"v": value})
    _, image = lowered.image("t", {"v": value})
    assert compile_schema(readable(lowered.tools[0]["inputSchema"])).is_valid(image)
    assert value == lowered.restore("t", image)[1]["v"]
    assert not lowered.losses or all(each.kind != "wider" or each.path for each in lowered.losses)


def _recursive(way: str) -> dict[str, Any]:
    """Give a schema whose category holds categories, with the definition at a place."""
    kids = {"type": "array", "items": {"$ref": way}}
    category = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "kids": kids},
        "required": ["name"],
    }
    schema: dict[str, Any] = {"properties": {"cat": {"$ref": way}}, "required": ["cat"]}
    if way.startswith("#/"):
        *steps, last = from_pointer(way[1:])
        holder = schema
        for step in steps:
            holder = holder.setdefault(step, {})
        holder[last] = category
    elif way.startswith("#"):
        schema["$defs"] = {"c": {"$anchor": way[1:], **category}}
    else:
        schema["$id"] = "https://example.org/"
        schema["$defs"] = {"c": {"$id": way, **category}}
    return schema


WAYS = [
    "#/components/schemas/Category",
    "#/definitions/group/Category",
    "#/$defs/a~1b",
    "#/$defs/deep/$defs/Category",
    "#/x-types/Category",
    "#category",
    "category",
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", TARGETS)
def test_n5_recursion_of_any_spelling_comes_back(target: str, way: str) -> None:
    """Text that stands for what recurs is turned back; no loss is told of the root."""
    lowered = lowered_for(target, _recursive(way))
    value = {"cat": {"name": "a", "kids": [{"name": "b", "kids": [{"name": "c"}]}]}}
    _, image = lowered.image("t", value)
    _, back = lowered.restore("t", image)
    wider = [each.path for each in lowered.losses if each.kind in {"wider", "reshaped"}]

    assert "c" == back["cat"]["kids"][0]["kids"][0]["name"]
    assert compile_schema({"type": "object", **_recursive(way)}).is_valid(back)
    assert () not in wider


@pytest.mark.parametrize("named", ["#/definitions/Cat", "#/components/schemas/Cat", "Cat"])
@pytest.mark.parametrize("target", TARGETS)
def test_n11_a_mapping_leads_to_what_is_there(target: str, named: str) -> None:
    """It follows its target, or goes with it."""
    cat = {"type": "object", "properties": {"kind": {"const": "cat"}}, "required": ["kind"]}
    way = named if named.startswith("#") else f"#/components/schemas/{named}"
    *steps, last = from_pointer(way[1:])
    schema: dict[str, Any] = {
        "properties": {
            "pet": {
                "discriminator": {"propertyName": "kind", "mapping": {"cat": named}},
                "oneOf": [{"$ref": way}],
            }
        },
    }
    holder = schema
    for step in steps:
        holder = holder.setdefault(step, {})
    holder[last] = cat
    lowered = lowered_for(target, schema)

    _, image = lowered.image("t", {"pet": {"kind": "cat"}})
    assert {"pet": {"kind": "cat"}} == lowered.restore("t", image)[1]


KINDS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "integer"},
    POINT,
    {"type": "object", "properties": {"n": {"type": "string"}}},
    {"type": "array", "items": {"type": "string"}},
    True,  # type: ignore[list-item]
]


class Scattered:
    """Makes schemas with definitions in odd places, and the same with all of them in $defs."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._names = [f"d{index}" for index in range(rng.randrange(1, 4))]
        self._ways = {each: self._way(each) for each in self._names}

    def _way(self, name: str) -> str:
        heads = ("#/components/schemas", "#/definitions/group", "#/x-a/b/c", "#/$defs/g/$defs")
        return f"{self._rng.choice(heads)}/{name}{self._rng.choice(('', '~1x', '~0', '%25'))}"

    def _part(self, depth: int, names: list[str]) -> Any:
        """Make a subschema; the names are those that may be referred to for the same value."""
        if depth > 2 or self._rng.random() < 0.3:
            return self._rng.choice(KINDS)
        if names and self._rng.random() < 0.5:
            made: dict[str, Any] = {"$ref": self._rng.choice(names)}
            if self._rng.random() < 0.4:
                made |= self._rng.choice(BESIDE)
            return made
        members = self._rng.sample("abc", 2)
        return {
            "type": "object",
            "properties": {each: self._part(depth + 1, self._names) for each in members},
            "required": members[: self._rng.randrange(2)],
        }

    def pair(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Give the two."""
        members = {each: self._part(1, self._names) for each in "pq"}
        parts = {
            each: self._part(1, self._names[index + 1 :]) for index, each in enumerate(self._names)
        }
        odd: dict[str, Any] = {"type": "object", "properties": self._referring(members, self._ways)}
        plain_ways = {each: f"#/$defs/{each}" for each in self._names}
        plain = {
            "type": "object",
            "properties": self._referring(members, plain_ways),
            "$defs": self._referring(parts, plain_ways),
        }
        for name, part in self._referring(parts, self._ways).items():
            *steps, last = from_pointer(self._ways[name][1:].replace("%25", "%"))
            holder = odd
            for step in steps:
                holder = holder.setdefault(step, {})
            holder[last] = part
        return odd, plain

    def _referring(self, value: Any, ways: dict[str, str]) -> Any:
        if isinstance(value, list):
            return [self._referring(each, ways) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: ways[each] if key == "$ref" else self._referring(each, ways)
            for key, each in value.items()
        }


@settings(max_examples=1_000 if IS_LONG else 20, deadline=None, derandomize=True, database=None)
@given(seed=st.integers(0, 1_000_000), target=st.sampled_from(TARGETS))
def test_where_definitions_stand_makes_no_difference(seed: int, target: str) -> None:
    """Both are taken or refused, what they take is the same, and no taken tool is refused."""
    odd, plain = Scattered(random.Random(seed)).pair()
    both = [lower([{"name": "t", "inputSchema": each}], target) for each in (odd, plain)]
    report = check([{"name": "t", "inputSchema": odd}], [target])

    assert bool(both[0].tools) == bool(both[1].tools), [each.refused for each in both]
    if not any(each.severity == "error" for each in report.findings):
        assert both[0].tools, both[0].refused
    if not both[0].tools:
        return
    one, other = (compile_schema(readable(each.tools[0]["inputSchema"])) for each in both)
    rng = random.Random(seed)
    for _ in range(20):
        value = {each: _value(rng, 0) for each in rng.sample("pq", rng.randrange(3))}
        images = [each.image("t", value)[1] for each in both]
        assert one.is_valid(images[0]) == other.is_valid(images[1]), value
        assert both[0].restore("t", images[0]) == both[1].restore("t", images[1])


def _value(rng: random.Random, depth: int) -> Any:
    if depth > 2 or rng.random() < 0.4:
        return rng.choice(("x", 1, None, ["s"], {"x": 1, "y": 2}, {"n": "s"}))
    return {each: _value(rng, depth + 1) for each in rng.sample(("a", "b", "c", "x"), 2)}


@needs_corpus
@pytest.mark.no_cover
@pytest.mark.parametrize("target", TARGETS)
def test_no_real_tool_is_lowered_to_a_schema_that_admits_nothing(target: str) -> None:
    """Some value of the lowered schema is found wherever one of the original is."""
    count = 0
    for tool in tools(every=EVERY if IS_LONG else 60):
        lowered = lower([tool], target)
        found: Any = next(values(tool["inputSchema"], random.Random(0), 5), None)
        if lowered.tools and found is not None:
            count += 1
            schema = readable(lowered.tools[0]["inputSchema"])
            seeds = map(random.Random, range(20))
            assert compile_schema(schema).is_valid({}) or any(
                next(values(schema, seed, 5), None) is not None for seed in seeds
            ), tool["name"]

    assert count
