"""Estimate what validating one value costs, by looking at its places.

Only for values that may cost too much by their size alone: see ``Survey.cheap_bytes``.
Nothing is compared or matched here; the walk itself is part of what it counts.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.loads import digits_of, is_large, number_steps
from toolgauge.contract.schema.work import MARKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolgauge.contract.schema.loads import Load
    from toolgauge.contract.schema.work import Node, Survey

_PLACE = 200
"""Steps to look at one place of a value from one subschema."""

_Times = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Flat:
    """All that one subschema applies to the same value, itself included.

    Attributes:
        loads: What costs more than a visit, and how often it is applied.
        named: What is applied to the member of a name, and how often.
        members: What is applied to every member or item.
        names: What is applied to the names of an object.
        size: How many subschemas these are.
    """

    loads: tuple[tuple[Load, int], ...]
    named: Mapping[str, _Times]
    members: _Times
    names: _Times
    size: int


class Weighing:
    """Weighs values by the subschemas of one document that cost more than a visit.

    Args:
        survey: Of the document; it has ``nodes``.
        max_work: The most steps for one value.
    """

    def __init__(self, survey: Survey, max_work: int) -> None:
        self._nodes = survey.nodes
        # Parents before children of the same value.
        self._rank = {number: rank for rank, number in enumerate(reversed(survey.order))}
        self._max_work = max_work
        self._heavy = _leading_to_loads(survey.nodes)
        self._flats: dict[int, _Flat] = {}

    def is_too_much(self, value: object, visits: int) -> bool:
        """Tell whether a value costs more than the bound, as ``steps``."""
        return self.steps(value, visits) > self._max_work

    def steps(self, value: object, visits: int) -> int:
        """Estimate what a value costs, in steps; any number past the bound if that is more.

        Args:
            value: Parsed JSON.
            visits: Steps that it costs anyway.
        """
        left = self._max_work - visits
        row: list[tuple[int, Any, int]] = [(1, value, 1)]
        while row and left >= 0:
            below: list[tuple[int, Any, int]] = []
            for number, here, times in row:
                left -= self._of_place(number, here, times, below)
                if left < len(below) * _PLACE:
                    return self._max_work + 1
            row = below
        return self._max_work - left

    def _of_place(
        self, number: int, here: Any, times: int, below: list[tuple[int, Any, int]]
    ) -> int:
        """Weigh one place, and add to ``below`` what is to be weighed of its members."""
        flat = self._flat(number)
        steps = _PLACE + flat.size
        steps += sum(load.steps(here) * each * times for load, each in flat.loads)
        if isinstance(here, dict):
            for name in here if len(here) < len(flat.named) else flat.named:
                if name in here and name in flat.named:
                    below += [(child, here[name], n * times) for child, n in flat.named[name]]
            for child, n in flat.names:
                steps += self._of_all(child, list(here), n * times, below)
            members: Sequence[Any] = list(here.values()) if flat.members else ()
        else:
            members = here if isinstance(here, list | tuple) else ()
        for child, n in flat.members if members else ():
            steps += self._of_all(child, members, n * times, below)
        return steps

    def _of_all(
        self, number: int, values: Sequence[Any], times: int, below: list[tuple[int, Any, int]]
    ) -> int:
        """Weigh all members or items at once, or put them off where there is more below."""
        flat = self._flat(number)
        if flat.named or flat.members or flat.names:
            if len(values) * _PLACE > self._max_work:
                return self._max_work + 1
            below += [(number, each, times) for each in values]
            return 0
        if not values:
            return 0
        return len(values) + sum(
            load.steps_of_all(values) * each * times for load, each in flat.loads
        )

    def _flat(self, number: int) -> _Flat:
        found = self._flats.get(number)
        if found is None:
            found = self._flats[number] = self._flatten(number)
        return found

    def _flatten(self, start: int) -> _Flat:
        """Follow what is applied to the same value, parents before children."""
        reached = self._reached(start)
        times: dict[int, int] = defaultdict(int, {start: 1})
        named: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        members: dict[int, int] = defaultdict(int)
        names: dict[int, int] = defaultdict(int)
        for number in reached:
            node, often = self._nodes[number], times[number]
            again = often * (1 + MARKING * node.is_marking)
            for children, into in (
                (((child, again) for child in node.same), times),
                (((child, often) for child in node.any_member), members),
                (((child, often) for child in node.names), names),
            ):
                for child, n in children:
                    if child in self._heavy:
                        into[child] += n
            for name, child in node.named.items():
                if child in self._heavy:
                    named[name][child] += often
        loads = ((self._nodes[number].load, times[number]) for number in reached)
        return _Flat(
            tuple((load, often) for load, often in loads if load is not None),
            {name: list(each.items()) for name, each in named.items()},
            list(members.items()),
            list(names.items()),
            len(reached),
        )

    def _reached(self, start: int) -> list[int]:
        """Find what is applied to the same value, in the order of ``_rank``."""
        found, row = {start}, [start]
        while row:
            for child in self._nodes[row.pop()].same:
                if child not in found and child in self._heavy:
                    found.add(child)
                    row.append(child)
        return sorted(found, key=self._rank.__getitem__)


def _leading_to_loads(nodes: Sequence[Node]) -> set[int]:
    """Find the nodes from which something can be reached that costs more than a visit."""
    parents: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        for child in _children(node):
            parents[child].append(number)
    row = [number for number, node in enumerate(nodes) if node.load is not None]
    found = set(row)
    while row:
        for parent in parents[row.pop()]:
            if parent not in found:
                found.add(parent)
                row.append(parent)
    return found


def _children(node: Node) -> Iterable[int]:
    return (*node.same, *node.named.values(), *node.any_member, *node.names)


def large_number_steps(value: object, *, is_unique: bool) -> int:
    """Estimate what the numbers of a value cost that no machine word holds, in one visit each.

    Args:
        value: Parsed JSON, of bounded depth.
        is_unique: Whether they may be compared with each other.
    """
    found: list[Any] = []
    row: list[Any] = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            row += here.values()
        elif isinstance(here, list | tuple):
            row += here
        elif is_large(here):
            found.append(here)
    steps = sum(map(number_steps, found))
    if is_unique and len(found) > 1:
        digits = max(map(digits_of, found))
        steps += len(found) ** 2 * (20 + digits // 3 + digits * digits // 1_000)
    return steps
