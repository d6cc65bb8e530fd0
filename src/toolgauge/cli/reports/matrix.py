"""Who takes which tools: a line for each target, then tools against targets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from string import ascii_letters
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolgauge.cli.reports.evidence import TOOLS_LIST
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from toolgauge.rules import Report, Verdict

REFUSED, WARNED, CLEAN = "refused", "warned", "clean"
SIGNS = {REFUSED: "✗", WARNED: "!", CLEAN: "·"}
STYLES = {REFUSED: "red", WARNED: "yellow", CLEAN: "green"}
_BLOCKS = {REFUSED: "█", WARNED: "▒", CLEAN: "░"}
_MOST_ROWS = 40
_BAR_CELLS = 30
_NUMBERS_CELLS = 32


@dataclass(frozen=True, slots=True)
class Column:
    """A target, and what it says of each tool; ``None`` is the whole list."""

    verdict: Verdict
    key: str
    states: Mapping[int | None, str]

    @property
    def name(self) -> str:
        """The target's name."""
        return self.verdict.target.name

    @property
    def warned(self) -> int:
        """How many tools it accepts with warnings."""
        return sum(state == WARNED for tool, state in self.states.items() if tool is not None)


@dataclass(frozen=True, slots=True)
class Row:
    """A tool, or several alike, and what each column says of it."""

    title: str
    states: tuple[str, ...]


def columns_of(report: Report) -> list[Column]:
    """Return the targets, those that reject most first."""
    states: dict[str, dict[int | None, str]] = {}
    for each in report.findings:
        own = states.setdefault(each.target, {})
        if each.severity == "error":
            own[each.index] = REFUSED
        elif each.severity == "warning":
            own.setdefault(each.index, WARNED)
    found = [Column(each, "", states.get(each.target.name, {})) for each in report.verdicts]
    found.sort(key=lambda each: (-each.verdict.refused, -each.warned, each.name))
    keys = [*ascii_letters, *map(str, range(len(found)))]
    return [Column(each.verdict, keys[i], each.states) for i, each in enumerate(found)]


def render_matrix(report: Report, width: int) -> Iterator[RenderableType]:
    """Draw both parts; no line is wider than ``width`` cells."""
    columns = columns_of(report)
    verdicts = Counter(each.verdict for each in report.verdicts)
    refusing = [each for each in columns if each.verdict.verdict == REFUSED]
    warning = [each for each in columns if each.verdict.verdict == "accepted-with-warnings"]
    accepting = [each for each in columns if each.verdict.verdict == "accepted"]
    rows = _rows(report, refusing)
    names = _names_cells(rows, width)
    # The names of targets stand above their columns where they fit.
    has_keys = names + sum(len(each.name) + 2 for each in refusing) > width
    if refusing or warning:
        yield _lines([*refusing, *warning], width, has_keys=has_keys and len(refusing) > 1)
    if accepting:
        if refusing or warning:
            yield Text()
        yield Text.assemble((f"accepted by {counted(verdicts['accepted'], 'target')}: ", "green"))
        yield Padding(Text(", ".join(each.name for each in accepting)), (0, 0, 0, 2))
    if refusing:
        yield Text()
        yield from _grid(rows, refusing, width, names, has_keys=has_keys)
        yield from _legend(report, refusing)


def _lines(columns: Sequence[Column], width: int, *, has_keys: bool) -> Table:
    """Draw a line for each target: numbers and a bar."""
    names = max(cell_len(each.name) for each in columns)
    bar = min(_BAR_CELLS, width - names - _NUMBERS_CELLS - 2 * has_keys)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    if has_keys:
        table.add_column("")
    table.add_column("target", overflow="fold", header_style="bold")
    for title in ("refused", "warned", "accepted"):
        table.add_column(
            title, justify="right", no_wrap=True, header_style="bold", min_width=len(title)
        )
    if bar > 0:
        table.add_column("", no_wrap=True)
    for each in columns:
        verdict = each.verdict
        row = [
            Text(each.name),
            _number(verdict.refused, "red"),
            _number(each.warned, "yellow"),
            _number(verdict.tools - verdict.refused, "green"),
        ]
        keyed = [Text(each.key, "bold")] if has_keys and verdict.verdict == REFUSED else []
        blank = [Text()] if has_keys and not keyed else []
        table.add_row(*keyed, *blank, *row, *([_bar(each, bar)] if bar > 0 else []))
    return table


def _number(number: int, style: str) -> Text:
    return Text(str(number), style if number else "dim")


def _bar(column: Column, cells: int) -> Text:
    """Draw the shares; whatever there is has at least one cell."""
    total, refused = column.verdict.tools, column.verdict.refused
    if not total:
        return Text()
    warned = min(column.warned, total - refused)
    counts = {REFUSED: refused, WARNED: warned, CLEAN: total - refused - warned}
    sizes = {kind: max(1, n * cells // total) if n else 0 for kind, n in counts.items()}
    sizes[max(counts, key=lambda kind: counts[kind])] += cells - sum(sizes.values())
    return Text.assemble(*((_BLOCKS[kind] * size, STYLES[kind]) for kind, size in sizes.items()))


def _names_cells(rows: Sequence[Row], width: int) -> int:
    """Return the cells for tools' names: what they need, up to two fifths."""
    return min(max((cell_len(row.title) for row in rows), default=0), width * 2 // 5)


def _grid(
    rows: Sequence[Row], columns: Sequence[Column], width: int, names: int, *, has_keys: bool
) -> Iterator[Table]:
    """Draw tools against the targets that refuse any, as many columns as fit at once."""
    most = len(columns) if not has_keys else max(1, (width - names - 2) // 2)
    for start in range(0, len(columns), most):
        part = columns[start : start + most]
        gap = 1 if has_keys else 2
        table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
        table.add_column("tool", width=names, overflow="fold", header_style="bold")
        for each in part:
            title = each.key if has_keys and len(columns) > 1 else each.name
            table.add_column(title, justify="center", no_wrap=True, header_style="bold")
        for row in rows:
            signs = row.states[start : start + most]
            table.add_row(Text(row.title), *(Text(SIGNS[each], STYLES[each]) for each in signs))
        yield table


def _legend(report: Report, columns: Sequence[Column]) -> Iterator[Text]:
    """Write how many tools are in no row, and what the signs mean."""
    rest = sum(
        all(each.states.get(index) != REFUSED for each in columns)
        for index in range(len(report.tools))
    )
    if rest:
        yield Text(f"{counted(rest, 'tool')} more: refused by none for its own sake", "dim")
    yield Text("✗ refused   ! warned of   · accepted", "dim")


def _rows(report: Report, columns: Sequence[Column]) -> list[Row]:
    """Return the tools that a target rejects; where they are many, those alike together."""
    every: list[tuple[int | None, str]] = [(None, TOOLS_LIST), *enumerate(report.tools)]
    rows = [
        Row(visible(name), states)
        for index, name in every
        if REFUSED in (states := tuple(each.states.get(index, CLEAN) for each in columns))
    ]
    if len(rows) <= _MOST_ROWS:
        return rows
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        alike.setdefault(row.states, []).append(row.title)
    return [
        Row(names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more", states)
        for states, names in alike.items()
    ]
