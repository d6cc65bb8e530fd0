"""What a type holds, its schema accepts: no reader says yes where the engine says no."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from tests.profile import IS_LONG
from tests.schema_values import TOOLLISTS, VALUES, corpus_schemas, damage, made_value, schemas_of
from toolgauge.auditing.quick import row_reader
from toolgauge.auditing.typed import NOT_READ, Reader, arguments_reader, read_any
from toolgauge.contract import DEFAULT_BOUNDS, InvalidJson, compile_schema, dump_json, parse_json
from toolgauge.contract.schema.dialects import DIALECTS, Dialect

if TYPE_CHECKING:
    from tests.contract.schema.official_suite import Suite

TEXTS = [
    *("0", "1", "-1", "9", "1.0", "1.5", "-0", "1e2", "0.1", "1e400", "9007199254740993"),
    *("18446744073709551617", "1" + "0" * 400, "1" + "0" * 5000, "NaN", "01", "1.", "+1"),
    *('""', '"a"', '"ab"', '"abc"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud800"', '"a\\nb"'),
    *('"ABC-1234"', '"ABC-1234\\n"', '"\\u0663"', '"x\n"', '"\\x"', "'a'"),
    *("true", "false", "null", "nul", "[]", "[1]", '["a"]', '["a", "b"]', "[1, null]", "[1,]"),
    *("{}", '{"a": 1}', '{"a": "x"}', '{"b": 1}', '{"a": 1, "a": "x"}', '{"a": 1, "b": 2}'),
    *('{"\\u0061": 1}', "[[[[1]]]]", "[" * 90 + "]" * 90, "", " ", "\ufeff1", "1 2"),
]
"""JSON, and what only looks like it."""

SAYABLE: list[Any] = [
    True,
    {},
    {"type": "string"},
    {"type": "string", "minLength": 2, "maxLength": 2},
    {"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"},
    {"type": "string", "pattern": "^\\w+$"},
    {"type": "string", "format": "email"},
    {"type": "integer"},
    {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
    {"type": "number"},
    {"type": "number", "minimum": 0, "maximum": 1},
    {"type": "number", "exclusiveMinimum": 0},
    {"type": "boolean"},
    {"type": "null"},
    {"type": ["string", "null"]},
    {"type": ["integer", "number", "string"]},
    {"type": "string", "enum": ["a", "b", 1]},
    {"enum": ["a", 1, None, 1.5, True, [1]]},
    {"const": "a"},
    {"type": "array"},
    {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1},
    {"type": "array", "items": {"type": "array", "items": {}}},
    {"type": "object"},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "additionalProperties": False},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"not": {}}, "b": {"type": "integer"}}},
    {"type": "object", "required": ["b"]},
    {"properties": {"a": {"type": "integer"}}},
    {"anyOf": [{"type": "string"}, {"type": "null"}, {"multipleOf": 2}]},
    {"oneOf": [{"type": "integer"}, {"type": "string"}]},
    {"allOf": [{"type": "string"}]},
    {"$ref": "#/$defs/text"},
    {"anyOf": [{"$ref": "#/$defs/list"}, {"type": "null"}]},
    {"type": "string", "x-order": 3, "default": 7, "title": "t"},
]
"""Schemas of one member that a type says something of."""

UNSAYABLE: list[Any] = [
    False,
    {"not": {"type": "string"}},
    {"type": "number", "multipleOf": 0.5},
    {"type": "array", "uniqueItems": True},
    {"type": "string", "pattern": "^(a+)+$"},
    {"type": "string", "pattern": "a"},
    {"type": "string", "pattern": "^\\s$"},
    {"type": "string", "pattern": "^[+--]$"},
    {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    {"oneOf": [{"type": "string"}, {"properties": {}}]},
    {"type": "integer", "maximum": 2**60},
    {"type": "object", "minProperties": 1},
    {"type": "object", "patternProperties": {"a": {}}},
    {"allOf": [{"type": "string"}, {"minLength": 2}]},
    {"enum": [1.5, [1], True]},
]
"""Schemas that are left to the engine."""

DEFINITIONS = {
    "text": {"type": "string", "maxLength": 2},
    "list": {"type": "array", "items": {"$ref": "#/$defs/list"}},
}


def _tool(schema: Any) -> dict[str, Any]:
    """Make arguments of one member that must be there."""
    return {
        "type": "object",
        "properties": {"p": schema},
        "required": ["p"],
        "$defs": DEFINITIONS,
    }


def _reader(schema: Any) -> Reader | None:
    levels = DEFAULT_BOUNDS.max_instance_depth
    return arguments_reader(compile_schema(schema), schema, formats=False, levels=levels)


def _reads(reader: Reader, text: bytes) -> bool:
    try:
        reader.read(Raw(text))
    except NOT_READ:
        return False
    return True


def _hold(reader: Reader, schema: Any, text: bytes) -> bool:
    """Tell whether the reader says yes, and see that it may."""
    is_read = _reads(reader, text)
    if is_read:
        try:
            value = parse_json(text, max_depth=1_000)
        except InvalidJson as error:
            pytest.fail(f"{text[:80]!r} is read, but is no JSON: {error.reason}")
        assert compile_schema(schema).is_valid(value), (schema, text[:80])
    return is_read


@pytest.mark.parametrize("schema", SAYABLE, ids=str)
def test_whatever_is_read_is_accepted(schema: Any) -> None:
    """Each text as the one member; at least one of them is read."""
    whole = _tool(schema)
    reader = _reader(whole)
    assert reader is not None
    texts = [b'{"p": %s}' % text.encode("utf-8", "surrogatepass") for text in TEXTS]
    read = [text for text in texts if _hold(reader, whole, text)]

    assert read
    assert not _reads(reader, b"{}")
    assert not _reads(reader, b'{"p": "\xff"}')
    assert not _reads(reader, b'"p"')


@pytest.mark.parametrize("schema", UNSAYABLE, ids=str)
def test_what_no_type_says_is_left_to_the_engine(schema: Any) -> None:
    """Where the member must be there; where it need not be, only calls that have it."""
    optional = {**_tool(schema), "required": []}
    reader = _reader(optional)

    assert _reader(_tool(schema)) is None
    assert reader is not None
    assert _reads(reader, b"{}")
    assert not _reads(reader, b'{"p": 1}')


def test_a_schema_that_cannot_be_used_has_no_reader() -> None:
    """Nor has one of draft-04, whose limits are written otherwise, or of too many parts."""
    draft_04 = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}
    wide = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(3_000)}}

    assert _reader({"type": "objekt"}) is None
    assert _reader(draft_04) is None
    assert _reader(wide) is None


def test_what_is_referred_to_as_arguments_is_an_object() -> None:
    """Also where the same was meant as a member's schema, of any type, before."""
    schema = {
        "anyOf": [
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/a"}},
            {"$ref": "#/$defs/a"},
        ],
        "$defs": {"a": {}},
    }
    reader = _reader(schema)

    assert reader is not None
    assert _reads(reader, b'{"x": [1]}')
    assert not _reads(reader, b"[1]")
    assert not _reads(reader, b"5")


