"""Listed values that are no text, or empty text, written as text and read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json
from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Mark, Options, Pass
from toolgauge.lowering._report import HIDDEN, NOTHING, RESHAPED, RESTORE
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

_DATA = ("default", "examples", "example")
_EMPTY = "(empty)"


def lower(draft: Draft, options: Options) -> None:
    """Replace each such ``enum``; every member keeps a text of its own."""
    for node in draft.having("enum"):
        values = node["enum"]
        if node.get("type") == "string" and all(isinstance(v, str) and v for v in values):
            continue
        texts: dict[str, Any] = {}
        for value in values:
            text = (value or _EMPTY) if isinstance(value, str) else dump_json(value).decode()
            while text in texts:
                text += "_"
            texts[text] = value
        for keyword in node.keys() & set(_DATA):
            draft.lose(node, f"{keyword} is not shown", keyword, kind=HIDDEN, by=NOTHING)
        kept = {key: node[key] for key in node if key in ANNOTATIONS and key not in _DATA}
        node.clear()
        node.update({"type": "string", **kept, "enum": list(texts)})
        draft.lose(node, "listed values are sent as text", "enum", kind=RESHAPED, by=RESTORE)
        draft.mark(node, texts=texts)


def restore(value: Any, mark: Mark) -> Any:
    """Give the value that a text stands for."""
    if not isinstance(value, str):
        return value
    if value not in mark["texts"]:
        raise CannotRefit(f"{value[:100]!r} is none of the listed values")
    return mark["texts"][value]


def image(value: Any, mark: Mark) -> Any:
    """Give the text that stands for a value."""
    for text, known in mark["texts"].items():
        if known == value and isinstance(known, bool) == isinstance(value, bool):
            return text
    return value


PASS = Pass(
    name="text-enums",
    since="0.1.0",
    lower=lower,
    restore=restore,
    image=image,
    triggers=("enum",),
    loses="The model sees texts where the tool takes numbers.",
)
