"""What became of lowered tools, for people: losses, what restores them, and rejected tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from toolgauge.cli.reports.drawing import draw, fix_lines, indented
from toolgauge.cli.reports.evidence import grouped_by
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from toolgauge.lowering import Loss, Lowered

_SECTIONS = {
    "lost": ("no longer enforced or possible", "red"),
    "hidden": ("no longer shown to the model", "yellow"),
    "gate": ("made good by the gate, which checks the restored call", "cyan"),
    "restore": ("made good by restore", "green"),
}
"""The headings of losses, by what restores them; the worst first."""

_MOST_LOSSES = 8
_MOST_REFUSED = 20


def to_text(lowered: Lowered, label: str, *, width: int = 80, color: bool = False) -> str:
    """Write the summary, no line wider than ``width`` cells."""
    return draw(_parts(lowered, label), width=width, color=color)


def _parts(lowered: Lowered, label: str) -> Iterator[RenderableType]:
    """Write the headline, the losses by what restores them, and the rejected tools."""
    done, refused = len(lowered.tools), lowered.refused
    total = counted(done + len(refused), "tool")
    yield Text(f"lowered {done} of {total} of {visible(label)} for {lowered.target}", "bold")
    for section, (title, style) in _SECTIONS.items():
        losses = [each for each in lowered.losses if _section(each) == section]
        if losses:
            yield Text(f"{title}: {counted(len(losses), 'place')}", style)
            yield from _losses(losses)
    if refused:
        yield Text(f"refused: {counted(len(refused), 'tool')}", "red")
    for each in refused[:_MOST_REFUSED]:
        yield indented(2, (visible(each.tool), "bold"), f": {visible(each.reason)}")
        yield from fix_lines(each.fix)
    yield from _more(len(refused) - _MOST_REFUSED, "tool")


def _section(loss: Loss) -> str:
    """Return the section of a loss."""
    return loss.made_good_by or ("hidden" if loss.kind == "hidden" else "lost")


def _losses(losses: Sequence[Loss]) -> Iterator[RenderableType]:
    """Write each loss once, the most frequent first, with an example."""
    groups = grouped_by(losses, lambda each: each.what)
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    for what, places in ranked[:_MOST_LOSSES]:
        first = places[0]
        place = visible(f"{first.tool} {first.pointer}".strip())
        tools = len({each.tool for each in places})
        more = len(places) - 1
        tail = f" and {more} more, in {counted(tools, 'tool')}" if more else ""
        yield indented(2, f"{visible(what)}: ", (place, "cyan"), tail)
    yield from _more(len(ranked) - _MOST_LOSSES, "kind of loss", "kinds of loss")


def _more(number: int, noun: str, nouns: str = "") -> Iterator[RenderableType]:
    """Write how much is left out, and where it is."""
    if number > 0:
        what = nouns if nouns and number > 1 else noun
        what = f"{number} more {what}" if nouns else counted(number, f"more {noun}")
        yield indented(2, (f"and {what}; --format json has all", "dim"))
