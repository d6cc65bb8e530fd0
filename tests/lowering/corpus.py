"""Real tools, and what the tests of this room ask of their values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from toolgauge.contract import Issue
    from toolgauge.lowering import Lowered

FOLDER = Path(__file__).parents[3] / "shared" / "corpus" / "toollists"
FILES = sorted(FOLDER.glob("*.json"))

needs_corpus = pytest.mark.skipif(not FILES, reason="the corpus lies beside the project, not in it")


def tool_lists() -> list[list[dict[str, Any]]]:
    """Give each server's tools."""
    return [json.loads(path.read_text())["tools"] for path in FILES]


def tools(every: int = 1) -> list[dict[str, Any]]:
    """Give every n-th tool of all servers."""
    return [tool for each in tool_lists() for tool in each][::every]


def readable(schema: Any) -> Any:
    """Write ``nullable``, which no JSON Schema engine knows, as a union with null."""
    if isinstance(schema, list):
        return [readable(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: readable(value) for key, value in schema.items()}
    if made.get("nullable") is True:
        del made["nullable"]
        return {"anyOf": [made, {"type": "null"}]}
    return made


def is_declared(lowered: Lowered, issue: Issue, kind: str) -> bool:
    """Tell whether a loss of a kind names the place of an issue, or one around or below it."""
    keys = tuple(step for step in issue.path if isinstance(step, str))
    for loss in lowered.losses:
        if loss.kind != kind:
            continue
        names = _names(loss.path)
        shared = min(len(names), len(keys))
        if "$defs" in loss.path or "definitions" in loss.path or names[:shared] == keys[:shared]:
            return True
    return False


def _names(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    steps = iter(path)
    return tuple(next(steps, "") for step in steps if step == "properties")
