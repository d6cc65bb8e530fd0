"""A tool gives its schema under none or several of the keys that take one.

Why is this bad?
    The reader does not guess which one counts, and refuses the tool.

Instead
    Keep one of the keys.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a tool that does not have exactly one of ``limits["keys"]``."""
    keys: list[str] = limits["keys"]
    body, way = tool.body, tool.body_path
    found = [key for key in keys if key in body]
    if len(found) == 1 or (not found and limits["allow_none"]):
        return
    given = " and ".join(repr(key) for key in found) or "none"
    wanted = " or ".join(repr(key) for key in keys)
    yield Finding(
        message=f"the tool must have one of {wanted}; it has {given}",
        path=(*way, found[1]) if found else way,
        fix=f"remove {found[1]!r}" if found else f"give the schema as {keys[0]!r}",
    )


RULE = Rule(
    code="TG440",
    name="several-schema-keys",
    since="0.1.0",
    check=check,
    limits={"keys": ["input_schema", "parameters"], "allow_none": False},
    examples=(
        Example(tool={"name": "a", "parameters": {}, "input_schema": {}}, reports=("TG440",)),
        Example(tool={"name": "a"}, reports=("TG440",)),
        Example(tool={"name": "a"}, limits={"allow_none": True}),
        Example(tool={"name": "a", "parameters": {}}),
    ),
)
