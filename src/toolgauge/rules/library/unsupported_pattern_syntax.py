r"""A pattern uses syntax that the target cannot run.

Why is this bad?
    A provider that turns the pattern into a grammar has no way to look around, to
    remember what a group matched, or to see where a word ends. It refuses the
    request, or lets every text through.

Instead
    Leave the pattern out, say in the description what it demands, and check it when
    the call arrives. ``\b`` beside ``^`` or ``$`` can just go.

Sources
    ECMA-262, "Patterns". Features by name: ``lookaround``, ``backreference``,
    ``word-boundary``, ``anchor``, ``named-group``, ``possessive``,
    ``non-ascii-class``. Each target cites which it refuses.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._patterns import features, patterns_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each pattern once that uses a feature of ``limits["forbidden"]``."""
    forbidden: list[str] = limits["forbidden"]
    for pattern, path in patterns_of(tool):
        used = features(pattern)
        found = [(name, used[name]) for name in used if name in forbidden]
        if not found:
            continue
        names = ", ".join(
            f"{name} ({quoted(token.text)} at {token.start})" for name, token in found
        )
        yield Finding(
            message=f"the pattern {quoted(pattern)} uses {names}",
            path=path,
            fix="leave the pattern out and say in the description what it demands",
        )


RULE = Rule(
    code="TG410",
    name="unsupported-pattern-syntax",
    since="0.1.0",
    check=check,
    limits={"forbidden": ["lookaround", "backreference", "word-boundary"]},
    examples=(
        Example.of_property("pattern", {"type": "string", "pattern": "(?!a)b"}, "TG410"),
        Example.of_property("pattern", {"type": "string", "pattern": r"(?<x>a)\k<x>"}, "TG410"),
        Example.of_property("pattern", {"type": "string", "pattern": r"\bword\b"}, "TG410"),
        Example.of_property(
            "pattern",
            {"type": "string", "pattern": "^a$"},
            "TG410",
            limits={"forbidden": ["anchor"]},
        ),
        Example.of_property("pattern", {"type": "string", "pattern": r"[\b]\\b"}),
    ),
)
