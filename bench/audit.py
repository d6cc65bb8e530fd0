"""An audit of generated calls against reading and parsing the same file with ``orjson`` alone.

python bench/audit.py [--quick] [--rows N] [--rounds N] [--json FILE] [--keep FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Any

import orjson

from bench import _table
from toolgauge.auditing import Contracts, Job, RowReader, audit, find_inputs
from toolgauge.auditing.engines.local import local_engine
from toolgauge.auditing.rows import sniff_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = 50
BOUNDS = {2: 2.2, 10: 3.0, 50: 5.0}
MEMORY_MB = 400


def tools() -> list[dict[str, Any]]:
    """Fifty tools with the keywords that nearly all tools use.

    Of 1,852 tools of real servers 6 % have a pattern; here each has one, on a member
    that some calls have.
    """
    made: list[dict[str, Any]] = []
    for number in range(TOOLS):
        properties: dict[str, Any] = {
            "query": {"type": "string", "minLength": 1, "maxLength": 500},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "language": {"type": "string", "enum": ["en", "de", "fr", "es", "ja"]},
            "include_archived": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 40},
            "filters": {
                "type": "object",
                "properties": {
                    "since": {"type": "string"},
                    "score": {"type": "number", "minimum": 0, "maximum": 1},
                    "owner": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
                "required": ["since"],
                "additionalProperties": False,
            },
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": {"type": "string"},
                        "quantity": {"type": "integer", "minimum": 1},
                        "price": {"type": "number", "exclusiveMinimum": 0},
                    },
                    "required": ["sku", "quantity"],
                    "additionalProperties": False,
                },
            },
            "order": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
            f"option_{number}": {"type": "integer"},
        }
        schema = {
            "type": "object",
            "properties": properties,
            "required": ["query", "filters"],
            "additionalProperties": False,
        }
        made.append({"name": f"search_{number:02d}", "inputSchema": schema})
    return made


def spoil(arguments: dict[str, Any], chance: random.Random) -> None:
    """Break a call in one of the ways that models break them."""
    kind = chance.randrange(6)
    if kind == 0:
        arguments["limit"] = str(arguments["limit"])
    elif kind == 1:
        del arguments["query"]
    elif kind == 2:
        arguments["language"] = "english"
    elif kind == 3:
        arguments["max_results"] = 5
    elif kind == 4:
        arguments["filters"]["score"] = 7
    else:
        arguments["tags"][-1] = 9


def generate(path: Path, rows: int, percent: int, *, is_large: bool) -> None:
    """Write calls, the same each time."""
    chance = random.Random(rows * 100 + percent)
    with path.open("wb") as file:
        lines: list[bytes] = []
        for number in range(rows):
            arguments: dict[str, Any] = {
                "query": f"orders of customer {chance.randrange(10**6)}",
                "limit": chance.randrange(1, 100),
                "language": chance.choice(["en", "de", "fr"]),
                "include_archived": chance.random() < 0.5,
                "tags": ["blue", "small", str(chance.randrange(100))],
                "filters": {"since": "2026-03-01", "score": round(chance.random(), 3)},
            }
            if chance.random() < 0.06:
                arguments["order"] = f"ABC-{chance.randrange(1000, 9999)}"
            if is_large:
                arguments["items"] = [
                    {"sku": f"ABC-{chance.randrange(1000, 9999)}", "quantity": 3, "price": 9.5}
                    for _ in range(36)
                ]
            if chance.randrange(100) < percent:
                spoil(arguments, chance)
            tool = f"search_{chance.randrange(TOOLS):02d}"
            row = {
                "time": f"2026-03-{number % 28 + 1:02d}T12:30:{number % 60:02d}Z",
                "session": f"s-{number:08d}",
                "tool": tool,
                "arguments": arguments,
            }
            lines.append(orjson.dumps(row))
            if len(lines) == 10_000:
                file.write(b"\n".join(lines) + b"\n")
                lines.clear()
        file.write(b"".join(line + b"\n" for line in lines))


def parse(path: Path) -> int:
    """Read the file, and parse every line."""
    loads, rows = orjson.loads, 0
    with path.open("rb") as file:
        for line in file:
            loads(line)
            rows += 1
    return rows


def run(path: Path, workers: int, output: Path | None) -> tuple[int, int]:
    """Audit the file; give rows and failures."""
    inputs = find_inputs([str(path)])
    job = Job(
        contracts=Contracts(tools()),
        rows=RowReader(keys=sniff_inputs(inputs)),
        output=None if output is None else str(output),
    )
    found = audit(inputs, job, engine=local_engine(workers), overwrite=True)
    return found.tally.rows, found.tally.failures


def timed(work: Callable[[], object]) -> float:
    """Give CPU time of this process and its children, in seconds."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


