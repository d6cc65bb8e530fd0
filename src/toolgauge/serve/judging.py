"""What targets say of tools, written for the page: the sums, the findings, the lowered tool.

Knows nothing of HTTP. Imported with the first question, since rules and passes take
longer to load than all the rest of serving.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from toolgauge.contract import to_pointer
from toolgauge.lowering import NoPasses, lower
from toolgauge.rules import Finding, Report, check, rule_of, targets
from toolgauge.wire import formats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolgauge.contract import Tool
    from toolgauge.rules import Applied, Target

MAX_FINDINGS = 2_000
"""Most findings in one answer; the sums count all."""

_VERDICTS = {"error": "refused", "warning": "accepted-with-warnings"}


class Judgement:
    """What all targets say of one list of tools.

    Args:
        names: The tools' names, in order; no two are the same.
        details: Their definitions as parsed JSON.
    """

    def __init__(self, names: Sequence[str], details: Sequence[Mapping[str, Any]]) -> None:
        self._details = dict(zip(names, details, strict=True))
        self._report: Report = check(details)
        by_tool: dict[int | None, list[Finding]] = {}
        for finding in self._report.findings:
            by_tool.setdefault(finding.index, []).append(finding)
        self._about_list = by_tool.get(None, [])
        self._about = {name: by_tool.get(index, []) for index, name in enumerate(names)}

    def matrix(self) -> dict[str, Any]:
        """Return who accepts what: every target, every tool, and the sums where they meet.

        A target that a tool does not name accepts it without a remark::

            {
                "targets": [
                    {"name": "openai", "title": "…", "verdict": "refused", "refused": 1, …}
                ],
                "findings": [...],  # about the list as a whole
                "tools": [{"name": "a/b", "targets": {"openai": {"verdict": "refused", …}}}],
            }
        """
        rows: list[dict[str, Any]] = [
            {"name": name, "targets": _sums(found)} for name, found in self._about.items()
        ]
        warned = Counter(
            target
            for row in rows
            for target, each in row["targets"].items()
            if each["verdict"] == _VERDICTS["warning"]
        )
        verdicts = [
            {**_head(each.target), **each.to_json(), "warned": warned[each.target.name]}
            for each in self._report.verdicts
        ]
        return {"targets": verdicts, "findings": _told(self._about_list), "tools": rows}

    def of_tool(self, name: str) -> dict[str, Any]:
        """Return what each target says of one tool, and why.

        Raises:
            KeyError: If there is no such tool.
        """
        found = self._about[name]
        sums = _sums(found)
        nothing = _sum(())
        return {
            "tool": name,
            "targets": [
                {**_head(each), **sums.get(each.name, nothing)} for each in targets().values()
            ],
            "findings": _told(found),
            "omitted": max(0, len(found) - MAX_FINDINGS),
        }

    def of_target(self, name: str, target: str) -> dict[str, Any]:
        """Return what one target says of one tool, and the tool as it would take it.

        ``lowered`` is ``null`` where nobody lowers for the target, and where the tool
        cannot be lowered; ``refused`` then says why.

        Raises:
            KeyError: If there is no such tool, or no such target.
        """
        chosen = targets()[target]
        found = [each for each in self._about[name] if each.target == target]
        return {
            "tool": name,
            "target": {**_head(chosen), "summary": chosen.summary, **_sum(found)},
            "findings": _told(found),
            "unchecked": dict(chosen.unchecked),
            **_lowered(self._details[name], chosen),
        }


def written_for_providers(tool: Tool) -> dict[str, Any]:
    """Return one tool as the request of each provider's API wants its list of tools."""
    return {
        "tool": tool.name,
        "formats": [
            {"name": each.name, "title": each.title, "tools": each.to_tools([tool])}
            for each in formats().values()
        ],
    }


def _head(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "title": target.title,
        "groups": list(target.groups),
        "lowers": bool(target.passes),
    }


def _sums(findings: Iterable[Finding]) -> dict[str, dict[str, Any]]:
    """Sum up findings by their target."""
    own: dict[str, list[Finding]] = {}
    for finding in findings:
        own.setdefault(finding.target, []).append(finding)
    return {target: _sum(found) for target, found in own.items()}


def _sum(findings: Iterable[Finding]) -> dict[str, Any]:
    """Sum up findings of one target about one tool."""
    counted = Counter(each.severity for each in findings)
    verdict = next((word for key, word in _VERDICTS.items() if counted[key]), "accepted")
    return {
        "verdict": verdict,
        "errors": counted["error"],
        "warnings": counted["warning"],
        "advice": counted["advice"],
    }


def _told(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Write findings with where the limit comes from."""
    return [_sourced(each) for each in findings[:MAX_FINDINGS]]


def _sourced(finding: Finding) -> dict[str, Any]:
    """Write a finding with its source: who says so, read when, and to what effect."""
    applied = _applied(finding)
    return {
        **finding.to_json(),
        "path": to_pointer(finding.path),
        "effect": applied.effect,
        "sources": list(applied.sources),
        "read": applied.read.isoformat(),
        "conflict": applied.conflict,
    }


def _applied(finding: Finding) -> Applied:
    """Find the limit that a finding is of; the first where a target has several of a rule."""
    rule = rule_of(finding.rule)
    own = [each for each in targets()[finding.target].applied if each.rule is rule]
    return next((each for each in own if each.severity == finding.severity), own[0])


def _lowered(detail: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """Lower one tool alone."""
    try:
        done = lower([detail], target)
    except NoPasses:
        return {"lowered": None, "refused": None, "losses": []}
    if done.refused:
        return {"lowered": None, "refused": done.refused[0].to_json(), "losses": []}
    return {
        "lowered": {"tool": done.tools[0], "wire": done.wire()},
        "refused": None,
        "losses": [each.to_json() for each in done.losses],
    }
