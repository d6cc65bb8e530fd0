"""What changed between two lists of tools, for people and for pull requests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from rich.text import Text

from toolgauge.cli.reports.drawing import draw, fix_lines, indented
from toolgauge.cli.reports.evidence import grouped_by
from toolgauge.cli.reports.markdown import code, prose
from toolgauge.cli.text import clipped, counted, visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from toolgauge.changes import Change, Changes, Severity

SEVERITIES: tuple[Severity, ...] = ("breaking", "unproven", "compatible", "notice")
"""The worst first."""

_SIGNS = {"breaking": "✗", "unproven": "?", "compatible": "✓", "notice": "i"}
_STYLES = {"breaking": "red", "unproven": "yellow", "compatible": "green", "notice": "cyan"}
_EMOJI = {"breaking": "❌", "unproven": "❔", "compatible": "✅", "notice": "ℹ️"}  # noqa: RUF001 - the sign for information

_MOST_WITNESS_CHARS = 400
_MOST_MARKDOWN_CHARS = 60_000
"""GitHub refuses a comment of more than 65,536 characters."""

_SAYS = {
    "input-narrowed": "old accepts, new refuses",
    "input-widened": "new accepts, old refuses",
    "output-widened": "new may give, old never gives",
    "output-schema-removed": "new may give, old never gives",
    "output-narrowed": "old may give, new never gives",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two lists of tools, and what differs.

    Attributes:
        old: What to call the old one.
        new: What to call the new one.
        changes: What differs.
    """

    old: str
    new: str
    changes: Changes

    def of_tools(self) -> Mapping[str, Sequence[Change]]:
        """Return the changes of each tool, the tool with the worst one first."""
        return grouped_by(self.changes.changes, lambda each: each.tool)


def to_text(compared: Compared, *, width: int = 80, color: bool = False) -> str:
    """Write everything, no line wider than ``width`` cells."""
    return draw(_parts(compared), width=width, color=color)


def to_markdown(compared: Compared) -> str:
    """Write a comment for a pull request: a table of tools, and each one's changes folded."""
    tools = compared.of_tools()
    head = [f"## {_code(compared.old)} → {_code(compared.new)}: {_numbers(compared.changes)}", ""]
    if tools:
        head += [f"| tool | {' | '.join(SEVERITIES)} |", f"|---|{'---:|' * len(SEVERITIES)}"]
    return _bounded(
        head,
        [_row(name, changes) for name, changes in tools.items()],
        ["\n".join(_details(name, changes)) for name, changes in tools.items()],
    )


def _parts(compared: Compared) -> Iterator[RenderableType]:
    names = f"{visible(compared.old)} → {visible(compared.new)}"
    yield Text(f"{names}: {_numbers(compared.changes)}", "bold")
    for tool, changes in compared.of_tools().items():
        yield Text()
        if tool:
            yield Text(visible(tool), "bold underline")
        for each in changes:
            yield from _change(each)


def _change(change: Change) -> Iterator[RenderableType]:
    """Write what happened, where, the proof, and what to do."""
    head = Text.assemble(
        (f"{_SIGNS[change.severity]} {change.severity} ", _STYLES[change.severity]),
        (change.kind, "bold"),
    )
    if change.path:
        head.append(f"  {visible(change.pointer)}", "cyan")
    yield indented(2, head)
    before, witness, after = _message_parts(change)
    yield indented(4, visible(before), (visible(witness), "bold"), visible(after))
    if change.has_witness and not witness:
        yield indented(4, f"{_says(change)}: {_witness(change)}")
    yield from fix_lines(change.fix)


def _numbers(changes: Changes) -> str:
    """Count in words."""
    counts = Counter(each.severity for each in changes.changes)
    words = [
        counted(counts[each], each) if each == "notice" else f"{counts[each]} {each}"
        for each in SEVERITIES
        if counts[each]
    ]
    return ", ".join(words) or "nothing changed"


def _message_parts(change: Change) -> tuple[str, str, str]:
    """Cut the message around the witness, where it quotes it: to print it once."""
    if change.has_witness:
        quoted = dump_json(change.witness).decode()
        before, found, after = change.message.partition(f": {quoted}")
        if found:
            return f"{before}: ", quoted, after
    return change.message, "", ""


def _says(change: Change) -> str:
    """Return the direction in which the witness is one."""
    return _SAYS.get(change.kind, "for example")


def _witness(change: Change) -> str:
    """Write the witness as compact JSON, cut where it is long."""
    return visible(clipped(dump_json(change.witness).decode(), _MOST_WITNESS_CHARS))


def _row(name: str, changes: Sequence[Change]) -> str:
    """Write a tool's line of the table."""
    counts = Counter(each.severity for each in changes)
    cells = [f"{_EMOJI[each]} {counts[each]}" if counts[each] else "" for each in SEVERITIES]
    return f"| {code(name) if name else '(schema)'} | {' | '.join(cells)} |"


def _details(name: str, changes: Sequence[Change]) -> Iterator[str]:
    """Write a tool's changes, folded away unless they hurt."""
    is_open = " open" if changes[0].severity in {"breaking", "unproven"} else ""
    title = escape(visible(name)) or "schema"
    yield f"<details{is_open}><summary><code>{title}</code></summary>"
    yield ""
    for each in changes:
        place = f" at {_code(each.pointer)}" if each.path else ""
        before, witness, after = _message_parts(each)
        message = prose(before) + (_code(witness) if witness else "") + prose(after)
        yield f"- {_EMOJI[each.severity]} **{each.kind}**{place}: {message}"
        if each.has_witness and not witness:
            yield f"  - {_says(each)}: {_code(_witness(each))}"
        if each.fix:
            yield f"  - → {prose(each.fix)}"
    yield ""
    yield "</details>"
    yield ""


def _code(text: str) -> str:
    """Write foreign text as a code span outside a table."""
    return code(text, in_table=False)


def _bounded(head: Sequence[str], rows: Sequence[str], details: Sequence[str]) -> str:
    """Join the parts, and leave the last ones out where a comment would be too long."""
    room = _MOST_MARKDOWN_CHARS - sum(map(len, head))
    shown_rows, room = _fitting(rows, room)
    shown_details, _ = _fitting(details, room)
    left = len(rows) - len(shown_rows), len(details) - len(shown_details)
    lines = [*head, *shown_rows, ""] if rows else [*head]
    lines += shown_details
    if any(left):
        what = f"{counted(left[0], 'more tool')} and the details of {left[1]} are left out"
        lines.append(f"{what}: a comment holds no more.")
    return "\n".join(lines).rstrip("\n") + "\n"


def _fitting(parts: Sequence[str], room: int) -> tuple[Sequence[str], int]:
    """Return the parts from the start that fit, and the room that is left."""
    for place, each in enumerate(parts):
        if len(each) + 1 > room:
            return parts[:place], 0
        room -= len(each) + 1
    return parts, room
