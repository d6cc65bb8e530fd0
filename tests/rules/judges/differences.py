"""The real tools, what each judge and we say of them, and the kept list of differences."""

from __future__ import annotations

import csv
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.contract.schema.official_suite import NoRegistryError
from tests.rules.judges.judges import JUDGES, REASONS
from toolgauge.rules import check, rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.rules.judges.judges import Heard, Judge, Tool
    from toolgauge.rules import Finding

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "toollists"
KEPT = Path(__file__).parents[2] / "suites" / "judge_differences.tsv"

UNEXPLAINED = "unexplained"
"""Stands in the list where a reason is missing; no test takes it."""


class Difference(NamedTuple):
    """One tool of which a judge and we say different things: a line of the kept list."""

    judge: str
    tool_list: str
    tool: str
    ours: str
    theirs: str
    reason: str


@cache
def corpus() -> tuple[tuple[str, Tool], ...]:
    """Give every tool with the name of its list."""
    return tuple(
        (path.stem, tool)
        for path in sorted(CORPUS.glob("*.json"))
        for tool in json.loads(path.read_text("utf-8"))["tools"]
    )


def is_there(judge: Judge) -> bool:
    """Tell whether a judge is installed, or can be fetched."""
    if not judge.module:
        try:
            judge.load()
        except NoRegistryError:
            return False
        return True
    try:
        return find_spec(judge.module) is not None
    except ModuleNotFoundError:  # of the package above it
        return False


@cache
def heard(judge: Judge) -> tuple[tuple[str, Heard], ...]:
    """Ask a judge about every tool; give what it said, with the name of the list."""
    ask = judge.load()
    said = [(name, ask(tool)) for name, tool in corpus()]
    return tuple((name, each) for name, each in said if each is not None)


def own_errors(target: str, tools: Iterable[Tool]) -> dict[int, list[Finding]]:
    """Give our errors by tool, without those about how tools go together."""
    found: dict[int, list[Finding]] = {}
    for each in check(tools, [target]).findings:
        is_own = rules()[each.name].check is not None
        if is_own and each.index is not None and each.severity == "error":
            found.setdefault(each.index, []).append(each)
    return found


def differences(judge: Judge) -> list[Difference]:
    """Hold our verdicts against a judge's; give where they differ, sorted."""
    said = heard(judge)
    errors = own_errors(judge.target, [each.tool for _, each in said])
    found = [
        Difference(
            judge=judge.name,
            tool_list=name,
            tool=str(each.tool["name"]),
            ours=_ours(errors.get(index, ())),
            theirs="accepted" if each.is_accepted else "refused",
            reason=_reason(judge, each, errors.get(index, ())),
        )
        for index, (name, each) in enumerate(said)
        if each.is_accepted == (index in errors)
    ]
    return sorted(found)


def _ours(errors: Iterable[Finding]) -> str:
    names = sorted({each.name for each in errors})
    return f"refused: {', '.join(names)}" if names else "accepted"


def _reason(judge: Judge, said: Heard, errors: Iterable[Finding]) -> str:
    """Give the reasons of all our findings; what only the judge refuses has none."""
    reasons = {judge.reason(said.tool, each) for each in errors} or {""}
    return UNEXPLAINED if "" in reasons else ", ".join(sorted(reasons))


def kept() -> list[Difference]:
    """Read the kept list."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file, delimiter="\t")
        next(lines)
        return [Difference(*line) for line in lines]


def write() -> None:
    """Write the list anew; lines of a judge that is not installed stay."""
    absent = {judge.name for judge in JUDGES if not is_there(judge)}
    lines = [line for line in kept() if line.judge in absent] if KEPT.exists() else []
    for judge in JUDGES:
        if judge.name not in absent:
            lines += differences(judge)
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Difference._fields)
        writer.writerows(sorted(lines))


def unexplained(lines: Iterable[Difference]) -> list[Difference]:
    """Give the lines whose reason is not one of the fixed ones."""
    return [line for line in lines if not set(line.reason.split(", ")) <= REASONS.keys()]
