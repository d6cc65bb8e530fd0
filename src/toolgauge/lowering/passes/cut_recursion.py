"""A reference that closes a cycle becomes JSON text: the recursion ends, no value is lost."""

from __future__ import annotations

from typing import Any

from toolgauge.contract.schema.subschemas import Reach, iter_places
from toolgauge.lowering._merge import CONSTRAINTS
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering._reshape import from_text, lose_texts, send_as_text, to_text

_NODES_A_STEP = 64


def lower(draft: Draft, options: Options) -> None:
    """Replace each closing reference, or refuse with ``how: "refuse"``."""
    for node, reference in _closing(draft):
        if options["how"] == "refuse":
            draft.refuse(
                f"the definition {reference!r} refers to itself",
                "end the recursion in the schema, or take that part as JSON text",
            )
        draft.lose(node, "the recursion is sent as JSON text", kind=RESHAPED, by=RESTORE)
        draft.lose(node, "the schema of the inner part is no longer enforced")
        send_as_text(draft, node, kept=("description",))
    lose_texts(draft)
    if draft.marks:
        draft.touch()


def _closing(draft: Draft) -> list[tuple[dict[str, Any], str]]:
    """Give where to cut, for each reference that leads back to a subschema on the way to it."""
    closing: dict[int, tuple[dict[str, Any], str]] = {}
    state: dict[int, bool] = {}  # True while on the way
    for start in draft.nodes:
        if id(start) in state:
            continue
        state[id(start)] = True
        way = [(start, iter(_below(draft, start)))]
        while way:
            node, rest = way[-1]
            below = next(rest, None)
            if below is None:
                state[id(node)] = False
                way.pop()
            elif id(below) not in state:
                state[id(below)] = True
                way.append((below, iter(_below(draft, below))))
            elif state[id(below)]:
                draft.charge(1 + len(way) // _NODES_A_STEP)
                nodes = [each for each, _ in way]
                while "$ref" not in nodes[-1]:
                    nodes.pop()
                cut = _holder(draft, nodes)
                closing.setdefault(id(cut), (cut, nodes[-1]["$ref"]))
    return list(closing.values())


def _holder(draft: Draft, way: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the outermost subschema for the same value that text would contradict, else the last."""
    cut = way[-1]
    for above, node in zip(reversed(way[:-1]), reversed(way[1:]), strict=True):
        edge = _edge(draft, above, node)
        if not edge or above is draft.schema:
            break
        if above.keys() & CONSTRAINTS - {edge}:
            cut = above
    return cut


def _edge(draft: Draft, above: dict[str, Any], node: dict[str, Any]) -> str:
    """Name the keyword that applies a subschema to the same value; ``""`` for none."""
    if draft.follow(above.get("$ref")) is node:
        return "$ref"
    for place in iter_places(above):
        if place.schema is node and place.reach is Reach.SAME:
            return str(place.path[0])
    return ""


def _below(draft: Draft, node: dict[str, Any]) -> list[dict[str, Any]]:
    below = [
        place.schema
        for place in iter_places(node)
        if isinstance(place.schema, dict) and place.path[0] not in {"$defs", "definitions"}
    ]
    target = draft.follow(node.get("$ref"))
    return below if target is None else [*below, target]


PASS = Pass(
    name="cut-recursion",
    since="0.1.0",
    lower=lower,
    restore=from_text,
    image=to_text,
    options={"how": "text"},
    triggers=("$ref",),
    loses="The model sees the inner part as text, without its schema.",
)
