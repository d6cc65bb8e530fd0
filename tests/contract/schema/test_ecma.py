"""Patterns mean what ECMA-262 says, whatever the engine makes of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import IS_LONG
from toolgauge.contract import DEFAULT_BOUNDS, compile_schema
from toolgauge.contract.schema.ecma import NotPortable, in_engine_syntax
from toolgauge.contract.schema.meta import pattern_issues
from toolgauge.contract.schema.pattern_cost import pattern_cost
from toolgauge.contract.schema.patterns import is_match, is_pattern, is_translated

SUITE = json.loads((Path(__file__).parents[2] / "suites" / "ecma_patterns.json").read_text())
TEXTS: list[str] = SUITE["texts"]
PROFILE = settings(
    max_examples=3_000 if IS_LONG else 60, deadline=None, derandomize=not IS_LONG, database=None
)
PUNCTUATION = "".join(map(chr, [*range(0x20, 0x30), *range(0x3A, 0x41), *range(0x5B, 0x60)]))


@pytest.mark.parametrize("draft", ["http://json-schema.org/draft-07/schema#", None])
def test_every_pattern_matches_what_ecma_262_says(draft: str | None) -> None:
    """Verdicts, messages and searches agree with JavaScript; other patterns are refused."""
    for pattern, matched in SUITE["patterns"]:
        compiled = compile_schema({"pattern": pattern} | ({"$schema": draft} if draft else {}))
        if draft and "(?(" in _written(pattern):
            continue  # the engine reads no conditions there
        if matched is None:
            assert compiled.problem is not None, pattern
            assert not is_pattern(pattern, DEFAULT_BOUNDS), pattern
            assert [("pattern",)] == [each.path for each in pattern_issues({"pattern": pattern})]
            continue
        assert compiled.problem is None, pattern
        has_boundary = re.search(r"\\[bB]", pattern.replace(r"[\b]", "")) is not None
        for index, text in enumerate(TEXTS):
            if has_boundary and pattern_cost(pattern).is_linear and not text.isascii():
                continue  # the one difference that stays
            is_matched = index in matched
            assert is_matched == compiled.is_valid(text), (pattern, text)
            assert is_matched == (not compiled.issues(text)), (pattern, text)
            assert is_matched == is_match(pattern, text, DEFAULT_BOUNDS), (pattern, text)


def _written(pattern: str) -> str:
    try:
        return in_engine_syntax(pattern)
    except NotPortable:
        return ""


def test_s5_a_backslash_before_punctuation_is_no_word_boundary() -> None:
    r"""``\<`` and ``\>`` are ``<`` and ``>`` (Annex B, IdentityEscape)."""
    compiled = compile_schema({"properties": {"x": {"type": "string", "pattern": r"^\<a\>$"}}})

    assert compiled.is_valid({"x": "<a>"})
    assert not compiled.is_valid({"x": "a"})


@PROFILE
@given(st.text(st.sampled_from(PUNCTUATION + "ab1é٣\U0001f600"), max_size=12), st.booleans())
def test_escaped_punctuation_is_itself(text: str, is_around: bool) -> None:
    """In every place, also where the engine has a meaning of its own for it."""
    escaped = "".join(f"\\{each}" if each in PUNCTUATION else each for each in text)
    pattern = f"^{'(?!zz)' * is_around}{escaped}$"

    assert is_match(pattern, text, DEFAULT_BOUNDS)
    assert not is_match(pattern, f"{text}a", DEFAULT_BOUNDS)
    members = "".join(f"\\{each}" if each in PUNCTUATION else each for each in text) or "a"
    for each in f"{PUNCTUATION}ab1é٣\U0001f600":
        assert is_match(f"^[{members}]$", each, DEFAULT_BOUNDS) == (each in (text or "a"))


@PROFILE
@given(st.sampled_from("dDwWsS."), st.characters(exclude_categories=["Cs"]), st.booleans())
def test_classes_are_the_same_beside_a_look_around(kind: str, char: str, is_around: bool) -> None:
    """Digits and letters are those of ASCII, spaces and line ends those of ECMA-262."""
    flags = re.ASCII if kind in "dDwW" else re.NOFLAG
    expected = re.fullmatch("[^\n\r\u2028\u2029]" if kind == "." else f"\\{kind}", char, flags)
    is_matched = expected is not None
    if kind in "sS" and char in "\x1c\x1d\x1e\x1f\x85\ufeff":
        is_matched = (kind == "s") is (char == "\ufeff")
    pattern = f"^{'(?!zz)' * is_around}{kind if kind == '.' else chr(92) + kind}$"

    assert is_matched == is_match(pattern, char, DEFAULT_BOUNDS)


@pytest.mark.parametrize("letter", sorted(set("ABCEFGHIJKLMNOQRTUVXYZaeghijlmoqyz") - set("BPDWS")))
def test_a_letter_that_is_no_escape_is_refused(letter: str) -> None:
    """Engines give it meanings of their own."""
    assert not is_pattern(f"a\\{letter}", DEFAULT_BOUNDS)
    problem = compile_schema({"properties": {"a": {"pattern": f"\\{letter}"}}}).problem
    assert problem is not None
    assert "schema" == problem.keyword


def test_plain_patterns_are_left_as_they_are() -> None:
    """The engine runs those as fast as ever."""
    for pattern in ("^[a-z]{2,10}$", r"^\d{4}-\d\d$", "^(a|b)*?$", "a.c", r"^[-\w.]+@x$", ""):
        assert not is_translated(pattern)


def test_a_pattern_that_is_not_portable_says_where_it_is() -> None:
    """The first of a schema, with the reason."""
    problem = compile_schema({"properties": {"a": {"pattern": "(?i)a"}}}).problem

    assert problem is not None
    assert "/properties/a" in problem.message
    with pytest.raises(NotPortable) as caught:
        in_engine_syntax("(?i)a")
    assert "(?i)a" == caught.value.pattern


ATOMS = [each for each, _ in SUITE["patterns"] if len(each) < 12]


@pytest.mark.skipif(
    not IS_LONG or shutil.which("node") is None, reason="a long test that needs Node.js"
)
@settings(PROFILE, max_examples=20)
@given(st.lists(st.lists(st.sampled_from(ATOMS), min_size=2, max_size=4), min_size=99, max_size=99))
def test_what_javascript_reads_is_read_alike(rows: list[list[str]]) -> None:
    """Patterns that nobody wrote."""
    patterns = ["".join(each) for each in rows]
    script = (
        "const d=JSON.parse(require('fs').readFileSync(0));console.log(JSON.stringify(d.p.map(p=>"
        "{try{const r=new RegExp(p,'u');return d.t.map(t=>r.test(t))}catch(e){return null}})))"
    )
    asked = json.dumps({"p": patterns, "t": TEXTS})
    done = subprocess.run(
        ["node", "-e", script],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout)
    for pattern, expected in zip(patterns, answers, strict=True):
        compiled = compile_schema({"pattern": pattern})
        if expected is not None and compiled.problem is None:
            found = [compiled.is_valid(each) for each in TEXTS]
            differ = [each for each, a, b in zip(TEXTS, expected, found, strict=True) if a != b]
            assert not [each for each in differ if each.isascii() or r"\b" not in pattern.lower()]
