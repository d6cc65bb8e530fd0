"""Measures hostile schemas, each in a process of its own with a limit on CPU and memory.

The compiled engine holds the interpreter's lock: a thread could not end it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.contract.schema.hostile import CASES
from tests.cost import peak_kib
from toolgauge.contract import InvalidJson, compile_schema, dump_json, parse_json

MAX_CPU_S = 20
MAX_BYTES = 4 << 30


def measure_all() -> dict[str, dict[str, Any]]:
    """Measure every case, in one process that starts one for each."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.schema.measuring"],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return {each["name"]: each for each in map(json.loads, done.stdout.splitlines())}


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.thread_time()
    found = work()
    return time.thread_time() - started, found


def _size(value: object) -> int | None:
    try:
        return len(dump_json(value))
    except TypeError:
        return None


def _measured(name: str) -> dict[str, Any]:
    schema, value = CASES[name]()
    is_shared = name == "shared_parts"
    text = dump_json(value)
    before = peak_kib()
    compile_s, compiled = _timed(lambda: compile_schema(schema))
    issues_s, issues = _timed(lambda: compiled.issues(value))

    def over_http() -> Any:
        try:
            return compiled.issues_of_parsed(parse_json(text), len(text))
        except InvalidJson as error:
            return [str(error)]

    parsed_s, of_parsed = _timed(over_http)
    return {
        "name": name,
        "schema_bytes": 0 if is_shared else _size(schema),
        "value_bytes": len(text),
        "compile_s": compile_s,
        "issues_s": issues_s,
        "parsed_s": parsed_s,
        "more_kb": peak_kib() - before,
        "issues": [each.keyword for each in issues],
        "of_parsed": len(of_parsed),
    }


def _write(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def _main() -> None:
    # What the first one loads is no part of any.
    compile_schema({"properties": {"a": {"pattern": "^a$"}}}).issues({"a": 1})
    for name in CASES:
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            if status:
                _write({"name": name, "status": status})
            continue
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        _write(_measured(name))
        os._exit(0)


if __name__ == "__main__":
    _main()
