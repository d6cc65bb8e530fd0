"""One walk over a definition: what is a subschema, and where it lies."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.rules import MISSING, Definition

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "items": {"type": "array", "items": {"type": "integer"}},
        "$ref": {"type": "string", "default": {"$ref": "#/nowhere"}},
        "properties": {"const": {"properties": {"x": {}}}},
        "required": {"enum": [{"required": True}]},
        "node": {"$ref": "#/$defs/node"},
    },
    "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}},
    "examples": [{"type": "nonsense"}],
}


def pointers(definition: Definition, keyword: str) -> list[str]:
    """Give where a keyword stands, relative to the schema."""
    return ["/".join(map(str, node.path[1:])) for node in definition.having(keyword)]


def test_parameters_named_like_keywords_are_not_keywords() -> None:
    """Nor is anything below ``default``, ``const``, ``enum`` or ``examples``."""
    found = Definition({"name": "t", "inputSchema": SCHEMA})

    assert ["properties/node", "$defs/node/properties/next"] == pointers(found, "$ref")
    assert [""] == pointers(found, "$defs")
    assert ["properties/items"] == pointers(found, "items")
    assert [] == pointers(found, "required")
    assert ["", "$defs/node"] == pointers(found, "properties")


def test_a_node_knows_how_it_is_held() -> None:
    """Its keyword, name, parent and depth."""
    found = Definition({"name": "t", "inputSchema": SCHEMA})
    (items,) = [node for node in found.nodes if node.path[-2:] == ("items", "items")]

    assert ("items", "", 2) == (items.keyword, items.name, items.depth)
    assert items.parent is not None
    assert ("properties", "items") == (items.parent.keyword, items.parent.name)
    assert found.root is found.nodes[0]
    assert found.nodes[0].is_root


def test_a_reference_into_the_body_is_followed_once() -> None:
    """What no keyword calls a schema becomes one where a reference says so; cycles end."""
    schema = {"$ref": "#/x-shared/a", "x-shared": {"a": {"items": {"$ref": "#/x-shared/a"}}}}
    found = Definition({"name": "t", "inputSchema": schema})

    assert ["", "x-shared/a/items"] == pointers(found, "$ref")
    assert found.follow("#/x-shared/a") is found.nodes[1]
    assert found.follow("#") is found.nodes[0]
    assert found.follow("#/nowhere") is None
    assert found.follow("https://example.test/x") is None


@pytest.mark.parametrize(
    ("raw", "name_path", "schema_path"),
    [
        ({"name": "t", "inputSchema": {}}, ("name",), ("inputSchema",)),
        ({"name": "t", "input_schema": {}}, ("name",), ("input_schema",)),
        ({"name": "t", "parameters": {}}, ("name",), ("parameters",)),
        (
            {"type": "function", "function": {"name": "t", "parameters": {}}},
            ("function", "name"),
            ("function", "parameters"),
        ),
        (
            {"toolSpec": {"name": "t", "inputSchema": {"json": {}}}},
            ("toolSpec", "name"),
            ("toolSpec", "inputSchema", "json"),
        ),
    ],
)
def test_every_shape_is_read_where_it_is(
    raw: dict[str, Any], name_path: tuple[str, ...], schema_path: tuple[str, ...]
) -> None:
    """So that a path points into the document that was given."""
    found = Definition(raw)

    assert "t" == found.name
    assert {} == found.schema
    assert (name_path, schema_path) == (found.name_path, found.schema_path)


def test_what_is_missing_is_not_null() -> None:
    """A member that is not there can be told from one that is null."""
    found = Definition({"description": None})

    assert found.name is MISSING
    assert found.schema is MISSING
    assert found.description is None
    assert not found.nodes
    assert ("#3", "") == (Definition({}, 3).label, Definition({}, 3).full_name)


def test_a_prefix_is_part_of_the_full_name() -> None:
    """As a client sends it."""
    assert "mcp__a__t" == Definition({"name": "t"}, prefix="mcp__a__").full_name


def test_the_walk_is_bounded() -> None:
    """By depth and by number; what was walked until then is kept."""
    deep: dict[str, Any] = {}
    for _ in range(1_000):
        deep = {"items": deep}
    wide: dict[str, Any] = {"properties": {f"p{number}": {} for number in range(20_000)}}

    for schema, most in ((deep, 200), (wide, 10_000)):
        found = Definition({"name": "t", "inputSchema": schema})

        assert found.is_cut
        assert len(found.nodes) <= most
