"""Judges schemas and values in a process of its own that has ten seconds.

The compiled engine holds the interpreter's lock: a thread could not end it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

TIMEOUT_S = 10


def judge(pairs: Sequence[tuple[Any, Any]]) -> list[list[dict[str, Any]]]:
    """Give the issues, as they travel, of each pair of a schema and a value.

    Raises:
        subprocess.TimeoutExpired: If all of them together take too long.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.schema.watchdog"],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def _main() -> None:
    from toolgauge.contract import compile_schema

    pairs = json.load(sys.stdin)
    issues = [compile_schema(schema).issues(value) for schema, value in pairs]
    json.dump([[each.to_json() for each in found] for found in issues], sys.stdout)


if __name__ == "__main__":
    _main()
