"""Subschemas whose values travel in another shape: as JSON text, mostly."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, dump_json, parse_json
from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._report import HIDDEN, NOTHING
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