def measure(path: Path, rounds: int, scratch: Path) -> dict[str, float]:
    """Time all in turn; the median of each."""
    times: dict[str, list[float]] = {"parse": [], "count": [], "write": [], "one": [], "two": []}
    for _ in range(rounds):
        times["parse"].append(timed(lambda: parse(path)))
        times["count"].append(timed(lambda: run(path, 1, None)))
        times["write"].append(timed(lambda: run(path, 1, scratch / "write")))
        for name, workers in (("one", 1), ("two", 2)):
            output = scratch / name
            times[name].append(alone("report_wall", path, workers, output))
            shutil.rmtree(output)
    return {name: statistics.median(values) for name, values in times.items()}


def alone(report: str, *arguments: object) -> float:
    """Give what a function of this file prints in a process of its own, as users have it."""
    words = ", ".join(repr(str(each) if isinstance(each, Path) else each) for each in arguments)
    done = subprocess.run(
        [sys.executable, "-c", f"from bench import audit; audit.{report}({words})"],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    return float(done.stdout)


def report_peak(path: str) -> None:
    run(Path(path), 1, None)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def report_wall(path: str, workers: int, output: str) -> None:
    began = time.perf_counter()
    run(Path(path), workers, Path(output))
    print(time.perf_counter() - began)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="only show that it runs")
    options.add_argument("--rows", type=int, default=1_000_000, help="a fifth as many large ones")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path)
    options.add_argument("--keep", type=Path, help="keep the generated calls in a folder")
    given = options.parse_args()
    small, large = (20_000, 2_000) if given.quick else (given.rows, given.rows // 5)
    rounds = 1 if given.quick else given.rounds
    print(_table.machine(["toolgauge", "orjson", "jsonschema-rs", "pyarrow"]))
    with tempfile.TemporaryDirectory() as name:
        scratch, folder = Path(name), given.keep or Path(name)
        cases = [_case(folder, scratch, small, each, rounds, is_large=False) for each in BOUNDS]
        cases.append(_case(folder, scratch, large, 10, rounds, is_large=True))
    _print(cases)
    report = {"machine": _table.machine(["toolgauge"]), "cases": cases, "targets": _targets(cases)}
    _table.print_targets(report["targets"])
    print(f"\nload average {_table.load_average()}")
    _table.write_json(given.json, report)


def _case(  # noqa: PLR0913 - what makes a case
    folder: Path, scratch: Path, rows: int, percent: int, rounds: int, *, is_large: bool
) -> dict[str, Any]:
    path = folder / f"calls-{rows}-{percent}{'-large' if is_large else ''}.jsonl"
    if not path.exists():
        generate(path, rows, percent, is_large=is_large)
    found, failures = run(path, 1, None)
    assert found == rows == parse(path)
    assert abs(failures / rows - percent / 100) < 0.02
    return {
        "rows": rows,
        "bytes": path.stat().st_size // rows,
        "percent": percent,
        "seconds": measure(path, rounds, scratch),
        "peak_mb": alone("report_peak", path),
    }


def _print(cases: list[dict[str, Any]]) -> None:
    rows = []
    for case in cases:
        seconds = case["seconds"]
        rows.append(
            (
                f"{case['rows']:,} × {case['bytes']} B, {case['percent']} % invalid",
                f"{1e6 * seconds['parse'] / case['rows']:.2f}",
                f"{1e6 * seconds['count'] / case['rows']:.2f}",
                f"{1e6 * seconds['write'] / case['rows']:.2f}",
                _table.ratio(seconds["count"] / seconds["parse"]),
                _table.ratio(seconds["write"] / seconds["parse"]),
                _table.ratio(seconds["one"] / seconds["two"]),
                f"{case['peak_mb']:.0f}",
            )
        )
    header = ("calls", "parse", "count", "write", "count/parse", "write/parse", "1 → 2", "MB")
    _table.print_table("µs of CPU per row, and what two workers give", header, rows)


def _targets(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    targets = []
    for case in cases:
        seconds, size = case["seconds"], f"{case['bytes']} B, {case['percent']} % invalid"
        bound = BOUNDS[case["percent"]]
        value = seconds["count"] / seconds["parse"]
        targets.append(_table.target(f"audit / parse, {size}", value, bound, at_least=False))
    gain = min(case["seconds"]["one"] / case["seconds"]["two"] for case in cases)
    targets.append(_table.target("two workers / one", gain, 1.8, at_least=True))
    peak = max(case["peak_mb"] for case in cases)
    targets.append(_table.target("peak memory in MB", peak, MEMORY_MB, at_least=False))
    return targets


if __name__ == "__main__":
    main()
