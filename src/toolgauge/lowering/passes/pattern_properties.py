"""``patternProperties`` that the provider does not take, as ``additionalProperties``."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Let each further member be what any of the patterns says, whatever its name."""
    changed = False
    for node in draft.having("patternProperties"):
        patterns = node["patternProperties"]
        if "properties" not in node and len(patterns) <= options["max"]:
            continue
        changed = True
        del node["patternProperties"]
        draft.lose(node, "patternProperties is no longer enforced", "patternProperties")
        rest = node.get("additionalProperties", True)
        if rest is True or rest == {}:
            continue
        schemas = [*patterns.values(), *([] if rest is False else [rest])]
        node["additionalProperties"] = _any_of(draft, node, schemas)
    if changed:
        draft.touch()


def _any_of(draft: Draft, node: dict[str, Any], schemas: list[Any]) -> Any:
    kept = [each for each in schemas if each is not False]
    if not kept:
        return False
    if any(each is True or each == {} for each in kept):
        return draft.derive({}, node)
    return kept[0] if len(kept) == 1 else draft.derive({"anyOf": kept}, node)


PASS = Pass(
    name="pattern-properties",
    since="0.1.0",
    lower=lower,
    options={"max": 1},
    triggers=("patternProperties",),
    loses="That a member's schema follows from its name.",
)
