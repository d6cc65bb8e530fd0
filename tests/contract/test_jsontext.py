from __future__ import annotations

import datetime as dt
import enum
import json
import math
from collections import OrderedDict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgauge.contract import InvalidJson, dump_json, parse_json
from toolgauge.contract.jsontext import is_deeper_than

LONG = b"1234567890123456789"
"""An integer this long sends a document to the second, exact parser."""

REFUSED: dict[str, bytes] = {
    "nothing": b"",
    "white space": b" \n",
    "NaN": b"NaN",
    "Infinity": b"[Infinity]",
    "minus Infinity": b'{"a": -Infinity}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "UTF-16 without a mark": '{"a": 1}'.encode("utf-16-le"),
    "UTF-32": '{"a": 1}'.encode("utf-32"),
    "Latin-1": '["é"]'.encode("latin-1"),
    "an overlong encoding": b'["\xc0\xaf"]',
    "a raw surrogate": b'["\xed\xa0\x80"]',
    "an escaped high surrogate": rb'["\ud800"]',
    "an escaped low surrogate": rb'["\udc00"]',
    "swapped surrogates": rb'["\udc00\ud800"]',
    "a surrogate in a name": rb'{"\ud800": 1}',
    "trailing garbage": b"{} x",
    "two documents": b"{}{}",
    "a trailing comma": b"[1,]",
    "single quotes": b"{'a': 1}",
    "a name without quotes": b"{a: 1}",
    "a comment": b"[1] // one",
    "a control character": b'["\x01"]',
    "a bad escape": rb'["\x41"]',
    "a leading zero": b"01",
    "a leading plus": b"+1",
    "a bare point": b"1.",
    "a hexadecimal number": b"0x1f",
    "an open array": b"[1",
    "an open string": b'["a',
    "a number past 1e10000": b"1e10001",
    "a number past any exponent": b"1e999999999",
    "an exponent of twenty digits": b"[-1e99999999999999999999]",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_strict_json_is_refused(name: str) -> None:
    """RFC 8259, UTF-8 only."""
    with pytest.raises(InvalidJson) as caught:
        parse_json(REFUSED[name])

    assert caught.value.reason


@pytest.mark.parametrize("name", [each for each in REFUSED if each != "UTF-16"])
def test_both_parsers_refuse_the_same(name: str) -> None:
    """A long integer beside it changes nothing."""
    with pytest.raises(InvalidJson):
        parse_json(b"[" + LONG + b"," + REFUSED[name] + b"]")


def test_text_is_as_strict_as_bytes() -> None:
    """A raw surrogate in text is refused in either parser."""
    for text in ('["\ud800"]', '["\ud800", 1234567890123456789]', "NaN", "\ufeff{}"):
        with pytest.raises(InvalidJson):
            parse_json(text)

    assert {"é": [1.5, None, True]} == parse_json('{"é": [1.5, null, true]}')


def test_the_reason_has_the_place_and_not_the_text_around_it() -> None:
    """What a client sent is not echoed in full."""
    for document in (b'{\n  "secret": x}', b'{\n  "secret": x, "n": ' + LONG + b"}"):
        with pytest.raises(InvalidJson) as caught:
            parse_json(document)

        assert "line 2 column 13" in caught.value.reason
        assert "secret" not in caught.value.reason


@pytest.mark.parametrize("tail", [b"", b", " + LONG])
def test_the_last_of_equal_names_wins(tail: bytes) -> None:
    """In either parser."""
    found = parse_json(b'[{"a": 1, "b": 2, "a": 3}' + tail + b"]")

    assert {"a": 3, "b": 2} == found[0]
    assert ["a", "b"] == list(found[0])


@pytest.mark.parametrize("digits", [1, 15, 16, 17, 18, 19, 20, 21, 39, 400, 4_300])
@pytest.mark.parametrize("sign", ["", "-"])
def test_integers_keep_every_digit(digits: int, sign: str) -> None:
    """Past 64 bits too."""
    text = sign + "9" * digits

    found = parse_json(f'{{"n": [{text}]}}')

    assert {"n": [int(text)]} == found
    assert int is type(found["n"][0])


@pytest.mark.parametrize(
    "number", [2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1]
)
def test_integers_at_the_edges_keep_every_digit(number: int) -> None:
    """There and back."""
    assert number == parse_json(str(number))
    assert str(number).encode() == dump_json(number)


@pytest.mark.parametrize("before", ["", "[", "[-", "[1,", "[1,-", "[ ", "[\t", "[\r\n", '{"a":'])
def test_integers_keep_every_digit_wherever_they_stand(before: str) -> None:
    """At any offset in the document, and behind whatever JSON allows before a number."""
    closing = "]" * before.count("[") + "}" * before.count("{")
    for shift in range(24):
        document = " " * shift + before + str(2**64) + closing

        expected = json.loads(document)
        assert expected == parse_json(document)
        assert repr(expected) == repr(parse_json(document))


def test_an_integer_of_5_000_digits_is_refused() -> None:
    """CPython's own bound; reading takes time that grows with the square."""
    with pytest.raises(InvalidJson):
        parse_json("9" * 5_000)


def test_a_long_run_of_digits_in_a_string_or_fraction_is_no_integer() -> None:
    """Values are the same, whichever parser reads them."""
    document = b'{"id": "12345678901234567890", "x": 0.12345678901234567890, "y": 1e2}'

    assert {"id": "12345678901234567890", "x": 0.12345678901234568, "y": 100.0} == parse_json(
        document
    )


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1.5E+3089", "1e10000"])
def test_a_number_past_a_double_is_a_decimal(text: str) -> None:
    """It must not turn into infinity unnoticed."""
    found = parse_json(text)

    assert Decimal(text) == found
    assert math.isinf(float(found))
    assert found == parse_json(dump_json(found))


def test_zero_and_tiny_numbers_are_doubles() -> None:
    """Minus zero keeps its sign; what is too small for a double is zero."""
    assert -1.0 == math.copysign(1, parse_json("-0.0"))
    assert 0 == parse_json("-0")
    assert 0.0 == parse_json("1e-400")
    assert 1e400 != parse_json("1e308")


@pytest.mark.parametrize("inner", ["", "1234567890123456789", "1e400"])
def test_100_levels_are_read_and_101_are_not(inner: str) -> None:
    """The bound is the last depth that is allowed, in either parser."""
    value = parse_json("[" * 100 + inner + "]" * 100)

    assert is_deeper_than(value, 99)
    assert not is_deeper_than(value, 100)
    for levels in (101, 1_024, 1_025, 100_000):
        with pytest.raises(InvalidJson):
            parse_json("[" * levels + inner + "]" * levels)
        with pytest.raises(InvalidJson):
            parse_json('{"a":' * levels + (inner or "1") + "}" * levels)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ('[{"a":', "}]"),
        ('{"a":[', "]}"),
        ('["]",', ',"["]'),
        ('["]}",', ',"{["]'),
        (r'["\"]",', r',"[\""]'),
        (r'["\\","]",', r',"[\\"]'),
        (r'["\\\"]",', r',"[\\\""]'),
        ('{"]":', ',"[":1}'),
    ],
)
def test_levels_cannot_hide_behind_brackets_in_strings(opening: str, closing: str) -> None:
    """Nor behind another kind of bracket."""
    turns = 100 // (2 if opening in {'[{"a":', '{"a":['} else 1)

    value = parse_json(opening * turns + "1" + closing * turns)

    assert not is_deeper_than(value, 100)
    assert is_deeper_than(value, 99)
    for more in (1, 30, 200):
        document = opening * (turns + more) + "1" + closing * (turns + more)
        with pytest.raises(InvalidJson):
            parse_json(document)
        assert is_deeper_than(json.loads(document), 100)


