r"""A pattern has an escape that the target's reader of patterns does not know.

Why is this bad?
    A grammar's own escapes are few. One that it does not know makes the grammar of
    all tools unreadable, and the whole request is refused.

Instead
    Write the characters out: ``[0-9]`` for ``\d``, ``/`` for ``\/``.

Sources
    ECMA-262, "Patterns", has these escapes; each target cites the reader that does not.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._patterns import escapes, patterns_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    r"""Report each pattern once with an escape that is not among the allowed ones.

    ``outside`` and ``inside`` list the characters that may follow a backslash outside
    and inside a class; ``braces`` tells whether ``\u{…}`` is read; without ``names``
    the keys of ``patternProperties`` do not count.
    """
    for pattern, path in patterns_of(tool):
        if path[-1] != "pattern" and not limits["names"]:
            continue
        for text, in_class, start in escapes(pattern):
            known = text[1:2] in limits["inside" if in_class else "outside"]
            if text[1:2] and known and (limits["braces"] or "{" not in text[2:]):
                continue
            yield Finding(
                message=f"the pattern {quoted(pattern)} uses {quoted(text)} at {start}",
                path=path,
                fix="write the characters out: [0-9] for a digit",
            )
            break


RULE = Rule(
    code="TG460",
    name="unsupported-pattern-escape",
    since="0.1.0",
    check=check,
    limits={
        "outside": '^$.[]()|{}*+?\\"trnxu-',
        "inside": '[]\\"trnxu-',
        "braces": False,
        "names": False,
    },
    examples=(
        Example.of_property("id", {"type": "string", "pattern": r"^\d+$"}, "TG460"),
        Example.of_property("id", {"type": "string", "pattern": r"^[\w.]+$"}, "TG460"),
        Example.of_property("id", {"type": "string", "pattern": r"^\u{41}$"}, "TG460"),
        Example.of_property("id", {"type": "string", "pattern": r"^[0-9]+\.\u0041$"}),
    ),
)
