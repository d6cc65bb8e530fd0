"""Subschemas whose values travel in another shape: as JSON text, mostly."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, dump_json, parse_json
from toolgauge.lowering._branches import UNIONS, iter_unions
from toolgauge.lowering._kinds import kinds_of
from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._report import HIDDEN, NARROWER, NOTHING
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from toolgauge.lowering._pass import Draft, Mark

_DATA = ("default", "examples", "example")
"""Annotations that hold values of the shape that is given up."""

SHOWN = ANNOTATIONS.difference(_DATA)


def hide_data(draft: Draft, node: dict[str, Any]) -> None:
    """Report the annotations that ``reshape`` is going to drop."""
    for keyword in _DATA:
        if keyword in node:
            draft.lose(node, f"{keyword} is not shown", keyword, kind=HIDDEN, by=NOTHING)


def reshape(
    draft: Draft,
    node: dict[str, Any],
    made: Mapping[str, Any],
    words: str = "",
    kept: Collection[str] = SHOWN,
) -> None:
    """Replace what a subschema says by ``made``, the kept keywords, and words on the shape."""
    shown = {key: value for key, value in node.items() if key in kept}
    node.clear()
    node.update(made)
    node.update(shown)
    if words:
        draft.tell(node, words)


def send_as_text(
    draft: Draft, node: dict[str, Any], words: str = "", kept: Collection[str] = SHOWN
) -> None:
    """Let the model write the values of a subschema as JSON text."""
    reshape(draft, node, {"type": "string"}, f"{words} Written as JSON text.".lstrip(), kept)
    draft.mark(node, whole=True)


def lose_texts(draft: Draft) -> None:
    """Report texts beside marked places: one that reads as a value of these is that value."""
    if not draft.marks:
        return
    for node in draft.having(*UNIONS):
        for union in iter_unions(node):
            branches = _leaves(draft, union)
            if not any(id(each) in draft.marks for each in branches):
                continue
            for each in branches:
                if id(each) not in draft.marks and "string" in (kinds_of(each) or ["string"]):
                    words = "text that reads as what another alternative takes is taken for that"
                    draft.lose(each, words, kind=NARROWER, by=NOTHING)


def _leaves(draft: Draft, union: list[Any]) -> list[dict[str, Any]]:
    """Give the alternatives of a union, through references and the unions among them."""
    row = [each for each in union if isinstance(each, dict)]
    seen = {id(each) for each in row}
    for node in row:  # it grows while we look
        draft.charge(1)
        for each in (draft.follow(node.get("$ref")), *chain(*iter_unions(node))):
            if isinstance(each, dict) and id(each) not in seen:
                seen.add(id(each))
                row.append(each)
    return [each for each in row if "$ref" not in each and each.keys().isdisjoint(UNIONS)]


def from_text(value: Any, mark: Mark) -> Any:
    """Read JSON text. A value that is no text is what it is: the model ignored the schema."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except InvalidJson as error:
        raise CannotRefit(f"no JSON text: {error.reason}") from error


def to_text(value: Any, mark: Mark) -> Any:
    """Write JSON text."""
    return dump_json(value).decode()
