"""How long ``check`` takes over real tools and every target.

    .venv/bin/python bench/check.py FOLDER

FOLDER holds tool lists as ``tools/list`` gives them. The peer is the least that
any such check must do: parse each list and walk each schema once.
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import json
import statistics
import time
from typing import TYPE_CHECKING, Any

import orjson

from bench._table import print_table
from toolgauge.rules import check, targets

if TYPE_CHECKING:
    from collections.abc import Callable


def walk(value: Any) -> int:
    """Visit every member once."""
    if isinstance(value, dict):
        return 1 + sum(walk(each) for each in value.values())
    if isinstance(value, list):
        return 1 + sum(walk(each) for each in value)
    return 1


def timed(work: Callable[[], object], repeats: int) -> float:
    """Give the median seconds of CPU."""
    work()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    texts = [path.read_bytes() for path in sorted(options.folder.glob("*.json"))]
    lists = [orjson.loads(text)["tools"] for text in texts]
    count = sum(map(len, lists))
    floor = timed(lambda: [walk(orjson.loads(text)) for text in texts], options.repeats)
    every = timed(lambda: [check(tools) for tools in lists], options.repeats)
    one = timed(lambda: [check(tools, ["openai"]) for tools in lists], options.repeats)
    rows = [
        ["parse and walk once", f"{floor:.3f}", f"{floor / count * 1e6:.0f}", "1.0×"],
        ["check, one target", f"{one:.3f}", f"{one / count * 1e6:.0f}", f"{one / floor:.1f}×"],
        [
            f"check, all {len(targets())} targets",
            f"{every:.3f}",
            f"{every / count * 1e6:.0f}",
            f"{every / floor:.1f}×",
        ],
    ]
    title = f"{count} tools in {len(texts)} lists, {sum(map(len, texts)):,} bytes"
    print_table(title, ["work", "s of CPU", "µs a tool", "ratio"], rows)
    verdict = "met" if every < 2 else "MISSED"
    print(f"\nall targets in under 2 s: {verdict}")
    if options.json:
        figures = {"tools": count, "floor_s": floor, "one_s": one, "all_s": every}
        options.json.write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
