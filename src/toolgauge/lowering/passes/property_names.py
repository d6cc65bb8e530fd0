"""Names of members that the provider refuses: renamed, and renamed back in calls."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from toolgauge.lowering._pass import Draft, Mark, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering.errors import CannotRefit

_DIGITS = 6
_CHARS_A_STEP = 4_096
_BY_NAME = (
    "propertyNames",
    "patternProperties",
    "dependentSchemas",
    "unevaluatedProperties",
    "if",
    "then",
    "else",
    "not",
)
"""Keywords that look at members by their names, and would see the new ones."""


def lower(draft: Draft, options: Options) -> None:
    """Rename members of the root, or with ``everywhere`` of every object."""
    for node in draft.nodes if options["everywhere"] else (draft.schema,):
        members = node.get("properties")
        if isinstance(members, dict):
            _rename(draft, node, members, options)
    if draft.marks:
        draft.touch()


def _rename(draft: Draft, node: dict[str, Any], members: dict[str, Any], options: Options) -> None:
    good = re.compile(options["pattern"])
    renamed: dict[str, str] = {}
    taken = set(members)
    for name in members:
        if good.fullmatch(name) is None:
            new = _new(name, taken, options)
            renamed[new] = name
            taken.add(new)
    if not renamed:
        return
    new_of = {old: new for new, old in renamed.items()}
    node["properties"] = {new_of.get(name, name): each for name, each in members.items()}
    for keyword in ("required", "propertyOrdering"):
        if isinstance(node.get(keyword), list):
            node[keyword] = [new_of.get(name, name) for name in node[keyword]]
    if isinstance(node.get("dependentRequired"), dict):
        node["dependentRequired"] = {
            new_of.get(name, name): [new_of.get(each, each) for each in needed]
            for name, needed in node["dependentRequired"].items()
        }
    _give_up(draft, node)
    told = f"{draft.description} {node.get('description')}"
    for old, new in new_of.items():
        words = f"{old!r} is called {new!r}"
        draft.lose(node, words, "properties", old, kind=RESHAPED, by=RESTORE)
        draft.charge(len(told) // _CHARS_A_STEP)
        if old in told:
            draft.tell(node, f"({words})")
    draft.mark(node, renamed=renamed)


def _give_up(draft: Draft, node: dict[str, Any]) -> None:
    """Drop what looks at members by their names."""
    doomed = [each for each in _BY_NAME if each in node]
    if "patternProperties" in doomed and node.get("additionalProperties", True) is not True:
        # Else it would hold for the members that a pattern took.
        doomed.insert(0, "additionalProperties")
    for keyword in doomed:
        draft.drop(node, keyword)


def _new(name: str, taken: set[str], options: Options) -> str:
    letter = re.compile(options["letter"])
    clean = "".join(each if letter.fullmatch(each) else "_" for each in name) or "_"
    if not re.fullmatch(options["pattern"], clean[0]):
        clean = f"p_{clean}"
    longest: int = options["max_length"]
    if len(clean) <= longest and clean not in taken:
        return clean
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{clean[: longest - _DIGITS - 1]}_{digest}"


def restore(value: Any, mark: Mark) -> Any:
    """Give the members their own names."""
    if not isinstance(value, dict):
        return value
    renamed = mark["renamed"]
    if any(old in value for new, old in renamed.items() if new in value):
        raise CannotRefit("a member is there under both of its names")
    return {renamed.get(key, key): each for key, each in value.items()}


def image(value: Any, mark: Mark) -> Any:
    """Give the members the names that the provider sees."""
    if not isinstance(value, dict):
        return value
    new_of = {old: new for new, old in mark["renamed"].items()}
    return {new_of.get(key, key): each for key, each in value.items()}


PASS = Pass(
    name="property-names",
    since="0.1.0",
    lower=lower,
    restore=restore,
    image=image,
    marks={"renamed": dict},
    options={
        "everywhere": False,
        "letter": "[a-zA-Z0-9_.-]",
        "max_length": 64,
        "pattern": "^[a-zA-Z0-9_.-]{1,64}$",
    },
    triggers=("properties",),
    loses="What `not`, `if`, patterns and the like demand of an object with such members.",
)
