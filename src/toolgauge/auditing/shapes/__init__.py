"""The shapes of recorded rows: those of no provider, one file each, and the formats' own."""

from __future__ import annotations

from typing import TypeAlias

from toolgauge.auditing.verdicts import Call, Malformed, Recorded
from toolgauge.contract.records import records_in
from toolgauge.wire import Shape, formats

RowShape: TypeAlias = Shape[Call | Malformed | Recorded]


def _shapes() -> dict[str, RowShape]:
    found: list[RowShape] = [
        *records_in(__name__, "SHAPE"),
        *(each.recorded for each in formats().values() if each.recorded is not None),
    ]
    found.sort(key=lambda each: (each.rank, each.name))
    return {each.name: each for each in found}


SHAPES: dict[str, RowShape] = _shapes()
"""Every shape by the name that ``--shape`` takes, in the order in which a row is tried
against them."""
