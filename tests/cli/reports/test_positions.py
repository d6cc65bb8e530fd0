from __future__ import annotations

import json
from typing import Any

import pytest

from toolgauge.cli.reports.positions import Position, find_positions

TEXT = """{
  "tools": [
    {"name": "a\\"}{[,:", "inputSchema": {"type": "object"}},
    {"na\\u006de": 5, "list": [[], {}, [1, -2.5e3, true]]}
  ]
}"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 1, 1),
        (("tools",), 2, 3),
        (("tools", 0), 3, 5),
        (("tools", 0, "name"), 3, 6),
        (("tools", 0, "inputSchema", "type"), 3, 42),
        (("tools", 1, "name"), 4, 6),
        (("tools", 1, "list", 2, 1), 4, 43),
        # Not there: the nearest place above.
        (("tools", 0, "inputSchema", "items", "x"), 3, 26),
        (("absent",), 1, 1),
    ],
)
def test_a_place_is_found_in_the_text(path: Any, line: int, column: int) -> None:
    """A member at its key, an item at its value."""
    assert Position(line=line, column=column) == find_positions(TEXT, [path])[path]


def test_many_places_are_found_in_one_pass() -> None:
    """Each value of a document, whatever its layout."""
    document = {"a": [{"b": [0, {"c": None}]}, "x"], "ü": {"": {"~/": []}}}
    paths: list[Any] = [("a", 0, "b", 1, "c"), ("a", 1), ("ü", "", "~/"), ("ü",)]
    for indent in (None, 0, 3):
        text = json.dumps(document, indent=indent, ensure_ascii=False)
        lines = text.split("\n")

        for path, found in find_positions(text, paths).items():
            rest = lines[found.line - 1][found.column - 1 :]
            expected = path[-1] if isinstance(path[-1], str) else "x"
            assert rest.startswith(json.dumps(expected, ensure_ascii=False))


def test_no_text_is_no_trouble() -> None:
    """The start of it."""
    assert {("a",): Position(line=1, column=1)} == find_positions("", [("a",)])
