"""The schema is nested deeper than the target allows.

Why is this bad?
    A provider refuses the schema. Models, too, fill flat arguments better than deep
    ones.

Instead
    Flatten objects that hold one thing each, or take the deep part as text that
    holds JSON.

Sources
    Two ways to count are known, and each target cites which is its own.
    ``"nodes"``: the root is level 1 and each step through a keyword in ``steps``
    adds one; a reference counts where it is used, as if its target stood there, and
    ``$defs`` not by itself. ``"objects"``: objects with ``properties`` inside one
    another; the root and each definition are counted apart and references are not
    followed.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._links import links_of, walk
from toolgauge.rules._messages import counted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the first subschema that is one level too deep."""
    max_depth: int = limits["max_depth"]
    if len(tool.nodes) <= max_depth and not tool.having("$ref"):
        return
    depths = (
        _object_depths(tool)
        if limits["counting"] == "objects"
        else _node_depths(tool, limits["steps"])
    )
    deepest = max(depths.values(), default=0)
    if deepest <= max_depth:
        return
    first = next(node for node in tool.nodes if depths.get(id(node)) == max_depth + 1)
    yield Finding(
        message=f"the schema is {counted(deepest, 'level')} deep; the limit is {max_depth}",
        path=first.path,
        fix="flatten the objects above, or take this part as JSON text",
    )


def _node_depths(tool: Definition, steps: Sequence[str]) -> dict[int, int]:
    """Count levels from the root; a link that closes a cycle adds none."""
    root = tool.nodes[0]
    depths = {id(root): 1}
    for link in walk((root,), links_of(tool)).links:
        depth = depths[id(link.source)]
        if not link.is_reference and link.target.keyword in steps:
            depth += 1
        depths[id(link.target)] = max(depth, depths.get(id(link.target), 0))
    return depths


def _object_depths(tool: Definition) -> dict[int, int]:
    """Count objects with properties from the root, or from a definition."""
    depths: dict[int, int] = {}
    for node in tool.nodes:
        is_start = node.parent is None or node.keyword in {"$defs", "definitions", "$ref"}
        above = 0 if is_start else depths[id(node.parent)]
        has_properties = isinstance(node.schema, dict) and "properties" in node.schema
        depths[id(node)] = above + has_properties
    return depths


def _nested(levels: int) -> dict[str, object]:
    place: dict[str, object] = {"type": "string"}
    for _ in range(levels - 1):
        place = {"type": "object", "properties": {"a": place}}
    return place


_USED = {"properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": _nested(4)}}

RULE = Rule(
    code="TG323",
    name="too-deep-schema",
    since="0.1.0",
    check=check,
    limits={
        "max_depth": 5,
        "counting": "nodes",
        "steps": ["properties", "items", "anyOf", "allOf"],
    },
    examples=(
        Example.of(_nested(6), "TG323"),
        Example.of(_nested(5)),
        Example.of(_USED, "TG323", limits={"max_depth": 4}),
        Example.of(_USED),
        Example.of(_nested(6), limits={"counting": "objects"}),
        Example.of(_nested(7), "TG323", limits={"counting": "objects"}),
    ),
)
