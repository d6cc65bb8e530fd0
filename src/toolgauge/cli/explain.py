"""``toolgauge explain``: what a rule means, and who applies it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.running import GOOD, Format, finish
from toolgauge.cli.text import Paragraph, say_json, say_paragraphs, visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.rules import Applied, Rule, Target

RuleWord = Annotated[
    str, typer.Argument(metavar="RULE", help="A rule's code or name.", show_default=False)
]

EXAMPLES = """\b
Examples:
  toolgauge explain TG103
  toolgauge explain overlong-tool-name --format json
"""


def explain(*, rule: RuleWord, shape: options.OutputFormat = Format.TEXT) -> None:
    """Explain a rule: why it is there, what to do, and which targets apply it."""

    async def work() -> int:
        found = _find(rule)
        users = list(_users(found))
        if shape is Format.JSON:
            say_json(_to_json(found, users))
        else:
            say_paragraphs(_paragraphs(found, users))
        return GOOD

    finish(work(), shape)


def _find(word: str) -> Rule:
    """Give a rule by code or name.

    Raises:
        WrongUsage: There is none; the nearest are named.
    """
    from toolgauge.rules import rule_of, rules

    found = rule_of(word)
    if found is not None:
        return found
    words = [*rules(), *(each.code for each in rules().values())]
    lowered = word.strip().lower()
    near = get_close_matches(lowered, words, n=3) or get_close_matches(word.upper(), words, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else "docs/rules lists them"
    raise WrongUsage(f"there is no rule {word!r}; {hint}")


def _users(rule: Rule) -> Iterator[tuple[Target, Applied]]:
    """Give every target that applies a rule, once for each way of applying it."""
    from toolgauge.rules import targets

    for target in targets().values():
        for applied in target.applied:
            if applied.rule.code == rule.code:
                yield target, applied


def applied_to_json(applied: Applied) -> dict[str, Any]:
    """Give how a target applies a rule."""
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


def _to_json(rule: Rule, users: list[tuple[Target, Applied]]) -> dict[str, Any]:
    from toolgauge.cli.reports.pages import page_of

    page = page_of(rule)
    return {
        "rule": rule.code,
        "name": rule.name,
        "since": rule.since,
        "summary": page.summary,
        "sections": dict(page.sections),
        "limits": dict(rule.limits),
        "targets": [
            {"target": target.name, **applied_to_json(applied)} for target, applied in users
        ],
    }


def _paragraphs(rule: Rule, users: list[tuple[Target, Applied]]) -> Iterator[Paragraph]:
    """Write the page for people; sources are numbered, since targets share them."""
    from toolgauge.cli.reports.pages import page_of

    page = page_of(rule)
    yield Paragraph(f"{rule.code} {rule.name} (since {rule.since})")
    yield Paragraph("")
    yield Paragraph(page.summary)
    for title, body in page.sections.items():
        yield Paragraph("")
        yield Paragraph(title)
        yield from (Paragraph(line, 2) for line in body.splitlines())
    yield Paragraph("")
    count = len({target.name for target, _ in users})
    yield Paragraph(f"Applied by {counted(count, 'target')}" if users else "Applied by no target")
    numbers: dict[str, int] = {}
    for target, applied in users:
        head = f"{target.name}: {severity_words(applied)}{limits_words(applied.limits)}"
        yield Paragraph(head, 2)
        yield from applied_paragraphs(applied, numbers)
    yield from source_paragraphs(numbers)


def severity_words(applied: Applied) -> str:
    """Say what a finding counts for, and for what with ``--conservative``."""
    if applied.conservative == applied.severity:
        return applied.severity
    return f"{applied.severity} ({applied.conservative} with --conservative)"


def limits_words(limits: Mapping[str, Any]) -> str:
    """Write limits on a line, none as nothing."""
    words = ", ".join(f"{key}={_short(value)}" for key, value in limits.items())
    return f"; {words}" if words else ""


def applied_paragraphs(applied: Applied, numbers: dict[str, int]) -> Iterator[Paragraph]:
    """Write what happens and what contradicts it; ``numbers`` collects the sources."""
    signs = ""
    for each in applied.sources:
        source = f"{each} (read {applied.read.isoformat()})"
        signs += f"[{numbers.setdefault(source, len(numbers) + 1)}]"
    yield Paragraph(f"{applied.effect} {signs}", 4)
    if applied.conflict:
        yield Paragraph(f"conflict: {applied.conflict}", 4)


def source_paragraphs(numbers: Mapping[str, int]) -> Iterator[Paragraph]:
    """List the sources that were numbered."""
    if not numbers:
        return
    yield Paragraph("")
    yield Paragraph("Where that is written")
    for source, number in numbers.items():
        yield Paragraph(f"[{number}] {source}", 2)


def _short(value: object) -> str:
    """Write a limit as JSON, long lists cut."""
    text = visible(dump_json(value).decode())
    most = 200
    return text if len(text) <= most else text[:most] + "…"
