"""Markdown, for pull requests and step summaries: a table, and the details folded."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from toolgauge.cli.reports.evidence import SEVERITIES, by_kind, kind_of
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.cli.reports.evidence import Checked, Group

_SPECIAL = re.compile(r"[\\`*_\[\]<>|#~&!]")
_SIGNS = {"refused": "❌", "accepted-with-warnings": "⚠️", "accepted": "✅"}


def render(sources: Sequence[Checked]) -> str:
    """Write a part for each source."""
    return "\n".join(line for checked in sources for line in _part(checked)) + "\n"


def _part(checked: Checked) -> Iterator[str]:
    tools, targets = checked.extent
    yield f"## {tools} of {code(checked.label)}, {targets}"
    yield ""
    yield "| target | verdict | tools accepted | refused |"
    yield "|---|---|---:|---:|"
    for each in checked.report.verdicts:
        sign = f"{_SIGNS[each.verdict]} {each.verdict}"
        accepted = f"{each.tools - each.refused} of {each.tools}"
        yield f"| {code(each.target.name)} | {sign} | {accepted} | {each.refused} |"
    yield ""
    if checked.common:
        every = [each for groups in checked.common.values() for each in groups]
        yield from _details("in nearly every tool", every, checked)
    for name, groups in checked.own_groups():
        yield from _details(name, groups, checked)


def _details(tool: str, groups: Sequence[Group], checked: Checked) -> Iterator[str]:
    """Write what is wrong with one tool, folded away."""
    numbers = [
        counted(number, severity)
        for severity in SEVERITIES
        if (number := sum(each.finding.severity == severity for each in groups))
    ]
    name = escape(visible(tool))
    yield f"<details><summary><code>{name}</code>: {', '.join(numbers)}</summary>"
    yield ""
    yield "| severity | rule | place | what | targets |"
    yield "|---|---|---|---|---|"
    for flaw in by_kind(groups).values():
        found = flaw[0].finding
        fix = f"<br>→ {prose(found.fix)}" if found.fix else ""
        cells = (
            found.severity,
            f"{found.rule} {found.name}",
            _places(flaw, several=kind_of(flaw[0]) in checked.common),
            prose(found.message) + fix,
            ", ".join(flaw[0].targets),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "</details>"
    yield ""


def _places(flaw: Sequence[Group], *, several: bool) -> str:
    """Name the first place of a flaw, and say how many more there are."""
    found = flaw[0].finding
    place = (
        f"{found.tool} {found.pointer}" if several and found.index is not None else found.pointer
    )
    more = f" and {len(flaw) - 1} more" if len(flaw) > 1 else ""
    return (code(place) if place else "") + more


def code(text: str, *, in_table: bool = True) -> str:
    """Write foreign text as a code span that also survives in a table."""
    shown = visible(text).replace("|", "\\|") if in_table else visible(text)
    longest = max((len(each) for each in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def prose(text: str) -> str:
    """Write foreign text as words: no markup, no tags, no mentions."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text)).replace("@", "&#64;")
