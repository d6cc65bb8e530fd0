"""What every target says of 1,852 real tools, kept so that a change shows what it does.

``python -m tests.rules.test_corpus --write`` writes the snapshot anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolgauge.rules import check

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "toollists"
SNAPSHOT = Path(__file__).parents[1] / "suites" / "corpus_findings.json"
FILES = sorted(CORPUS.glob("*.json"))


def totals() -> dict[str, Any]:
    """Count tools and findings, by target and rule and severity."""
    refused: Counter[str] = Counter()
    found: dict[str, Counter[str]] = {}
    count = 0
    for path in FILES:
        report = check(json.loads(path.read_text())["tools"])
        count += len(report.tools)
        for verdict in report.verdicts:
            refused[verdict.target.name] += verdict.refused
            found.setdefault(verdict.target.name, Counter())
        for each in report.findings:
            found[each.target][f"{each.severity} {each.rule} {each.name}"] += 1
    return {
        "tools": count,
        "targets": {
            name: {"refused": refused[name], "findings": dict(sorted(found[name].items()))}
            for name in sorted(found)
        },
    }


@pytest.mark.skipif(not FILES, reason="the corpus lies beside the project, not in it")
def test_the_findings_over_real_tools_are_those_of_the_snapshot() -> None:
    """A difference is either a fault, or a change to write down with ``--write``."""
    kept, now = json.loads(SNAPSHOT.read_text()), totals()
    changed = {
        name: {"was": kept["targets"].get(name), "is": now["targets"].get(name)}
        for name in kept["targets"].keys() | now["targets"].keys()
        if kept["targets"].get(name) != now["targets"].get(name)
    }

    assert kept["tools"] == now["tools"]
    assert not changed


if __name__ == "__main__" and "--write" in sys.argv:
    SNAPSHOT.write_text(json.dumps(totals(), indent=1) + "\n")
