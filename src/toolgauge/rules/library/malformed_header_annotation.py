"""A parameter asks to travel as an HTTP header and cannot.

Why is this bad?
    A client that mirrors parameters into headers drops a tool whose annotation it
    cannot follow.

Instead
    Give each annotated parameter a name of its own that is an HTTP token, or remove
    the annotation.

Sources
    RFC 9110 section 5.6.2 for tokens. Each target that applies this cites the page
    or the report, and the date read.
"""

from __future__ import annotations

import re

from toolgauge.rules._messages import quoted, shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``x-mcp-header`` that no header can be made of, with the first reason."""
    earlier: dict[str, Node] = {}
    for node in tool.having("x-mcp-header"):
        reason = _reason(node, limits["types"])
        name = node.schema["x-mcp-header"]
        if not reason and earlier.setdefault(name.lower(), node) is not node:
            reason = f"is given to property {quoted(earlier[name.lower()].name)} too"
        if not reason:
            continue
        yield Finding(
            message=f"x-mcp-header {shown(name)} {reason}",
            path=node.at("x-mcp-header"),
            fix="correct the header's name, or remove the annotation",
        )


def _reason(node: Node, types: list[str]) -> str:
    """Say why one annotation is wrong by itself, ``""`` where it is not."""
    name = node.schema["x-mcp-header"]
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return "is no HTTP token: letters, digits and !#$%&'*+-.^_`|~"
    if not _is_plain_property(node):
        return "is not on a property that properties alone lead to"
    if len(node.types) != 1 or node.types[0] not in types:
        found = " or ".join(repr(each) for each in node.types) or "none"
        return f"is on type {found}, not on one of {', '.join(types)}"
    return ""


def _is_plain_property(node: Node) -> bool:
    """Tell whether only ``properties`` lead from the root to here."""
    here = node
    while here.parent is not None:
        if here.keyword != "properties":
            return False
        here = here.parent
    return node.parent is not None


RULE = Rule(
    code="TG502",
    name="malformed-header-annotation",
    since="0.1.0",
    check=check,
    limits={"types": ["string", "integer", "boolean"]},
    examples=(
        Example.of({"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}, "TG502"),
        Example.of(
            {
                "properties": {
                    "a": {"type": "string", "x-mcp-header": "Region"},
                    "b": {"type": "string", "x-mcp-header": "region"},
                }
            },
            "TG502",
        ),
        Example.of({"properties": {"a": {"type": "string", "x-mcp-header": "Region"}}}),
    ),
)
