"""How much work a schema can make, decided before any engine starts.

A schema of a few hundred bytes can ask for more work than a machine can do:
each of 40 definitions twice refers to the next. Engines only find out by doing
it. Here the schema is walked once, in time linear in its size, and gives tables:
for a value of depth *d*, how often may the engine visit one place, and how many
steps can that cost for each byte of the value?

- ``survey(schema, bounds)`` walks a schema. ``Survey.problem`` names the bound that it
  passes: too many or too deep subschemas, too much work for any value, references that can
  lead to too many places, or patterns that take too long to compile
  (``pattern_cost.MAX_PATTERN_COMPILING``). A schema with a problem must not be compiled.
- ``Survey.bytes`` estimates the memory of the compiled schema.
- ``pattern_cost.pattern_cost`` estimates one pattern; ``loads.load_of`` what one subschema
  costs; ``weighing.Weighing`` what one value costs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolgauge.contract.pointers import to_pointer
from toolgauge.contract.schema.document import ANCHORS, IDS, REFERENCES, SchemaDocument
from toolgauge.contract.schema.ecma import NotPortable
from toolgauge.contract.schema.loads import LOADED, UNIQUE, Load, is_reckoning, load_of
from toolgauge.contract.schema.pattern_cost import (
    COMPILED_BYTES,
    MAX_PATTERN_COMPILING,
    pattern_cost,
)
from toolgauge.contract.schema.patterns import is_translated, patterns_of
from toolgauge.contract.schema.subschemas import SUBSCHEMAS, Place, Reach, iter_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract.bounds import Bounds

_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
_NAMING = frozenset({*ANCHORS, *IDS})
_TELLING = frozenset({*REFERENCES, *_NAMING, *_UNEVALUATED, *LOADED, *SUBSCHEMAS})
"""A subschema without any of these keywords is one visit, and nobody can refer to it by name."""

_LEAF = 0
"""The node that stands for all of them."""

_ROOT = 1

MARKING = 8
"""To find what is unevaluated, the engine asks every branch again whether it
accepts the value. One such visit costs as much as this many others (measured)."""

MAX_REFERENCES = 100_000
"""Most places of a schema that are looked at to find what its references can lead to."""

_CHARS_PER_LOOKUP = 16
"""Following so many characters of a JSON Pointer costs as much as looking at a place."""

_SUBSCHEMA_BYTES = 2_000
"""Memory of a compiled subschema, about."""

SIZES = (1_024, 16_384, 131_072, 1 << 20)
"""Sizes of values, in bytes, for which the steps for each byte are estimated."""


_Table = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a walk over a schema found.

    Attributes:
        problem: Which bound the schema passes, ``None`` for none.
        subschemas: How many subschemas there are.
        is_self_contained: Whether every reference is a JSON Pointer into the
            document, and no subschema gives itself a new base URI.
        with_translated: The ``id()`` of each subschema that holds a pattern which
            the engine reads only when it is translated.
        with_lookups: The ``id()`` of each subschema whose list of values is long.
        visits: At index *d*: the most steps, of all visits together, that any one place
            of a value of depth *d* can get. Holds one entry where depth does not matter.
        steps: The same in steps for each byte, of values of up to each of ``SIZES``;
            empty where no keyword costs more than a visit.
        nodes: The subschemas, for those who look at a value place by place; empty
            where no keyword costs more than a visit.
        order: Their numbers, those of the same value before the ones that hold them.
        applications: As ``visits``, each counted once whatever it costs.
        is_unique: Whether items of an array are compared with each other.
        is_reckoning: Whether numbers are divided, or compared with listed ones: then
            those of many digits cost much.
        bytes: What the compiled schema takes of memory, about.
        levels: How many levels of a value its subschemas reach; the bound on the depth of
            values where it is recursive.
    """

    problem: str | None = None
    subschemas: int = 0
    is_self_contained: bool = True
    with_translated: frozenset[int] = frozenset()
    with_lookups: frozenset[int] = frozenset()
    visits: _Table = (1,)
    applications: _Table = (1,)
    steps: tuple[_Table, ...] = ()
    nodes: tuple[Node, ...] = ()
    order: tuple[int, ...] = ()
    is_unique: bool = False
    is_reckoning: bool = False
    bytes: int = 0
    levels: int = 1

    def visits_at(self, depth: int) -> int:
        """Return the most steps of all visits of one place in a value of this depth."""
        return self.visits[min(depth, len(self.visits) - 1)]

    def applications_at(self, depth: int) -> int:
        """Return the most visits of one place in a value of this depth."""
        return self.applications[min(depth, len(self.applications) - 1)]

    def steps_at(self, size: int, depth: int) -> int:
        """Give the most steps for each byte of a value of this size and depth."""
        table = self.steps[min(bisect_left(SIZES, size), len(SIZES) - 1)]
        return table[min(depth, len(table) - 1)]

    def cheap_bytes(self, max_work: int) -> int:
        """Give the largest size of a value that passes no bound on work, whatever is in it."""
        if not self.steps:
            return max_work // self.visits[-1]
        return max(
            min(size, max_work // table[-1]) for size, table in zip(SIZES, self.steps, strict=True)
        )


@dataclass(slots=True)
class Node:
    """One subschema: the subschemas applied to the same value, and to members.

    Attributes:
        same: Those that are applied to the same value.
        named: Those that are applied to the member of a name.
        any_member: Those that may be applied to any member or item.
        names: Those that are applied to the names of an object.
        leaves: Of ``same`` and ``any_member``, how many are leaves.
        has_named_leaf: Whether some of ``named`` are leaves.
        own: Steps of one visit.
        load: What its own keywords may cost beyond that.
        is_marking: Whether the engine asks its branches again.
    """

    base: str = ""
    same: list[int] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)
    any_member: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    leaves: int = 0
    member_leaves: int = 0
    has_named_leaf: bool = False
    references: Sequence[str] = ()
    own: int = 1
    load: Load | None = None
    has_id: bool = False
    is_marking: bool = False

    def hold(self, child: int, place: Place) -> None:
        """Join a subschema by what it applies to."""
        reach, is_leaf = place.reach, child == _LEAF
        if reach is Reach.SAME:
            self.leaves += is_leaf
            if not is_leaf:
                self.same.append(child)
        elif reach is Reach.NAMED:
            self.has_named_leaf |= is_leaf
            if not is_leaf:
                self.named[place.name] = child
        elif reach is Reach.ANY:
            self.member_leaves += is_leaf
            if not is_leaf:
                (self.names if place.path[0] == "propertyNames" else self.any_member).append(child)


