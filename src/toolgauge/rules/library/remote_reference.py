"""A reference leads out of the schema.

Why is this bad?
    Nobody fetches it: a provider refuses the schema, or takes the reference for
    "anything". Fetching it would let a tool's author reach into the network of
    whoever reads the schema.

Instead
    Copy the target into ``$defs`` and refer to ``#/$defs/<name>``.

Sources
    JSON Schema core 2020-12 section 8.2.3.1; that a ``$ref`` must start with ``#``
    is a rule of each target that cites it.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``$ref`` that does not start with ``#``; the empty one is of that kind.

    With ``limits["output"]`` in the output schema too.
    """
    nodes = (node for each in tool.read(output=limits["output"]) for node in each.having("$ref"))
    for node in nodes:
        reference = node.schema["$ref"]
        if not isinstance(reference, str) or reference.startswith("#"):
            continue
        yield Finding(
            message=f"the reference {quoted(reference)} does not start with '#'",
            path=node.at("$ref"),
            fix="copy the target into $defs and refer to it there",
        )


def _tool(reference: str, key: str = "inputSchema") -> dict[str, object]:
    return {key: {"properties": {"a": {"$ref": reference}}, "$defs": {"a": {}}}}


RULE = Rule(
    code="TG313",
    name="remote-reference",
    since="0.1.0",
    check=check,
    limits={"output": False},
    examples=(
        Example(tool=_tool("https://example.test/a.json"), reports=("TG313",)),
        Example(tool=_tool("a.json#/$defs/a"), reports=("TG313",)),
        Example(tool=_tool("#/$defs/a")),
        Example(tool=_tool("a.json", "outputSchema")),
        Example(tool=_tool("a.json", "outputSchema"), limits={"output": True}, reports=("TG313",)),
    ),
)
