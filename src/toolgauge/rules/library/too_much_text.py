"""The names and values of a schema have more characters than the target takes.

Why is this bad?
    The request is refused: property names, names of definitions, enum values and
    constants are added up over the schema.

Instead
    Shorten names, or turn a long enum into text with a description.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the schema once when its text is longer than ``limits["max_chars"]``."""
    most: int = limits["max_chars"]
    length = sum(len(text) for text in _texts(tool))
    if length <= most:
        return
    yield Finding(
        message=f"names and values of the schema have {length} characters; the limit is {most}",
        path=tool.schema_path,
        fix="shorten names, or turn a long enum into text with a description",
    )


def _texts(tool: Definition) -> Iterator[str]:
    """Yield the names of properties and definitions, and the text of enums and constants."""
    for keyword in ("properties", "$defs", "definitions", "enum"):
        for node in tool.having(keyword):
            found = node.schema[keyword]
            if isinstance(found, list if keyword == "enum" else dict):
                yield from (each for each in found if isinstance(each, str))
    for node in tool.having("const"):
        if isinstance(node.schema["const"], str):
            yield node.schema["const"]


RULE = Rule(
    code="TG438",
    name="too-much-text",
    since="0.1.0",
    check=check,
    limits={"max_chars": 120_000},
    examples=(
        Example.of(
            {"properties": {"abc": {"enum": ["de"]}, "f": {"const": "g"}}},
            "TG438",
            limits={"max_chars": 6},
        ),
        Example.of(
            {"properties": {"abc": {"enum": ["de"]}, "f": {"const": "g"}}}, limits={"max_chars": 7}
        ),
    ),
)