def test_a_reference_below_a_base_of_its_own_is_left_to_the_engine() -> None:
    """It points into the subschema that has the ``$id``, not into the document."""
    inner = {
        "$id": "https://example.com/inner",
        "properties": {"b": {"$ref": "#/$defs/kind"}},
        "$defs": {"kind": {"type": "integer"}},
    }
    schema = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/inner/properties/b"}},
        "$defs": {"inner": inner, "kind": {"type": "string"}},
    }
    reader = _reader(schema)

    assert reader is not None
    assert not _reads(reader, b'{"p": "text"}')


def test_a_reference_past_a_base_of_data_is_left_to_the_engine() -> None:
    """Engines differ in whether a value under an unknown keyword is a base."""
    data = {"$id": "https://example.com/data", "kind": {"type": "integer"}}
    schema = {"type": "object", "properties": {"p": {"$ref": "#/data/kind"}}, "required": ["p"]}

    assert _reader({**schema, "data": {**data, "$id": 1}}) is not None
    assert _reader({**schema, "data": data}) is None


def test_only_values_of_any_kind_can_nest_too_deep() -> None:
    """A reader says whether what it reads may."""
    closed = _reader(_tool({"type": "array", "items": {"type": "string"}}))
    opened = _reader(_tool({"type": "array"}))

    assert closed is not None
    assert opened is not None
    assert closed.is_shallow
    assert not opened.is_shallow


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d.number > 4], ids=lambda d: d.name)
def test_the_official_suite_is_never_contradicted(official: Suite, dialect: Dialect) -> None:
    """Every case as a member's schema, and every value as the member."""
    tried = read = 0
    for case in official.cases(dialect):
        if isinstance(case.schema, dict) and {"$ref", "$id", "$dynamicRef"} & {*case.schema}:
            continue
        uri = dialect.uri + ("#" if dialect.number <= 7 else "")
        schema = {"$schema": uri, "type": "object", "properties": {"p": case.schema}}
        reader = _reader(schema)
        if reader is None:
            continue
        for test in case.tests:
            tried += 1
            read += _hold(reader, schema, dump_json({"p": test.data}))

    assert tried > 300
    assert read > 50


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d.number > 4], ids=lambda d: d.name)
def test_no_schema_and_value_are_read_that_the_engine_refuses(dialect: Dialect) -> None:
    """Random schemas of all keywords, random values."""

    @settings(max_examples=150 if IS_LONG else 50, deadline=None, derandomize=True, database=None)
    @given(inner=schemas_of(dialect.number), values=st.lists(VALUES, min_size=3, max_size=6))
    def hold(inner: Any, values: list[Any]) -> None:
        uri = dialect.uri + ("#" if dialect.number <= 7 else "")
        schema = {"$schema": uri, "type": "object", "properties": {"p": inner, "q": {}}}
        reader = _reader(schema)
        for value in values:
            if reader is not None:
                _hold(reader, schema, dump_json({"p": value}))

    hold()


