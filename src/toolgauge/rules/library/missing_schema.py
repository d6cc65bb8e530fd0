"""A tool has no input schema, or something else in its place.

Why is this bad?
    The schema is a required object in most formats. A ``null``, ``true`` or
    a list there makes the provider refuse the request or the client drop the tool.

Instead
    For a tool without parameters write
    ``{"type": "object", "properties": {}, "additionalProperties": false}``.

Sources
    The Model Context Protocol requires ``inputSchema``; other formats let it be
    left out. Each target cites its page.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolgauge.contract.reading import why_no_schema
from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a schema that is not there, or is no object."""
    if isinstance(tool.schema, Mapping):
        return
    if tool.schema is MISSING:
        if limits["allow_missing"]:
            return
        message = f"the tool has no {tool.schema_path[-1]}"
    else:
        is_text = isinstance(tool.schema, str)
        found = why_no_schema(tool.schema) if is_text else kind_of(tool.schema)
        message = f"{tool.schema_path[-1]} is {found}; it must be an object"
    yield Finding(
        message=message,
        path=tool.schema_path,
        fix='for no parameters write {"type": "object", "properties": {}}',
    )


RULE = Rule(
    code="TG302",
    name="missing-schema",
    since="0.1.0",
    check=check,
    limits={"allow_missing": False},
    examples=(
        Example(tool={"name": "a"}, reports=("TG302",)),
        Example.of(None, "TG302"),
        Example(tool={"inputSchema": True}, reports=("TG302",)),
        Example(tool={"name": "a"}, limits={"allow_missing": True}),
        Example.of([], "TG302", limits={"allow_missing": True}),
        Example.of({"type": "object"}),
    ),
)
