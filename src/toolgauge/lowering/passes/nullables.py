"""Null beside one other type, written as ``nullable`` (OpenAPI 3.0, Gemini)."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Take the null branch out of each ``anyOf``; one branch left takes its place."""
    for node in reversed(draft.having("anyOf")):
        branches = node["anyOf"]
        kept = [each for each in branches if not _is_null(each)]
        if len(kept) == len(branches) or not kept:
            continue
        node["nullable"] = True
        node["anyOf"] = kept
        if len(kept) == 1 and isinstance(kept[0], dict) and "$ref" not in kept[0]:
            del node["anyOf"]
            for keyword, value in kept[0].items():
                node.setdefault(keyword, value)
    draft.touch()


def _is_null(branch: Any) -> bool:
    return isinstance(branch, dict) and branch.get("type") == "null"


PASS = Pass(name="nullables", since="0.1.0", lower=lower, triggers=("anyOf",))
