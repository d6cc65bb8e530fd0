"""GitHub's workflow commands: annotations in the diff and in the log of a run.

One annotation for each tool and rule: GitHub shows ten of a kind, and places
of the same flaw would push the others out.

Source: GitHub, "Workflow commands for GitHub Actions". What follows ``::`` is
the message; properties end at commas and colons, so both are escaped there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.cli.reports.evidence import by_kind, of_tools, tool_of
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.cli.reports.evidence import Checked, Group

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def render(sources: Sequence[Checked]) -> str:
    """Write an annotation for each flaw, and a line about each source."""
    return "".join(f"{line}\n" for checked in sources for line in _lines(checked))


def _lines(checked: Checked) -> Iterator[str]:
    for groups in of_tools(checked.groups).values():
        for flaw in by_kind(groups).values():
            yield _annotation(checked, flaw)
    refusing = [each.target.name for each in checked.report.verdicts if each.refused]
    tools, targets = checked.extent
    refused = f"refused by {', '.join(refusing)}" if refusing else "refused by none"
    yield _data(f"toolgauge: {tools} of {checked.label} in front of {targets}: {refused}")


def _annotation(checked: Checked, flaw: Sequence[Group]) -> str:
    """Write one flaw, at the line of its first place where the source is a file."""
    group, finding = flaw[0], flaw[0].finding
    properties = {}
    if checked.uri is not None:
        properties["file"] = checked.uri
        position = checked.position(finding)
        if position is not None:
            properties |= {"line": str(position.line), "col": str(position.column)}
    properties["title"] = f"{finding.rule} {finding.name}"
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    place = f" at {finding.pointer}" if finding.pointer else ""
    fix = f" Fix: {finding.fix}." if finding.fix else ""
    more = f", and {counted(len(flaw) - 1, 'more place')}" if len(flaw) > 1 else ""
    message = (
        f"{tool_of(finding)}{place}: {finding.message}{more} ({', '.join(group.targets)}).{fix}"
    )
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    """Escape a message."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    """Escape the value of a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
