"""The root: an object with properties."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Say that arguments are an object, which they always are."""
    root = draft.schema
    kind = root.get("type", "object")
    if kind != "object" and "object" not in kind:
        draft.refuse(
            f"the root has type {kind!r}, and arguments are an object",
            'give the root "type": "object"',
        )
    if root.get("type") != "object":
        rest = {key: value for key, value in root.items() if key != "type"}
        root.clear()
        root.update({"type": "object", **rest})
    if options["properties"] and "properties" not in root:
        root["properties"] = {}
        draft.touch()


PASS = Pass(name="root-object", since="0.1.0", lower=lower, options={"properties": True})
