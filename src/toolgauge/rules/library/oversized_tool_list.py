"""The list of tools is longer as JSON than the target takes.

Why is this bad?
    The whole request is refused. Where it is not, the definitions crowd out the
    conversation.

Instead
    Shorten descriptions, move repeated subschemas to `$defs`, drop titles and
    examples, or split the list.

Sources
    Characters of the parsed list, written without spaces. Each target that applies
    this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._minified import minified_length
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the list once when it has more than ``limits["max_chars"]`` characters.

    With ``limits["schema_bytes"]``, when the input schemas alone have more bytes.
    """
    most: int = limits["max_chars"]
    if limits["schema_bytes"]:
        whose, unit = "the input schemas have", "bytes"
        schemas = [each.schema for each in tools if each.schema is not MISSING]
        length = sum(minified_length(each, in_bytes=True) for each in schemas)
    else:
        whose, unit = "the list has", "characters"
        length = minified_length([dict(each.raw) for each in tools])
    if length <= most:
        return
    yield Finding(
        message=f"{whose} {length} {unit} without spaces; the limit is {most}",
        fix=f"shorten descriptions or leave out tools: {length - most} {unit} too many",
    )


RULE = Rule(
    code="TG432",
    name="oversized-tool-list",
    since="0.1.0",
    check_list=check_list,
    limits={"max_chars": 7500, "schema_bytes": False},
    examples=(
        Example(tools=({"name": "a"},), limits={"max_chars": 13}, reports=("TG432",)),
        Example(tools=({"name": "a"},), limits={"max_chars": 14}),
        Example(
            tools=({"name": "a", "inputSchema": {"title": "é"}}, {"name": "b"}),
            limits={"max_chars": 13, "schema_bytes": True},
            reports=("TG432",),
        ),
        Example(
            tools=({"name": "a", "inputSchema": {"title": "é"}},),
            limits={"max_chars": 14, "schema_bytes": True},
        ),
    ),
)
