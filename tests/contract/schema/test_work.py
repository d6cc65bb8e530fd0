from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.contract.schema.work import survey


def visits(schema: object) -> tuple[int, ...]:
    """Give the table of visits by depth."""
    return survey(schema, DEFAULT_BOUNDS).visits


@pytest.mark.parametrize("schema", [True, False, {}, {"type": "string"}])
def test_one_schema_is_one_visit(schema: object) -> None:
    """Whatever the value."""
    assert (1,) == visits(schema)[:1]
    assert 1 == survey(schema, DEFAULT_BOUNDS).visits_at(50)


def test_branches_of_one_value_add_up() -> None:
    """Those of members do not count before there are members."""
    schema = {"allOf": [{}, True, {"anyOf": [{}, {}]}], "properties": {"a": {}, "b": {}}}
    found = survey(schema, DEFAULT_BOUNDS)

    assert 6 == found.visits_at(0)
    assert 6 == found.visits_at(1), "a member is one of the two, and the place above costs most"
    assert 8 == found.subschemas


@pytest.mark.parametrize("levels", [1, 2, 3, 5])
def test_a_recursive_schema_that_does_not_branch_stays_flat(levels: int) -> None:
    """One visit of each place, at any depth, however long the way round is."""
    schema: dict[str, Any] = {"$ref": "#"}
    for _ in range(levels):
        schema = {"items": schema}
    table = visits(schema)

    assert {1, 2} >= set(table)
    assert len(table) < 20


def test_a_recursive_schema_that_branches_grows_with_the_depth() -> None:
    """Until it passes the bound; deeper values are not counted further."""
    table = visits({"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]})

    assert table == tuple(sorted(table))
    assert DEFAULT_BOUNDS.max_work < table[-1]
    assert len(table) < 40


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/a", "#/%24defs/a", "#named", "r", "https://host.test/r", "/r", "r#"],
)
def test_every_way_to_name_a_schema_is_followed(reference: str) -> None:
    """Pointers, anchors, and URIs that are absolute or relative."""
    costly = {"$id": "r", "$anchor": "named", "allOf": [{}] * 10}
    schema = {
        "$id": "https://host.test/root",
        "$ref": reference,
        "$defs": {"a": costly, "b": {"$anchor": "named"}},
    }
    found = visits(schema)[0]

    assert found >= 2
    assert (reference == "#") is (found < 10)


@pytest.mark.parametrize(
    "reference", ["https://json-schema.org/draft/2020-12/schema", "http://[::1/x", "other#/a/b"]
)
def test_a_reference_out_of_the_document_is_left_to_the_engine(reference: str) -> None:
    """Here it is at most the document itself."""
    schema = {"$id": "https://host.test/root", "items": {"$ref": reference}}

    assert None is survey(schema, DEFAULT_BOUNDS).problem


def test_the_same_names_in_two_resources_are_two_schemas() -> None:
    """A pointer means the resource that it stands in, and no other."""

    def resource(name: str, inner: dict[str, Any]) -> dict[str, Any]:
        return {"$id": f"https://host.test/{name}", "$ref": "#/$defs/x", "$defs": {"x": inner}}

    many: dict[str, Any] = {"allOf": [{}] * 100}
    schema = {
        "$id": "https://host.test/root",
        "allOf": [{"$ref": "small"}],
        "$defs": {"x": many, "small": resource("small", {}), "large": resource("large", many)},
    }

    assert visits(schema)[0] < 10


def test_a_keyword_of_the_wrong_shape_holds_no_subschema() -> None:
    """Whether it is allowed is the meta-schema's question."""
    schema: dict[str, Any] = {
        "properties": {"a": 1, "b": {}},
        "allOf": [1, {}, "x"],
        "items": 5,
        "$defs": [],
        "not": None,
    }

    assert 3 == survey(schema, DEFAULT_BOUNDS).subschemas


@pytest.mark.parametrize(
    ("schema", "levels"),
    [
        ({"type": "string"}, 2),
        ({"properties": {"a": {"items": {"properties": {"b": {"minLength": 1}}}}}}, 4),
        ({"$defs": {"a": {"items": {"type": "string"}}}, "items": {"$ref": "#/$defs/a"}}, 3),
        ({"items": {"$ref": "#"}}, 100),
        ({"$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}, 100),
    ],
)
def test_the_levels_that_a_schema_reaches_are_counted(schema: dict[str, Any], levels: int) -> None:
    """All of them where it is recursive; never fewer than there are."""
    assert levels == survey(schema, DEFAULT_BOUNDS).levels
