"""Objects with free keys: an array of key and value, or JSON text where values are free too."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Draft, Mark, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING, RESHAPED, RESTORE
from toolgauge.lowering._reshape import (
    SHOWN,
    from_text,
    hide_data,
    lose_texts,
    reshape,
    send_as_text,
    to_text,
)
from toolgauge.lowering.errors import CannotRefit

_KEPT = SHOWN | {"$defs"}
_ANY_KEY = frozenset({"", ".*", "^.*$", "^.*", ".*$"})
_PAIR = {"key", "value"}
_WORDS = "A list of entries, each with its key and value."


def lower(draft: Draft, options: Options) -> None:
    """Reshape every object below the root that names no members.

    With ``closed`` also one that takes none, for a provider that cannot say so. Where
    members are named, what is said of others goes: the provider does not read it.
    """
    for node in draft.nodes:
        if node.get("properties") or node is draft.schema:
            _leave_named(draft, node, closed=options["closed"])
    for node in reversed(draft.nodes):
        if node is draft.schema or node.get("type") != "object" or node.get("properties"):
            continue
        if not node.keys().isdisjoint({"anyOf", "oneOf", "allOf", "$ref", "enum", "const"}):
            continue
        patterns = node.get("patternProperties", {})
        more = node.get("additionalProperties", True)
        if more is False and not patterns and not options["closed"]:
            continue
        values = next(iter(patterns.values())) if patterns else more
        is_plain = len(patterns) == 0 or (len(patterns) == 1 and more in (False, True))
        if not is_plain or values is True or values == {} or not isinstance(values, dict):
            _as_text(draft, node)
        else:
            _as_pairs(draft, node, values)
            if patterns and more is True and next(iter(patterns)) not in _ANY_KEY:
                words = "keys that the pattern does not name take only its values"
                draft.lose(node, words, kind=NARROWER, by=NOTHING)
    lose_texts(draft)
    if draft.marks:
        draft.touch()


def _leave_named(draft: Draft, node: dict[str, Any], *, closed: bool) -> None:
    """Drop what is said of members that are not named, before anything in it is reshaped."""
    if closed and "additionalProperties" in node:
        draft.drop(node, "additionalProperties")
        draft.touch()
    if "patternProperties" in node:
        draft.drop(node, "patternProperties")
        draft.touch()


def _as_text(draft: Draft, node: dict[str, Any]) -> None:
    """Let the model write the object as text."""
    if node.keys() - ANNOTATIONS - {"type", "additionalProperties", "properties"}:
        draft.lose(node, "the keys and sizes of this object are no longer enforced")
    elif isinstance(node.get("additionalProperties"), dict) and node["additionalProperties"]:
        draft.lose(node, "the values of this object are no longer enforced")
    draft.lose(node, "an object with free keys is sent as JSON text", kind=RESHAPED, by=RESTORE)
    hide_data(draft, node)
    send_as_text(draft, node, "An object.", _KEPT)
    draft.lose(node, "that the text is an object is no longer enforced")
    draft.mark(node, shape="text", whole=True)


def _as_pairs(draft: Draft, node: dict[str, Any], values: dict[str, Any]) -> None:
    """Let the model list the entries."""
    key: dict[str, Any] = {"type": "string"}
    names = node.get("propertyNames")
    patterns = list(node.get("patternProperties", {}))
    if isinstance(names, dict) and "$ref" not in names:
        key = {**key, **names, "type": "string"}
    elif patterns and node.get("additionalProperties") is False:
        key["pattern"] = patterns[0]
    pair = draft.derive(
        {
            "type": "object",
            "properties": {"key": draft.derive(key, node), "value": values},
            "required": ["key", "value"],
            "additionalProperties": False,
        },
        node,
    )
    made: dict[str, Any] = {"type": "array", "items": pair}
    for mine, theirs in (("minProperties", "minItems"), ("maxProperties", "maxItems")):
        if mine in node:
            made[theirs] = node[mine]
    draft.lose(node, "an object with free keys is sent as a list", kind=RESHAPED, by=RESTORE)
    draft.lose(node, "that no key comes twice is no longer enforced")
    if node.get("required"):
        draft.lose(node, "the required keys are no longer enforced", "required")
    hide_data(draft, node)
    reshape(draft, node, made, _WORDS, _KEPT)
    draft.mark(node, shape="pairs")


def restore(value: Any, mark: Mark) -> Any:
    """Give the object. One that is already there is what the model ought not to send."""
    if isinstance(value, dict):
        return value
    if mark["shape"] == "text":
        found = from_text(value, mark)
        if isinstance(found, dict):
            return found
        raise CannotRefit("the text is no JSON object")
    if not isinstance(value, list):
        return value
    made: dict[str, Any] = {}
    for each in value:
        if not isinstance(each, dict) or each.keys() != _PAIR or not isinstance(each["key"], str):
            raise CannotRefit("an entry is not {key, value}")
        if each["key"] in made:
            raise CannotRefit(f"the key {each['key']!r} comes twice")
        made[each["key"]] = each["value"]
    return made


def image(value: Any, mark: Mark) -> Any:
    """Give the list or the text."""
    if not isinstance(value, dict):
        return value
    if mark["shape"] == "text":
        return to_text(value, mark)
    return [{"key": key, "value": each} for key, each in value.items()]


PASS = Pass(
    name="maps",
    since="0.1.0",
    lower=lower,
    restore=restore,
    image=image,
    marks={"shape": str},
    options={"closed": False},
    triggers=("type",),
    loses=(
        "The model sees a list or text where the tool takes an object; keys may come twice, "
        "or take the values of a pattern only."
    ),
)
