"""No parameter of the tool is required.

Why is this bad?
    A decoder that is held to the schema needs something that must come. Without it
    the request is refused.

Instead
    Require one parameter, and let it be null if it may be absent.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a schema whose root requires nothing."""
    root = tool.root
    if root is None or root.required_names:
        return
    if limits["allow_no_properties"] and not root.property_names:
        return
    yield Finding(
        message=f"none of the {len(root.property_names)} parameters is required",
        path=root.at("required") if "required" in root.schema else root.path,
        fix="require one parameter, and let it be null if it may be absent",
    )


RULE = Rule(
    code="TG443",
    name="no-required-parameter",
    since="0.1.0",
    check=check,
    limits={"allow_no_properties": False},
    examples=(
        Example.of({"properties": {"a": {}}, "required": []}, "TG443"),
        Example.of({"properties": {"a": {}}, "required": ["a"]}),
        Example.of({"properties": {}}, limits={"allow_no_properties": True}),
    ),
)
