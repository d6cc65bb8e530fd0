"""The Berkeley Function-Calling Leaderboard.

Its tools have Python's, Java's and JavaScript's names of types. A row of the answers,
``{"id", "ground_truth": [{"<tool>": {"<argument>": [<acceptable>, …]}}]}``, lists what
would be right: the first acceptable value is taken, and ``""`` says that the argument
may be left out, which is then done. A row of the questions has the tools, under
``function``, and the same ``id``.

Source: bfcl-eval 2026.3.23 (Apache-2.0): ``constants/type_mappings.py``; its ``any`` is
read as anything here, not as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.auditing.dialects import Dialect, map_types
from toolgauge.auditing.verdicts import Call, Malformed
from toolgauge.wire import malformed

if TYPE_CHECKING:
    from collections import Counter

    from toolgauge.auditing.verdicts import Found

NAMES: dict[str, str | None] = {
    "float": "number",
    "double": "number",
    "dict": "object",
    "HashMap": "object",
    "Hashtable": "object",
    "bool": "boolean",
    "Boolean": "boolean",
    "tuple": "array",
    "list": "array",
    "Array": "array",
    "ArrayList": "array",
    "Queue": "array",
    "Stack": "array",
    "String": "string",
    "char": "string",
    "byte": "integer",
    "short": "integer",
    "long": "integer",
    "Integer": "integer",
    "Bigint": "integer",
    "any": None,
    "Any": None,
}
"""BFCL's names of types that JSON Schema does not have."""

_LEFT_OUT = ""


def to_schema(parameters: Any) -> tuple[Any, Counter[str]]:
    """Give the JSON Schema of a function's ``parameters``."""
    return map_types(parameters, NAMES)


def read_bfcl(row: Any) -> Found | None:
    """Read the calls of a row of answers; other rows are of other shapes."""
    if not isinstance(row, dict) or "ground_truth" not in row:
        # A row of questions holds tools, and nothing that was called.
        return () if isinstance(row, dict) and "question" in row else None
    truth = row["ground_truth"]
    if not isinstance(truth, list):
        return (malformed(("ground_truth",), "is no array", truth),)
    if all(isinstance(each, str | list) for each in truth):
        return ()  # several turns, as Python source: not a call that names its arguments
    return [_call(each, index) for index, each in enumerate(truth)]


def _call(held: Any, index: int) -> Call | Malformed:
    path = ("ground_truth", index)
    if not isinstance(held, dict) or len(held) != 1:
        return malformed(path, "is no object with the one name of a tool", held)
    name, arguments = next(iter(held.items()))
    if not isinstance(arguments, dict):
        return Call(name, arguments, (*path, name))
    return Call(name, _chosen(arguments), (*path, name))


def _chosen(arguments: dict[str, Any]) -> dict[str, Any]:
    """Choose the first acceptable value of each argument; leave out what may be."""
    found: dict[str, Any] = {}
    for name, options in arguments.items():
        if not isinstance(options, list):
            found[name] = options
        elif options and options[0] != _LEFT_OUT:
            found[name] = _inner(options[0])
    return found


def _inner(value: Any) -> Any:
    """Choose inside objects, whose members list acceptable values again."""
    if isinstance(value, dict):
        return _chosen(value)
    if isinstance(value, list):
        return [_inner(each) for each in value]
    return value


DIALECT = Dialect(
    name="bfcl",
    title="Berkeley Function-Calling Leaderboard",
    schema=to_schema,
    read=read_bfcl,
    tools_key="function",
)
