"""Writes the kept list of differences anew: ``python -m tests.rules.judges --write``."""

from __future__ import annotations

import sys

from tests.rules.judges.differences import KEPT, kept, unexplained, write

if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.rules.judges --write")
    write()
    lines = kept()
    print(f"{len(lines)} differences in {KEPT.name}, {len(unexplained(lines))} unexplained")  # noqa: T201 - it is a program
