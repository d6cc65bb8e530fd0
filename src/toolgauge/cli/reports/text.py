"""Text for people: who takes which tools, what is wrong with each, what to do first."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from toolgauge.cli.output import terminal
from toolgauge.cli.reports.drawing import draw, fix_lines, indented
from toolgauge.cli.reports.evidence import SEVERITIES, by_kind
from toolgauge.cli.reports.matrix import render_matrix
from toolgauge.cli.text import counted, visible
from toolgauge.rules import rule_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from toolgauge.cli.reports.evidence import Checked, Group, Kind
    from toolgauge.rules import Finding

_STYLES = {"error": "red", "warning": "yellow", "advice": "cyan"}
_SIGNS = {"error": "✗", "warning": "!", "advice": "i"}
_MOST_PLACES = 3
_MOST_TARGETS = 6
_MOST_FIXES = 8
_PIPED_WIDTH = 100


def render(sources: Sequence[Checked]) -> str:
    """Write a part for each source, for the terminal that standard output is."""
    width, color = terminal(sys.stdout, _PIPED_WIDTH)
    return to_text(sources, width=width, color=color)


def to_text(sources: Sequence[Checked], *, width: int = 80, color: bool = False) -> str:
    """Write a part for each source, no line wider than ``width`` cells."""
    parts = (part for checked in sources for part in _part(checked, width))
    return draw(parts, width=width, color=color)


def _part(checked: Checked, width: int) -> Iterator[RenderableType]:
    """Write everything about one source."""
    report = checked.report
    write = _Writer(width, len(report.verdicts))
    yield Text(_headline(checked), "bold")
    if not report.tools and not report.findings:
        return
    yield Text()
    yield from render_matrix(report, width)
    common = checked.common
    if common:
        yield Text()
        yield from write.common(common, len(report.tools))
    for name, groups in checked.own_groups():
        yield Text()
        yield from write.tool(name, groups)
    yield from _what_to_do(checked)
    yield from _not_shown(checked)


def _not_shown(checked: Checked) -> Iterator[Text]:
    """Write how many findings are left out, and how to see them."""
    counts = Counter(each.severity for each in checked.report.findings)
    nouns = {"warning": ("warning", "warnings"), "advice": ("piece of advice", "pieces of advice")}
    left = [
        f"{counts[each]} {one if counts[each] == 1 else several}"
        for each, (one, several) in nouns.items()
        if counts[each] and SEVERITIES.index(each) > SEVERITIES.index(checked.severity)
    ]
    if left:
        yield Text()
        yield Text(f"not shown: {', '.join(left)}; see with --severity advice", "dim")


def _headline(checked: Checked) -> str:
    """Write the counts and verdicts on a line."""
    verdicts = Counter(each.verdict for each in checked.report.verdicts)
    words = [
        f"{verdicts[kind]} {verb}{'s' * (verdicts[kind] == 1)}"
        for kind, verb in (
            ("refused", "refuse"),
            ("accepted-with-warnings", "warn"),
            ("accepted", "accept"),
        )
        if verdicts[kind]
    ]
    tools, targets = checked.extent
    return f"{tools} of {visible(checked.label)}, {targets}: {', '.join(words)}"


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes flaws for a terminal of some width, one of so many targets."""

    width: int
    targets: int

    def common(
        self, common: Mapping[Kind, Sequence[Group]], tools: int
    ) -> Iterator[RenderableType]:
        """Write what nearly every tool has, each with one place as an example."""
        yield Text("in nearly every tool", "bold underline")
        for groups in sorted(common.values(), key=lambda each: _rank(each[0].finding)):
            first = groups[0]
            having = len({each.finding.index for each in groups})
            yield from self._head(first, f"{having} of {tools} tools")
            place = visible(f"{first.finding.tool or ''} {first.finding.pointer}".strip())
            yield indented(4, (f"{place}: ", "cyan"), visible(first.finding.message))
            yield from fix_lines(first.finding.fix)

    def tool(self, name: str, groups: Sequence[Group]) -> Iterator[RenderableType]:
        """Write what is wrong with one tool, the worst first."""
        yield Text(visible(name), "bold underline")
        for flaw in sorted(by_kind(groups).values(), key=lambda flaw: _rank(flaw[0].finding)):
            yield from self._head(flaw[0])
            shown = flaw if len(flaw) <= _MOST_PLACES else flaw[: _MOST_PLACES - 1]
            for each in shown:
                place = visible(each.finding.pointer)
                lead = f"{place}: " if place else ""
                yield indented(4, (lead, "cyan"), visible(each.finding.message))
            more = len(flaw) - len(shown)
            if more:
                yield indented(4, (f"and {counted(more, 'more place')}", "dim"))
            yield from fix_lines(*(each.finding.fix for each in shown))

    def _head(self, group: Group, extent: str = "") -> Iterator[RenderableType]:
        """Name a rule and who objects, on one line where that fits."""
        found = group.finding
        head = Text.assemble(
            (f"{_SIGNS[found.severity]} {found.severity} ", _STYLES[found.severity]),
            (f"{found.rule} {found.name}", "bold"),
            f"  {extent}" if extent else "",
        )
        names = _names(group.targets, self.targets)
        if cell_len(head.plain) + cell_len(names) + 4 <= self.width:  # 4: indent and gap
            yield indented(2, head, "  ", (names, "dim"))
            return
        yield indented(2, head)
        yield indented(4, (names, "dim"))


