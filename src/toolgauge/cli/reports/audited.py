"""What an audit found, as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from toolgauge.auditing import GOOD, Verdict
from toolgauge.auditing.files import shown_name
from toolgauge.cli.reports.drawing import draw
from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from toolgauge.auditing import Audit, Tally

_MOST_KINDS = 20
_MOST_TOOLS = 10
_MAX_EXAMPLE_CHARS = 400

_WORDS = {
    Verdict.VALID: "valid",
    Verdict.INVALID: "break their contract",
    Verdict.UNKNOWN_TOOL: "name an unknown tool",
    Verdict.BROKEN_CONTRACT: "have a contract that is broken itself",
    Verdict.UNPARSABLE_ARGUMENTS: "have arguments that are not JSON",
    Verdict.WRONG_SHAPE: "have arguments that are no object",
    Verdict.UNPARSABLE_ROW: "stand in rows that are not JSON",
    Verdict.MALFORMED_CALL: "are not calls",
    Verdict.NO_CALL: "rows hold no call",
}


def to_text(found: Audit, *, width: int, color: bool) -> str:
    """Write the summary for people.

    Lines with a file and a line number are never broken: editors and ``grep`` read them.
    """
    tally = found.tally
    examples = "".join(f"{each}\n" for each in _examples(tally)) if tally.kinds else ""
    counts = draw(_counts(tally), width=width, color=color)
    return counts + examples + draw(_remarks(found), width=width, color=color)


def _counts(tally: Tally) -> Iterator[RenderableType]:
    yield Text(_headline(tally), style="bold")
    for verdict in Verdict:
        number = tally.verdicts[verdict]
        if number:
            style = "" if verdict in GOOD else "red"
            share = 100 * number / max(sum(tally.verdicts.values()), 1)
            yield Text(f"  {number:>12,}  {share:5.1f} %  {_WORDS[verdict]}", style=style)
    if tally.kinds:
        yield _kinds(tally)


def _remarks(found: Audit) -> Iterator[RenderableType]:
    tally = found.tally
    for note, number in tally.notes.most_common(_MOST_KINDS):
        yield Text(f"note: {visible(note)} (× {number:,})", style="yellow")
    for mapping, number in tally.mappings.most_common(_MOST_KINDS):
        yield Text(f"mapped: {visible(mapping)} (× {number:,})", style="dim")
    if found.output is not None:
        yield Text(
            f"report.html, summary.json and the records are in {visible(shown_name(found.output))}"
        )


def _headline(tally: Tally) -> str:
    rows, calls = f"{tally.rows:,} rows", f"{tally.calls:,} calls"
    verdict = f"{tally.failures:,} failed" if tally.failures else "all kept their contracts"
    return f"{rows}, {calls}: {verdict}"


def _kinds(tally: Tally) -> Table:
    """Draw the kinds of failure, the most frequent first."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("calls", justify="right", no_wrap=True)
    for name in ("tool", "what", "where"):
        table.add_column(name, overflow="fold")
    for (tool, verdict, keyword, path), number in tally.kinds.most_common(_MOST_KINDS):
        what = keyword if verdict == Verdict.INVALID else verdict.replace("_", " ")
        table.add_row(f"{number:,}", visible(tool) or "–", visible(what), visible(path) or "/")
    if len(tally.kinds) > _MOST_KINDS:
        table.add_row("", f"and {len(tally.kinds) - _MOST_KINDS:,} more kinds", "", "")
    return table


def _examples(tally: Tally) -> Iterator[str]:
    """Yield the first example of the most frequent kinds."""
    for key, _ in tally.kinds.most_common(_MOST_TOOLS):
        kept = next(iter(tally.examples.get(key, ())), None)
        if kept is None:
            continue
        example = kept.to_json()
        words = example["errors"][0]["message"] if example["errors"] else ""
        for error in example["errors"]:
            if error["path"] == example["at"]:
                words = error["message"]
                break
        text = visible(f"{example['file']}:{example['line']}: {words}")
        yield text if len(text) <= _MAX_EXAMPLE_CHARS else f"{text[:_MAX_EXAMPLE_CHARS]}…"