@pytest.mark.parametrize("tail", ["", ", 1234567890123456789"])
def test_brackets_that_do_not_nest_do_not_count(tail: str) -> None:
    """Neither those in strings nor those side by side."""
    text = '["' + "[{" * 500 + r"\"[\\" + '"' + ", []" * 500 + tail + "]"

    assert 501 + bool(tail) == len(parse_json(text))


def test_a_string_that_never_ends_is_refused_in_one_pass() -> None:
    """A megabyte of escaped quotes behind an open one, for the parser that counts brackets."""
    for size in (1_000, 1_000_000):
        with pytest.raises(InvalidJson):
            parse_json('[1234567890123456789, "' + '\\"' * (size // 2))


@pytest.mark.parametrize(
    ("value", "levels", "expected"),
    [
        (1, 0, False),
        ("[[[[", 0, False),
        ([], 0, True),
        ([], 1, False),
        ([1, {"a": 1}], 1, True),
        ([1, {"a": 1}], 2, False),
        (((),), 1, True),
        ({"a": OrderedDict(b=[])}, 2, True),
        ({"a": OrderedDict(b=[])}, 3, False),
        ([[[]]] * 10_000, 2, True),
        ([[[]]] * 10_000, 3, False),
    ],
)
def test_depth_is_counted_in_containers(value: object, levels: int, expected: bool) -> None:
    """A scalar has depth 0, an empty list 1."""
    assert expected is is_deeper_than(value, levels)


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Name(str):
    __slots__ = ()


class Model:
    """Looks like a model of pydantic 2."""

    def model_dump(self, **options: object) -> dict[str, object]:
        return {"alias": options["by_alias"], "mode": options["mode"]}


class OldModel:
    """Looks like a model of pydantic 1."""

    def dict(self, **options: object) -> dict[str, object]:
        return {"old": options["by_alias"]}


WRITTEN: list[tuple[object, str]] = [
    (None, "null"),
    ({"b": 1, "a": [True, "é"]}, '{"b":1,"a":[true,"é"]}'),
    ((1, (2,)), "[1,[2]]"),
    (OrderedDict(a=1), '{"a":1}'),
    (2**70, str(2**70)),
    ({"a": [2**70, -(2**70), 1, "x", True]}, f'{{"a":[{2**70},-{2**70},1,"x",true]}}'),
    (OrderedDict(a=(2**70,)), f'{{"a":[{2**70}]}}'),
    (Decimal("1e400"), "1E+400"),
    (Decimal("0.10"), "0.10"),
    ({"a": Decimal(1), "b": 2**64}, f'{{"a":1,"b":{2**64}}}'),
    ({1}, "[1]"),
    (frozenset({"a"}), '["a"]'),
    (Color.RED, '"red"'),
    (Level.HIGH, "3"),
    (Name("n"), '"n"'),
    (dt.date(2026, 1, 2), '"2026-01-02"'),
    (dt.datetime(2026, 1, 2, tzinfo=dt.UTC), '"2026-01-02T00:00:00+00:00"'),
    ({"m": Model()}, '{"m":{"alias":true,"mode":"json"}}'),
    ([OldModel()], '[{"old":true}]'),
]


@pytest.mark.parametrize(("value", "expected"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_values_are_written_compactly(value: object, expected: str) -> None:
    """In the order of their members, every digit kept."""
    assert expected == dump_json(value).decode()


@pytest.mark.parametrize(
    "value",
    [object(), {1: 2}, {"a": b"x"}, Decimal("NaN"), Decimal("Infinity"), "\ud800", 1j, Model, dict],
)
def test_what_json_has_no_form_for_is_a_type_error(value: object) -> None:
    """Also beside an integer that takes the slower way."""
    with pytest.raises(TypeError):
        dump_json(value)
    with pytest.raises(TypeError):
        dump_json([2**70, value])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/~\\"), inner),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(JSON)
def test_what_is_written_is_read_again(value: Any) -> None:
    """By ours and by the standard library."""
    text = dump_json(value)

    assert value == parse_json(text)
    assert value == json.loads(text)


def _depth(value: Any) -> int:
    """Count levels the slow way."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    st.recursive(
        st.text('[]{}"\\ü', max_size=4) | st.integers(0, 2**65),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text('[]{}"\\', max_size=3), inner, max_size=4)
        ),
        max_leaves=15,
    )
)
def test_depth_is_counted_right_whatever_strings_hold(value: Any) -> None:
    """Against a count that walks the value."""
    depth = _depth(value)

    assert not is_deeper_than(value, depth)
    assert value == parse_json(dump_json(value), max_depth=depth)
    if depth:
        assert is_deeper_than(value, depth - 1)
        with pytest.raises(InvalidJson):
            parse_json(dump_json(value), max_depth=depth - 1)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=40) | st.text('[]{}",:\\1e0 u', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """No other exception, and never more lenient than the standard library."""
    try:
        value = parse_json(data)
    except InvalidJson:
        return

    assert value == json.loads(data.decode("utf-8"))
