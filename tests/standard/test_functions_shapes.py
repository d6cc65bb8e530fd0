"""Function signatures over the shapes of the conformance suite, in five libraries' words."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import pydantic
import pytest

from tests.standard.conformance.libraries import (
    ATTRS_OWN,
    DICT_OWN,
    MSGSPEC_OWN,
    PYDANTIC_OWN,
    STANDARD_OWN,
)
from tests.standard.conformance.shapes import BY_NAME, SHAPES
from toolgauge import Success, Tool, tool
from toolgauge.contract import compile_schema, schema_issues
from toolgauge.standard import iter_disagreements

OWN: dict[str, dict[str, Any]] = {
    "pydantic": PYDANTIC_OWN,
    "dataclass": STANDARD_OWN,
    "TypedDict": DICT_OWN,
    "msgspec": MSGSPEC_OWN,
    "attrs": ATTRS_OWN,
}
CASES = [
    (library, shape.name)
    for library, own in OWN.items()
    for shape in SHAPES
    # A type of the standard library is the same in everybody's words.
    if (shape.name in own if shape.type is None else library == "pydantic")
]
LAXER_SCHEMA = {
    "decimal": "pydantic publishes a text without a pattern",
    "map by integers": "pydantic says nothing of the keys of a map",
}
"""Where the schema lets through what is refused when it is bound."""

each_case = pytest.mark.parametrize(("library", "shape"), CASES)


@functools.cache
def made(library: str, shape: str) -> Tool:
    """Give a tool of a function with one parameter of this shape."""
    limits, found = BY_NAME[shape].limits, BY_NAME[shape].type
    found = OWN[library][shape] if found is None else found

    def function(v: Any) -> None: ...

    function.__annotations__["v"] = Annotated[found, pydantic.Field(**limits)] if limits else found
    return tool(function)


def takes(given: Tool, value: object) -> bool:
    """Ask the signature."""
    assert given.validate is not None
    return isinstance(given.validate({"v": value}), Success)


def test_there_are_forty_shapes_and_more() -> None:
    """Of the standard library's types, and each library's own classes besides."""
    assert len({shape for _, shape in CASES}) >= 40
    assert {library for library, _ in CASES} == set(OWN)


@each_case
def test_the_published_schema_is_a_closed_object(library: str, shape: str) -> None:
    """With the one parameter in it, required."""
    schema = made(library, shape).input_schema

    assert () == schema_issues(schema)
    assert ("object", False) == (schema["type"], schema["additionalProperties"])
    assert ["v"] == list(schema["properties"]) == schema["required"]


@each_case
def test_what_the_type_has_is_accepted_by_schema_and_signature(library: str, shape: str) -> None:
    """Five values and more."""
    given = made(library, shape)
    held = compile_schema(given.input_schema, formats=True)
    values = BY_NAME[shape].accepts

    assert len(values) >= 5
    assert [] == [each for each in values if not held.is_valid({"v": each})]
    assert [] == [each for each in values if not takes(given, each)]


@each_case
def test_what_the_type_has_not_is_refused_by_the_signature(library: str, shape: str) -> None:
    """Five values and more; by the schema too, where it can say it."""
    given = made(library, shape)
    held = compile_schema(given.input_schema, formats=True)
    values = BY_NAME[shape].refuses

    assert [] == [each for each in values if takes(given, each)]
    assert shape in LAXER_SCHEMA or [] == [each for each in values if held.is_valid({"v": each})]


@each_case
def test_the_search_for_disagreements_finds_the_listed_ones_only(library: str, shape: str) -> None:
    """A signature never takes what its schema refuses."""
    kinds = {each.accepted_by for _, each in iter_disagreements([made(library, shape)])}

    assert kinds == ({"schema"} if shape in LAXER_SCHEMA else set())
