"""Two parts contradict each other where no value fits both, however they are put together."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import IS_LONG
from toolgauge.contract import compile_schema
from toolgauge.contract.schema.keywords import TYPES_OF
from toolgauge.contract.schema.subschemas import SUBSCHEMAS
from toolgauge.rules import Definition, check, rules
from toolgauge.rules._check import reported
from toolgauge.rules._rule import ERROR

quickly = settings(
    max_examples=3_000 if IS_LONG else 150, derandomize=True, database=None, deadline=None
)
RULE = rules()["unsatisfiable-schema"]
PARTS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": ["string", "null"]},
    {"type": "integer", "minimum": 5},
    {"type": "number", "exclusiveMaximum": 5},
    {"maximum": 1},
    {"const": "a"},
    {"enum": ["b", 7, None]},
    {"type": "string", "minLength": 2},
    {"maxLength": 1},
    {"anyOf": [{"type": "string"}, {"type": "array"}]},
    {"not": {"type": "string"}},
    {"type": "array", "minItems": 1, "items": {"type": "string"}},
    {"maxItems": 0},
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
    {"type": "object", "properties": {"b": {}}, "additionalProperties": False},
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    {"type": "object", "properties": {"a": False}},
    {"type": "object", "maxProperties": 0},
    {},
]
VALUES: list[Any] = [None, True, 0, 1, 4, 5, 7, 4.5, "", "a", "b", "ab", [], ["a"], [1]]
VALUES += [{}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 1}]
"""Of each two parts that agree, both take one of these."""

SPELLINGS = ("allOf", "beside", "references", "chain", "nested")
PLACES = ("property", "items", "union", "root")


def spelled(one: Any, other: Any, how: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let two parts apply to one value; give the schema and the definitions that it needs."""
    if how == "allOf":
        return {"allOf": [one, other]}, {}
    if how == "nested":
        return {"allOf": [{"allOf": [one]}, {"description": "d", "allOf": [{}, other]}]}, {}
    if how == "beside":
        return {"$ref": "#/$defs/One", **other}, {"One": one}
    if how == "chain":
        return {"$ref": "#/$defs/Way", **other}, {"Way": {"$ref": "#/$defs/One"}, "One": one}
    refs = [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Other"}]
    return {"allOf": refs}, {"One": one, "Other": other}


def placed(schema: dict[str, Any], definitions: dict[str, Any], where: str) -> dict[str, Any]:
    """Put a schema somewhere in that of a tool."""
    if where == "root":
        return {**schema, "$defs": definitions}
    inner = {
        "property": schema,
        "items": {"type": "array", "items": schema},
        "union": {"anyOf": [schema, {"type": "boolean"}]},
    }[where]
    return {"type": "object", "properties": {"p": inner}, "$defs": definitions}


def reports(tool: dict[str, Any]) -> list[str]:
    """Give where the rule reports something."""
    found = reported(RULE, RULE.limits, [Definition(tool)], [("all", ERROR)])
    return ["/".join(map(str, each.path)) for each in found]


@settings(max_examples=3_000 if IS_LONG else 150, derandomize=True, database=None, deadline=None)
@given(
    st.sampled_from(list(product(PARTS, PARTS))),
    st.sampled_from(SPELLINGS),
    st.sampled_from(PLACES),
    st.sampled_from(("inputSchema", "outputSchema")),
)
def test_two_parts_contradict_each_other_where_no_value_fits_both(
    pair: tuple[Any, Any], how: str, where: str, key: str
) -> None:
    """In the input schema as in the output schema."""
    fits = compile_schema({"allOf": list(pair)}).is_valid
    schema, definitions = spelled(*pair, how)

    found = reports({key: placed(schema, definitions, where)})

    assert len(found) == (0 if any(map(fits, VALUES)) else 1), found
    assert all(each.startswith(key) for each in found)


KEYWORDS = sorted({*SUBSCHEMAS, *TYPES_OF, "type", "enum", "const", "$ref", "$id", "$schema"})
LEAVES = st.sampled_from([None, True, False, 0, 1.5, 10**400, "a", "string", "#", "#/$defs/a"])
BROKEN = st.recursive(
    LEAVES,
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYWORDS, "a"]), below, max_size=4)
    ),
    max_leaves=20,
)


@quickly
@given(st.dictionaries(st.sampled_from(KEYWORDS), BROKEN, min_size=1, max_size=5))
def test_no_schema_is_too_broken_to_look_at(schema: dict[str, Any]) -> None:
    """What is reported lies in the schema."""
    tool = {"inputSchema": {"properties": {"a": schema}}, "outputSchema": schema}

    assert all(each.startswith(("inputSchema", "outputSchema")) for each in reports(tool))


REFERENCES = [
    ("#/$defs/B", "dangling-reference", "error"),
    ("#/components/schemas/B", "dangling-reference", "error"),
    ("#nowhere", "dangling-reference", "error"),
    ("https://example.com/b.json", "remote-reference", "warning"),
]


@pytest.mark.parametrize(("reference", "rule", "severity"), REFERENCES)
def test_references_are_judged_alike_in_both_schemas(
    reference: str, rule: str, severity: str
) -> None:
    """The specification's target says the same of either."""
    schema = {"type": "object", "properties": {"b": {"$ref": reference}}}
    tool = {"name": "a", "inputSchema": schema, "outputSchema": schema}

    found = check([tool], ["mcp-spec"]).findings

    assert [each.pointer for each in found if (each.name, each.severity) == (rule, severity)] == [
        f"/{key}/properties/b/$ref" for key in ("inputSchema", "outputSchema")
    ]


def test_every_client_reads_the_references_of_results() -> None:
    """A provider never sees an output schema."""
    schema = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}
    tool = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": schema}

    report = check([tool])

    told = {each.target for each in report.findings if each.name == "dangling-reference"}
    clients = {
        each.target.name
        for each in report.verdicts
        if {"clients", "specifications"} & set(each.target.groups)
    }
    assert told == clients
