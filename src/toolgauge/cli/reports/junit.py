"""JUnit XML, for build servers: a suite for each target, a test case for each tool."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from toolgauge.cli.reports.evidence import TOOLS_LIST, grouped_by, is_at_least
from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.cli.reports.evidence import Checked
    from toolgauge.rules import Finding


def render(sources: Sequence[Checked]) -> str:
    """Write one document; what is not severe enough to fail is output of its case."""
    suites = [
        suite
        for checked in sources
        for name in _names(checked)
        for suite in _suite(checked, name, several=len(sources) > 1)
    ]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="toolgauge check">']
    return "\n".join([*lines, *suites, "</testsuites>"]) + "\n"


def _names(checked: Checked) -> Iterator[str]:
    """Yield the targets, and what else reports, such as a tool's own validator."""
    names = dict.fromkeys(each.target.name for each in checked.report.verdicts)
    yield from names | dict.fromkeys(each.target for each in checked.shown)


def _suite(checked: Checked, name: str, *, several: bool) -> Iterator[str]:
    """Write what one target says of each tool, and of all together."""
    own = grouped_by(
        (each for each in checked.shown if each.target == name), lambda each: each.index
    )
    rows: list[tuple[int | None, str]] = list(enumerate(checked.report.tools))
    if None in own:
        rows.insert(0, (None, TOOLS_LIST))
    failing = sum(bool(_failures(checked, own.get(index, []))) for index, _ in rows)
    title = f"{checked.label}: {name}" if several else name
    yield f'  <testsuite name="{_xml(title)}" tests="{len(rows)}" failures="{failing}" errors="0">'
    for index, tool in rows:
        yield from _case(checked, name, tool, own.get(index, []))
    yield "  </testsuite>"


def _case(checked: Checked, target: str, tool: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Write one tool in front of one target."""
    head = f'    <testcase classname="{_xml(target)}" name="{_xml(tool)}"'
    if not findings:
        yield head + "/>"
        return
    failures = _failures(checked, findings)
    others = [each for each in findings if each not in failures]
    yield head + ">"
    if failures:
        first = failures[0]
        text = "\n".join(map(_line, failures))
        yield (
            f'      <failure type="{_xml(f"{first.rule} {first.name}")}" '
            f'message="{_xml(first.message)}">{_xml(text, keep=chr(10))}</failure>'
        )
    if others:
        text = "\n".join(map(_line, others))
        yield f"      <system-out>{_xml(text, keep=chr(10))}</system-out>"
    yield "    </testcase>"


def _failures(checked: Checked, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that fail; with ``--fail-on never`` the errors."""
    bar = "error" if checked.fail_on == "never" else checked.fail_on
    return [each for each in findings if is_at_least(each, bar)]


def _line(finding: Finding) -> str:
    """Write a finding on a line."""
    fix = f"; fix: {finding.fix}" if finding.fix else ""
    place = f" at {finding.pointer}" if finding.pointer else ""
    words = f"{finding.severity} {finding.rule} {finding.name}{place}: {finding.message}{fix}"
    return visible(words)


def _xml(text: str, keep: str = "") -> str:
    """Escape text for a place between tags or quotes, and what XML 1.0 has not."""
    return escape(visible(text, keep=keep), quote=True)
