r"""A pattern is no regular expression of Python.

Why is this bad?
    Patterns of JSON Schema are those of JavaScript. A service that checks schemas in
    Python compiles each with ``re`` and refuses the tool where that fails.

Instead
    Write what both languages have: no ``\p{L}``, no ``\u{…}``, groups without names.

Sources
    Python's ``re``; each target cites the code that compiles patterns with it.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

from toolgauge.rules._messages import quoted
from toolgauge.rules._patterns import patterns_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_MAX_CHARACTERS = 5_000
"""Longer patterns are not looked at: compiling takes microseconds a character."""


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each pattern that ``re`` cannot compile."""
    for pattern, path in patterns_of(tool):
        fault = _fault(pattern) if len(pattern) <= _MAX_CHARACTERS else ""
        if fault:
            yield Finding(
                message=f"Python does not read the pattern {quoted(pattern)}: {fault}",
                path=path,
                fix="write what JavaScript and Python both read, or leave the pattern out",
            )


@lru_cache(maxsize=1024)
def _fault(pattern: str) -> str:
    """Say why Python refuses a pattern, ``""`` where it takes it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or "it nests too deep"
    return ""


RULE = Rule(
    code="TG461",
    name="non-python-pattern",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("a", {"type": "string", "pattern": r"^\p{L}+$"}, "TG461"),
        Example.of_property("a", {"type": "string", "pattern": r"(?<n>a)"}, "TG461"),
        Example.of_property("a", {"type": "string", "pattern": r"^[\w-]+\/\d{2}$"}),
    ),
)
