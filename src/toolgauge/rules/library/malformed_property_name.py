"""A parameter's name has characters that are not accepted, or is too long.

Why is this bad?
    Names taken over from a query string (``filter[name]``, ``$top``) are legal
    in JSON Schema, and still make a provider refuse the whole request.

Instead
    Use letters, digits, ``_``, ``.`` and ``-``, and translate the name back
    before the request is sent on.

Sources
    The pattern and whether it holds below the root differ by provider; each
    target cites the error text and the date.
"""

from __future__ import annotations

import re

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule
from toolgauge.rules._suggestions import offender, suggestion


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each name that ``limits["pattern"]`` does not match in full."""
    pattern: str = limits["pattern"]
    everywhere: bool = limits["everywhere"]
    for node in tool.having("properties"):
        names = node.schema["properties"]
        if not isinstance(names, dict) or not (everywhere or node.is_root):
            continue
        for name in names:
            if not isinstance(name, str) or re.fullmatch(pattern, name) is not None:
                continue
            better = suggestion(name, pattern)
            yield Finding(
                message=f"parameter name {quoted(name)} {_reason(name, pattern)}",
                path=node.at("properties", name),
                fix=f"rename it, for example to {better!r}" if better else "choose another name",
            )


def _reason(name: str, pattern: str) -> str:
    """Say what is wrong: a character, or else the length."""
    bad = offender(name, pattern)
    if bad is not None:
        return f"does not match {pattern}: character {bad[0] + 1} is {bad[1]!r}"
    return f"({len(name)} characters) does not match {pattern}"


RULE = Rule(
    code="TG105",
    name="malformed-property-name",
    since="0.1.0",
    check=check,
    limits={"pattern": "^[a-zA-Z0-9_.-]{1,64}$", "everywhere": False},
    examples=(
        Example.of({"properties": {"filter[name]": {}, "limit": {}}}, "TG105"),
        Example.of({"properties": {"x" * 65: {}, "": {}}}, "TG105", "TG105"),
        Example.of({"properties": {"a": {"properties": {"$top": {}}}}}),
        Example.of(
            {"properties": {"a": {"properties": {"$top": {}}}}},
            "TG105",
            limits={"everywhere": True},
        ),
    ),
)
