"""What a validator checks, as keywords of JSON Schema, for libraries that write none.

Each function but ``published_pattern`` changes a schema that is being built. A schema is one
type, ``{"type": "integer"}``, or several, ``{"anyOf": [{"type": "integer"}, {"type": "null"}]}``;
a keyword goes to the branches that it says something about, and never to null.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from toolgauge.contract import DEFAULT_BOUNDS

if TYPE_CHECKING:
    from collections.abc import Mapping

NUMBERS = ("integer", "number")

TEXT = {"type": "string"}

DECIMAL = {
    "anyOf": [
        {"type": "number"},
        {**TEXT, "pattern": r"^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$"},
    ]
}

_TEXTS = ("title", "description", "examples", "deprecated")

_SIZES = {"string": "Length", "array": "Items", "object": "Properties"}


def branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the types that a schema allows beside null."""
    if "anyOf" in schema:
        return [one for each in schema["anyOf"] for one in branches(each)]
    return [] if schema.get("type") == "null" else [schema]


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null too."""
    if not schema or {"type": "null"} in schema.get("anyOf", ()):
        return schema
    parts = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return {"anyOf": [*parts, {"type": "null"}]}


def one_of_types(parts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Allow what any of these schemas allows."""
    found: list[dict[str, Any]] = []
    for part in parts:
        more = part["anyOf"] if set(part) == {"anyOf"} else [part]
        found += [each for each in more if each not in found]
    return found[0] if len(found) == 1 else {"anyOf": found}


def tuple_of(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of an array with exactly these items."""
    prefix = {"prefixItems": list(items)} if items else {}
    return {"type": "array", **prefix, "minItems": len(items), "maxItems": len(items)}


def texts_in(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the annotations that the metadata of a field holds: title, description, …."""
    return {key: metadata[key] for key in _TEXTS if key in metadata}


def summary_of(doc: str | None) -> dict[str, str]:
    """Return the first paragraph of a docstring as ``description``, nothing without one."""
    return {"description": " ".join(doc.split("\n\n")[0].split())} if doc else {}


def bound(schema: dict[str, Any], keyword: str, value: object) -> None:
    """Bound the numbers: ``minimum``, ``exclusiveMaximum``, …; other types have none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    for each in branches(schema):
        if each.get("type") in NUMBERS:
            _tighten(each, keyword, value)


def size(schema: dict[str, Any], end: Literal["min", "max"], value: object) -> None:
    """Bound how long texts, arrays and objects are.

    A text that stands for something else is left alone: the validator measures
    what it was converted to.
    """
    if not isinstance(value, int) or value < 0:
        return
    for each in branches(schema):
        kind = each.get("type")
        if kind in _SIZES and not {"format", "contentEncoding"} & each.keys():
            _tighten(each, f"{end}{_SIZES[kind]}", value)


def _tighten(schema: dict[str, Any], keyword: str, value: float) -> None:
    known = schema.get(keyword)
    tighter = max if keyword.startswith(("min", "exclusiveMin")) else min
    schema[keyword] = value if known is None else tighter(known, value)


def options(schema: dict[str, Any], values: Sequence[object] | None) -> None:
    """List the values that are allowed; nothing happens where JSON has no form for one."""
    if values is None or not all(is_scalar(each) for each in values):
        return
    for each in branches(schema):
        kept = [value for value in values if has_type(value, each.get("type"))]
        if "enum" in each:
            kept = [value for value in each["enum"] if value in kept]
        if kept:
            each["enum"] = kept
        else:
            each.clear()
            each["not"] = {}


def exclude(schema: dict[str, Any], values: Sequence[object] | None) -> None:
    """List the values that are not allowed."""
    if values and all(is_scalar(each) for each in values):
        schema.setdefault("allOf", []).append({"not": {"enum": list(values)}})


def matching(schema: dict[str, Any], pattern: str | None) -> None:
    """Require texts to match a pattern, if there is one."""
    if pattern is None:
        return
    for each in branches(schema):
        if each.get("type") != "string":
            continue
        if "pattern" in each:
            each.setdefault("allOf", []).append({"pattern": pattern})
        else:
            each["pattern"] = pattern


def is_scalar(value: object) -> bool:
    """Check whether a value is one of JSON's, and no array or object."""
    return value is None or type(value) in {bool, int, float, str}


def has_type(value: object, kind: object) -> bool:
    """Check whether a scalar is of a JSON type; ``None`` is any type."""
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind is None


_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<|\(\?P=(\w+)\)|\(\?.|[*+?}]\+|.", re.DOTALL
)
"""An escape, a class, the beginning of a group, a possessive quantifier, a character."""

_SPELLED = {r"\Z": "$", r"\A": "^", "(?P<": "(?<"}
_GROUPS = frozenset({"(?:", "(?=", "(?!", "(?<", "(?P<"})
"""What may follow a bracket in ECMA-262 as in Python."""


def published_pattern(
    pattern: str | bytes | re.Pattern[str] | re.Pattern[bytes],
    anchor: Literal["search", "match", "fullmatch"] = "search",
) -> str | None:
    r"""Write a pattern of Python's ``re`` as ``pattern`` has it.

    ``\w``, ``\d`` and ``\b`` stay as they are, and so mean ASCII in the schema
    where Python means every script.

    Args:
        pattern: A text or a compiled pattern.
        anchor: How the validator applies it. JSON Schema searches.

    Returns:
        ``None`` where JSON Schema has no way to say it: flags, possessive
        quantifiers, conditions.

    Example:
        >>> published_pattern(r"(?P<year>\d{4})\Z", "match")
        '^(?:(?<year>\\d{4})$)'

    Source: JSON Schema core 2020-12 section 6.4; ECMA-262 section 22.2.
    """
    compiled = pattern if isinstance(pattern, re.Pattern) else re.compile(pattern)
    text = compiled.pattern
    if not isinstance(text, str) or compiled.flags & ~(re.UNICODE | re.ASCII):
        return None
    written = _written(text, compiled.groupindex)
    if written is None:
        return None
    written = _anchored(written, anchor)
    # Reading patterns loads the engine.
    from toolgauge.contract.schema.patterns import is_pattern  # noqa: PLC0415

    return written if is_pattern(written, DEFAULT_BOUNDS) else None


def _written(text: str, groups: Mapping[str, int]) -> str | None:
    parts: list[str] = []
    for match in _TOKEN.finditer(text):
        found = match.group()
        is_possessive = found[:-1] in {"*", "+", "?", "}"} and found[1:] == "+"
        if is_possessive or (match[1] is None and found.startswith("(?") and found not in _GROUPS):
            return None
        if match[1] is not None:
            # By number: the engine does not know `\\k<name>`.
            found = rf"(?:\{groups[match[1]]})"
        parts.append(_SPELLED.get(found, found))
    return "".join(parts)


def _anchored(pattern: str, anchor: str) -> str:
    if anchor == "search":
        return pattern
    is_one = "|" not in pattern
    if anchor == "match":
        return pattern if is_one and pattern.startswith("^") else f"^(?:{pattern})"
    if is_one and pattern.startswith("^") and pattern.endswith("$") and not pattern.endswith(r"\$"):
        return pattern
    return f"^(?:{pattern})$"
