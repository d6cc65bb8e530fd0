"""References lead back to where they came from.

Why is this bad?
    A provider that turns the schema into a grammar, or writes references out where
    they stand, cannot do so for ever; it refuses the schema or cuts it off.

Instead
    Write the levels that are needed one below the other, or take the deep part as
    text that holds JSON.

Sources
    Each target cites where recursion is refused. Some allow it, through the root
    (``"#"``) or through a definition.
"""

from __future__ import annotations

from toolgauge.rules._links import links_of, walk
from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``$ref`` that closes a cycle, and ``"#"``, which always does.

    ``allow_root`` lets references to the root pass; without ``unused_too`` a cycle
    counts only if the root leads to it.
    """
    if not tool.having("$ref"):
        return
    links = links_of(tool)
    root = tool.nodes[0]
    to_root = [
        link.source
        for each in links.values()
        for link in each
        if link.is_reference and link.target is root
    ]
    if limits["allow_root"]:
        links = {
            place: [link for link in each if link.target is not root]
            for place, each in links.items()
        }
        to_root = []
    walked = walk(tool.nodes if limits["unused_too"] else (root,), links)
    found = {id(node): node for node in walked.closing}
    if limits["unused_too"]:
        found |= {id(node): node for node in to_root}
    for node in tool.having("$ref"):
        if id(node) in found:
            yield Finding(
                message=f"the reference {quoted(node.schema['$ref'])} leads back to itself",
                path=node.at("$ref"),
                fix="write out the levels that are needed, or take the deep part as JSON text",
            )


def _tool(reference: str, **definitions: object) -> dict[str, object]:
    return {"inputSchema": {"properties": {"a": {"$ref": reference}}, "$defs": definitions}}


_LIST = {"properties": {"next": {"$ref": "#/$defs/list"}}}
_FLAT = {"type": "string"}

RULE = Rule(
    code="TG314",
    name="recursive-reference",
    since="0.1.0",
    check=check,
    limits={"allow_root": False, "unused_too": True},
    examples=(
        Example(tool=_tool("#"), reports=("TG314",)),
        Example(tool=_tool("#"), limits={"allow_root": True}),
        Example(tool=_tool("#/$defs/list", list=_LIST), reports=("TG314",)),
        Example(tool=_tool("#/$defs/flat", list=_LIST, flat=_FLAT), reports=("TG314",)),
        Example(tool=_tool("#/$defs/flat", list=_LIST, flat=_FLAT), limits={"unused_too": False}),
        Example(tool=_tool("#/$defs/flat", flat=_FLAT)),
    ),
)
