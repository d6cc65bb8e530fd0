"""Listed values that are no text, or empty text, written as text and read back."""

from __future__ import annotations

from typing import Any

from toolgauge.contract import dump_json
from toolgauge.lowering._branches import UNIONS, iter_unions
from toolgauge.lowering._merge import CONSTRAINTS, same
from toolgauge.lowering._pass import Draft, Mark, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering._reshape import hide_data, lose_texts, reshape
from toolgauge.lowering.errors import CannotRefit

_KEPT = {"type", "enum", "const"}
_EMPTY = "(empty)"


def lower(draft: Draft, options: Options) -> None:
    """Replace each such ``enum``; every member keeps a text of its own.

    With ``structured`` only those that list an object or an array: what lies in
    them must not be reshaped.
    """
    structured: bool = options["structured"]
    beside = _beside(draft, structured=structured)
    for node in draft.having("enum", "const"):
        values = _listed(node)
        if not _is_meant(node, values, structured=structured):
            continue
        taken = beside.get(id(node), set())
        texts: dict[str, Any] = {}
        for value in values:
            text = (value or _EMPTY) if isinstance(value, str) else dump_json(value).decode()
            while text in texts or text in taken:
                draft.charge(1)
                text += "_"
            texts[text] = value
        taken.update(texts)
        for keyword in [each for each in node if each in CONSTRAINTS - _KEPT]:
            draft.lose(node, f"{keyword} is no longer enforced", keyword)
        hide_data(draft, node)
        reshape(draft, node, {"type": "string"})
        node["enum"] = list(texts)
        draft.lose(node, "listed values are sent as text", "enum", kind=RESHAPED, by=RESTORE)
        draft.mark(node, texts=texts)
    lose_texts(draft)


def _beside(draft: Draft, *, structured: bool) -> dict[int, set[str]]:
    """Give the texts that are taken by the branches of each union, by those of its branches."""
    found: dict[int, set[str]] = {}
    for node in draft.having(*UNIONS):
        for union in iter_unions(node):
            taken: set[str] = set()
            for each in union:
                if isinstance(each, dict):
                    found[id(each)] = taken
                    if not _is_meant(each, _listed(each), structured=structured):
                        taken.update(one for one in _listed(each) if isinstance(one, str))
    return found


def _listed(node: dict[str, Any]) -> list[Any]:
    return [node["const"]] if "const" in node else node.get("enum", [])


def _is_meant(node: dict[str, Any], values: list[Any], *, structured: bool) -> bool:
    if structured:
        return any(isinstance(each, dict | list) for each in values)
    return node.get("type") != "string" or not all(isinstance(v, str) and v for v in values)


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
        if same(known, value):
            return text
    return value


PASS = Pass(
    name="text-enums",
    since="0.1.0",
    lower=lower,
    restore=restore,
    image=image,
    marks={"texts": dict},
    options={"structured": False},
    triggers=("enum", "const"),
    loses="The model sees texts where the tool takes numbers.",
)
