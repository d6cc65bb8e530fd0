"""How much work a schema can make, decided before any engine starts.

A schema of a few hundred bytes can ask for more work than a machine can do:
each of 40 definitions twice refers to the next. Engines only find out by doing
it. Here the schema is walked once, in time linear in its size, and gives a
table: for a value of depth *d*, how often may the engine come by one place?
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from toolgauge.contract.pointers import resolve
from toolgauge.contract.schema.subschemas import Place, Reach, iter_places

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a walk over a schema found.

    Attributes:
        problem: Which bound the schema passes, ``None`` for none.
        subschemas: How many subschemas there are.
        has_one_resource: Whether every reference stays inside the document,
            and no subschema gives itself a new base URI.
        visits: At index *d*: the most visits that one place of a value of
            depth *d* can get. Holds one entry where depth does not matter.
    """

    problem: str | None = None
    subschemas: int = 0
    has_one_resource: bool = True
    visits: tuple[int, ...] = (1,)

    def visits_at(self, depth: int) -> int:
        """Give the most visits of one place in a value of this depth."""
        return self.visits[min(depth, len(self.visits) - 1)]


@dataclass(slots=True)
class _Node:
    """One subschema: the subschemas applied to the same value, and to members."""

    same: list[int] = field(default_factory=list)
    named: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    any_member: list[int] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    has_id: bool = False

    def hold(self, child: int, place: Place) -> None:
        """Join a subschema by what it applies to."""
        if place.reach is Reach.SAME:
            self.same.append(child)
        elif place.reach is Reach.NAMED:
            self.named[place.name].append(child)
        elif place.reach is Reach.ANY:
            self.any_member.append(child)


def survey(schema: object, bounds: Bounds) -> Survey:
    """Walk a schema and say which bound it passes, and how much work it can make."""
    if not isinstance(schema, dict):
        return Survey(subschemas=1)
    nodes: list[_Node] = []
    index_of: dict[int, int] = {}
    problem = _collect(schema, nodes, index_of, bounds)
    if problem is None:
        problem = _link(schema, nodes, index_of, bounds)
    if problem is not None:
        return Survey(problem=problem, subschemas=len(nodes))
    visits = _visits(nodes, bounds)
    if visits[0] > bounds.max_work:
        problem = f"it asks for more than {bounds.max_work} steps for any value"
    return Survey(
        problem=problem,
        subschemas=len(nodes),
        has_one_resource=_has_one_resource(schema, nodes),
        visits=visits,
    )


def _has_one_resource(schema: dict[str, Any], nodes: list[_Node]) -> bool:
    """Tell whether every reference is resolved against the same base."""
    named = "$id" in schema or "id" in schema
    return sum(node.has_id for node in nodes) == named and all(
        reference.startswith("#") for node in nodes for reference in node.references
    )


def _collect(
    root: dict[str, Any], nodes: list[_Node], index_of: dict[int, int], bounds: Bounds
) -> str | None:
    """Number every subschema at and below ``root`` and join parents to children."""
    if id(root) in index_of:
        return None
    index_of[id(root)] = len(nodes)
    nodes.append(_Node())
    row: list[tuple[dict[str, Any], int]] = [(root, index_of[id(root)])]
    depth = 0
    while row:
        depth += 1
        if depth > bounds.max_schema_depth:
            return f"its subschemas nest deeper than {bounds.max_schema_depth} levels"
        below: list[tuple[dict[str, Any], int]] = []
        for here, number in row:
            node = nodes[number]
            node.has_id = isinstance(here.get("$id", here.get("id")), str)
            node.references = [here[key] for key in _REFERENCES if isinstance(here.get(key), str)]
            for place in iter_places(here):
                child = len(nodes)
                if child >= bounds.max_subschemas:
                    return f"it has more than {bounds.max_subschemas} subschemas"
                nodes.append(_Node())
                node.hold(child, place)
                if isinstance(place.schema, dict):
                    index_of[id(place.schema)] = child
                    below.append((place.schema, child))
        row = below
    return None


def _link(
    schema: dict[str, Any], nodes: list[_Node], index_of: dict[int, int], bounds: Bounds
) -> str | None:
    """Join every reference to what it points at, inside this document."""
    number = 0
    while number < len(nodes):
        for reference in nodes[number].references:
            target = _target(schema, reference)
            if not isinstance(target, dict):
                continue
            if id(target) not in index_of:
                # A reference into data that no keyword calls a schema.
                problem = _collect(target, nodes, index_of, bounds)
                if problem is not None:
                    return problem
            nodes[number].same.append(index_of[id(target)])
        number += 1
    return None


def _target(schema: dict[str, Any], reference: str) -> object:
    """Find what a reference points at; ``None`` where only the engine can tell.

    Anchors and embedded ``$id``s are taken for a reference to the root: the
    largest thing that they can be.
    """
    if reference in {"#", ""}:
        return schema
    fragment = reference.partition("#")[2]
    if not fragment.startswith("/"):
        return schema
    try:
        return resolve(schema, unquote(fragment))
    except (LookupError, ValueError):
        return None


def _visits(nodes: list[_Node], bounds: Bounds) -> tuple[int, ...]:
    """Count visits by depth until they stop growing, or pass the bound."""
    cap = bounds.max_work + 1
    order = _children_first(nodes)
    below = [0] * len(nodes)
    table: list[int] = []
    for _ in range(bounds.max_instance_depth + 1):
        here = [1] * len(nodes)
        for number in order:
            node = nodes[number]
            total = 1 + sum(here[child] for child in node.same)
            total += sum(below[child] for child in node.any_member)
            if node.named:
                total += max(sum(below[child] for child in each) for each in node.named.values())
            here[number] = min(total, cap)
        table.append(here[0])
        if here == below or here[0] >= cap:
            break
        below = here
    return tuple(table)


def _children_first(nodes: list[_Node]) -> list[int]:
    """Order nodes so that what applies to the same value comes before its parent.

    A cycle of references that never reaches a member asks for nothing new; its
    last link counts one visit.
    """
    seen = [False] * len(nodes)
    order: list[int] = []
    for start in range(len(nodes)):
        if seen[start]:
            continue
        seen[start] = True
        stack = [(start, iter(nodes[start].same))]
        while stack:
            number, children = stack[-1]
            for child in children:
                if not seen[child]:
                    seen[child] = True
                    stack.append((child, iter(nodes[child].same)))
                    break
            else:
                order.append(number)
                stack.pop()
    return order
