"""What leads to what in a schema: subschemas, and references. Cycles are found, not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.rules._definition import Definition, Node

_DEFINITIONS = {"$defs", "definitions"}


class Link(NamedTuple):
    """One step from a subschema to another.

    Attributes:
        source: From where.
        target: To where.
        is_reference: Whether a ``$ref`` leads there, not a keyword that holds it.
    """

    source: Node
    target: Node
    is_reference: bool


class Walk(NamedTuple):
    """What can be reached.

    Attributes:
        links: Each link that closes no cycle, sources before their targets.
        closing: The subschemas whose ``$ref`` closes a cycle.
    """

    links: tuple[Link, ...]
    closing: tuple[Node, ...]


def links_of(tool: Definition) -> dict[int, list[Link]]:
    """Give the links that leave each subschema, by its identity.

    What lies in ``$defs`` is led to by references only.
    """
    links: dict[int, list[Link]] = {id(node): [] for node in tool.nodes}
    for node in tool.nodes:
        holder = node.parent
        if holder is not None and node.keyword != "$ref" and node.keyword not in _DEFINITIONS:
            links[id(holder)].append(Link(holder, node, is_reference=False))
    for node in tool.having("$ref"):
        target = tool.follow(node.schema["$ref"])
        if target is not None:
            links[id(node)].append(Link(node, target, is_reference=True))
    return links


def reached(tool: Definition) -> set[int]:
    """Give the identity of each subschema that the root leads to."""
    root = tool.nodes[:1]
    links = walk(root, links_of(tool)).links
    return {id(node) for node in (*root, *(each.target for each in links))}


def walk(starts: Iterable[Node], links: dict[int, list[Link]]) -> Walk:
    """Follow every link once, depth first.

    A link that leads back to a subschema on the way to it closes a cycle. Where
    that link is no reference, the last reference on the way is to blame: only
    references can lead back.
    """
    finished: list[Node] = []
    state: dict[int, bool] = {}  # True while a subschema is on the way
    closing: dict[int, Node] = {}
    for start in starts:
        if id(start) in state:
            continue
        state[id(start)] = True
        way: list[tuple[Node, Iterator[Link], Node]] = [(start, iter(links[id(start)]), start)]
        while way:
            node, rest, reference = way[-1]
            link = next(rest, None)
            if link is None:
                state[id(node)] = False
                finished.append(node)
                way.pop()
                continue
            last = node if link.is_reference else reference
            target = link.target
            if id(target) not in state:
                state[id(target)] = True
                way.append((target, iter(links[id(target)]), last))
            elif state[id(target)]:
                closing[id(last)] = last
    return Walk(_in_order(finished, links), tuple(closing.values()))


def _in_order(finished: list[Node], links: dict[int, list[Link]]) -> tuple[Link, ...]:
    """Give the links forwards: a source is finished after all that it leads to."""
    place = {id(node): index for index, node in enumerate(finished)}
    return tuple(
        link
        for node in reversed(finished)
        for link in links[id(node)]
        if place[id(link.target)] < place[id(node)]
    )
