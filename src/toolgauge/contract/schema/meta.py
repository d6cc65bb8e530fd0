"""Is this a schema at all? Every violation of the meta-schema, at its place."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from jsonschema_specifications import REGISTRY as SPECIFICATIONS

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.issues import Issue
from toolgauge.contract.jsontext import bounded_size
from toolgauge.contract.schema.dialects import DIALECTS, Dialect, dialect_of
from toolgauge.contract.schema.document import SchemaDocument
from toolgauge.contract.schema.ecma import NotPortable, in_engine_syntax
from toolgauge.contract.schema.engine import CompiledSchema
from toolgauge.contract.schema.pattern_cost import MAX_PATTERN_COMPILING, pattern_cost
from toolgauge.contract.schema.patterns import is_pattern
from toolgauge.contract.schema.subschemas import iter_subschemas

MAX_JSON_DEPTH = 254

MAX_PATTERNS = 500
"""Reading one can take a millisecond."""


def schema_issues(
    schema: object,
    *,
    dialect: str = "declared",
    with_patterns: bool = True,
    bounds: Bounds = DEFAULT_BOUNDS,
) -> tuple[Issue, ...]:
    """Hold a schema against its meta-schema.

    Args:
        schema: What is given as a JSON Schema.
        dialect: ``"declared"`` for what ``$schema`` names, 2020-12 without one; or
            the name of a dialect: ``"2020-12"``, ``"draft-07"``.
        with_patterns: Whether to look at patterns too, as ``pattern_issues``.
        bounds: Limits on the schema.

    Returns:
        What is wrong, in the schema's order, patterns that are none last; empty
        for a schema. A dialect that nobody here knows is read as 2020-12.

    Example:
        >>> [(each.pointer, each.keyword) for each in schema_issues({"properties": []})]
        [('/properties', 'type')]
    """
    if bounded_size(schema, MAX_JSON_DEPTH) is None:
        return (Issue(message=f"nested deeper than {MAX_JSON_DEPTH} levels"),)
    found = _meta_schema(_named(schema, dialect).uri, bounds).issues_of_parsed(schema, 0)
    # The vocabularies of 2020-12 each say again what a schema is at all.
    patterns = pattern_issues(schema, bounds) if with_patterns else ()
    return tuple(dict.fromkeys((*found, *patterns)))


def _named(schema: object, dialect: str) -> Dialect:
    for each in DIALECTS:
        if each.name == dialect:
            return each
    return dialect_of(schema) or DIALECTS[0]


@lru_cache(maxsize=16)
def _meta_schema(uri: str, bounds: Bounds) -> CompiledSchema:
    # A schema is larger than the arguments that it describes, and is asked once.
    bounds = replace(bounds, max_explained=60_000, max_issues=10_000)
    resources = {
        key: SPECIFICATIONS.contents(key) for key in SPECIFICATIONS if "json-schema.org" in key
    }
    known = {key.rstrip("#"): key for key in resources}
    return CompiledSchema(resources[known[uri]], bounds=bounds, resources=resources)


def pattern_issues(schema: object, bounds: Bounds = DEFAULT_BOUNDS) -> list[Issue]:
    """Find patterns that are no regular expressions.

    The meta-schema does not ask for that: there, it is a format.
    """
    if not any(
        "pattern" in each or "patternProperties" in each for each in iter_subschemas(schema)
    ):
        return []  # as in most: their paths cost more
    issues: list[Issue] = []
    left = MAX_PATTERNS + 1
    seen: set[str] = set()
    compiling = 0
    for here, path, _ in SchemaDocument(schema).iter_subschemas():
        for pattern, steps in _patterns(here):
            left -= 1
            if left == 0:
                words = f"more than {MAX_PATTERNS} patterns: the rest are not looked at"
                return [*issues, Issue(message=words, keyword="pattern")]
            compiling += 0 if pattern in seen else pattern_cost(pattern).compiling
            seen.add(pattern)
            if compiling > MAX_PATTERN_COMPILING:
                words = (
                    "its patterns are too costly to compile: more than"
                    f" {MAX_PATTERN_COMPILING} microseconds; the rest are not looked at"
                )
                return [*issues, Issue(message=words, keyword="pattern")]
            if not is_pattern(pattern, bounds):
                words = _fault(pattern)
                issues.append(Issue(path=path + steps, message=words, keyword="pattern"))
    return issues


def _fault(pattern: str) -> str:
    try:
        in_engine_syntax(pattern)
    except NotPortable as error:
        return str(error)
    return f"{pattern!r} is not a regular expression"


def _patterns(schema: dict[str, Any]) -> list[tuple[str, tuple[str | int, ...]]]:
    """Give the patterns of one subschema, and where they are in it."""
    found: list[tuple[str, tuple[str | int, ...]]] = []
    if isinstance(schema.get("pattern"), str):
        found.append((schema["pattern"], ("pattern",)))
    named = schema.get("patternProperties")
    if isinstance(named, dict):
        found += [(each, ("patternProperties", each)) for each in named]
    return found
