"""Arrays say what their items are, ``{}`` where anything goes."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Add ``items`` to arrays that have none; booleans count as none.

    Without ``booleans``, what ends a tuple is its length: ``items: false`` goes.
    """
    is_changed = False
    for node in draft.having("type", "items"):
        if not options["booleans"] and "prefixItems" in node and _ends(node):
            is_changed = True
        elif _is_array(node) and node.get("items", True) is True:
            node["items"] = draft.derive({}, node)
            is_changed = True
    if is_changed:
        draft.touch()


def _is_array(node: dict[str, Any]) -> bool:
    kind = node.get("type", ())
    return kind == "array" or (not isinstance(kind, str) and "array" in kind)


def _ends(node: dict[str, Any]) -> bool:
    """Tell whether a tuple ends with its positions; write that as its length."""
    length = len(node["prefixItems"])
    if node.get("items") is False:
        del node["items"]
        node["maxItems"] = min(length, node.get("maxItems", length))
    return "items" not in node and node.get("maxItems", length + 1) <= length


PASS = Pass(
    name="items",
    since="0.1.0",
    lower=lower,
    options={"booleans": True},
    triggers=("type", "items"),
)
