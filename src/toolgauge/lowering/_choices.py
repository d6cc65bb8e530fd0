"""Which branch to take where several would do: the picks of one way back.

The steps of ``restore`` meet such places in an order that depends only on the value
and on the picks before. So a way back is run again with other picks, and the result
held against the tool's own schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_T = TypeVar("_T")

_MAX_RUNS = 64
"""Ways back that are tried for one call."""


class Choices:
    """The picks of one run, and how many there were to choose from.

    Args:
        picks: Which one to take, by the number of the place; elsewhere the first.
    """

    def __init__(self, picks: Mapping[int, int] | None = None) -> None:
        self._picks: Mapping[int, int] = picks or {}
        self.sizes: list[int] = []

    def pick(self, size: int) -> int:
        """Give the pick at the next place, of ``size`` that would do."""
        place = len(self.sizes)
        self.sizes.append(size)
        return min(self._picks.get(place, 0), size - 1)


def best_run(run: Callable[[Choices], _T], faults: Callable[[_T], int]) -> _T:
    """Run with the first picks, and with others while the result has faults.

    One pick changes at a time and stays changed where that leaves fewer faults.

    Args:
        run: Gives a result for picks.
        faults: Counts what is wrong with a result; asked only where there were picks.
    """
    choices = Choices()
    best = run(choices)
    if not choices.sizes or (fewest := faults(best)) == 0:
        return best
    picks: dict[int, int] = {}
    place = runs = 0
    while place < len(choices.sizes):
        for other in range(1, choices.sizes[place]):
            runs += 1
            if runs > _MAX_RUNS:
                return best
            tried = Choices({**picks, place: other})
            result = run(tried)
            count = faults(result)
            if count < fewest:
                best, fewest, choices = result, count, tried
                picks[place] = other
            if fewest == 0:
                return best
        place += 1
    return best
