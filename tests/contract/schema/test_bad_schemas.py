from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.schema.watchdog import judge
from toolgauge.contract import CompiledSchema, compile_schema

if TYPE_CHECKING:
    from pathlib import Path

VALUES: tuple[Any, ...] = ({}, {"city": "Paris"}, [], "a", 1, True, None)

MANY = [{"n": n} for n in range(3_000)]

BROKEN: dict[str, Any] = {
    "a type that does not exist": {"type": "strng"},
    "a type that is no text": {"type": 5},
    "an empty list of types": {"type": []},
    "properties as a list": {"properties": []},
    "a member that is no schema": {"properties": {"a": 5}},
    "required as text": {"required": "city"},
    "a negative length": {"minLength": -1},
    "a multiple of nothing": {"multipleOf": 0},
    "an enum that is no list": {"enum": 5},
    "an empty allOf": {"allOf": []},
    "a fault deep inside": {"properties": {"a": {"items": {"anyOf": [{"minimum": "1"}]}}}},
    "a fault below an unused definition": {"$defs": {"a": {"type": "strng"}}},
    "a reference that is no text": {"$ref": 5},
    "a dangling pointer": {"$ref": "#/$defs/nope"},
    "a dangling pointer below": {"properties": {"a": {"$ref": "#/$defs/nope"}}, "$defs": {}},
    "a dangling anchor": {"$ref": "#nope"},
    "a dangling dynamic anchor": {"$dynamicRef": "#nope"},
    "a reference that is no URI": {"$ref": "%%%"},
    "a reference with a bad port": {"$ref": "http://[::1/x"},
    "a reference with a bad host below an id": {
        "$id": "https://host.test/root",
        "$ref": "http://[::1/x#/a",
    },
    "an id with a bad host": {"$id": "http://[::1/x#", "$ref": "#/a"},
    "an id that is no text": {"$id": 5},
    "an id that is no URI": {"$id": "http://host.test/ a b", "$ref": "#/a"},
    "an external reference": {"$ref": "https://host.test/schema.json"},
    "an external reference below": {"$defs": {"a": {"$ref": "https://host.test/schema.json"}}},
    "a relative reference": {"$id": "https://host.test/root", "$ref": "other.json"},
    "a reference to a file": {"$ref": "file:///etc/hosts"},
    "a bad pattern": {"pattern": "["},
    "a bad pattern for names": {"patternProperties": {"(": {}}},
    "a pattern that is no text": {"pattern": 5},
    "a pattern that explodes when compiled": {"pattern": "((a{1,100}){1,100}){1,100}"},
    "a pattern of 5,000 groups": {"pattern": "(" * 5_000 + ")" * 5_000},
    "an unknown dialect": {"$schema": "https://host.test/dialect"},
    "a dialect of long ago": {"$schema": "http://json-schema.org/draft-03/schema#"},
    "a dialect that is no text": {"$schema": 5},
    "a fault beside a long list": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "strng",
        "enum": MANY,
    },
    "a long list of types": {"type": MANY},
    "a list": [1],
    "a text that holds a schema": "{}",
    "a number": 5,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_schema_refuses_every_value_with_keyword_schema(name: str) -> None:
    """Never "valid", never an exception: one issue at the root (decision V8)."""
    compiled = compile_schema(BROKEN[name])

    assert compiled.problem is not None
    assert ("", "schema") == (compiled.problem.pointer, compiled.problem.keyword)
    for value in VALUES:
        assert (compiled.problem,) == compiled.issues(value)
        assert not compiled.is_valid(value)


def test_broken_schemas_are_refused_at_once() -> None:
    """All of them together, in a process of their own, within ten seconds."""
    found = judge([(schema, {}) for schema in BROKEN.values()])

    assert [["schema"]] * len(BROKEN) == [[each["keyword"] for each in one] for one in found]


@pytest.mark.parametrize("value", [object(), {1, 2}, {"a": {1: 2}}, b"{}", {"a": "\ud800"}, ...])
def test_what_is_not_json_is_a_broken_schema(value: object) -> None:
    """In-process callers may pass anything."""
    problem = compile_schema(value).problem

    assert problem is not None
    assert "schema" == problem.keyword


def test_a_schema_that_holds_itself_is_a_broken_schema() -> None:
    """So is one that is nested as deep as only a cycle or an attack would be."""
    itself: dict[str, Any] = {}
    itself["properties"] = {"a": itself}
    problem = compile_schema(itself).problem

    assert problem is not None
    assert "schema" == problem.keyword


def test_a_number_that_no_json_number_holds_is_a_broken_schema() -> None:
    """CPython reads no integer of more than 4,300 digits back."""
    for number in (10**4_400, 10**20_000, Decimal("1e20000")):
        problem = compile_schema({"maximum": number}).problem
        assert problem is not None
        assert "schema" == problem.keyword


@pytest.mark.parametrize("schema", [[1], "{}", 5, None])
def test_the_class_itself_takes_only_schemas(schema: Any) -> None:
    """The engine would read a text as the JSON of a schema."""
    problem = CompiledSchema(schema).problem

    assert problem is not None
    assert "schema" == problem.keyword


