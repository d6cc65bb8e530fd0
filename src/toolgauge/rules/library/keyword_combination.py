"""Two keywords stand together that the reader of the schema takes only apart.

Why is this bad?
    Each of them is supported and the pair is not, so the request is refused
    although no single keyword is at fault.

Instead
    Fold one keyword into the other (a length into the pattern), or remove the
    weaker one and describe it.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each node that has every keyword of one of ``limits["groups"]``.

    With ``types`` only nodes count that may be of one of them. A keyword of
    ``unless_false`` does not count where it is ``false``.
    """
    groups: list[list[str]] = limits["groups"]
    for group in groups:
        for node in tool.having(group[0]) if group else ():
            if not all(keyword in node.schema for keyword in group):
                continue
            if limits["types"] and node.types and set(limits["types"]).isdisjoint(node.types):
                continue
            if any(node.schema[each] is False for each in group if each in limits["unless_false"]):
                continue
            named = " and ".join(repr(each) for each in group)
            yield Finding(
                message=f"{named} stand together",
                path=node.path,
                fix=f"remove {group[-1]!r}, or express it through {group[0]!r}",
            )


RULE = Rule(
    code="TG417",
    name="keyword-combination",
    since="0.1.0",
    check=check,
    limits={"groups": [["pattern", "minLength"]], "types": [], "unless_false": []},
    examples=(
        Example.of(
            {"properties": {"p": {"pattern": "^a", "minLength": 2, "type": "null"}}},
            limits={"types": ["string"]},
        ),
        Example.of(
            {"properties": {"p": {}}, "additionalProperties": False},
            limits={
                "groups": [["properties", "additionalProperties"]],
                "unless_false": ["additionalProperties"],
            },
        ),
        Example.of({"properties": {"p": {"pattern": "^a", "minLength": 2}}}, "TG417"),
        Example.of({"properties": {"p": {"pattern": "^a", "maxLength": 2}}}),
    ),
)
