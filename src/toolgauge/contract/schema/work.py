"""How much work a schema can make, decided before any engine starts.

A schema of a few hundred bytes can ask for more work than a machine can do:
each of 40 definitions twice refers to the next. Engines only find out by doing
it. Here the schema is walked once, in time linear in its size, and gives a
table: for a value of depth *d*, how often may the engine come by one place?
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from toolgauge.contract.pointers import resolve
from toolgauge.contract.schema.patterns import has_backspace, patterns_of
from toolgauge.contract.schema.subschemas import Place, Reach, iter_places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.contract.bounds import Bounds

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ANCHORS = ("$anchor", "$dynamicAnchor")
_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")

_MARKING = 8
"""To find what is unevaluated, the engine asks every branch again whether it
accepts the value. One such visit costs as much as this many others (measured)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a walk over a schema found.

    Attributes:
        problem: Which bound the schema passes, ``None`` for none.
        subschemas: How many subschemas there are.
        is_self_contained: Whether every reference is a JSON Pointer into the
            document, and no subschema gives itself a new base URI.
        with_backspace: The ``id()`` of each subschema that holds a pattern which
            the engine reads only when it is translated.
        visits: At index *d*: the most visits that any one place of a value
            of depth *d* can get. Holds one entry where depth does not matter.
    """

    problem: str | None = None
    subschemas: int = 0
    is_self_contained: bool = True
    with_backspace: frozenset[int] = frozenset()
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
    base: str = ""
    has_id: bool = False
    is_marking: bool = False

    def hold(self, child: int, place: Place) -> None:
        """Join a subschema by what it applies to."""
        if place.reach is Reach.SAME:
            self.same.append(child)
        elif place.reach is Reach.NAMED:
            self.named[place.name].append(child)
        elif place.reach is Reach.ANY:
            self.any_member.append(child)


@dataclass(slots=True)
class _Graph:
    """Every subschema of a document, and the names that references know them by.

    Attributes:
        nodes: The subschemas, parents before children.
        index_of: The node of a schema, by the ``id()`` of the schema.
        named: Schemas that give themselves an ``$id`` or an anchor, by URI.
            The document itself is also ``""``.
        with_backspace: As in ``Survey``.
    """

    nodes: list[_Node] = field(default_factory=list)
    index_of: dict[int, int] = field(default_factory=dict)
    named: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    with_backspace: list[int] = field(default_factory=list)


def survey(schema: object, bounds: Bounds) -> Survey:
    """Walk a schema and say which bound it passes, and how much work it can make."""
    if not isinstance(schema, dict):
        return Survey(subschemas=1)
    graph = _Graph()
    graph.named[""].append(schema)
    problem = _collect(schema, "", graph, bounds) or _link(graph, bounds)
    nodes = graph.nodes
    if problem is not None:
        return Survey(problem=problem, subschemas=len(nodes))
    visits = _visits(nodes, bounds)
    if visits[0] > bounds.max_work:
        problem = f"it asks for more than {bounds.max_work} steps for any value"
    return Survey(
        problem=problem,
        subschemas=len(nodes),
        is_self_contained=_is_self_contained(nodes),
        with_backspace=frozenset(graph.with_backspace),
        visits=visits,
    )


def _is_self_contained(nodes: list[_Node]) -> bool:
    """Tell whether every reference is a JSON Pointer into this document."""
    return all(
        not node.has_id and all(each == "#" or each[:2] == "#/" for each in node.references)
        for node in nodes[1:]
    ) and all(each == "#" or each[:2] == "#/" for each in nodes[0].references)


def _collect(root: dict[str, Any], base: str, graph: _Graph, bounds: Bounds) -> str | None:
    """Number every subschema at and below ``root`` and join parents to children."""
    nodes = graph.nodes
    if id(root) in graph.index_of:
        return None
    graph.index_of[id(root)] = len(nodes)
    nodes.append(_Node(base=base))
    row: list[tuple[dict[str, Any], int]] = [(root, graph.index_of[id(root)])]
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
                child = len(nodes)
                if child >= bounds.max_subschemas:
                    return f"it has more than {bounds.max_subschemas} subschemas"
                nodes.append(_Node(base=node.base))
                node.hold(child, place)
                if isinstance(place.schema, dict):
                    graph.index_of[id(place.schema)] = child
                    below.append((place.schema, child))
        row = below
    return None


def _read(here: dict[str, Any], node: _Node, graph: _Graph) -> None:
    """Note the names that a subschema gives itself, and what it refers to."""
    node.references = [here[key] for key in _REFERENCES if isinstance(here.get(key), str)]
    node.is_marking = any(key in here for key in _UNEVALUATED)
    if ("pattern" in here or "patternProperties" in here) and any(
        map(has_backspace, patterns_of(here))
    ):
        graph.with_backspace.append(id(here))
    own = here.get("$id", here.get("id"))
    if isinstance(own, str):
        node.has_id = True
        uri = _joined(node.base, own)
        graph.named[uri.removesuffix("#")].append(here)
        node.base = uri.partition("#")[0]
    for key in _ANCHORS:
        if isinstance(here.get(key), str):
            graph.named[f"{node.base}#{here[key]}"].append(here)


def _link(graph: _Graph, bounds: Bounds) -> str | None:
    """Join every reference to what it points at, inside this document."""
    number = 0
    while number < len(graph.nodes):
        node = graph.nodes[number]
        for reference in node.references:
            for target in _targets(reference, node.base, graph):
                # It may lie in data that no keyword calls a schema.
                problem = _collect(target, node.base, graph, bounds)
                if problem is not None:
                    return problem
                node.same.append(graph.index_of[id(target)])
        number += 1
    return None


def _targets(reference: str, base: str, graph: _Graph) -> list[dict[str, Any]]:
    """Find what a reference may point at; nothing where only the engine can tell.

    Which ``$id``s count differs by draft, and a ``$dynamicRef`` is decided while
    the engine runs. So a name that is not found where it should be stands for
    everything that has the same fragment, and the work is at worst overrated.
    """
    resource, _, fragment = _joined(base, reference).partition("#")
    if fragment and not fragment.startswith("/"):
        return _unique(
            each
            for uri, schemas in graph.named.items()
            if uri.endswith(f"#{fragment}")
            for each in schemas
        )
    roots = graph.named.get(resource) or graph.named[""]
    found = _below(roots, fragment) or _below(
        [each for schemas in graph.named.values() for each in schemas], fragment
    )
    return _unique(found)


def _below(roots: Iterable[dict[str, Any]], fragment: str) -> list[dict[str, Any]]:
    """Look up a pointer, percent-encoded as in a URI, in each of several schemas."""
    found: list[dict[str, Any]] = []
    for root in roots:
        try:
            target = resolve(root, unquote(fragment))
        except (LookupError, ValueError):
            continue
        if isinstance(target, dict):
            found.append(target)
    return found


def _unique(schemas: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({id(each): each for each in schemas}.values())


def _joined(base: str, reference: str) -> str:
    """Resolve a reference against a base URI, whatever scheme that has."""
    if reference.startswith("#"):
        return base + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _visits(nodes: list[_Node], bounds: Bounds) -> tuple[int, ...]:
    """Count the visits of a place by its depth, until they repeat or pass the bound.

    What is counted is the one place, not the way to it: a recursive schema that
    does not branch stays flat, and repeats after a few levels.
    """
    cap = bounds.max_work + 1
    order = _children_first(nodes)
    own = _own(nodes, order, cap)
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
            total = 0 if depth else own[number]
            total += sum(here[child] for child in node.same)
            total += sum(below[child] for child in node.any_member)
            if node.named:
                total += max(sum(below[child] for child in each) for each in node.named.values())
            here[number] = min(total, cap)
        table.append(max(here[0], table[-1] if table else 1))
        if here in seen or here[0] >= cap:
            break
        seen.append(here)
        below = here
    return tuple(table)


def _own(nodes: list[_Node], order: list[int], cap: int) -> list[int]:
    """Count what each subschema costs by itself: more than 1 where it marks.

    Marking looks only at subschemas of the same value; what they asked of members
    is remembered.
    """
    own, whole, marks = ([1] * len(nodes) for _ in range(3))
    for number in order:
        node = nodes[number]
        marks[number] = min(
            cap, _MARKING + sum(_MARKING * whole[child] + marks[child] for child in node.same)
        )
        if node.is_marking:
            own[number] = marks[number]
        whole[number] = min(cap, own[number] + sum(whole[child] for child in node.same))
    return own


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
