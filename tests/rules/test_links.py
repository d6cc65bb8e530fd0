"""Cycles are found wherever they are, and walking ends."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.rules import Definition
from toolgauge.rules._links import links_of, walk


def closing(schema: dict[str, Any]) -> list[str]:
    """Give the places whose reference closes a cycle, seen from everywhere."""
    tool = Definition({"inputSchema": schema})
    found = walk(tool.nodes, links_of(tool)).closing
    return sorted("/".join(str(step) for step in node.path[1:]) for node in found)


def ref(name: str) -> dict[str, str]:
    """Refer to a definition."""
    return {"$ref": f"#/$defs/{name}"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#"}, [""]),
        ({"items": {"$ref": "#"}}, ["items"]),
        ({"$defs": {"a": ref("a")}}, ["$defs/a"]),
        ({"$defs": {"a": {"items": ref("b")}, "b": ref("a")}}, ["$defs/b"]),
        ({"$defs": {"a": ref("b"), "b": ref("c"), "c": ref("a")}}, ["$defs/c"]),
        # The way back is a keyword; the reference before it is to blame.
        (
            {"properties": {"p": {"$ref": "#/$defs/a/items"}}, "$defs": {"a": {"items": ref("a")}}},
            ["$defs/a/items"],
        ),
        # Diamonds, and definitions that lie in what refers to them, are no cycles.
        ({"properties": {"p": ref("a"), "q": ref("a")}, "$defs": {"a": {}}}, []),
        ({"$defs": {"a": {"$defs": {"b": ref("a")}}}}, []),
        ({"properties": {"p": ref("nowhere"), "q": {"$ref": "x"}, "r": {"$ref": 5}}}, []),
        ({"x-own": {"items": {"$ref": "#/x-own"}}, "$ref": "#/x-own"}, ["x-own/items"]),
    ],
)
def test_the_reference_that_closes_a_cycle_is_named(
    schema: dict[str, Any], expected: list[str]
) -> None:
    """Each cycle once."""
    assert expected == closing(schema)


def test_links_come_before_what_they_lead_on_to() -> None:
    """So that one pass over them sums up whole ways."""
    schema = {"properties": {"p": ref("a")}, "$defs": {"a": {"items": ref("b")}, "b": {}}}
    tool = Definition({"inputSchema": schema})
    seen = {id(tool.nodes[0])}

    for link in walk(tool.nodes[:1], links_of(tool)).links:
        assert id(link.source) in seen
        seen.add(id(link.target))


def test_doublings_cost_no_more_than_their_length() -> None:
    """Each definition uses the next one twice: 2**200 ways, 400 links."""
    defs: dict[str, Any] = {
        f"d{each}": {"anyOf": [ref(f"d{each + 1}"), ref(f"d{each + 1}")]} for each in range(200)
    }
    tool = Definition({"inputSchema": {"$ref": "#/$defs/d0", "$defs": {**defs, "d200": {}}}})

    assert 801 == len(walk(tool.nodes[:1], links_of(tool)).links)
