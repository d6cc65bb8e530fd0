"""A reference that closes a cycle becomes JSON text: the recursion ends, no value is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.subschemas import iter_places
from toolgauge.lowering._jsontext import WORDS, from_text, to_text
from toolgauge.lowering._pass import Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft


def lower(draft: Draft, options: Options) -> None:
    """Replace each closing reference, or refuse with ``how: "refuse"``."""
    for node in _closing(draft):
        if options["how"] == "refuse":
            draft.refuse(
                f"the definition {node['$ref']!r} refers to itself",
                "end the recursion in the schema, or take that part as JSON text",
            )
        words = node.get("description")
        draft.lose(node, "the recursion is sent as JSON text", kind=RESHAPED, by=RESTORE)
        draft.lose(node, "the schema of the inner part is no longer enforced")
        node.clear()
        node["type"] = "string"
        if isinstance(words, str):
            node["description"] = words
        draft.tell(node, WORDS)
        draft.mark(node, whole=True)
    if draft.marks:
        draft.touch()


def _closing(draft: Draft) -> list[dict[str, Any]]:
    """Give the references that lead back to a subschema on the way to them."""
    closing: list[dict[str, Any]] = []
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
                blamed = next(each for each, _ in reversed(way) if "$ref" in each)
                if all(blamed is not each for each in closing):
                    closing.append(blamed)
    return closing


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
