"""Real tools, and what the tests of this room ask of their values."""

from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.lowering.places import concerned, owner
from tests.profile import IS_LONG

if TYPE_CHECKING:
    from toolgauge.contract import Issue, Path
    from toolgauge.lowering import Lowered

FOLDER = pathlib.Path(__file__).parents[3] / "shared" / "corpus" / "toollists"
FILES = sorted(FOLDER.glob("*.json"))

needs_corpus = pytest.mark.skipif(not FILES, reason="the corpus lies beside the project, not in it")


EVERY = 1 if IS_LONG else 6
"""Of how many tools of a server one is tried."""


def tool_lists(every: int = 1) -> list[list[dict[str, Any]]]:
    """Return every n-th tool of each server."""
    return [json.loads(path.read_text())["tools"][::every] for path in FILES]


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


def is_declared(lowered: Lowered, schema: dict[str, Any], issue: Issue, kind: str) -> bool:
    """Tell whether a loss of a kind is about a subschema that has a say about an issue's place.

    A loss of a keyword, or of what is sent in another shape, is about all that lies in it.
    """
    is_above = kind == "wider" or issue.keyword == "required"
    places: set[Path] = concerned(schema, issue.path, above=int(is_above))
    reshaped = {loss.path for loss in lowered.losses if loss.kind == "reshaped"}
    for path in (loss.path for loss in lowered.losses if loss.kind == kind):
        holder = owner(schema, path)
        if holder in places:
            return True
        is_whole = holder != path or path in reshaped
        if is_whole and any(each[: len(path)] == path for each in places):
            return True
    return False
