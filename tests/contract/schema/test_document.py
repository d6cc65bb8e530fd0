from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract.schema.dialects import DIALECTS
from toolgauge.contract.schema.document import SchemaDocument, followed, subschema_at

BY_NAME = {each.name: each for each in DIALECTS}

SCHEMA: dict[str, Any] = {
    "$id": "http://host.test/root",
    "properties": {
        "a": {"$anchor": "here", "items": {"type": "null"}},
        "b": {"$id": "inner", "$defs": {"x": {"$dynamicAnchor": "there"}, "y": True}},
        "c": {"$id": "urn:a:b", "$defs": {"x": {}}},
    },
    "allOf": [{"$ref": "#/$defs/a%25b"}],
    "$defs": {"a%b": {"const": 1}, "c/d": {"const": {"$id": "data"}}},
}


@pytest.fixture
def document() -> SchemaDocument:
    """One document with two embedded resources."""
    return SchemaDocument(SCHEMA, dialect=BY_NAME["2020-12"])


def test_subschemas_are_found_with_their_place_and_base(document: SchemaDocument) -> None:
    """Parents come before children; data holds no subschemas."""
    found = {each.path: each.base for each in document.subschemas}

    assert "http://host.test/root" == found[()] == found["properties", "a", "items"]
    assert "http://host.test/inner" == found["properties", "b", "$defs", "x"]
    assert "urn:a:b" == found["properties", "c", "$defs", "x"]
    assert () == document.subschemas[0].path
    assert ("$defs", "c/d") in found
    assert not any("const" in path for path in found)
    assert ("allOf", 0) == document.paths[id(SCHEMA["allOf"][0])]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("#", SCHEMA),
        ("#/properties/a/items", {"type": "null"}),
        ("#/allOf/0", SCHEMA["allOf"][0]),
        ("#/$defs/a%25b", {"const": 1}),
        ("#/$defs/c~1d/const", {"$id": "data"}),
        ("#/%24defs/c~1d/const/$id", "data"),
    ],
)
def test_a_pointer_leads_to_any_value(
    document: SchemaDocument, reference: str, expected: object
) -> None:
    """Also to data; percent-encoded as in a URI."""
    assert expected == document.point(reference)
    assert document.point(reference) is document.point(reference)


@pytest.mark.parametrize(
    "reference", ["", "#here", "#/no", "#/allOf/00", "#/allOf/1", "#/~2", "inner", 5, None, ["#"]]
)
def test_what_is_no_pointer_or_leads_nowhere_is_an_error(
    document: SchemaDocument, reference: object
) -> None:
    """Whatever a ``$ref`` holds in a broken schema."""
    with pytest.raises(LookupError):
        document.point(reference)


@pytest.mark.parametrize(
    ("reference", "base", "pointer"),
    [
        ("#", "http://host.test/root", ""),
        ("#/allOf/0", "http://host.test/root", "/allOf/0"),
        ("#here", "http://host.test/root", "/properties/a"),
        ("#there", "http://host.test/root", None),
        ("#there", "http://host.test/inner", "/properties/b/$defs/x"),
        ("inner#there", "http://host.test/root", "/properties/b/$defs/x"),
        ("/inner#/$defs/y", "http://host.test/root", "/properties/b/$defs/y"),
        ("root#here", "http://host.test/inner", "/properties/a"),
        ("#/$defs/x", "urn:a:b", "/properties/c/$defs/x"),
        ("urn:a:b", "http://host.test/root", "/properties/c"),
        ("other", "http://host.test/root", None),
        ("http://[", "http://host.test/root", None),
    ],
)
def test_a_name_is_written_as_a_pointer_from_the_root(
    document: SchemaDocument, reference: str, base: str, pointer: str | None
) -> None:
    """By URI, by anchor, and by a pointer inside of either."""
    assert pointer == document.pointer_of(reference, base)


