"""The shapes of types over which every adapter is tested, and values for each.

A shape is the type of one field, ``v``; its values are those of the field. Each
library builds an object type of it in its own words.
"""

from __future__ import annotations

import collections.abc
import datetime as dt
import decimal
import enum
import pathlib
import uuid
from dataclasses import dataclass, field
from typing import Any, Literal, Optional

JSON = Any


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One type, the limits on it, and five values and more of each kind.

    Attributes:
        name: What it is called in the tables of differences.
        type: A type of ``typing``; ``None`` where each library has its own class.
        limits: ``ge``, ``gt``, ``le``, ``lt``, ``min_length``, ``max_length``,
            ``pattern``, ``multiple_of``.
        accepts: Values that the type has.
        refuses: Values that it has not.
    """

    name: str
    type: Any = None
    limits: dict[str, Any] = field(default_factory=dict)
    accepts: tuple[JSON, ...]
    refuses: tuple[JSON, ...]


_NOT_TEXT: tuple[JSON, ...] = (1, 1.5, True, None, ["a"], {"a": 1})
_NOT_INTEGER: tuple[JSON, ...] = ("a", 1.5, None, [1], {"a": 1})
_NOT_ARRAY: tuple[JSON, ...] = (1, 1.5, True, None, {"a": 1})
_NOT_OBJECT: tuple[JSON, ...] = ("a", 1, 1.5, True, None)
_UUID = "123e4567-e89b-42d3-a456-426614174000"

SHAPES: tuple[Shape, ...] = (
    Shape(name="integer", type=int, accepts=(0, 1, -1, 7, 10**12), refuses=_NOT_INTEGER),
    Shape(
        name="integer as text or float",
        type=int,
        accepts=(0, 1, -1, 7.0, 2.0),
        refuses=("1", "-7", 0.5, "1.0", ""),
    ),
    Shape(
        name="integer from to",
        type=int,
        limits={"ge": 0, "le": 10},
        accepts=(0, 1, 5, 9, 10),
        refuses=(-1, 11, 100, -100, "x"),
    ),
    Shape(
        name="integer between",
        type=int,
        limits={"gt": 0, "lt": 10},
        accepts=(1, 2, 5, 8, 9),
        refuses=(0, 10, 11, -1, "x"),
    ),
    Shape(
        name="integer multiple",
        type=int,
        limits={"multiple_of": 5},
        accepts=(0, 5, 10, -5, 100),
        refuses=(1, 4, 6, -1, 99),
    ),
    Shape(
        name="number", type=float, accepts=(0, 0.5, -1.5, 3, 1e9), refuses=("a", None, [], {}, [1])
    ),
    Shape(
        name="number as text",
        type=float,
        accepts=(0, 0.25, 100, 2.5, -3),
        refuses=("1", "1.5", "", "-3", "1e3"),
    ),
    Shape(
        name="number from to",
        type=float,
        limits={"ge": 0, "le": 1},
        accepts=(0, 0.25, 0.5, 1, 1.0),
        refuses=(-0.1, 1.1, 2, -5, "a"),
    ),
    Shape(
        name="number between",
        type=float,
        limits={"gt": 0, "lt": 1},
        accepts=(0.1, 0.25, 0.5, 0.75, 0.9),
        refuses=(0, 1, 1.5, -1, "a"),
    ),
    Shape(
        name="boolean",
        type=bool,
        accepts=(True, False, True, False, True),
        refuses=("a", 2, None, [], {}),
    ),
    Shape(
        name="boolean as text or number",
        type=bool,
        accepts=(True, False, True, False, True),
        refuses=("true", "yes", 1, 0, "off"),
    ),
    Shape(name="text", type=str, accepts=("", "a", "é", "1", "a\nb"), refuses=_NOT_TEXT),
    Shape(
        name="text at least",
        type=str,
        limits={"min_length": 2},
        accepts=("ab", "abc", "éé", "  ", "a" * 50),
        refuses=("", "a", "é", 1, None),
    ),
    Shape(
        name="text at most",
        type=str,
        limits={"max_length": 3},
        accepts=("", "a", "ab", "abc", "ééé"),
        refuses=("abcd", "a" * 9, "éééé", 1, None),
    ),
    Shape(
        name="text from to",
        type=str,
        limits={"min_length": 1, "max_length": 2},
        accepts=("a", "ab", "é", "éé", "1"),
        refuses=("", "abc", "abcd", 1, None),
    ),
    Shape(
        name="pattern",
        type=str,
        limits={"pattern": "^[a-z]{2}[0-9]+$"},
        accepts=("ab1", "zz99", "aa0", "xy12", "qq1234"),
        refuses=("", "ab", "a1", "AB1", "ab1x"),
    ),
    Shape(name="null", type=type(None), accepts=(None,) * 5, refuses=(0, "", False, [], {})),
    Shape(name="anything", type=Any, accepts=(None, 1, "a", [1], {"a": [True]}), refuses=()),
    Shape(
        name="date",
        type=dt.date,
        accepts=("2024-02-29", "2020-01-01", "1999-12-31", "2000-06-15", "2024-10-10"),
        refuses=("2024-02-30", "a", "", None, ["2020-01-01"]),
    ),
    Shape(
        name="date and time",
        type=dt.datetime,
        accepts=(
            "2024-02-29T12:00:00Z",
            "2020-01-01T00:00:00+02:00",
            "1999-12-31T23:59:59Z",
            "2024-06-15T10:30:00.5Z",
            "2024-06-15T10:30:00-05:00",
        ),
        refuses=("2024-02-30T00:00:00Z", "a", "", None, []),
    ),
    Shape(
        name="time of day",
        type=dt.time,
        accepts=("12:00:00Z", "00:00:00Z", "23:59:59Z", "10:30:00.5Z", "10:30:00+02:00"),
        refuses=("25:00:00Z", "a", "", None, []),
    ),
    Shape(
        name="identifier",
        type=uuid.UUID,
        accepts=(_UUID, _UUID.upper(), *(f"{n}23e4567-e89b-42d3-a456-426614174000" for n in "234")),
        refuses=("a", "", _UUID[:-1], None, 1),
    ),
    Shape(
        name="decimal",
        type=decimal.Decimal,
        accepts=(1, 1.5, "1.5", "0", "-12.25"),
        refuses=(None, [], {}, "abc", ""),
    ),
    Shape(
        name="path",
        type=pathlib.Path,
        accepts=("/a", "a/b", ".", "..", "a.txt"),
        refuses=(1, 1.5, None, [], {}),
    ),
    Shape(
        name="bytes", type=bytes, accepts=("YQ==", "YWI=", "YWJj", "", "AAAA"), refuses=_NOT_TEXT
    ),
    Shape(
        name="one of texts",
        type=Literal["a", "b"],
        accepts=("a", "b", "a", "b", "a"),
        refuses=("c", "A", "", 1, None),
    ),
    Shape(
        name="one of numbers",
        type=Literal[1, 2, 3],
        accepts=(1, 2, 3, 1, 2),
        refuses=(0, 4, "1", None, 1.5),
    ),
    Shape(
        name="one of a kind",
        type=Literal["only"],
        accepts=("only",) * 5,
        refuses=("other", "", "Only", 1, None),
    ),
    Shape(
        name="enum of texts",
        type=Color,
        accepts=("red", "blue", "red", "blue", "red"),
        refuses=("RED", "green", "", 1, None),
    ),
    Shape(
        name="enum of numbers",
        type=Level,
        accepts=(1, 2, 1, 2, 1),
        refuses=(0, 3, "LOW", None, 1.5),
    ),
    Shape(
        name="integer or null",
        type=Optional[int],  # noqa: UP045 - the old spelling is a shape too
        accepts=(None, 0, 1, -1, 7),
        refuses=("a", 1.5, [], {}, ""),
    ),
    Shape(
        name="text or null",
        type=str | None,
        accepts=(None, "", "a", "b", "é"),
        refuses=(1, 1.5, True, [], {}),
    ),
    Shape(
        name="integer or text",
        type=int | str,
        accepts=(1, "a", 0, "", -5),
        refuses=(None, 1.5, [], {}, [1]),
    ),
    Shape(
        name="text or texts",
        type=str | list[str],
        accepts=("a", ["a"], [], "", ["a", "b"]),
        refuses=(1, None, {}, [1], [None]),
    ),
    Shape(
        name="list of integers",
        type=list[int],
        accepts=([], [1], [1, 2], [0, 0], [-1]),
        refuses=(["a"], [1, None], [1.5], 1, None),
    ),
    Shape(
        name="list of anything",
        type=list[Any],
        accepts=([], [1], ["a"], [None], [[]]),
        refuses=_NOT_ARRAY,
    ),
    Shape(
        name="list from to",
        type=list[int],
        limits={"min_length": 1, "max_length": 3},
        accepts=([1], [1, 2], [1, 2, 3], [0], [0, 0]),
        refuses=([], [1, 2, 3, 4], ["a"], None, 1),
    ),
    Shape(
        name="list of lists",
        type=list[list[int]],
        accepts=([], [[]], [[1]], [[1], [2, 3]], [[], []]),
        refuses=([1], [[1], 2], [["a"]], None, 1),
    ),
    Shape(
        name="list with nulls",
        type=list[int | None],
        accepts=([], [None], [1], [1, None], [None, None]),
        refuses=(["a"], [[]], None, 1, [{}]),
    ),
    Shape(
        name="sequence of texts",
        type=collections.abc.Sequence[str],
        accepts=([], ["a"], ["a", "b"], [""], ["a", "a"]),
        refuses=([1], 1, None, {"a": 1}, [None]),
    ),
    Shape(
        name="set of integers",
        type=set[int],
        accepts=([], [1], [1, 2], [3, 2, 1], [-1, 0]),
        refuses=([1, 1], ["a"], None, 1, [None]),
    ),
    Shape(
        name="frozen set of texts",
        type=frozenset[str],
        accepts=([], ["a"], ["a", "b"], [""], ["c", "b", "a"]),
        refuses=(["a", "a"], [1], None, 1, [None]),
    ),
    Shape(
        name="pair",
        type=tuple[int, str],
        accepts=([1, "a"], [0, ""], [-1, "b"], [2, "1"], [7, "é"]),
        refuses=([1], [], [1, "a", 2], ["a", "a"], None),
    ),
    Shape(
        name="row of integers",
        type=tuple[int, ...],
        accepts=([], [1], [1, 2], [1, 2, 3], [0]),
        refuses=(["a"], [None], None, 1, [1, "b"]),
    ),
    Shape(
        name="map of integers",
        type=dict[str, int],
        accepts=({}, {"a": 1}, {"a": 1, "b": 2}, {"": 0}, {"é": -1}),
        refuses=({"a": "b"}, {"a": None}, [], 1, None),
    ),
    Shape(
        name="map of lists",
        type=dict[str, list[int]],
        accepts=({}, {"a": []}, {"a": [1]}, {"a": [], "b": [2]}, {"": [0]}),
        refuses=({"a": 1}, {"a": ["b"]}, {"a": None}, [], None),
    ),
    Shape(
        name="map by integers",
        type=dict[int, str],
        accepts=({}, {"1": "a"}, {"0": ""}, {"-1": "b"}, {"1": "a", "2": "b"}),
        refuses=({"a": "b"}, {"1": 1}, {"1": None}, [], None),
    ),
    Shape(
        name="map of anything",
        type=dict[str, Any],
        accepts=({}, {"a": 1}, {"a": None}, {"a": {"b": []}}, {"": ""}),
        refuses=_NOT_OBJECT,
    ),
    # The libraries' own classes: a point has x and, with a default of 0, y.
    Shape(
        name="object",
        accepts=({"x": 1}, {"x": 1, "y": 2}, {"x": 0, "y": 0}, {"x": -1}, {"x": 5, "y": -5}),
        refuses=({}, {"y": 1}, {"x": "a"}, {"x": 1, "y": "a"}, None),
    ),
    Shape(
        name="object or null",
        accepts=(None, {"x": 1}, {"x": 1, "y": 2}, {"x": 0}, {"x": 5, "y": 0}),
        refuses=({}, {"x": "a"}, {"x": None}, 1, []),
    ),
    Shape(
        name="list of objects",
        accepts=([], [{"x": 1}], [{"x": 1}, {"x": 2, "y": 3}], [{"x": 0}], [{"x": 1, "y": 1}]),
        refuses=([{}], [{"x": "a"}], [1], {"x": 1}, None),
    ),
    Shape(
        name="map of objects",
        accepts=(
            {},
            {"a": {"x": 1}},
            {"a": {"x": 1}, "b": {"x": 2}},
            {"": {"x": 0}},
            {"a": {"x": 1, "y": 1}},
        ),
        refuses=({"a": {}}, {"a": 1}, {"a": {"x": "b"}}, [], None),
    ),
    # A node has a name and children, which are nodes.
    Shape(
        name="tree",
        accepts=(
            {"name": "a"},
            {"name": "a", "children": []},
            {"name": "a", "children": [{"name": "b"}]},
            {"name": "", "children": [{"name": "b", "children": [{"name": "c"}]}]},
            {"name": "a", "children": [{"name": "b"}, {"name": "c"}]},
        ),
        refuses=(
            {},
            {"name": 1},
            {"name": "a", "children": [{}]},
            {"name": "a", "children": 1},
            None,
        ),
    ),
    # `from` is the name on the wire of a field that Python could not call that.
    Shape(
        name="alias",
        accepts=({"from": 1}, {"from": 0}, {"from": -1}, {"from": 7}, {"from": 100}),
        refuses=({}, {"from": "a"}, {"from": None}, {"from": [1]}, 1),
    ),
    Shape(
        name="closed object",
        accepts=({"x": 1}, {"x": 0}, {"x": -1}, {"x": 7}, {"x": 100}),
        refuses=({"x": 1, "z": 1}, {"x": 1, "": 1}, {}, {"z": 1}, {"x": 1, "X": 1}),
    ),
    # Whatever is left out has a default.
    Shape(
        name="defaults",
        accepts=({}, {"n": 1}, {"tags": []}, {"tags": ["a"]}, {"n": 2, "tags": ["a", "b"]}),
        refuses=({"n": "a"}, {"n": None}, {"tags": 1}, {"tags": [1]}, {"tags": None}),
    ),
    # A cat has claws, a dog a bark; `kind` says which.
    Shape(
        name="one of two objects",
        accepts=(
            {"kind": "cat", "claws": 1},
            {"kind": "dog", "bark": "a"},
            {"kind": "cat", "claws": 0},
            {"kind": "dog", "bark": ""},
            {"kind": "cat", "claws": 18},
        ),
        refuses=(
            {"kind": "cow"},
            {"kind": "cat"},
            {"kind": "dog", "claws": 1},
            {"kind": "cat", "claws": "a"},
            None,
        ),
    ),
    # A box holds what its parameter says: an integer.
    Shape(
        name="generic",
        accepts=({"item": 1}, {"item": 0}, {"item": -1}, {"item": 7}, {"item": 100}),
        refuses=({}, {"item": "a"}, {"item": None}, {"item": [1]}, 1),
    ),
)

BY_NAME = {each.name: each for each in SHAPES}
