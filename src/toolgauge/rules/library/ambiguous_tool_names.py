"""Two tools get the same name once a client has rewritten it.

Why is this bad?
    Some clients replace characters that a provider refuses and cut long names.
    Two names that differ only there become one, and calls go to the wrong tool.

Instead
    Let names differ early, and in letters or digits.

Sources
    What a client replaces and where it cuts differs; each target cites the
    client's own code and the date read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report a tool whose rewritten name an earlier tool of another name has."""
    max_length: int = limits["max_length"]
    replaced: re.Pattern[str] = re.compile(limits["replace"])
    first: dict[str, Definition] = {}
    for tool in tools:
        if not tool.full_name:
            continue
        rewritten = replaced.sub("_", tool.full_name)[:max_length]
        known = first.setdefault(rewritten, tool)
        if known.name == tool.name:
            continue
        yield Finding(
            tool=tool.label,
            index=tool.index,
            message=(
                f"names {quoted(known.name)} (tool {known.index}) and {quoted(tool.name)} "
                f"both become {quoted(rewritten)}"
            ),
            path=tool.name_path,
            fix=f"rename one so that they differ in the first {max_length} characters",
        )


RULE = Rule(
    code="TG106",
    name="ambiguous-tool-names",
    since="0.1.0",
    check_list=check_list,
    limits={"max_length": 64, "replace": "[^a-zA-Z0-9_-]"},
    examples=(
        Example(tools=({"name": "a.b"}, {"name": "a/b"}), reports=("TG106",)),
        Example(tools=({"name": "x" * 64 + "1"}, {"name": "x" * 64 + "2"}), reports=("TG106",)),
        Example(tools=({"name": "a.b"}, {"name": "a.c"})),
        Example(tools=({"name": "a.b"}, {"name": "a.b"})),
    ),
)