@pytest.mark.parametrize(
    ("dialect", "holder", "pointer"),
    [
        ("2020-12", {"$id": "in"}, "/definitions/a"),
        ("2020-12", {"id": "in"}, None),
        ("2020-12", {"$id": "in", "$ref": "#"}, "/definitions/a"),
        ("draft-07", {"$id": "in", "$ref": "#"}, None),
        ("draft-07", {"$id": "in"}, "/definitions/a"),
        ("draft-04", {"id": "in"}, "/definitions/a"),
        ("draft-04", {"$id": "in"}, None),
        ("draft-07", {"$id": "#in"}, None),
    ],
)
def test_a_dialect_tells_what_names_a_subschema(
    dialect: str, holder: dict[str, Any], pointer: str | None
) -> None:
    """Draft-04 writes ``id``; up to draft-07 what stands beside ``$ref`` says nothing."""
    document = SchemaDocument({"definitions": {"a": holder}}, dialect=BY_NAME[dialect])

    assert pointer == document.pointer_of("in")


def test_an_id_that_is_a_fragment_is_an_anchor() -> None:
    """As drafts 4 to 7 write it; the base stays that of the whole."""
    schema: Any = {"definitions": {"a": {"$id": "#in", "not": {"$ref": "#/definitions/a"}}}}
    document = SchemaDocument(schema, dialect=BY_NAME["draft-07"])

    assert "/definitions/a" == document.pointer_of("#in")
    assert {""} == {each.base for each in document.subschemas}


def test_a_strict_document_follows_no_hidden_step() -> None:
    """An escape that becomes a step of the pointer is read differently by engines."""
    schema: Any = {"$defs": {"a": {"b": {}}, "c": {}}}

    assert {} == SchemaDocument(schema).point("#/$defs%2Fa/b")
    assert {} == SchemaDocument(schema, is_strict=True).point("#/$defs/%63")
    with pytest.raises(LookupError):
        SchemaDocument(schema, is_strict=True).point("#/$defs%2Fa/b")


def test_targets_are_all_that_a_name_may_mean() -> None:
    """Of what was entered; a name that is not where it should be stands for all of its kind."""
    one, other = {"$dynamicAnchor": "x"}, {"$id": "http://b.test/", "$defs": {"x": {"not": {}}}}
    document = SchemaDocument({"$defs": {"one": one, "other": other}})

    assert [] == document.targets("#x", "")
    assert "http://b.test/" == document.enter(other, document.enter(one, ""))
    assert [one] == document.targets("#x", "http://b.test/")
    assert [{"not": {}}] == document.targets("http://c.test/#/$defs/x", "")
    assert [one] == document.targets("#/$defs/one", "http://c.test/")


def test_following_is_charged_for_once() -> None:
    """By the characters; what the charge raises ends the work."""
    spent: list[int] = []
    document = SchemaDocument(SCHEMA, spend=spent.append)

    for _ in range(3):
        document.point("#/allOf/0")
    assert [len("#/allOf/0")] == spent


def test_all_that_is_reached_comes_once() -> None:
    """Data that a reference makes a schema is among it, and circles end."""
    data = {"x": {"$ref": "#"}}
    schema: Any = {"const": data, "allOf": [{"$ref": "#/const/x"}, {"$ref": "#/no"}], "not": True}
    visited: list[int] = []
    reached = list(SchemaDocument(schema).iter_reached(visited.append))

    assert 4 == len(reached) == len(visited)
    assert any(each is data["x"] for each in reached)


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#", SCHEMA),
        ("#/$defs/a%25b", {"const": 1}),
        ("#/properties/b/$defs/y", True),
        ("#/properties/a/items/type", None),
        ("#/allOf", None),
        ("#/allOf/-1", None),
        ("#/$defs/~2", None),
        ("inner", None),
        (5, None),
    ],
)
def test_a_reference_leads_to_a_subschema_or_nowhere(
    document: SchemaDocument, reference: object, found: object
) -> None:
    """What is data is none, and nothing is raised."""
    assert found == document.follow(reference)
    assert found == document.follow(reference)
    assert found == followed(SCHEMA, reference)


def test_a_pointer_is_no_part_of_a_uri() -> None:
    """An escape in it is a character like any other."""
    assert {"const": 1} == subschema_at(SCHEMA, "/$defs/a%b")
    assert subschema_at(SCHEMA, "/$defs/a%25b") is None
    assert subschema_at(SCHEMA, "$defs") is None
