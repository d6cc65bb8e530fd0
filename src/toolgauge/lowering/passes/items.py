"""Arrays say what their items are, ``{}`` where anything goes."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Add ``items`` to arrays that have none; booleans count as none."""
    is_changed = False
    for node in draft.having("type"):
        kind = node["type"]
        if kind != "array" and (isinstance(kind, str) or "array" not in kind):
            continue
        if node.get("items", True) is True:
            node["items"] = draft.derive({}, node)
            is_changed = True
    if is_changed:
        draft.touch()


PASS = Pass(name="items", since="0.1.0", lower=lower, triggers=("type",))
