"""Python's regular expressions as JSON Schema has them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolgauge.standard._keywords import published_pattern

WRITTEN: list[tuple[Any, Any, str | None]] = [
    ("a+", "search", "a+"),
    ("a+", "match", "^(?:a+)"),
    ("a+", "fullmatch", "^(?:a+)$"),
    ("^a+$", "fullmatch", "^a+$"),
    ("^a+", "match", "^a+"),
    ("^a|b$", "fullmatch", "^(?:^a|b$)$"),
    (r"^a\$", "fullmatch", r"^(?:^a\$)$"),
    (r"\Aa\Z", "search", "^a$"),
    (r"(?P<x>a)(?P=x)", "search", r"(?<x>a)(?:\1)"),
    (r"[\]a]", "search", r"[\]a]"),
    (r"\\A", "search", r"\\A"),
    (r"[(?i)]", "search", "[(?i)]"),
    (r"(?:a)(?=b)(?!c)(?<!d)", "search", r"(?:a)(?=b)(?!c)(?<!d)"),
    ("(?i)a", "search", None),
    ("(?i:a)", "search", None),
    ("(?#c)a", "search", None),
    ("(a)?(?(1)b)", "search", None),
    (re.compile("a", re.IGNORECASE), "search", None),
    (re.compile("a", re.ASCII), "search", "a"),
    (re.compile(b"a"), "search", None),
    (b"a", "search", None),
]


@pytest.mark.parametrize(("pattern", "anchor", "expected"), WRITTEN)
def test_a_pattern_is_written_or_left_out(pattern: Any, anchor: Any, expected: str | None) -> None:
    """Never written as something that means another thing."""
    assert expected == published_pattern(pattern, anchor)


@pytest.mark.parametrize("pattern", ["a*+", "a++", "a?+", "(?>a)"])
def test_what_only_newer_pythons_read_is_left_out(pattern: str) -> None:
    """Possessive quantifiers and atomic groups: ECMA-262 has neither."""
    assert published_pattern(pattern) is None


TEXTS = ["", "a", "aa", "ab", "ba", "a\n", "xa", "a.b", "2024", "b"]


@pytest.mark.parametrize("pattern", ["a+", "^a", "a|b", r"\d{4}", "a$", r"(?P<x>a)(?P=x)", r"a\Z"])
@pytest.mark.parametrize("anchor", ["search", "match", "fullmatch"])
def test_the_written_pattern_takes_the_same_texts(pattern: str, anchor: Any) -> None:
    """But for a line break at the end, which Python's ``$`` passes over."""
    from toolgauge.contract import compile_schema

    written = published_pattern(pattern, anchor)
    held = compile_schema({"pattern": written})
    match = getattr(re.compile(pattern), anchor)

    for text in TEXTS:
        if not text.endswith("\n"):
            assert (match(text) is not None) is held.is_valid(text), text