@pytest.mark.parametrize(("schema", "expected"), [(True, True), (False, False), (None, True)])
def test_boolean_and_missing_schemas_are_schemas(schema: bool | None, expected: bool) -> None:
    """``None`` says nothing, and ``false`` has no keyword to name (decision V17)."""
    compiled = compile_schema(schema)

    assert None is compiled.problem
    assert expected is compiled.is_valid({"a": 1})
    assert [None] * (not expected) == [each.keyword for each in compiled.issues({"a": 1})]


@pytest.fixture
def listener() -> Iterator[tuple[str, list[object]]]:
    """Serve an address on loopback that notes every connection."""
    connections: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        is_over = threading.Event()

        def accept() -> None:
            while not is_over.is_set():
                try:
                    peer, address = server.accept()
                except TimeoutError:
                    continue
                connections.append(address)
                peer.close()

        thread = threading.Thread(target=accept)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", connections
        is_over.set()
        thread.join()


def test_nothing_is_ever_fetched(listener: tuple[str, list[object]], tmp_path: Path) -> None:
    """Neither over HTTP nor from a file, neither to compile nor to explain."""
    url, connections = listener
    file = tmp_path / "schema.json"
    file.write_text("{}", "utf-8")
    schemas: list[dict[str, Any]] = [
        {"$ref": f"{url}/a.json"},
        {"$schema": f"{url}/meta.json"},
        {"$id": f"{url}/root.json", "$ref": "b.json"},
        {"$id": f"{url}/root.json", "$dynamicRef": "c.json#x"},
        {"$defs": {"a": {"$id": f"{url}/d.json", "$schema": f"{url}/meta.json"}}, "type": "null"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": {"$ref": f"{url}/e.json"}},
        {"$ref": file.as_uri()},
        {"$id": tmp_path.as_uri() + "/", "$ref": "schema.json"},
    ]

    for schema in schemas:
        assert compile_schema(schema).issues({"a": [1]})
        assert compile_schema(schema, formats=True).issues({"a": [1]})

    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))):
        pass
    assert len(connections) <= 1, "only the one that this test just made"


def test_a_missing_reference_is_told_apart_from_an_external_one() -> None:
    """The message names what was referred to, so that it can be repaired."""
    dangling = compile_schema({"$ref": "#/$defs/nope"}).problem
    external = compile_schema({"$ref": "https://host.test/schema.json"}).problem

    assert dangling is not None
    assert external is not None
    assert "/$defs/nope" in dangling.message
    assert "https://host.test/schema.json" in external.message


def test_an_unknown_dialect_is_named() -> None:
    """It is never read as if it were another one (decision V6)."""
    problem = compile_schema({"$schema": "https://host.test/dialect"}).problem

    assert problem is not None
    assert "https://host.test/dialect" in problem.message


def test_a_schema_may_refer_to_its_own_meta_schema() -> None:
    """That is known without fetching anything; other drafts' are not."""
    for uri in (
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
    ):
        compiled = compile_schema({"$schema": uri, "$ref": uri})
        assert compiled.is_valid({"type": "string"})
        assert not compiled.is_valid({"minLength": "1"})


EXPLOSIVE = (r"^(a+)+$", r"(.*a){12}", r"^(?=(a+)+$)b", r"^(\w+\s?)*$", r"(?!x)((a|a)+)+$")
EXHAUSTING = r"(a*)*\1b"


def test_explosive_patterns_are_decided_within_bounds() -> None:
    """Patterns that keep a backtracking matcher busy for hours."""
    text = "a" * 40 + "!"

    found = judge([({"pattern": each}, text) for each in EXPLOSIVE])

    assert all({"pattern"} >= {each["keyword"] for each in one} for one in found)
    assert ["pattern"] == [each["keyword"] for each in found[0]]


def test_a_pattern_that_passes_its_bound_is_the_schemas_fault() -> None:
    """Not the value's: nobody knows whether it matches, wherever the pattern stands."""
    text = "a" * 40 + "!"
    schemas: list[tuple[Any, Any]] = [
        ({"pattern": EXHAUSTING}, text),
        ({"not": {"pattern": EXHAUSTING}}, text),
        ({"anyOf": [{"pattern": EXHAUSTING}, {"type": "integer"}]}, text),
        ({"patternProperties": {EXHAUSTING: False}}, {text: 1}),
        ({"patternProperties": {EXHAUSTING: True}, "additionalProperties": False}, {text: 1}),
        ({"propertyNames": {"pattern": EXHAUSTING}}, {text: 1}),
        ({"unevaluatedProperties": False, "patternProperties": {EXHAUSTING: True}}, {text: 1}),
    ]

    found = judge(schemas)

    assert [["schema"]] * len(schemas) == [[each["keyword"] for each in one] for one in found]


@pytest.mark.parametrize("pattern", [r"\p{L}+", r"^\u0041$", r"(?<year>\d{4})", r"^(?!x)."])
def test_patterns_are_ecma_262(pattern: str) -> None:
    """Some of them Python's own ``re`` does not take."""
    assert None is compile_schema({"pattern": pattern}).problem
