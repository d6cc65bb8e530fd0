"""Close words are found, words that are close by chance are not."""

from __future__ import annotations

import pytest

from toolgauge.rules._suggestions import FORMATS, KEYWORDS, meant_format, meant_keyword


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("requred", "required"),
        ("require", "required"),
        ("requireds", "required"),
        ("reqiured", "required"),
        ("anyof", "anyOf"),
        ("min_length", "minLength"),
        ("additional-properties", "additionalProperties"),
        ("schema", "$schema"),
        ("ref", "$ref"),
        ("item", "items"),
    ],
)
def test_a_slip_of_the_pen_is_recognized(word: str, meant: str) -> None:
    """A letter too many, too few, wrong, or swapped; case, hyphens and signs."""
    assert meant == meant_keyword(word)


@pytest.mark.parametrize(
    "word",
    ["note", "when", "count", "desc", "unit", "x-requred", "", "a" * 1000, "name", "enumNames"],
)
def test_other_words_are_left_alone(word: str) -> None:
    """They may be somebody's annotations."""
    assert not meant_keyword(word)


def test_no_known_word_is_a_misspelling_of_another() -> None:
    """``minimum`` is not ``maximum``, ``ipv4`` is not ``ipv6``."""
    assert not [word for word in KEYWORDS if meant_keyword(word)]
    assert not [word for word in FORMATS if meant_format(word)]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("datetime", "date-time"), ("Date-Time", "date-time"), ("url", "uri"), ("guid", "uuid")],
)
def test_a_format_is_recognized_too(word: str, meant: str) -> None:
    """By the same measure, and two by name."""
    assert meant == meant_format(word)


@pytest.mark.parametrize("word", ["markdown", "textarea", "phone", "", "currency"])
def test_own_formats_are_left_alone(word: str) -> None:
    """Unknown formats are annotations."""
    assert not meant_format(word)
