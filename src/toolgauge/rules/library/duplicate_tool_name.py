"""Two tools have the same name.

Why is this bad?
    A call names its tool. With two of one name the request is refused, or one
    of the two is never called, and which one depends on the client.

Instead
    Give each tool its own name, or put the server's name before it.

Sources
    The Model Context Protocol asks for unique names within a server and
    compares them case by case; each target cites what happens there.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the second and every later tool of one name in one namespace."""
    case_sensitive: bool = limits["case_sensitive"]
    first: dict[tuple[str, str], Definition] = {}
    for tool in tools:
        if not isinstance(tool.name, str) or not tool.name:
            continue
        key = tool.name if case_sensitive else tool.name.casefold()
        known = first.setdefault((tool.namespace, key), tool)
        if known is tool:
            continue
        written = "" if known.name == tool.name else f" as {quoted(known.name)}"
        yield Finding(
            tool=tool.label,
            index=tool.index,
            message=f"name {quoted(tool.name)} is taken by tool {known.index}{written}",
            path=tool.name_path,
            fix="rename one of the two",
        )


RULE = Rule(
    code="TG104",
    name="duplicate-tool-name",
    since="0.1.0",
    check_list=check_list,
    limits={"case_sensitive": True},
    examples=(
        Example(tools=({"name": "a"}, {"name": "b"}, {"name": "a"}), reports=("TG104",)),
        Example(tools=({"name": "a"}, {"name": "A"})),
        Example(
            tools=({"name": "a"}, {"name": "A"}),
            limits={"case_sensitive": False},
            reports=("TG104",),
        ),
        Example(tools=({}, {})),
    ),
)