@pytest.mark.no_cover
@pytest.mark.skipif(not TOOLLISTS.is_dir(), reason="../shared is not here")
def test_the_tools_of_real_servers_have_readers_that_hold() -> None:
    """Nearly all have one; good and damaged arguments."""
    draw = random.Random(5)
    tools = readers = read = refused = 0
    for _, schema in corpus_schemas():
        if compile_schema(schema).problem is not None:
            continue
        tools += 1
        reader = _reader(schema)
        value = made_value(schema, draw)
        if reader is None or not isinstance(value, dict):
            continue
        readers += 1
        read += _hold(reader, schema, dump_json(value))
        for _ in range(2):
            damage(value, draw)
            refused += not _hold(reader, schema, dump_json(value))

    assert readers > 0.95 * tools
    assert read > 0.8 * readers
    assert refused > 1_000


def test_a_row_is_read_only_where_all_its_members_are_known() -> None:
    """Scalars where only scalars were seen."""
    read = row_reader("tool", "arguments", {"id": False, "meta": True}, is_text=False)
    assert read is not None

    row = read(b'{"id": 7, "arguments": {"a": [1]}, "tool": "t", "meta": {"x": []}}')
    assert ("t", b'{"a": [1]}') == (row.tool, bytes(row.arguments))
    for other in (
        b'{"tool": "t", "arguments": {}, "id": [1]}',
        b'{"tool": "t", "arguments": {}, "new": 1}',
        b'{"tool": 1, "arguments": {}}',
        b'{"tool": "t"}',
        b'{"tool": "t", "arguments": {}, "id": 1e400}',
        b'{"tool": "t", "arguments": {}} x',
        b'{"tool": "t", "arguments": {"a": "\\x"}}',
        b"[]",
        b"",
    ):
        with pytest.raises(NOT_READ):
            read(other)


ODD_NUMBERS = [
    b"1e400",
    b"-1e400",
    b"12345678901234567890123",
    b"18446744073709551616",
    b"-0",
    b"-0.0",
    b"01",
    b"1.",
    b".5",
    b"1e",
    b"NaN",
    b"Infinity",
    b"1E5",
    b"0.1",
    b"4.9e-324",
    b"9007199254740993.0",
    b"9" * 400,
    b"9" * 5_000,
    b"1" * 310 + b".5",
]
ODD_TEXTS = [
    b"\\ud800",
    b"\\udc00x",
    b"\\ud83d\\ude00",
    b"\xff",
    b"\xed\xa0\x80",
    b"\x01",
    b"\\x",
    b"\xc0\x80",
    b"\\u00e9\\/\\b",
    b"\x7f",
    b"\xf4\x90\x80\x80",
]
ODD = [
    *(b'{"a": %s}' % each for each in ODD_NUMBERS),
    *(b'{"a": "%s"}' % each for each in ODD_TEXTS),
    *(b'{"%s": 1}' % each for each in ODD_TEXTS),
    b'{"a": 1, "a": 2}',
    b'{"a": 1,}',
    b'{"a": 1}x',
    b"\xef\xbb\xbf{}",
    b'{"a": tru}',
    b"  {} ",
    b"\x0c{}",
    b"[" * 3_000 + b"]" * 3_000,
]


def _same_or_refused(text: bytes) -> bool:
    """Hold what is read against the strict parser; false where it was not read."""
    try:
        found = read_any(text)
    except NOT_READ:
        return False
    assert repr(parse_json(text)) == repr(found), text
    return True


def test_whatever_is_read_at_all_is_what_the_strict_parser_reads() -> None:
    """All digits of integers, no half of a character, nothing that only looks like JSON."""
    read = [each for each in ODD if _same_or_refused(each)]
    chance = random.Random(3)
    for _ in range(20_000):
        text = bytearray(chance.choice(ODD[:-1]))
        place = chance.randrange(len(text))
        text[place : place + chance.randrange(2)] = bytes(
            [chance.choice(b'{}[]",:\\u09eE+-. t\x00\xff\xc3')]
        )
        _same_or_refused(bytes(text))

    assert len(read) > 12
    assert b'{"a": 12345678901234567890123}' in read
