"""What the specifications demand, each demand with its source and its test."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
LEDGER = HERE.parent / "suites" / "envelope_ledger.tsv"
MODULES = ("test_seed", "test_golden", "test_messages", "test_damaged")


def demanded() -> list[str]:
    """Give the test of each line."""
    _, *lines = LEDGER.read_text("utf-8").splitlines()
    return [line.split("\t")[3] for line in lines]


def there() -> list[str]:
    """Give every test of the modules that hold demands."""
    return [
        f"{module}::{name}"
        for module in MODULES
        for name in re.findall(
            r"^def (test_\w+)", (HERE / f"{module}.py").read_text("utf-8"), re.MULTILINE
        )
    ]


def test_every_demand_has_a_test_and_every_test_a_demand() -> None:
    """Each once."""
    assert sorted(there()) == sorted(demanded())


def test_every_line_names_its_source() -> None:
    """And what it demands, in four columns."""
    lines = [line.split("\t") for line in LEDGER.read_text("utf-8").splitlines()]

    assert {4} == {len(line) for line in lines}
    assert all(line[0] and line[2] for line in lines)
