"""An example of a tool's input is refused by the tool's own schema.

Why is this bad?
    A provider that checks examples refuses the whole request for a bad one, and the
    model copies what it is shown.

Instead
    Correct the example, or the schema that it shows the use of.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule

if TYPE_CHECKING:
    from toolgauge.contract import CompiledSchema

_EXAMPLE = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def check(tool: Definition, limits: Limits) -> Findings:
    """Validate each of the tool's ``limits["key"]`` against its input schema.

    ``limits["max_examples"]`` bounds how many are looked at.
    """
    key: str = limits["key"]
    found = tool.body.get(key, MISSING)
    path = (*tool.body_path, key)
    if found is MISSING or found is None:
        return
    if not isinstance(found, list):
        yield Finding(
            message=f"{key} is {kind_of(found)}, not an array of inputs",
            path=path,
            fix="list the example inputs",
        )
        return
    compiled = _compiled(tool)
    for index, example in enumerate(found[: limits["max_examples"]]):
        if not isinstance(example, dict):
            yield Finding(
                message=f"the example is {kind_of(example)}, not an object",
                path=(*path, index),
                fix="write the input as an object",
            )
            continue
        # An issue without a keyword is about our bounds.
        issues = () if compiled is None else compiled.issues(example)
        for issue in (each for each in issues if each.keyword is not None):
            yield Finding(
                message=f"the example is refused by the input schema: {issue.message}",
                path=(*path, index, *issue.path),
                fix="correct the example, or the schema",
            )


def _compiled(tool: Definition) -> CompiledSchema | None:
    """Compile the input schema; a broken one is the meta-schema's question."""
    from toolgauge.contract import compile_schema  # noqa: PLC0415 - the engines load late

    if tool.schema is MISSING:
        return None
    compiled = compile_schema(tool.schema)
    return None if compiled.problem is not None else compiled


RULE = Rule(
    code="TG451",
    name="invalid-example",
    since="0.1.0",
    check=check,
    limits={"key": "input_examples", "max_examples": 20},
    examples=(
        Example(
            tool={"input_schema": _EXAMPLE, "input_examples": [{"a": 1}, {"a": "1"}, {}]},
            reports=("TG451", "TG451"),
        ),
        Example(tool={"input_schema": _EXAMPLE, "input_examples": ["{}"]}, reports=("TG451",)),
        Example(tool={"input_schema": _EXAMPLE, "input_examples": {}}, reports=("TG451",)),
        Example(tool={"input_schema": _EXAMPLE, "input_examples": [{"a": 1}]}),
        Example(tool={"input_schema": {"type": 5}, "input_examples": [{"a": 1}]}),
        Example(tool={"input_schema": _EXAMPLE}),
    ),
)
