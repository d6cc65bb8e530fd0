"""What ``check`` says of tools whose validator and published schema disagree.

It is no rule: a rule sees a definition, and this takes the code behind it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolgauge.contract import dump_json
from toolgauge.rules import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.contract import Issue, Tool
    from toolgauge.rules import Report
    from toolgauge.standard import Disagreement

RULE, NAME = "validator", "disagreement"
TARGET = "validator"
"""Who objects, where a finding names a target: the tool's own validator."""

_MAX_SHOWN_CHARS = 120


def with_disagreements(report: Report, tools: Sequence[Tool]) -> Report:
    """Add what the tools' validators say to what the targets say."""
    if all(each.validate is None for each in tools):
        return report
    found = tuple(_findings(tools))
    return replace(report, findings=(*report.findings, *found)) if found else report


def _findings(tools: Sequence[Tool]) -> Iterator[Finding]:
    from toolgauge.standard import iter_disagreements

    for index, each in iter_disagreements(tools):
        message, severity, fix = _said(each)
        yield Finding(
            rule=RULE,
            name=NAME,
            target=TARGET,
            tool=tools[index].name,
            index=index,
            path=("inputSchema",),
            message=message,
            severity=severity,
            fix=fix,
        )


def _said(found: Disagreement) -> tuple[str, str, str]:
    """Word one disagreement: the model cannot know, or it is never asked."""
    value, reason = _shown(found.value), _reason(found.issues)
    if found.accepted_by == "schema":
        return (
            f"the schema accepts {value}, and the validator refuses it{reason}",
            "warning",
            "say the constraint in the schema, or publish another one with `parameters`",
        )
    return (
        f"the validator accepts {value}, and the schema refuses it{reason}",
        "advice",
        "make the validator strict, or widen the schema; until then the schema decides",
    )


def _shown(value: object) -> str:
    text = dump_json(value).decode()
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[: _MAX_SHOWN_CHARS - 1]}…"


def _reason(issues: Sequence[Issue]) -> str:
    if not issues:
        return ""
    place = f"{issues[0].pointer}: " if issues[0].pointer else ""
    return f": {place}{issues[0].message}"
