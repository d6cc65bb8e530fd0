"""What every benchmark prints: the machine, a table that Markdown shows as one, ratios."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def machine(libraries: Sequence[str]) -> str:
    parts = [
        f"{os.cpu_count()} cores ({platform.system()} {platform.machine()})",
        f"Python {platform.python_version()}",
    ]
    return ", ".join(parts + [f"{each} {version_of(each)}" for each in libraries])


def version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def load_average() -> str:
    return " ".join(f"{each:.2f}" for each in os.getloadavg())


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: text left, figures right, title above."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = [
        "-" * width if place == 0 else "-" * (width - 1) + ":" for place, width in enumerate(widths)
    ]
    print(f"\n**{title}**\n")
    for row in (header, rule, *rows):
        cells = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print(f"| {' | '.join(cells)} |", flush=True)


def ratio(value: float) -> str:
    """Write a ratio with as many digits as mean something."""
    if value >= 100:
        return f"{value:,.0f}×"
    return f"{value:.1f}×" if value >= 10 else f"{value:.2f}×"


def target(name: str, value: float, bound: float, *, at_least: bool) -> dict[str, Any]:
    """Hold a measured ratio against a target of design.md."""
    is_met = value >= bound if at_least else value <= bound
    return {"name": name, "value": value, "bound": bound, "at_least": at_least, "is_met": is_met}


def print_targets(targets: Sequence[dict[str, Any]]) -> None:
    print_table(
        "Targets (the worst case of each)",
        ("target", "bound", "measured", ""),
        [
            (
                each["name"],
                f"{'≥' if each['at_least'] else '≤'} {ratio(each['bound'])}",
                ratio(each["value"]),
                "met" if each["is_met"] else "MISSED",
            )
            for each in targets
        ],
    )


def write_json(path: Path | None, report: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
