"""What a pattern uses is seen in its tokens, not in its letters."""

from __future__ import annotations

import time

import pytest

from toolgauge.rules import Definition
from toolgauge.rules._patterns import features, is_anchored, patterns_of, repetitions, tokens

LARGE = 400_000


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(?=a)", ["lookaround"]),
        ("(?!a)", ["lookaround"]),
        ("(?<=a)b", ["lookaround", "lookbehind"]),
        ("(?<!a)b", ["lookaround", "lookbehind"]),
        (r"(a)\1", ["backreference"]),
        (r"(a)\12", ["backreference"]),
        (r"(?<x>a)\k<x>", ["named-group", "backreference"]),
        ("(?P<x>a)(?P=x)", ["named-group", "backreference"]),
        (r"\bword\b", ["word-boundary"]),
        (r"a\B", ["word-boundary"]),
        ("^a$", ["anchor"]),
        ("a++", ["possessive"]),
        ("a{2}+", ["possessive"]),
        ("(?>a)", ["possessive"]),
        ("[ä-ü]", ["non-ascii-class"]),
        (r"[\u00e4]", ["non-ascii-class"]),
        (r"[\u{1F600}]", ["non-ascii-class"]),
        (r"[\xe4]", ["non-ascii-class"]),
        (r"\p{L}", ["unicode-property", "non-ascii-class"]),
        (r"[^\P{L}]", ["unicode-property-in-class", "non-ascii-class"]),
        ("a+?b??", ["lazy"]),
    ],
)
def test_a_feature_is_recognized(pattern: str, expected: list[str]) -> None:
    """In the order in which it is first used."""
    assert expected == list(features(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        r"[\b]",
        r"\\b",
        r"\\\\b",
        r"[\\b]",
        r"\\1",
        r"[\1]",
        r"\\k<x>",
        r"\0",
        r"\(?=a\)",
        "[(?=a)]",
        r"[\](?=a)]",
        "(?:a)",
        "(?i:a)",
        "(?i)a",
        r"\^a\$",
        "[$^]",
        "[^a]",
        r"a\++",
        "[a]+",
        "ä",
        r"\xe4",
        r"[\u0041\x41\u{41}]",
        "",
    ],
)
def test_what_only_looks_like_a_feature_is_none(pattern: str) -> None:
    """Escaped, in a class, or of another kind (T11)."""
    assert [] == list(features(pattern))


def test_a_feature_gives_its_first_token() -> None:
    """Where it is and what it says."""
    token = features(r"^\\b\b\B")["word-boundary"]

    assert (r"\b", 4) == (token.text, token.start)


@pytest.mark.parametrize(
    "pattern",
    ["", "a", r"^[\b]{2,3}\\b$", "[", "(", "\\", "a{", "{9}", "[a\\", "\n", "(?<", "\ud800"],
)
def test_tokens_are_the_pattern(pattern: str) -> None:
    """Nothing is lost, broken or not."""
    assert pattern == "".join(each.text for each in tokens(pattern))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a{3}", [(3,)]),
        ("a{3,}", [(3,)]),
        ("a{3,9}", [(3, 9)]),
        ("a{003}b{1,2}?", [(3,), (1, 2)]),
        ("(?:ab){100}", [(100,)]),
        (r"\\{5}", [(5,)]),
        (r"\{5}", []),
        (r"\{5\}", []),
        ("[{5}]", []),
        ("a{,5}", []),
        ("a{ 5}", []),
        ("a{x}", []),
        ("a*b+c?", []),
        ("a{٣}", []),
    ],
)
def test_a_quantifier_has_its_numbers(pattern: str, expected: list[tuple[int, ...]]) -> None:
    """In braces that stand for a quantifier, and only there."""
    assert expected == [each.bounds for each in repetitions(pattern)]


def test_a_number_of_any_length_is_read() -> None:
    """Python reads no more than a few thousand digits as a number."""
    assert 10**17 < repetitions("a{" + "9" * 10_000 + "}")[0].bounds[0]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^a$", True),
        ("^$", True),
        ("^", False),
        ("$", False),
        ("", False),
        ("a$", False),
        ("^a", False),
        (r"^a\$", False),
        (r"^a\\$", True),
        ("^a[$]", False),
        (r"\^a$", False),
    ],
)
def test_anchors_close_both_ends(pattern: str, expected: bool) -> None:
    """Anchors, not the letters."""
    assert expected == is_anchored(pattern)


@pytest.mark.parametrize(
    "piece", ["(", "[", "(?<a", r"\k<", r"\u{", "{1", "[\\", "a{1,", "(?P=", r"\p{"]
)
def test_no_pattern_takes_long(piece: str) -> None:
    """The work grows with the length and no faster: eight times, where its square is 64."""
    long = piece * (LARGE // len(piece))
    short = long[: len(long) // 8]

    assert _cost(long) < 32 * _cost(short)


def _cost(pattern: str) -> float:
    """Give the processor time of one look, the least of three, in seconds."""
    taken: list[float] = []
    for _ in range(3):
        start = time.process_time()
        features(pattern)
        taken.append(time.process_time() - start)
    return min(taken)


def test_patterns_are_found_under_both_keywords() -> None:
    """A parameter called ``pattern`` is none."""
    place = {"pattern": "a", "patternProperties": {"b": {"pattern": 5}}}
    tool = Definition({"inputSchema": {"properties": {"pattern": place}}})
    path = ("inputSchema", "properties", "pattern")

    assert [
        ("a", (*path, "pattern")),
        ("b", (*path, "patternProperties", "b")),
    ] == list(patterns_of(tool))
