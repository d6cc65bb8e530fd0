"""A contract log for people: a table of tools, the causes of failures, a line per request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.cli.text import counted, visible
from toolgauge.envelope.summary import code_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.envelope.summary import LogSummary

_MOST_ROWS = 50
_MOST_ERRORS = 3
_DIGITS = ((1, 2), (100, 1))
_NUMBERS = ("p50", "p95", "p99", "max")


def summary_text(summary: LogSummary) -> str:
    """Write a whole summary; empty parts are left out."""
    found = summary.to_json()
    parts = [_headline(found)]
    if found["tools"]:
        rows = [
            (
                visible(each["tool"]),
                f"{each['calls']:,}",
                f"{each['failures']:,}",
                *(_ms(each["latencyMs"][name]) for name in _NUMBERS),
            )
            for each in found["tools"]
        ]
        parts.append(_table(("tool", "calls", "failed", *(f"{n} ms" for n in _NUMBERS)), rows))
    if found["causes"]:
        rows = [
            (
                visible(each["tool"]),
                visible(each["code"]),
                visible(each["keyword"] or "-"),
                f"{each['failures']:,}",
            )
            for each in found["causes"]
        ]
        parts.append(_table(("tool", "code", "keyword", "failed"), rows))
    return "\n\n".join(parts)


def live_line(record: Mapping[str, Any]) -> str:
    """Write one record on a line."""
    code = code_of(record)
    errors = record.get("errors")
    listed = [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
    places = [f"{each.get('path') or '/'} {each.get('keyword') or ''}" for each in listed]
    words = [
        record["ts"],
        f"{record['status']}",
        f"{record['durationMs']:.1f} ms",
        str(record.get("tool") or record.get("method") or "-"),
        code or "",
        ", ".join(each.strip() for each in places[:_MOST_ERRORS]),
    ]
    return visible("  ".join(word for word in words if word))


def _headline(found: Mapping[str, Any]) -> str:
    line = f"{counted(found['calls'], 'call')}, {found['failures']:,} failed"
    if found["calls"]:
        line += f" ({found['failures'] / found['calls']:.1%})"
        line += f", {visible(found['first'])} to {visible(found['last'])}"
    if found["unreadable"]:
        line += f"; {counted(found['unreadable'], 'line')} could not be read"
    return line


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Set rows in columns: names to the left, numbers to the right."""
    shown = [heads, *rows[:_MOST_ROWS]]
    widths = [max(len(row[column]) for row in shown) for column in range(len(heads))]
    numeric = [all(_is_number(row[column]) for row in rows) for column in range(len(heads))]
    lines = [
        "  ".join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in shown
    ]
    if len(rows) > _MOST_ROWS:
        lines.append(f"and {len(rows) - _MOST_ROWS} more; --format json has them all")
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").isdigit()


def _ms(duration_ms: float | None) -> str:
    """Write milliseconds, no more exactly than they are known."""
    if duration_ms is None:
        return "-"
    digits = next((digits for limit, digits in _DIGITS if duration_ms < limit), 0)
    return f"{duration_ms:,.{digits}f}"
