"""Objects take the members that they name and no others."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING


def lower(draft: Draft, options: Options) -> None:
    """Write ``additionalProperties: false`` and the list of properties into every object."""
    for node in draft.nodes:
        if not _is_object(node) or (options["declared"] and "properties" not in node):
            continue
        if node.get("additionalProperties") is not False:
            draft.lose(node, "members it does not name cannot be sent", kind=NARROWER, by=NOTHING)
            node["additionalProperties"] = False
        node.setdefault("properties", {})
        if options["required"]:
            node.setdefault("required", [])
    draft.touch()  # an object may have lost a schema for further members


def _is_object(node: dict[str, Any]) -> bool:
    kind = node.get("type")
    if kind is None:
        return "properties" in node or "required" in node
    return kind == "object" or "object" in kind


PASS = Pass(
    name="close",
    since="0.1.0",
    lower=lower,
    options={"required": False, "declared": False},
    loses="Members that an open object would take.",
)
