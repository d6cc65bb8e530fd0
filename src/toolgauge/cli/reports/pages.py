"""The page of a rule, and how targets apply rules."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from toolgauge.cli.output import Paragraph
from toolgauge.cli.text import visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.rules import Applied, Rule

_MOST_LIMIT_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a rule says of itself.

    Attributes:
        summary: One sentence.
        sections: Heading to text: ``"Why is this bad?"``, ``"Instead"``,
            ``"Sources"``, in this order.
    """

    summary: str
    sections: Mapping[str, str]


def page_of(rule: Rule) -> Page:
    """Read the docstring of the module that holds a rule."""
    check = rule.check or rule.check_list
    module = sys.modules.get(getattr(check, "__module__", ""))
    text = (module.__doc__ if module else "") or rule.name
    lines = text.replace("``", "`").strip().splitlines()
    heading = ""
    parts: dict[str, list[str]] = {heading: []}
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and not line[0].isspace() and below[:1].isspace():
            heading = line.strip()
            parts[heading] = []
        else:
            parts[heading].append(line)
    summary = " ".join(parts.pop("")).strip()
    return Page(
        summary=summary,
        sections={name: dedent("\n".join(text)).strip() for name, text in parts.items()},
    )


def applied_to_json(applied: Applied) -> dict[str, Any]:
    """Return how a target applies a rule, as ``--format json`` prints it."""
    return {
        "id": applied.id,
        "rule": applied.rule.code,
        "name": applied.rule.name,
        "severity": applied.severity,
        "conservative": applied.conservative,
        "limits": dict(applied.limits),
        "effect": applied.effect,
        "sources": list(applied.sources),
        "read": applied.read.isoformat(),
        "conflict": applied.conflict,
    }


@dataclass(frozen=True, slots=True)
class AppliedRules:
    """Writes how targets apply rules; sources are numbered, since targets share them."""

    numbers: dict[str, int] = field(default_factory=dict)

    def paragraphs(self, title: str, applied: Applied, indent: int = 0) -> Iterator[Paragraph]:
        """Write severity and limits, what happens, and what contradicts it."""
        severity = applied.severity
        if applied.conservative != severity:
            severity += f" ({applied.conservative} with --conservative)"
        limits = ", ".join(f"{key}={_short(value)}" for key, value in applied.limits.items())
        yield Paragraph(f"{title}: {severity}{f'; {limits}' if limits else ''}", indent)
        signs = ""
        for each in applied.sources:
            source = f"{each} (read {applied.read.isoformat()})"
            signs += f"[{self.numbers.setdefault(source, len(self.numbers) + 1)}]"
        yield Paragraph(f"{applied.effect} {signs}", 4)
        if applied.conflict:
            yield Paragraph(f"conflict: {applied.conflict}", 4)

    def sources(self) -> Iterator[Paragraph]:
        """List the sources that were numbered."""
        if self.numbers:
            yield Paragraph("")
            yield Paragraph("Where that is written")
        for source, number in self.numbers.items():
            yield Paragraph(f"[{number}] {source}", 2)


def _short(value: object) -> str:
    """Write a limit as JSON, long lists cut."""
    text = visible(dump_json(value).decode())
    return text if len(text) <= _MOST_LIMIT_CHARS else text[:_MOST_LIMIT_CHARS] + "…"
