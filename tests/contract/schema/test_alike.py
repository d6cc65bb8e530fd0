from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import contains
from toolgauge.contract.schema.containing.alike import Alike

TREE: dict[str, Any] = {
    "oneOf": [
        {"properties": {"kind": {"const": "group"}, "of": {"items": {"$ref": "#/$defs/tree"}}}},
        {"$ref": "#/$defs/leaf"},
    ]
}


def document(leaf: Any, **members: Any) -> dict[str, Any]:
    """Give an object with a tree in it, whose leaves are as asked."""
    return {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/tree"}, **members},
        "required": ["tree"],
        "additionalProperties": False,
        "$defs": {"tree": TREE, "leaf": leaf, "far": {"$ref": "#/$defs/near"}, "near": leaf},
    }


@pytest.mark.parametrize("reference", ["tree", "leaf", "far", "near", "l%65af"])
def test_equal_references_mean_the_same_where_all_that_they_lead_to_does(reference: str) -> None:
    """Also in circles, and over several steps."""
    schema = {"not": {"$ref": f"#/$defs/{reference}"}}
    one, same, other = (document({"const": each}, a=schema) for each in (1, 1.0, 2))

    assert Alike(one, same)(schema, schema)
    assert not Alike(one, other)(schema, schema)
    assert Alike(one, other)({"const": 1}, {"const": 1.0})


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#named"},
        {"$ref": "#/$defs/no"},
        {"$ref": "https://host.test/"},
        {"$dynamicRef": "#/$defs/leaf"},
        {"$recursiveRef": "#"},
        {"$id": "https://host.test/", "$ref": "#/$defs/leaf"},
        {"not": {"$ref": "#/$defs/a%2Fb"}},
    ],
)
def test_what_only_the_engine_can_follow_is_never_called_alike(schema: Any) -> None:
    """Not even in two documents that are the same."""
    named = {"const": 1, "$anchor": "named"}
    one = {**document(named), "properties": {"a": schema}}

    assert not Alike(one, one)(schema, schema)


def test_a_long_chain_of_references_is_judged_once() -> None:
    """Each link spoils those that lead to it."""
    links: dict[str, Any] = {str(n): {"not": {"$ref": f"#/$defs/{n + 1}"}} for n in range(5_000)}
    one = {"$ref": "#/$defs/0", "$defs": {**links, "5000": True}}
    other = {"$ref": "#/$defs/0", "$defs": {**links, "5000": {}}}

    assert Alike(one, one)(links["0"], links["0"])
    assert not Alike(one, other)(links["0"], links["0"])


@pytest.mark.parametrize("width", [1, 90])
def test_a_definition_that_stayed_hides_no_change_beside_it(width: int) -> None:
    """Neither the witness nor the proof is lost in it."""
    many = {f"p{number}": {"type": "string"} for number in range(width)}
    leaf = {"properties": {"kind": {"const": "leaf"}}, "required": ["kind"]}
    old = document(leaf, **many, n={"type": "integer", "maximum": 3}, more={"type": "boolean"})
    tighter = document(leaf, **many, n={"type": "integer", "maximum": 2}, more={"type": "boolean"})
    closed = document(leaf, **many, n={"type": "integer", "maximum": 3})

    assert 3 == contains(tighter, old).witness["n"]
    assert "more" in contains(closed, old).witness
    assert "yes" == contains(old, tighter).answer == contains(old, closed).answer


@pytest.mark.parametrize("keyword", ["oneOf", "not", "contains", "if", "dependentSchemas"])
def test_keywords_that_reverse_are_held_against_themselves(keyword: str) -> None:
    """With references in them; with another target they prove nothing."""
    held: dict[str, Any] = {"oneOf": [{"$ref": "#/$defs/tree"}], "dependentSchemas": {}}
    held["dependentSchemas"]["a"] = {"$ref": "#/$defs/tree"}
    part = {keyword: held.get(keyword, {"$ref": "#/$defs/tree"}), "then": {"type": "object"}}

    def having(leaf: Any, limit: int) -> dict[str, Any]:
        return document(leaf, n={"maximum": limit}, part=part)

    assert "yes" == contains(having({"const": 1}, 5), having({"const": 1}, 4)).answer
    assert "yes" != contains(having({"const": 1}, 5), having({"const": 2}, 4)).answer
    assert "no" == contains(having({"const": 1}, 4), having({"const": 1}, 5)).answer
