"""One suite over every adapter: what it publishes, takes and refuses."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from tests.standard.conformance.differences import (
    SCHEMA_TAKES_MORE,
    VALIDATOR_TAKES_MORE,
    VARIES,
    reason,
)
from tests.standard.conformance.libraries import CASES, LIBRARIES
from tests.standard.conformance.shapes import BY_NAME, SHAPES
from toolgauge.contract import Success, compile_schema, dump_json, schema_issues
from toolgauge.standard import Standard, _agreement, disagreements, resolve_json_schema, standardize
from toolgauge.standard._documents import rewritten

each_case = pytest.mark.parametrize(
    ("library", "shape"),
    [(library, shape.name) for library, shape in CASES],
    ids=[f"{library}-{shape.name}".replace(" ", "_") for library, shape in CASES],
)
each_library = pytest.mark.parametrize("library", LIBRARIES)


@functools.cache
def built(library: str, shape: str) -> tuple[Standard[Any], dict[str, Any]]:
    """Give the validator of a shape, and the schema that a tool would publish."""
    standard = standardize(LIBRARIES[library].build(BY_NAME[shape]))
    return standard, resolve_json_schema(standard, tool="t")


@functools.cache
def found_differences(library: str, shape: str) -> frozenset[str]:
    """Give the kinds of disagreement that the search finds."""
    return frozenset(each.accepted_by for each in disagreements(*built(library, shape)))


def takes(standard: Standard[Any], value: object) -> bool:
    """Ask the validator."""
    return isinstance(standard.__standard_schema__.validate(value), Success)


@each_library
def test_there_are_forty_shapes(library: str) -> None:
    """Of every library; what it has no words for is listed with the reason."""
    shapes = [shape for name, shape in CASES if name == library]

    assert len(shapes) >= 40
    assert set(LIBRARIES[library].without) <= set(BY_NAME)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_shape_has_five_values_of_each_kind(shape: Any) -> None:
    """But for the shape that refuses nothing."""
    assert len(shape.accepts) >= 5
    assert len(shape.refuses) >= 5 or shape.name == "anything"


@each_case
def test_what_is_published_is_a_schema_of_an_object(library: str, shape: str) -> None:
    """Valid 2020-12, JSON throughout, with the field in it; the vendor is named."""
    standard, schema = built(library, shape)

    assert () == schema_issues(schema)
    assert schema == json.loads(dump_json(schema))
    assert "object" == schema["type"]
    assert ["v"] == list(schema["properties"]) == list(schema["required"])
    assert LIBRARIES[library].vendor == standard.__standard_schema__.vendor


@each_case
def test_validator_and_schema_agree(library: str, shape: str) -> None:
    """On five values and more of each kind, or the difference is listed."""
    standard, schema = built(library, shape)
    held = compile_schema(schema, formats=True)
    wanted = [(value, True) for value in BY_NAME[shape].accepts]
    wanted += [(value, False) for value in BY_NAME[shape].refuses]
    found = [
        value
        for value, verdict in wanted
        if {takes(standard, {"v": value}), held.is_valid({"v": value})} != {verdict}
    ]

    is_listed = any(
        reason(table, library, shape) for table in (SCHEMA_TAKES_MORE, VALIDATOR_TAKES_MORE)
    )
    assert is_listed or not found


@each_case
def test_the_search_finds_the_listed_differences_only(library: str, shape: str) -> None:
    """What ``check`` reports to a user is what the tables say."""
    kinds = found_differences(library, shape)

    assert "schema" not in kinds or reason(SCHEMA_TAKES_MORE, library, shape)
    assert "validator" not in kinds or reason(VALIDATOR_TAKES_MORE, library, shape)


@each_library
def test_every_listed_difference_is_seen(library: str) -> None:
    """No entry outlives its reason."""
    tables = (("schema", SCHEMA_TAKES_MORE), ("validator", VALIDATOR_TAKES_MORE))
    listed = [(kind, shape) for kind, table in tables for shape in table.get(library, {})]
    idle = [
        (kind, shape)
        for kind, shape in listed
        if (kind, shape) not in VARIES
        and not _differs(library, "integer" if shape == "*" else shape, kind)
    ]

    assert [] == idle


def _differs(library: str, shape: str, kind: str) -> bool:
    if kind in found_differences(library, shape):
        return True
    standard, schema = built(library, shape)
    refused = [{"v": value} for value in BY_NAME[shape].refuses]
    held = compile_schema(schema, formats=True)
    judge = held.is_valid if kind == "schema" else functools.partial(takes, standard)
    return any(judge(value) for value in refused)


@functools.cache
def _strategy(library: str, shape: str) -> Any:
    _, schema = built(library, shape)
    return from_schema(schema)


@pytest.mark.slow
@each_library
@settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_random_values_of_the_schema_are_taken(library: str, data: st.DataObject) -> None:
    """Hypothesis draws from the published schema: what it promises, the validator keeps.

    It cannot draw from a schema that holds itself, so the tree is left out.
    """
    shapes = [shape.name for name, shape in CASES if name == library and shape.name != "tree"]
    shape = data.draw(st.sampled_from(shapes))
    standard, schema = built(library, shape)
    value = data.draw(_strategy(library, shape))

    # A text that is said to be base64 is drawn as any text.
    held = compile_schema(rewritten(schema, _agreement._as_read), formats=True)
    if held.is_valid(value) and not takes(standard, value):
        assert reason(SCHEMA_TAKES_MORE, library, shape)


@pytest.mark.slow
@each_library
@settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_random_values_beside_the_schema_are_refused(library: str, data: st.DataObject) -> None:
    """A value of another shape: what the schema refuses, the validator does too."""
    shapes = [shape.name for name, shape in CASES if name == library]
    shape, other = data.draw(st.sampled_from(shapes)), data.draw(st.sampled_from(shapes))
    standard, schema = built(library, shape)
    value = {"v": data.draw(st.sampled_from([*BY_NAME[other].accepts, *BY_NAME[other].refuses]))}

    if not compile_schema(schema).is_valid(value) and takes(standard, value):
        assert reason(VALIDATOR_TAKES_MORE, library, shape)
