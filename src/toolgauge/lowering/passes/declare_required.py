"""Required members that are declared nowhere: declared, or no longer required."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass

_MAX_ROUNDS = 32


def lower(draft: Draft, options: Options) -> None:
    """Give each an empty schema, or that of further members.

    A closed object can never have such a member: refused at the root, elsewhere the gate
    says so.
    """
    # The schema of further members may need the same once it is copied.
    for _ in range(_MAX_ROUNDS):
        found = [
            _declare(draft, node, no_empty=options["no_empty"]) for node in draft.having("required")
        ]
        if not any(found):
            return
        draft.touch()


def _declare(draft: Draft, node: dict[str, Any], *, no_empty: bool) -> bool:
    """Declare what one object requires; tell whether anything was added."""
    names = list(dict.fromkeys(node["required"]))
    node["required"] = names
    if not names and no_empty:
        del node["required"]
    members = node.get("properties", {})
    missing = [each for each in names if each not in members]
    if not missing:
        return False
    more = node.get("additionalProperties")
    if more is False and node is not draft.schema:
        node["required"] = [each for each in names if each in members]
        draft.lose(node, "members that must and must not be there are not asked for", "required")
        return True
    if more is False:
        draft.refuse(
            f"{missing[0]!r} is required of a closed object that does not declare it",
            "declare the property, or drop it from required",
        )
    draft.charge(len(missing))
    members = dict(members)
    for each in missing:
        members[each] = draft.copy(more) if isinstance(more, dict) else draft.derive({}, node)
    node["properties"] = members
    return True


PASS = Pass(
    name="declare-required",
    since="0.1.0",
    lower=lower,
    options={"no_empty": False},
    triggers=("required",),
)
