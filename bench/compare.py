"""How long ``compare`` takes over two lists of 1,000 real tools.

    .venv/bin/python bench/compare.py FOLDER

FOLDER holds tool lists as ``tools/list`` gives them. The new list is the old one with
one keyword of a tool's input schema changed at random: in no tool, in each tenth, in
all of them. The peer is the least that any comparison must do: write both lists.
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import json
import random
import time
from typing import Any

import orjson

from bench._table import print_table
from tests.changes.mutations import mutated
from toolgauge.changes import compare


def lists(tools: list[dict[str, Any]], every: int) -> list[dict[str, Any]]:
    """Change each n-th tool."""
    chance = random.Random(1)
    return [
        {**tool, "inputSchema": mutated(tool["inputSchema"], chance)[0]}
        if every and place % every == 0
        else tool
        for place, tool in enumerate(tools)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tools", type=int, default=1_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    texts = [path.read_bytes() for path in sorted(options.folder.glob("*.json"))]
    found = [tool for text in texts for tool in orjson.loads(text)["tools"]]
    random.Random(7).shuffle(found)
    old = [{**tool, "name": f"{place}"} for place, tool in enumerate(found[: options.tools])]
    start = time.process_time()
    floor_bytes = len(orjson.dumps(old)) * 2
    floor = max(time.process_time() - start, 1e-6) * 2
    rows, figures = [], {"tools": len(old), "floor_s": floor}
    for words, every in (("none", 0), ("each tenth", 10), ("all", 1)):
        new = orjson.loads(orjson.dumps(lists(old, every)))
        start = time.process_time()
        changes = compare(old, new)
        seconds = time.process_time() - start
        counts = changes.to_json()["counts"]
        figures[f"{words}_s"] = seconds
        figures[f"{words}_unproven"] = counts["unproven"]
        rows.append(
            [words, f"{seconds:.2f}", f"{seconds / floor:,.0f}×"]
            + [str(counts[each]) for each in ("breaking", "unproven", "compatible")]
        )
    header = ["tools changed", "s of CPU", "ratio to writing", "breaking", "unproven", "compatible"]
    print_table(f"{len(old)} tools against {len(old)}, {floor_bytes:,} bytes", header, rows)
    verdict = "met" if figures["all_s"] < 5 else "MISSED"
    print(f"\ntwo lists of 1,000 tools in under 5 s, all of them changed: {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
