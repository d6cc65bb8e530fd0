"""How long ``lower`` and ``restore`` take over real tools, for every target with passes.

    .venv/bin/python bench/lowering.py FOLDER

FOLDER holds tool lists as ``tools/list`` gives them. The table shows how many of
the tools each target takes afterwards.
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import json
import time
from typing import Any

from bench._table import print_table
from toolgauge.lowering import lower
from toolgauge.rules import check, targets


def measured(lists: list[list[dict[str, Any]]], target: str) -> list[str]:
    """Give one row of the table."""
    before = sum(_accepted(tools, target) for tools in lists)
    start = time.process_time()
    found = [lower(tools, target) for tools in lists]
    seconds = time.process_time() - start
    total = sum(map(len, lists))
    kept = sum(len(each.tools) for each in found)
    losses = [loss for each in found for loss in each.losses]
    row = [target, f"{100 * before / total:.1f} %", f"{100 * kept / total:.1f} %"]
    for kind in ("wider", "narrower", "reshaped", "hidden"):
        tools = {(loss.tool) for loss in losses if loss.kind == kind}
        row.append(f"{len(tools):,}")
    return [*row, f"{seconds:.2f} s"]


def _accepted(tools: list[dict[str, Any]], target: str) -> int:
    report = check(tools, [target])
    bad = {each.index for each in report.findings if each.severity == "error"} - {None}
    return len(tools) - len(bad)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    lists = [json.loads(path.read_text())["tools"] for path in sorted(folder.glob("*.json"))]
    lower(lists[0], "openai-strict")
    rows = [measured(lists, name) for name, target in targets().items() if target.passes]
    head = ["target", "before", "after", "wider", "narrower", "reshaped", "hidden", "time"]
    print(f"{sum(map(len, lists)):,} tools of {len(lists)} servers")
    print_table("tools that pass `check`, and losses by kind", head, rows)


if __name__ == "__main__":
    main()
