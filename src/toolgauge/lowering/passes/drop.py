"""Keywords that the provider refuses or misreads, dropped and told in the description."""

from __future__ import annotations

import json
from typing import Any

from toolgauge.lowering._merge import ANNOTATIONS, CONSTRAINTS
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import HIDDEN, NOTHING

_SILENT = frozenset(
    {
        *ANNOTATIONS,
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$vocabulary",
        "$defs",
        "definitions",
        "contentMediaType",
        "contentEncoding",
        "contentSchema",
        "propertyOrdering",
        "minContains",
        "maxContains",
        "then",
        "else",
        "enumNames",
        "enumDescriptions",
        "markdownDescription",
        "nullable",
    }
)
"""Keywords that refuse nothing on their own."""

_SHOWN = frozenset({"default", "examples", "example", "deprecated"})
_MAX_CHARS = 200


def lower(draft: Draft, options: Options) -> None:
    """Drop the listed keywords, or all that are not listed as allowed.

    A parameter that is named like a keyword is none.
    """
    listed = frozenset(options["keywords"])
    allowed = frozenset(options["allowed"])
    types = frozenset(options["types"])
    doomed = draft.keywords & listed if listed else draft.keywords - allowed
    if not doomed:
        return
    nodes = (draft.schema,) if options["where"] == "root" else draft.nodes
    for node in nodes:
        if node.keys().isdisjoint(doomed) or (types and types.isdisjoint(_types_of(node))):
            continue
        _drop(draft, node, doomed, tell=options["tell"])
    if not doomed.isdisjoint(_STRUCTURAL):
        draft.touch()


def _drop(draft: Draft, node: dict[str, Any], doomed: set[str], *, tell: bool) -> None:
    words: list[str] = []
    # The patterns last: `Draft.drop` looks at what is left beside them.
    for keyword in sorted((each for each in node if each in doomed), key=_is_of_patterns):
        value = node[keyword]
        is_silent = keyword in _SILENT or keyword.startswith("x-")
        if keyword in CONSTRAINTS and not is_silent:
            draft.drop(node, keyword)
        else:
            del node[keyword]
            if keyword in _SHOWN or not is_silent:
                draft.lose(node, f"{keyword} is not shown", keyword, kind=HIDDEN, by=NOTHING)
        if tell and keyword in _TOLD:
            text = json.dumps(value, ensure_ascii=False, default=str)
            if len(text) <= _MAX_CHARS:
                words.append(f"{keyword}: {text}")
    if words:
        draft.tell(node, f"({'; '.join(words)})")


def _is_of_patterns(keyword: str) -> bool:
    return keyword == "patternProperties"


def _types_of(node: dict[str, Any]) -> tuple[str, ...]:
    found = node.get("type", ())
    return (found,) if isinstance(found, str) else tuple(found)


_TOLD = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "default",
        "dependentRequired",
    }
)
_STRUCTURAL = (CONSTRAINTS - _TOLD) | {"$defs", "definitions", "contentSchema"}

PASS = Pass(
    name="drop",
    since="0.1.0",
    lower=lower,
    options={"keywords": (), "allowed": (), "types": (), "where": "all", "tell": True},
    loses="What the keyword forbids; validation of the restored call still refuses it.",
)
