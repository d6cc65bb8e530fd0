"""Holds tools against targets: every rule once per tool, whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from toolgauge.rules._definition import Definition
from toolgauge.rules._errors import NotTools
from toolgauge.rules._registry import rules
from toolgauge.rules._rule import ERROR, SEVERITIES, WARNING, Finding
from toolgauge.rules._targets import Applied, Target, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.rules._rule import Limits, Rule

MAX_FINDINGS = 200
"""Most findings of one rule, with one set of limits, about one tool."""

_CUT = "too-many-subschemas"
"""The rule about tools that are checked in part only. Such a tool is refused for every
target, whether that applies the rule or not: nobody knows what the rest holds."""

_RANK = {severity: rank for rank, severity in enumerate(SEVERITIES)}

ACCEPTED, ACCEPTED_WITH_WARNINGS, REFUSED = "accepted", "accepted-with-warnings", "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one target does with the tools.

    Attributes:
        target: The target.
        tools: How many tools there are.
        refused: How many of them have an error. An error about the whole list
            refuses all.
        verdict: ``"accepted"``, ``"accepted-with-warnings"`` or ``"refused"``.
    """

    target: Target
    tools: int
    refused: int
    verdict: str

    def to_json(self) -> dict[str, Any]:
        """Give the verdict as ``check --format json`` prints it."""
        return {
            "tools": self.tools,
            "accepted": self.tools - self.refused,
            "refused": self.refused,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What every target says of a list of tools.

    Attributes:
        tools: The tools' names, in order.
        verdicts: One for each target, in the order asked for.
        findings: By tool in order, those about the whole list first; then by
            severity, target and place.
    """

    tools: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]

    def has(self, severity: str) -> bool:
        """Tell whether anything is as severe as this, or more."""
        worst = SEVERITIES.index(severity)
        return any(SEVERITIES.index(each.severity) <= worst for each in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Give the report as ``check --format json`` prints it."""
        return {
            "targets": {each.target.name: each.to_json() for each in self.verdicts},
            "findings": [each.to_json() for each in self.findings],
        }


def check(
    tools: Iterable[object],
    targets: Iterable[str] | None = None,
    *,
    prefix: str = "",
    conservative: bool = False,
) -> Report:
    """Ask targets whether they will accept tools, and why not.

    Args:
        tools: Definitions as parsed JSON, in the shape of MCP, OpenAI, Anthropic
            or Bedrock; broken ones are reported and hide no other.
        targets: Names of targets and groups; ``None`` for all.
        prefix: What a client puts before each name: ``"mcp__acme__"``.
        conservative: Whether limits that sources contradict each other about
            count in full.

    Raises:
        UnknownTarget: If a name is neither a target nor a group.
        NotTools: If ``tools`` is no list.

    Example:
        >>> report = check([{"name": "a/b", "inputSchema": {"type": "object"}}], ["anthropic"])
        >>> [(each.name, each.pointer) for each in report.findings if each.severity == "error"]
        [('malformed-tool-name', '/name')]
    """
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable):
        raise NotTools(f"a {type(tools).__name__}")
    chosen = select(["all"] if targets is None else targets)
    definitions = [Definition(raw, index, prefix) for index, raw in enumerate(tools)]
    findings = _findings(definitions, chosen, conservative=conservative)
    own: dict[str, list[Finding]] = {target.name: [] for target in chosen}
    for finding in findings:
        own[finding.target].append(finding)
    return Report(
        tools=tuple(each.label for each in definitions),
        verdicts=tuple(_verdict(target, len(definitions), own[target.name]) for target in chosen),
        findings=tuple(sorted(findings, key=_order)),
    )


def _findings(
    definitions: Sequence[Definition], chosen: Sequence[Target], *, conservative: bool
) -> list[Finding]:
    """Run each rule once for each set of limits, and give every target its share."""
    found: list[Finding] = []
    for (rule, limits), users in _by_limits(chosen).items():
        for finding, tool, index in _reported(rule, limits.value, definitions):
            found += [
                Finding(
                    rule=finding.rule,
                    message=finding.message,
                    path=finding.path,
                    fix=finding.fix,
                    name=rule.name,
                    target=target.name,
                    tool=tool,
                    index=index,
                    severity=applied.conservative if conservative else applied.severity,
                )
                for target, applied in users
            ]
    return found + [each for tool in definitions if tool.is_cut for each in _cut(tool, chosen)]


def _cut(tool: Definition, chosen: Sequence[Target]) -> Iterator[Finding]:
    """Report to every target a tool of which something was not looked at."""
    rule = rules()[_CUT]
    for finding in rule.check(tool, rule.limits) if rule.check is not None else ():
        for target in chosen:
            yield replace(
                finding,
                name=rule.name,
                target=target.name,
                tool=tool.label,
                index=tool.index,
                severity=ERROR,
            )


class _Frozen:
    """Limits as a key: equal where they say the same."""

    __slots__ = ("text", "value")

    def __init__(self, value: Limits) -> None:
        self.value: Limits = value
        self.text: str = repr(sorted(value.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class _Key(tuple["Rule", _Frozen]):
    """A rule and its limits; rules are compared by identity."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self[0] is other[0] and self[1] == other[1]

    def __hash__(self) -> int:
        return hash((id(self[0]), self[1]))


def _by_limits(chosen: Sequence[Target]) -> dict[_Key, list[tuple[Target, Applied]]]:
    """Group what targets apply by rule and limits."""
    groups: dict[_Key, list[tuple[Target, Applied]]] = {}
    for target in chosen:
        for applied in target.applied:
            key = _Key((applied.rule, _Frozen(applied.limits)))
            groups.setdefault(key, []).append((target, applied))
    return groups


def _reported(
    rule: Rule, limits: Limits, definitions: Sequence[Definition]
) -> Iterator[tuple[Finding, str | None, int | None]]:
    """Run one rule over all tools; give each finding with the tool that it is about."""
    if rule.check_list is not None:
        for finding in rule.check_list(definitions, limits):
            yield finding, finding.tool, finding.index
    elif rule.check is not None:
        for each in definitions:
            if each.is_too_large or (each.is_cut and rule.name == _CUT):
                continue
            for finding in islice(rule.check(each, limits), MAX_FINDINGS):
                yield finding, each.label, each.index


def _verdict(target: Target, tools: int, own: Sequence[Finding]) -> Verdict:
    """Sum up what one target says."""
    errors = [each for each in own if each.severity == ERROR]
    about_all = any(each.index is None for each in errors)
    refused = tools if about_all else len({each.index for each in errors})
    warned = any(each.severity == WARNING for each in own)
    verdict = REFUSED if errors else ACCEPTED_WITH_WARNINGS if warned else ACCEPTED
    return Verdict(target=target, tools=tools, refused=refused, verdict=verdict)


def _order(finding: Finding) -> tuple[int, int, str, str]:
    """Sort by tool, severity and target; what one rule says of a tool keeps its order."""
    index = -1 if finding.index is None else finding.index
    return (index, _RANK[finding.severity], finding.target, finding.rule)
