"""One value against one compiled schema, in process: ours and three libraries.

python bench/validate.py [--quick] [--repeats N] [--json FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import math
import statistics
import time
import timeit
from typing import TYPE_CHECKING, Any

import fastjsonschema
import jsonschema
import jsonschema_rs

from bench import _schemas, _table
from toolgauge.contract import DEFAULT_BOUNDS, compile_schema
from toolgauge.contract.jsontext import bounded_size

if TYPE_CHECKING:
    from collections.abc import Callable

_DEPTH = DEFAULT_BOUNDS.max_instance_depth


def contenders(schema: dict[str, Any], *, is_valid: bool) -> dict[str, Callable[..., object]]:
    """Give one function per library, compiled, with what each can say of a value.

    Valid values get a verdict; invalid ones get reasons from those that list
    them (ours, ``jsonschema``), the first from ``fastjsonschema``, and none from
    ``jsonschema-rs``, whose verdict alone is the floor.
    """
    reference = jsonschema.Draft202012Validator(schema)
    quick = fastjsonschema.compile(schema, use_default=False)

    def refused(value: Any) -> object:
        try:
            return quick(value)
        except fastjsonschema.JsonSchemaValueException as error:
            return error

    return {
        "ours": compile_schema(schema).issues,
        "rs": jsonschema_rs.Draft202012Validator(schema).is_valid,
        "depth": bounded_size,
        "jsonschema": reference.is_valid if is_valid else lambda v: list(reference.iter_errors(v)),
        "fastjsonschema": quick if is_valid else refused,
    }


def check(case: _schemas.Case) -> None:
    """Make sure that all of them agree before anything is measured."""
    for value, is_valid in ((case.valid, True), (case.invalid, False)):
        found = contenders(case.schema, is_valid=is_valid)
        refusal = isinstance(found["fastjsonschema"](value), fastjsonschema.JsonSchemaException)
        verdicts = {
            "ours": not found["ours"](value),
            "rs": found["rs"](value),
            "jsonschema": jsonschema.Draft202012Validator(case.schema).is_valid(value),
            "fastjsonschema": not refusal,
        }
        assert set(verdicts.values()) == {is_valid}, f"{case.kind}: {verdicts}"


def measure(case: _schemas.Case, *, is_valid: bool, repeats: int, slice_s: float) -> dict[str, Any]:
    """Time all in turn, ``repeats`` times; the collector is off inside a repeat."""
    value = case.valid if is_valid else case.invalid
    calls = contenders(case.schema, is_valid=is_valid)
    # CPU time, which a busy machine disturbs less than the clock on the wall.
    timers = {
        name: timeit.Timer(
            "call(value, levels)" if name == "depth" else "call(value)",
            timer=time.process_time,
            globals={"call": call, "value": value, "levels": _DEPTH},
        )
        for name, call in calls.items()
    }
    numbers = {name: rounds_in(slice_s, timer) for name, timer in timers.items()}
    runs = [
        {name: timer.timeit(numbers[name]) / numbers[name] for name, timer in timers.items()}
        for _ in range(repeats)
    ]

    def ratio(over: str, under: str) -> float:
        return statistics.median(each[over] / each[under] for each in runs)

    seconds = {name: statistics.median(each[name] for each in runs) for name in timers}
    return {
        "kind": case.kind,
        "is_valid": is_valid,
        "seconds": seconds,
        "ratios": {
            "ours/rs": ratio("ours", "rs"),
            "(ours-depth)/rs": statistics.median(
                (each["ours"] - each["depth"]) / each["rs"] for each in runs
            ),
            "jsonschema/ours": ratio("jsonschema", "ours"),
            "fastjsonschema/ours": ratio("fastjsonschema", "ours"),
        },
    }


def rounds_in(slice_s: float, timer: timeit.Timer) -> int:
    """Find how many calls fill so many seconds, as ``timeit`` does."""
    number = 1
    while (taken := timer.timeit(number)) < slice_s / 4:
        number *= 4
    return max(1, math.ceil(number * slice_s / taken)) if taken < slice_s else number


def print_results(results: list[dict[str, Any]], *, is_valid: bool) -> None:
    what = "Valid values" if is_valid else "Invalid values (ours and jsonschema list every reason)"
    _table.print_table(
        f"{what}, µs of CPU (medians) and ratios",
        (
            "schema",
            "ours",
            "of it depth",
            "jsonschema-rs",
            "fastjsonschema",
            "jsonschema",
            "ours/rs",
            "(ours-depth)/rs",
            "fast/ours",
            "jsonschema/ours",
        ),
        [
            (
                each["kind"],
                *(
                    f"{each['seconds'][name] * 1e6:,.2f}"
                    for name in ("ours", "depth", "rs", "fastjsonschema", "jsonschema")
                ),
                *(
                    _table.ratio(each["ratios"][name])
                    for name in (
                        "ours/rs",
                        "(ours-depth)/rs",
                        "fastjsonschema/ours",
                        "jsonschema/ours",
                    )
                ),
            )
            for each in results
            if each["is_valid"] is is_valid
        ],
    )


def targets_of(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    accepted = [each["ratios"] for each in results if each["is_valid"]]
    refused = [each["ratios"]["jsonschema/ours"] for each in results if not each["is_valid"]]
    return [
        _table.target(
            "valid values, (ours-depth)/jsonschema-rs",
            max(each["(ours-depth)/rs"] for each in accepted),
            1.3,
            at_least=False,
        ),
        _table.target(
            "valid values, jsonschema/ours",
            min(each["jsonschema/ours"] for each in accepted),
            50,
            at_least=True,
        ),
        _table.target(
            "invalid values, jsonschema/ours: the worst", min(refused), 25, at_least=True
        ),
        _table.target(
            "invalid values, jsonschema/ours: the median",
            statistics.median(refused),
            25,
            at_least=True,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05, help="per library and repeat")
    parser.add_argument("--quick", action="store_true", help="two short repeats: does it run?")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure here")
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds = 2, 0.001
    machine = _table.machine(("toolgauge", "jsonschema-rs", "fastjsonschema", "jsonschema"))
    print(machine)
    print(f"{options.repeats} repeats, interleaved; load average {_table.load_average()}")
    cases = _schemas.cases()
    for case in cases:
        check(case)
    results = [
        measure(case, is_valid=is_valid, repeats=options.repeats, slice_s=options.seconds)
        for is_valid in (True, False)
        for case in cases
    ]
    for is_valid in (True, False):
        print_results(results, is_valid=is_valid)
    targets = targets_of(results)
    _table.print_targets(targets)
    print(f"\nload average at the end: {_table.load_average()}")
    _table.write_json(options.json, {"machine": machine, "results": results, "targets": targets})


if __name__ == "__main__":
    main()
