"""What a rule is: a record of functions, its limits, and examples that prove it.

The files of ``library`` import from here what they are written with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from toolgauge.contract import Path, to_pointer
from toolgauge.contract.records import records_in
from toolgauge.rules import library
from toolgauge.rules._definition import MISSING, Definition, Node

__all__ = [
    "ADVICE",
    "ERROR",
    "MISSING",
    "SEVERITIES",
    "WARNING",
    "Definition",
    "Example",
    "Finding",
    "Findings",
    "Limits",
    "Node",
    "Rule",
    "rule_of",
    "rules",
]

Limits: TypeAlias = Mapping[str, Any]
"""The numbers and lists that a target gives a rule."""

ERROR, WARNING, ADVICE = "error", "warning", "advice"
SEVERITIES = (ERROR, WARNING, ADVICE)
"""Most severe first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing about a tool's definition that one target will not take well.

    A rule gives ``message``, ``path`` and ``fix``, and for a finding about one tool
    of a list ``tool`` and ``index``; ``check`` fills in the rest.

    Attributes:
        rule: The rule's code: ``"TG103"``.
        name: The rule's name: ``"overlong-tool-name"``.
        target: Who objects: ``"openai-strict"``.
        tool: The tool's name, ``None`` for a finding about the whole list.
        index: The tool's place in the list, ``None`` for the whole list.
        path: Keys and indices into the tool's definition.
        message: What is wrong, with the numbers.
        severity: ``"error"``: the request or tool is refused. ``"warning"``:
            sources disagree, or the effect is silent. ``"advice"``.
        fix: What to change.
    """

    message: str
    path: Path = ()
    fix: str = ""
    rule: str = ""
    name: str = ""
    target: str = ""
    tool: str | None = None
    index: int | None = None
    severity: str = ERROR

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer."""
        return to_pointer(self.path)

    def to_json(self) -> dict[str, Any]:
        """Give the finding as ``check --format json`` prints it."""
        return {
            "rule": self.rule,
            "name": self.name,
            "target": self.target,
            "tool": self.tool,
            "index": self.index,
            "path": self.pointer,
            "message": self.message,
            "severity": self.severity,
            "fix": self.fix,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A proof of a rule: a definition, and the codes that it reports on it.

    Attributes:
        tool: One tool's definition in MCP's shape.
        tools: Several, for a rule about the list; ``tool`` is ignored then.
        limits: Limits that differ from the rule's own.
        reports: The rule's code for each finding; empty where all is well.
    """

    tool: Mapping[str, Any] = field(default_factory=dict)
    tools: Sequence[Any] = ()
    limits: Limits = field(default_factory=dict)
    reports: tuple[str, ...] = ()

    @classmethod
    def of(cls, schema: object, *reports: str, limits: Limits | None = None) -> Example:
        """Build an example of a tool with an input schema, and the codes reported on it."""
        return cls(tool={"inputSchema": schema}, reports=reports, limits=limits or {})

    @classmethod
    def of_property(
        cls, name: str, schema: object, *reports: str, limits: Limits | None = None
    ) -> Example:
        """Build an example of a tool with one parameter, and the codes reported on it."""
        return cls.of({"type": "object", "properties": {name: schema}}, *reports, limits=limits)

    @property
    def definitions(self) -> Sequence[Any]:
        """The tools of the example, one or several."""
        return self.tools or (self.tool,)


Findings: TypeAlias = Iterator[Finding]
Check: TypeAlias = Callable[[Definition, Limits], Findings]
CheckList: TypeAlias = Callable[[Sequence[Definition], Limits], Findings]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        code: ``TG`` and three digits: 1xx names, 2xx descriptions, 3xx schemas,
            4xx portability, 5xx results. Never used again.
        name: What the rule allows, read as "allow *name*".
        since: The version that brought it.
        check: Reports on one tool. Exactly one of the two is given.
        check_list: Reports on all tools together.
        limits: The limits where a target gives none; a target may give only
            these keys.
        examples: At least one that reports and one that does not.
    """

    code: str
    name: str
    since: str
    check: Check | None = None
    check_list: CheckList | None = None
    limits: Limits = field(default_factory=dict)
    examples: tuple[Example, ...]


@cache
def rules() -> Mapping[str, Rule]:
    """Give every rule by its name, in the order of their codes."""
    found: list[Rule] = records_in(library.__name__, "RULE")
    found.sort(key=lambda rule: rule.code)
    return MappingProxyType({rule.name: rule for rule in found})


def rule_of(code_or_name: str) -> Rule | None:
    """Give a rule by its code or name, ``None`` for none."""
    wanted = code_or_name.strip().lower()
    for rule in rules().values():
        if wanted in {rule.code.lower(), rule.name}:
            return rule
    return None
