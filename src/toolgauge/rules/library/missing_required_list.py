"""An object has no ``required``, or one that is no list of names.

Why is this bad?
    Strict formats want the list on every object, even when it is empty. A
    ``true`` or a map in its place is refused by most.

Instead
    Write ``"required": []``, or the names of what must be given, each once.

Sources
    JSON Schema 2020-12 validation, section 6.5.3: an array of unique strings;
    each target cites its page.
"""

from __future__ import annotations

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each object without a list of names as its ``required``."""
    for node in tool.having("type", "properties", "required"):
        if not node.is_object:
            continue
        if "required" in node.schema:
            message, path = _wrong(node.schema["required"]), node.at("required")
        else:
            message, path = "the object has no required", node.path
        if message:
            yield Finding(
                message=message,
                path=path,
                fix='list the names that must be given; for none write "required": []',
            )


def _wrong(required: object) -> str:
    """Say why something is no list of names, ``""`` where it is one."""
    if not isinstance(required, list):
        return f"required is {kind_of(required)}; it must be a list of names"
    for index, name in enumerate(required):
        if not isinstance(name, str):
            return f"required holds {kind_of(name)} at {index}; it must hold names"
    return ""


RULE = Rule(
    code="TG310",
    name="missing-required-list",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "object"}, "TG310"),
        Example.of({"type": "object", "required": True}, "TG310"),
        Example.of({"type": "object", "required": []}),
    ),
)
