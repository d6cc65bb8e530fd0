"""What a declared loss covers: each value that goes one way only has one, of its kind, there."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.lowering.corpus import is_declared, readable
from toolgauge.contract import Issue, compile_schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.contract import Path
    from toolgauge.lowering import Lowered


def undeclared_wider(tool: dict[str, Any], lowered: Lowered, sent: Any) -> list[Issue]:
    """Give what the tool refuses of a call that the lowered schema admits, and no loss covers."""
    schema = tool["inputSchema"]
    found = lowered.restore_report(lowered.tools[0]["name"], sent)
    issues = () if found.unmapped else compile_schema(schema).issues(found.arguments)
    return [each for each in issues if not is_declared(lowered, schema, each, "wider")]


def undeclared_narrower(tool: dict[str, Any], lowered: Lowered, own: Any) -> list[Issue]:
    """Give what the lowered schema refuses of a call that the tool takes, and no loss covers.

    What comes back as something else counts too.
    """
    schema = tool["inputSchema"]
    found = lowered.image_report(tool["name"], own)
    admitted = compile_schema(readable(lowered.tools[0]["inputSchema"]))
    issues = list(admitted.issues(found.arguments))
    seen = [
        replace(each, path=_own_path(own, found.arguments, each.path), causes=()) for each in issues
    ]
    if not issues and not found.unmapped:
        again = lowered.restore(found.name, found.arguments)[1]
        path = differing(own, again)
        seen += [] if path is None else [Issue(path=path, message="differs")]
    return [each for each in seen if not is_declared(lowered, schema, each, "narrower")]


def stray_paths(tool: dict[str, Any], lowered: Lowered) -> list[Path]:
    """Give the paths of losses that lead to nothing in the schema as given."""
    return [each.path for each in lowered.losses if not _leads(tool["inputSchema"], each.path)]


def differing(one: Any, other: Any) -> Path | None:
    """Give the first place at which two JSON values differ."""
    if type(one) is type(other) and isinstance(one, dict) and one.keys() == other.keys():
        return _differing_below((key, one[key], other[key]) for key in one)
    if type(one) is type(other) and isinstance(one, dict):
        return (next(key for key in {**one, **other} if key not in one or key not in other),)
    if type(one) is type(other) and isinstance(one, list) and len(one) == len(other):
        return _differing_below(zip(count(), one, other, strict=False))
    return None if type(one) is type(other) and one == other else ()


def _differing_below(members: Iterable[tuple[str | int, Any, Any]]) -> Path | None:
    for key, one, other in members:
        if (below := differing(one, other)) is not None:
            return (key, *below)
    return None


def _own_path(own: Any, image: Any, path: Path) -> Path:
    """Translate a place of an image as far as its shape is that of the value itself."""
    found: list[str | int] = []
    for step in path:
        if type(own) is not type(image):
            break
        key: Any = step
        if isinstance(own, dict) and step not in own:  # it has another name there
            place = list(image).index(step) if step in image else len(own)
            if place >= len(own):
                break
            key = list(own)[place]
        if isinstance(own, list) and not (isinstance(step, int) and step < len(own)):
            break
        found.append(key)
        own, image = own[key], image[step]
    return tuple(found)


def _leads(schema: Any, path: Path) -> bool:
    for step in path:
        try:
            schema = schema[step]
        except (LookupError, TypeError):
            return False
    return True
