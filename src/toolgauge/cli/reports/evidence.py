"""What a report is written from: the findings, and where they are in the source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from toolgauge.cli.reports.positions import find_positions
from toolgauge.cli.text import counted
from toolgauge.contract import to_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from toolgauge.cli.reports.positions import Position
    from toolgauge.contract import Path
    from toolgauge.rules import Finding, Report

_T = TypeVar("_T")
_K = TypeVar("_K", bound="Hashable")

SEVERITIES = ("error", "warning", "advice")
"""Most severe first."""

TOOLS_LIST = "(the whole list)"
"""What a finding that is about no single tool is about."""


Kind: TypeAlias = tuple[str, str, tuple[str, ...]]
"""What flaws have in common that are reported together: severity, rule, targets."""

_LONG_LIST = 10
_NEARLY_ALL = 0.8


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A source and what the targets say of its tools.

    Attributes:
        report: What ``check`` found, all of it.
        label: What to call the source.
        severity: The least severe findings to show.
        fail_on: The least severe findings that make the check fail, or ``"never"``.
        uri: The source's file relative to the working directory, ``None`` where
            the source is no file.
        text: What the file holds.
        places: Where each definition lies in the file, in order.
    """

    report: Report
    label: str
    severity: str = "advice"
    fail_on: str = "error"
    uri: str | None = None
    text: str | None = None
    places: tuple[Path, ...] = ()

    @cached_property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that are severe enough to be shown."""
        return tuple(each for each in self.report.findings if is_at_least(each, self.severity))

    @property
    def fails(self) -> bool:
        """Whether anything is at or above ``fail_on``."""
        return self.fail_on != "never" and self.report.has(self.fail_on)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The findings to show, those of several targets together."""
        return grouped(self.shown)

    @property
    def extent(self) -> tuple[str, str]:
        """How many tools there are, and how many targets, for people."""
        return (
            counted(len(self.report.tools), "tool"),
            counted(len(self.report.verdicts), "target"),
        )

    @cached_property
    def common(self) -> Mapping[Kind, Sequence[Group]]:
        """What nearly every tool of a long list has, to be reported once."""
        tools = len(self.report.tools)
        if tools < _LONG_LIST:
            return {}
        return {
            kind: groups
            for kind, groups in by_kind(
                g for g in self.groups if g.finding.index is not None
            ).items()
            if len({each.finding.index for each in groups}) >= tools * _NEARLY_ALL
        }

    def own_groups(self) -> Iterator[tuple[str, list[Group]]]:
        """Yield each tool's name and its groups, without those of ``common``."""
        for index, groups in of_tools(self.groups).items():
            own = [each for each in groups if index is None or kind_of(each) not in self.common]
            if own:
                yield TOOLS_LIST if index is None else self.report.tools[index], own

    @cached_property
    def _positions(self) -> Mapping[Path, Position]:
        if self.text is None:
            return {}
        return find_positions(self.text, (self.path_in_file(each.finding) for each in self.groups))

    def position(self, finding: Finding) -> Position | None:
        """Return where in the file a finding is, ``None`` where the source is no file."""
        return self._positions.get(self.path_in_file(finding))

    def path_in_file(self, finding: Finding) -> Path:
        """Return the path of a finding from the root of the file."""
        if finding.index is None:
            return self.places[0][:-1] if self.places else ()
        start = self.places[finding.index] if finding.index < len(self.places) else ()
        return (*start, *finding.path)

    def to_json(self) -> dict[str, Any]:
        """Return the report as ``--format json`` prints it.

        Where the source is a file, each finding also has ``pointer``, which leads
        to its place from the root of that document.
        """
        document = self.report.to_json()
        document["findings"] = [self._finding_json(each) for each in self.shown]
        return document

    def _finding_json(self, finding: Finding) -> dict[str, Any]:
        wire = finding.to_json()
        if self.text is not None:
            wire["pointer"] = to_pointer(self.path_in_file(finding))
        return wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One flaw of one place, and everybody who objects to it.

    Attributes:
        finding: One of the findings; they differ in the target alone.
        targets: Who objects, in the report's order.
    """

    finding: Finding
    targets: tuple[str, ...]


def grouped_by(items: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """Group items by a key, in the order of the first of each group."""
    found: dict[_K, list[_T]] = {}
    for each in items:
        found.setdefault(key(each), []).append(each)
    return found


def tool_of(finding: Finding) -> str:
    """Return what a finding is about."""
    return TOOLS_LIST if finding.tool is None else finding.tool


def grouped(findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Group findings that differ in nothing but the target."""
    alike = grouped_by(
        findings, lambda one: (one.index, one.rule, one.path, one.severity, one.message, one.fix)
    )
    return tuple(
        Group(finding=found[0], targets=tuple(dict.fromkeys(each.target for each in found)))
        for found in alike.values()
    )


def kind_of(group: Group) -> Kind:
    """Return the kind that a flaw is reported with."""
    return (group.finding.severity, group.finding.rule, group.targets)


def by_kind(groups: Iterable[Group]) -> dict[Kind, list[Group]]:
    """Group flaws that differ in the path alone."""
    return grouped_by(groups, kind_of)


def is_at_least(finding: Finding, severity: str) -> bool:
    """Check whether a finding is as severe as that, or more."""
    return SEVERITIES.index(finding.severity) <= SEVERITIES.index(severity)


def of_tools(groups: Sequence[Group]) -> dict[int | None, list[Group]]:
    """Sort groups by the tool that they are about, ``None`` for the whole list."""
    return grouped_by(groups, lambda each: each.finding.index)
