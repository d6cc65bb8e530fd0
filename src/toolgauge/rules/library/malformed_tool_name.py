"""A tool name has a character that is not accepted.

Why is this bad?
    One character such as ``/``, ``.`` or a space makes a provider refuse the
    whole request, with every other tool in it.

Instead
    Use letters, digits, ``_`` and ``-``, and put the words for people into
    ``title``.

Sources
    Patterns differ by provider: some take dots and colons, some want a letter
    first. Each target cites the page and the date read. The pattern has to match
    the whole name: in Python ``$`` alone would let a final line break pass.
"""

from __future__ import annotations

import re

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule
from toolgauge.rules._suggestions import offender, suggestion


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the name once when ``limits["pattern"]`` does not match all of it."""
    pattern: str = limits["pattern"]
    if not isinstance(tool.name, str) or not tool.name:
        return
    name = tool.full_name
    if re.fullmatch(pattern, name) is not None:
        return
    bad = offender(name, pattern)
    prefixed = f" with the prefix {quoted(tool.prefix)}" if tool.prefix else ""
    blamed = f": character {bad[0] + 1} is {bad[1]!r}" if bad else ""
    yield Finding(
        message=f"name {quoted(name)}{prefixed} does not match {pattern}{blamed}",
        path=tool.name_path,
        fix=_fix(tool, pattern, bad),
    )


def _fix(tool: Definition, pattern: str, bad: tuple[int, str] | None) -> str:
    """Suggest a name; what the client puts before it is not the tool's to change."""
    if bad is not None and bad[0] < len(tool.prefix):
        return "change the prefix"
    better = suggestion(tool.full_name, pattern)[len(tool.prefix) :]
    return f"rename it, for example to {better!r}" if better else "use only accepted characters"


RULE = Rule(
    code="TG102",
    name="malformed-tool-name",
    since="0.1.0",
    check=check,
    limits={"pattern": "^[a-zA-Z0-9_-]+$"},
    examples=(
        Example(tool={"name": "repo/commit"}, reports=("TG102",)),
        Example(tool={"name": "search\n"}, reports=("TG102",)),
        Example(tool={"name": "repo-commit_2"}),
        Example(tool={"name": ""}),
        Example(tool={"name": "a.b"}, limits={"pattern": "^[a-zA-Z_][a-zA-Z0-9_.:-]*$"}),
        Example(tool={"name": "2a"}, limits={"pattern": "^[a-z][a-z0-9]*$"}, reports=("TG102",)),
    ),
)