class _TooManyReferences(Exception):
    """The references of a schema can lead to more places than are looked at."""


@dataclass(slots=True)
class _Graph:
    """Every subschema of a document, and where its references may lead.

    Attributes:
        root: The document.
        bounds: Limits on the schema.
        formats: Whether ``format`` is asserted.
        nodes: The subschemas, parents before children; the first one is the leaf.
        subschemas: How many subschemas there are.
        index_of: The node of a schema, by the ``id()`` of the schema.
        known: What a reference can lead to, by its base URI and itself.
        lookups: How many places were looked at for references.
        patterns: All patterns.
        unportable: What is wrong with the first pattern that is none of ECMA-262.
        is_reckoning: As in ``Survey``.
        with_translated: As in ``Survey``, and so is ``with_lookups``.
    """

    root: dict[str, Any]
    bounds: Bounds
    formats: bool
    nodes: list[Node] = field(default_factory=lambda: [Node()])
    subschemas: int = 0
    index_of: dict[int, int] = field(default_factory=dict)
    known: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    lookups: int = 0
    patterns: set[str] = field(default_factory=set)
    unportable: str | None = None
    is_reckoning: bool = False
    with_translated: list[int] = field(default_factory=list)
    with_lookups: list[int] = field(default_factory=list)
    document: SchemaDocument = field(init=False)

    def __post_init__(self) -> None:
        self.document = SchemaDocument(self.root, spend=self._spend)

    def _spend(self, chars: int) -> None:
        self.look_at(1 + chars // _CHARS_PER_LOOKUP)

    def look_at(self, places: int) -> None:
        """Charge for places that references lead to.

        Raises:
            _TooManyReferences: If these are too many.
        """
        self.lookups += places
        if self.lookups > MAX_REFERENCES:
            raise _TooManyReferences


def survey(schema: object, bounds: Bounds, *, formats: bool = False) -> Survey:
    """Walk a schema and say which bound it passes, and how much work it can make.

    Args:
        schema: Parsed JSON, at most as deep as JSON is parsed.
        bounds: Limits on the schema, and on the work for a value.
        formats: Whether ``format`` is asserted.
    """
    if not isinstance(schema, dict):
        return Survey(subschemas=1, bytes=_SUBSCHEMA_BYTES)
    graph = _Graph(schema, bounds, formats)
    problem = _collect(schema, "", graph) or _link(graph)
    if problem is None and graph.unportable is not None:
        problem = graph.unportable
    compiling = 0 if problem else sum(pattern_cost(each).compiling for each in graph.patterns)
    if compiling > MAX_PATTERN_COMPILING:
        problem = (
            f"its patterns are too costly to compile: about {compiling} microseconds,"
            f" at most {MAX_PATTERN_COMPILING}"
        )
    if problem is not None:
        return Survey(problem=problem, subschemas=graph.subschemas)
    return _surveyed(graph, compiling)


def _surveyed(graph: _Graph, compiling: int) -> Survey:
    nodes, bounds = graph.nodes, graph.bounds
    order = _children_first(nodes)
    is_loaded = any(node.load is not None for node in nodes)
    own = [node.own for node in nodes]
    applications = visits = _table(nodes, order, own, bounds)
    if graph.is_reckoning:
        applications = _table(nodes, order, [1] * len(nodes), bounds)
    problem = None
    if visits[0] > bounds.max_work:
        problem = f"it asks for more than {bounds.max_work} steps for any value"
    return Survey(
        problem=problem,
        subschemas=graph.subschemas,
        is_self_contained=_is_self_contained(nodes),
        with_translated=frozenset(graph.with_translated),
        with_lookups=frozenset(graph.with_lookups),
        visits=visits,
        applications=applications,
        steps=_tables(nodes, order, bounds) if is_loaded else (),
        nodes=tuple(nodes) if is_loaded else (),
        order=tuple(order) if is_loaded else (),
        is_unique=any(node.load is not None and node.load.is_unique for node in nodes),
        is_reckoning=graph.is_reckoning,
        bytes=_SUBSCHEMA_BYTES * graph.subschemas + COMPILED_BYTES * compiling,
        levels=_levels(nodes, bounds.max_instance_depth),
    )


def _levels(nodes: Sequence[Node], most: int) -> int:
    """Count the levels of a value that subschemas reach: at most ``most``."""
    here = frozenset((_ROOT,))
    seen: set[frozenset[int]] = set()
    while here and here not in seen and len(seen) < most:
        seen.add(here)
        row, same, below = list(here), set(here), set[int]()
        while row:
            node = nodes[row.pop()]
            row += [each for each in node.same if each not in same]
            same.update(node.same)
            below.update(node.any_member, node.named.values(), node.names)
        here = frozenset(below)
    # The last level is that of leaves, which are no nodes.
    return most if here else min(len(seen) + 1, most)


def _tables(nodes: Sequence[Node], order: Sequence[int], bounds: Bounds) -> tuple[_Table, ...]:
    """Add up the steps for each byte; most schemas have the same for all sizes."""
    known: dict[tuple[int, ...], _Table] = {}
    tables: list[_Table] = []
    for size in SIZES:
        own = tuple(_steps_per_byte(nodes, size))
        if own not in known:
            known[own] = _table(nodes, order, own, bounds)
        tables.append(known[own])
    return tuple(tables)


def _steps_per_byte(nodes: Sequence[Node], size: int) -> list[int]:
    return [
        node.own if node.load is None else node.own + node.load.per_byte(size) for node in nodes
    ]


def _is_self_contained(nodes: Sequence[Node]) -> bool:
    """Tell whether every reference is a JSON Pointer into this document."""
    root = nodes[1]
    return all(
        (not node.has_id or node is root)
        and all(each == "#" or each[:2] == "#/" for each in node.references)
        for node in nodes
    )


def _collect(root: dict[str, Any], base: str, graph: _Graph) -> str | None:
    """Number every subschema at and below ``root`` and join parents to children."""
    nodes, bounds, index_of = graph.nodes, graph.bounds, graph.index_of
    if id(root) in index_of:
        return None
    index_of[id(root)] = len(nodes)
    nodes.append(Node(base=base))
    graph.subschemas += 1
    row: list[tuple[dict[str, Any], int]] = [(root, index_of[id(root)])]
    depth = 0
    while row:
        depth += 1
        if depth > bounds.max_schema_depth:
            return f"its subschemas nest deeper than {bounds.max_schema_depth} levels"
        below: list[tuple[dict[str, Any], int]] = []
        for here, number in row:
            node = nodes[number]
            _read(here, node, graph)
            for place in iter_places(here):
                if graph.subschemas >= bounds.max_subschemas:
                    return f"it has more than {bounds.max_subschemas} subschemas"
                graph.subschemas += 1
                schema = place.schema
                if not isinstance(schema, dict):
                    node.hold(_LEAF, place)
                    continue
                child = index_of.get(id(schema))
                if child is None:
                    if _TELLING.isdisjoint(schema) and depth < bounds.max_schema_depth:
                        child = _LEAF
                    else:
                        child = len(nodes)
                        nodes.append(Node(base=node.base))
                        below.append((schema, child))
                    index_of[id(schema)] = child
                node.hold(child, place)
        row = below
    return None


def _read(here: dict[str, Any], node: Node, graph: _Graph) -> None:
    """Note the names that a subschema gives itself, what it refers to, and its load."""
    telling = _TELLING.intersection(here)
    if not telling.isdisjoint(REFERENCES):
        node.references = [here[key] for key in REFERENCES if isinstance(here.get(key), str)]
    node.is_marking = not telling.isdisjoint(_UNEVALUATED)
    if not telling.isdisjoint(LOADED):
        node.own, node.load = load_of(here, graph.bounds, formats=graph.formats)
        if node.load is not None and node.load.is_looked_up:
            graph.with_lookups.append(id(here))
        graph.is_reckoning |= is_reckoning(here)
    if "pattern" in telling or "patternProperties" in telling:
        patterns = patterns_of(here)
        graph.patterns.update(patterns)
        try:
            if any(map(is_translated, patterns)):
                graph.with_translated.append(id(here))
        except NotPortable as error:
            pointer = to_pointer(graph.document.paths.get(id(here), ()))
            graph.unportable = graph.unportable or f"{error}, at {pointer or '/'}"
    if not telling.isdisjoint(_NAMING):
        node.has_id = isinstance(here.get("$id", here.get("id")), str)
        node.base = graph.document.enter(here, node.base)


def _link(graph: _Graph) -> str | None:
    """Join every reference to what it points at, inside this document."""
    number = 0
    while number < len(graph.nodes):
        node = graph.nodes[number]
        for reference in node.references:
            key = (node.base, reference)
            try:
                if key not in graph.known:
                    graph.known[key] = graph.document.targets(reference, node.base)
                targets = graph.known[key]
                graph.look_at(1 + len(targets))
            except _TooManyReferences:
                return f"its references can lead to more than {MAX_REFERENCES} places"
            for target in targets:
                # It may lie in data that no keyword calls a schema.
                problem = _collect(target, node.base, graph)
                if problem is not None:
                    return problem
                node.same.append(graph.index_of[id(target)])
        number += 1
    return None


def _table(
    nodes: Sequence[Node], order: Sequence[int], own: Sequence[int], bounds: Bounds
) -> _Table:
    """Add up the visits of a place by its depth, until they repeat or pass the bound.

    What is counted is the one place, not the way to it: a recursive schema that
    does not branch stays flat, and repeats after a few levels.

    Args:
        nodes: The subschemas.
        order: Their numbers, children of the same value first.
        own: What one visit counts, by number.
        bounds: Where to stop.
    """
    cap = bounds.max_work + 1
    own = _with_marking(nodes, order, own, cap)
    below: list[int] = [0] * len(nodes)
    # Recursion through several levels repeats after as many.
    seen: deque[list[int]] = deque(maxlen=8)
    table: list[int] = []
    for depth in range(bounds.max_instance_depth + 1):
        # In a cycle of references the last link has no count yet: it asks for
        # nothing new at this place.
        here = [0] * len(nodes)
        for number in order:
            node = nodes[number]
            if depth == 0:
                total = own[number] + node.leaves
            else:
                # Comparing items goes all the way down.
                total = UNIQUE if node.load is not None and node.load.is_unique else 0
                total += sum([below[child] for child in node.any_member])
                total += sum([below[child] for child in node.names])
                if node.named:
                    total += max([below[child] for child in node.named.values()])
                if depth == 1:
                    total += node.member_leaves + node.has_named_leaf
            if node.same:
                total += sum([here[child] for child in node.same])
            here[number] = min(total, cap)
        table.append(max(here[1], table[-1] if table else 1))
        if here in seen or here[1] >= cap:
            break
        seen.append(here)
        below = here
    return tuple(table)


def _with_marking(
    nodes: Sequence[Node], order: Sequence[int], own: Sequence[int], cap: int
) -> Sequence[int]:
    """Add what marking costs to the subschemas that make the engine mark.

    Marking looks only at subschemas of the same value; what they asked of members
    is remembered.
    """
    if not any(node.is_marking for node in nodes):
        return own
    marked = list(own)
    whole, marks = [1] * len(nodes), [MARKING] * len(nodes)
    for number in order:
        node = nodes[number]
        marks[number] = min(
            cap,
            MARKING * own[number]
            + 2 * MARKING * node.leaves
            + sum(MARKING * whole[child] + marks[child] for child in node.same),
        )
        if node.is_marking:
            marked[number] = marks[number]
        whole[number] = min(
            cap, marked[number] + node.leaves + sum(whole[child] for child in node.same)
        )
    return marked


def _children_first(nodes: Sequence[Node]) -> list[int]:
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
        if not nodes[start].same:
            order.append(start)
            continue
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
