"""Holds tools against targets: every rule once per tool, whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

from toolgauge.rules._definition import Definition
from toolgauge.rules._errors import NotTools
from toolgauge.rules._rule import ERROR, SEVERITIES, WARNING, Finding, rules
from toolgauge.rules._targets import Target, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.rules._rule import Findings, Limits, Rule
    from toolgauge.rules._targets import Applied

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
    namespaces: Iterable[str] = (),
    conservative: bool = False,
) -> Report:
    """Ask targets whether they will accept tools, and why not.

    Args:
        tools: ``Tool`` objects, objects with the attributes of one, or definitions as
            parsed JSON in the shape of MCP, OpenAI, Anthropic or Bedrock; broken ones are
            reported and hide no other.
        targets: Names of targets and groups; ``None`` for all.
        prefix: What a client puts before each name: ``"mcp__acme__"``.
        namespaces: The namespace of each tool where tools of OpenAI's type ``namespace``
            have been opened; those in ``tools`` are opened here.
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
    definitions = [
        Definition(raw, index, prefix, namespace=namespace)
        for index, (raw, namespace) in enumerate(_functions(tools, namespaces))
    ]
    findings = _findings(definitions, chosen, conservative=conservative)
    own: dict[str, list[Finding]] = {target.name: [] for target in chosen}
    for finding in findings:
        own[finding.target].append(finding)
    return Report(
        tools=tuple(each.label for each in definitions),
        verdicts=tuple(_verdict(target, len(definitions), own[target.name]) for target in chosen),
        findings=tuple(sorted(findings, key=_order)),
    )


def _functions(tools: Iterable[object], namespaces: Iterable[str]) -> Iterator[tuple[object, str]]:
    """Open the tools of type ``namespace``; yield each definition with its namespace."""
    for raw, namespace in zip(tools, chain(namespaces, repeat("")), strict=False):
        inner = raw.get("tools") if isinstance(raw, Mapping) else None
        if isinstance(raw, Mapping) and raw.get("type") == "namespace" and isinstance(inner, list):
            yield from zip(inner, repeat(str(raw.get("name", ""))), strict=False)
        else:
            yield raw, namespace


def _findings(
    definitions: Sequence[Definition], chosen: Sequence[Target], *, conservative: bool
) -> list[Finding]:
    """Run each rule once for each set of limits, and give every target its share."""
    about_cut = rules()[_CUT]
    cut = [each for each in definitions if each.is_cut]
    readable = [each for each in definitions if not each.is_too_large]
    # Every target rejects what was cut, so the rule about it runs only on the others.
    whole = [each for each in readable if not each.is_cut]
    found: list[Finding] = []
    for group in _by_limits(chosen):
        rule, limits = group[0][1].rule, group[0][1].limits
        checked = definitions if rule.check_list else whole if rule is about_cut else readable
        users = [
            (target.name, each.conservative if conservative else each.severity)
            for target, each in group
        ]
        found += reported(rule, limits, checked, users)
    for_all = [(target.name, ERROR) for target in chosen]
    return found + list(reported(about_cut, about_cut.limits, cut, for_all))


def _by_limits(chosen: Sequence[Target]) -> Iterable[list[tuple[Target, Applied]]]:
    """Group what targets apply by rule and limits."""
    groups: dict[tuple[str, str], list[tuple[Target, Applied]]] = {}
    for target in chosen:
        for applied in target.applied:
            key = (applied.rule.code, repr(sorted(applied.limits.items())))
            groups.setdefault(key, []).append((target, applied))
    return groups.values()


def reported(
    rule: Rule,
    limits: Limits,
    definitions: Sequence[Definition],
    users: Sequence[tuple[str, str]],
) -> Findings:
    """Run one rule over all tools.

    Args:
        rule: The rule.
        limits: Its limits, complete.
        definitions: The tools.
        users: Names of targets and the severity there; each gets every finding.
    """
    for finding, tool, index in _found(rule, limits, definitions):
        for target, severity in users:
            yield Finding(
                rule=rule.code,
                name=rule.name,
                target=target,
                tool=tool,
                index=index,
                path=finding.path,
                message=finding.message,
                severity=severity,
                fix=finding.fix,
            )


def _found(
    rule: Rule, limits: Limits, definitions: Sequence[Definition]
) -> Iterator[tuple[Finding, str | None, int | None]]:
    """Yield what a rule finds, and the tool that it is about."""
    if rule.check_list is not None:
        for finding in rule.check_list(definitions, limits):
            yield finding, finding.tool, finding.index
    elif rule.check is not None:
        for each in definitions:
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
