"""``toolgauge targets``: who can be asked, and what each of them rejects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.options import Format, OutputFormat
from toolgauge.cli.output import Paragraph, say, say_json, say_paragraphs, say_table, terminal_width
from toolgauge.cli.running import GOOD
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.rules import Target

_PIPED_WIDTH = 160


def list_targets(
    *,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A target or a group.")
    ] = None,
    shape: OutputFormat = Format.TEXT,
) -> int:
    """List the targets, or show one with its limits and where each is written."""
    from toolgauge.rules import UnknownTarget, select

    try:
        found = select([name or "all"])
    except UnknownTarget as error:
        raise WrongUsage(str(error)) from error
    if shape is Format.JSON:
        say_json({"targets": [_to_json(each) for each in found]})
    elif len(found) == 1 and name is not None:
        say_paragraphs(_page(found[0]))
    else:
        _write_table(found)
    return GOOD


COMMAND = Command(
    run=list_targets,
    rank=150,
    examples="""\
  toolgauge targets
  toolgauge targets openai-strict
  toolgauge targets clients --format json
""",
)


def _to_json(target: Target) -> dict[str, Any]:
    from toolgauge.cli.reports.pages import applied_to_json

    return {
        "name": target.name,
        "title": target.title,
        "summary": target.summary,
        "groups": list(target.groups),
        "rules": [applied_to_json(each) for each in target.applied],
        "unchecked": dict(target.unchecked),
    }


def _page(target: Target) -> Iterator[Paragraph]:
    """Write one target for people."""
    from toolgauge.cli.reports.pages import AppliedRules

    yield Paragraph(f"{target.name}: {target.title}")
    yield Paragraph(f"groups: {', '.join(target.groups)}")
    yield Paragraph("")
    yield Paragraph(" ".join(target.summary.split()))
    yield Paragraph("")
    written = AppliedRules()
    for applied in target.applied:
        yield from written.paragraphs(f"{applied.rule.code} {applied.rule.name}", applied)
    if target.unchecked:
        yield Paragraph("")
        yield Paragraph("Not visible in a definition")
        yield from (Paragraph(f"{key}: {why}", 2) for key, why in target.unchecked.items())
    yield from written.sources()


def _write_table(found: Sequence[Target]) -> None:
    """Draw a line for each target."""
    from rich.table import Table
    from rich.text import Text

    total = terminal_width() or _PIPED_WIDTH
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    names = min(max(len(each.name) for each in found), total * 2 // 5)
    groups = max(total // 6, 9)
    table.add_column("target", width=names, overflow="fold")
    table.add_column("groups", width=groups, overflow="fold")
    table.add_column("errors", justify="right", width=6)
    table.add_column("warnings", justify="right", width=8)
    rest = total - names - groups - 6 - 8 - 2 * 5
    table.add_column("what it is", width=max(rest, 6), overflow="ellipsis", no_wrap=True)
    for each in found:
        severities = Counter(applied.severity for applied in each.applied)
        row = (
            each.name,
            ", ".join(each.groups),
            str(severities["error"]),
            str(severities["warning"]),
            visible(each.title),
        )
        table.add_row(*map(Text, row))
    say_table(table, total)
    say(counted(len(found), "target"))
