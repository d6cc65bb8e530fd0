"""A schema's ``$id`` is no URI reference.

Why is this bad?
    A provider that checks schemas refuses it, and references inside are resolved
    against it.

Instead
    Leave ``$id`` out: a tool's schema needs none.

Sources
    JSON Schema core 2020-12 section 8.2.1; RFC 3986 section 4.1.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_CHARACTERS = re.compile(r"(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]|%[0-9A-Fa-f]{2})*+")


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``$id`` that is no text, or holds what a URI cannot."""
    for node in tool.having("$id"):
        given = node.schema["$id"]
        if isinstance(given, str) and _is_uri_reference(given):
            continue
        yield Finding(
            message=f"$id is {shown(given)}, which is no URI reference",
            path=node.at("$id"),
            fix="leave $id out",
        )


def _is_uri_reference(text: str) -> bool:
    """Tell whether a text has only characters of a URI, and a readable authority."""
    if _CHARACTERS.fullmatch(text) is None:
        return False
    try:
        # A port is read late, and fails late.
        _ = urlsplit(text).port
    except ValueError:
        return False
    return True


def _tool(given: object) -> dict[str, object]:
    return {"inputSchema": {"$id": given, "type": "object", "properties": {"$id": {}}}}


RULE = Rule(
    code="TG324",
    name="malformed-schema-id",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool=_tool("my schema"), reports=("TG324",)),
        Example(tool=_tool("http://[::1/a"), reports=("TG324",)),
        Example(tool=_tool(5), reports=("TG324",)),
        Example(tool=_tool("https://example.test/a%20b.json")),
        Example(tool=_tool("search")),
    ),
)
