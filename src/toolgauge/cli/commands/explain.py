"""``toolgauge explain``: what a rule means, and who applies it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.options import Format, OutputFormat
from toolgauge.cli.output import Paragraph, say_json, say_paragraphs
from toolgauge.cli.running import GOOD
from toolgauge.cli.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules import Applied, Rule, Target


def explain(
    *,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="A rule's code or name.")],
    shape: OutputFormat = Format.TEXT,
) -> int:
    """Explain a rule: why it is there, what to do, and which targets apply it."""
    from toolgauge.rules import targets

    found = _find(rule)
    users = [
        (target, applied)
        for target in targets().values()
        for applied in target.applied
        if applied.rule.code == found.code
    ]
    if shape is Format.JSON:
        say_json(_to_json(found, users))
    else:
        say_paragraphs(_paragraphs(found, users))
    return GOOD


COMMAND = Command(
    run=explain,
    rank=140,
    examples="""\
  toolgauge explain TG103
  toolgauge explain overlong-tool-name --format json
""",
)


def _find(word: str) -> Rule:
    """Return a rule by code or name."""
    from toolgauge.rules import rule_of, rules

    found = rule_of(word)
    if found is not None:
        return found
    words = [*rules(), *(each.code for each in rules().values())]
    lowered = word.strip().lower()
    near = get_close_matches(lowered, words, n=3) or get_close_matches(word.upper(), words, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else "docs/rules lists them"
    raise WrongUsage(f"there is no rule {word!r}; {hint}")


def _to_json(rule: Rule, users: list[tuple[Target, Applied]]) -> dict[str, Any]:
    from toolgauge.cli.reports.pages import applied_to_json, page_of

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
    from toolgauge.cli.reports.pages import AppliedRules, page_of

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
    written = AppliedRules()
    for target, applied in users:
        yield from written.paragraphs(target.name, applied, indent=2)
    yield from written.sources()
