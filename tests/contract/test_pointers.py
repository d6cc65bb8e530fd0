from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgauge.contract import from_pointer, resolve, to_pointer

DOCUMENT: dict[str, Any] = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}
EXAMPLES: list[tuple[str, object]] = [
    ("", DOCUMENT),
    ("/foo", ["bar", "baz"]),
    ("/foo/0", "bar"),
    ("/", 0),
    ("/a~1b", 1),
    ("/c%d", 2),
    ("/e^f", 3),
    ("/g|h", 4),
    ("/i\\j", 5),
    ('/k"l', 6),
    ("/ ", 7),
    ("/m~0n", 8),
]
"""RFC 6901 section 5."""


@pytest.mark.parametrize(("pointer", "expected"), EXAMPLES)
def test_the_examples_of_the_rfc(pointer: str, expected: object) -> None:
    """Each resolves to what section 5 says, and is written back as it was."""
    assert expected == resolve(DOCUMENT, pointer)
    assert pointer == to_pointer(from_pointer(pointer))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("",), "/"),
        (("", ""), "//"),
        (("a/b", "~", 0), "/a~1b/~0/0"),
        (("~1",), "/~01"),
        (("~0/",), "/~00~1"),
        ((10, "é"), "/10/é"),
    ],
)
def test_paths_are_escaped_as_the_rfc_says(path: tuple[str | int, ...], expected: str) -> None:
    """``~`` first, then ``/`` (decision V3); the root is the empty text (decision V2)."""
    assert expected == to_pointer(path)
    assert tuple(map(str, path)) == from_pointer(expected)


@pytest.mark.parametrize("pointer", ["a", "a/b", "/~", "/a~2", "/~~0", "#/a", "/a/~"])
def test_what_is_no_pointer_is_refused(pointer: str) -> None:
    """A pointer begins with a slash, and a tilde stands before 0 or 1."""
    with pytest.raises(ValueError):  # noqa: PT011 - by class, never by wording
        from_pointer(pointer)


@pytest.mark.parametrize(
    "pointer",
    ["/x", "/foo/2", "/foo/-", "/foo/-1", "/foo/00", "/foo/01", "/foo/1e0", "/foo/²", "/foo/0/x"],
)
def test_a_place_that_is_not_there_is_a_lookup_error(pointer: str) -> None:
    """An index is digits without leading zeros, and below the length."""
    with pytest.raises(LookupError):
        resolve(DOCUMENT, pointer)


def test_digits_are_a_name_where_the_value_is_an_object() -> None:
    """Only the value knows which it is."""
    assert "yes" == resolve({"0": [{"01": "yes"}]}, "/0/0/01")


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text("ab/~01é", max_size=4), max_size=5))
def test_pointers_round_trip(path: list[str]) -> None:
    """Whatever the names hold, and the pointer leads to the place."""
    value: Any = "here"
    for name in reversed(path):
        value = {name: value}

    assert tuple(path) == from_pointer(to_pointer(path))
    assert "here" == resolve(value, to_pointer(path))