def _names(targets: Sequence[str], total: int) -> str:
    """List targets, but no more than a line or two of them."""
    if len(targets) == total > _MOST_TARGETS:
        return f"all {total} targets"
    if len(targets) <= _MOST_TARGETS + 1:
        return ", ".join(targets)
    return f"{', '.join(targets[:_MOST_TARGETS])} and {len(targets) - _MOST_TARGETS} more"


def _rank(finding: Finding) -> int:
    return SEVERITIES.index(finding.severity)


@dataclass(slots=True)
class _Remedy:
    """What repairing everything that one rule reports would do."""

    fixes: Counter[str] = field(default_factory=Counter)
    tools: set[int | None] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    refusals: set[tuple[str, int | None]] = field(default_factory=set)
    alone: int = 0


def _what_to_do(checked: Checked) -> Iterator[RenderableType]:
    """Write the repairs that reach most, the refusals first."""
    remedies = _remedies(checked.shown)
    if not remedies:
        return
    ranked = sorted(
        remedies.items(),
        key=lambda item: (-len(item[1].refusals), -len(item[1].targets) * len(item[1].tools)),
    )
    yield Text()
    yield Text("What to do", "bold underline")
    for (code, name), remedy in ranked[:_MOST_FIXES]:
        fix = visible(remedy.fixes.most_common(1)[0][0]) if remedy.fixes else name
        others = " (or the like)" if len(remedy.fixes) > 1 else ""
        yield indented(2, ("→ ", "green"), (fix, "bold"), others)
        yield indented(4, _reach(code, name, remedy))
    more = len(ranked) - _MOST_FIXES
    if more > 0:
        yield indented(2, (f"and {counted(more, 'more rule')}", "dim"))
    known = next((code for (code, _), _ in ranked if rule_of(code) is not None), None)
    if known is not None:
        yield Text()
        yield Text(f"toolgauge explain {known} tells more about a rule", "dim")


def _reach(code: str, name: str, remedy: _Remedy) -> Text:
    """Write how far a fix reaches, and which rejections it alone would end."""
    tools = len(remedy.tools - {None})
    where = counted(tools, "tool") if tools else "the whole list"
    text = Text(f"{code} {name}: {where}, {counted(len(remedy.targets), 'target')}")
    if remedy.alone:
        of_all = f"{remedy.alone} of {len(remedy.refusals)} refusals"
        text.append(f"; alone makes {of_all} good", "green")
    elif remedy.refusals:
        text.append(f"; one reason of {counted(len(remedy.refusals), 'refusal')}")
    return text


def _remedies(findings: Sequence[Finding]) -> dict[tuple[str, str], _Remedy]:
    """Count by rule what its findings reach; a refusal is one tool at one target."""
    found: dict[tuple[str, str], _Remedy] = {}
    reasons: dict[tuple[str, int | None], set[tuple[str, str]]] = {}
    for each in findings:
        if each.severity == "advice":
            continue
        rule = (each.rule, each.name)
        remedy = found.setdefault(rule, _Remedy())
        remedy.fixes[each.fix] += bool(each.fix)
        remedy.tools.add(each.index)
        remedy.targets.add(each.target)
        if each.severity == "error":
            remedy.refusals.add((each.target, each.index))
            reasons.setdefault((each.target, each.index), set()).add(rule)
    for rules in reasons.values():
        if len(rules) == 1:
            found[next(iter(rules))].alone += 1
    return found
