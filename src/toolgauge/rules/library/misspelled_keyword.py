"""A keyword or a format is unknown and looks like a known one.

Why is this bad?
    JSON Schema ignores keywords and formats that it does not know, so a slip of the
    pen passes every check and constrains nothing: ``requred`` requires nothing.

Instead
    Write the keyword that was meant. An annotation of your own begins with ``x-``.

Sources
    JSON Schema core 2020-12 section 6.5 (unknown keywords), validation 2020-12
    sections 7.2.3 (unknown formats) and 7.3 (the formats). Keywords of OpenAPI 3.0
    and 3.1 count as known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule
from toolgauge.rules._suggestions import meant_format, meant_keyword

if TYPE_CHECKING:
    from toolgauge.contract import Path


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report unknown keywords and formats that are one slip away from a known one."""
    for node in tool.nodes:
        if not isinstance(node.schema, dict):
            continue
        for keyword, value in node.schema.items():
            meant = "enum" if _is_enum(keyword, node.schema) else meant_keyword(keyword)
            if meant and meant not in node.schema:
                yield _finding(node.at(keyword), "keyword", keyword, meant)
            elif keyword == "format" and isinstance(value, str):
                meant = meant_format(value)
                if meant:
                    yield _finding(node.at("format"), "format", value, meant)


def _is_enum(keyword: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether ``values`` lists the values of an enum."""
    return keyword == "values" and "enum" not in schema and isinstance(schema["values"], list)


def _finding(path: Path, noun: str, given: str, meant: str) -> Finding:
    return Finding(
        message=f"unknown {noun} {quoted(given)}; did you mean {meant!r}?",
        path=path,
        fix=f"write {meant!r}",
    )


RULE = Rule(
    code="TG319",
    name="misspelled-keyword",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("requred", {"requred": ["a"]}, "TG319"),
        Example.of_property("requred", {"type": "enum", "values": ["now", "soon"]}, "TG319"),
        Example.of_property("requred", {"type": "string", "format": "datetime"}, "TG319"),
        Example.of_property("requred", {"type": "string", "format": "date-time"}),
        Example.of_property("requred", {"type": "string", "format": "phone-of-mine", "unit": "m"}),
    ),
)
