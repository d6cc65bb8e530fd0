"""What is wrong with single tools of a list, so that none hides the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SHOWN_CHARS = 80
"""Longest piece of a foreign value that a message quotes, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceProblem:
    """One thing that is wrong with one tool of a source, or with the source.

    Attributes:
        name: The tool's name, ``None`` where it has none that is text.
        index: Its place in the list, from 0; ``None`` where the problem is
            about the source as a whole.
        message: What is wrong, and whether the tool was left out.
    """

    name: str | None = None
    index: int | None = None
    message: str

    def to_json(self) -> dict[str, Any]:
        """Give the problem as ``--format json`` prints it."""
        return {"name": self.name, "index": self.index, "message": self.message}


def screen(entries: Iterable[object]) -> tuple[list[Any], tuple[SourceProblem, ...]]:
    """Leave out what cannot be a tool, and report what is odd about the rest.

    A tool without a usable name cannot be called, so it is left out. A tool
    with a name is kept whatever its schema is: it can be shown and reported.
    Entries that are not mappings are kept too when they are objects of Python
    code, whose shape ``contract`` reads.
    """
    kept: list[Any] = []
    problems: list[SourceProblem] = []
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        reason = _unusable(entry)
        if reason is not None:
            problems.append(SourceProblem(index=index, message=f"{reason}; it is left out"))
            continue
        kept.append(entry)
        if isinstance(entry, Mapping):
            problems.extend(_oddities(entry, index, seen))
    return kept, tuple(problems)


def shown(value: object) -> str:
    """Quote a foreign value, cut to a length that fits a message."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN_CHARS else text[: MAX_SHOWN_CHARS - 1] + "…"


def kind_of(value: object) -> str:
    """Name the JSON type of a value with its article."""
    for types, name in _KINDS:
        if isinstance(value, types):
            return name
    return f"a {type(value).__name__}"


_KINDS: tuple[tuple[Any, str], ...] = (
    (type(None), "null"),
    (bool, "a boolean"),
    ((int, float), "a number"),
    (str, "a string"),
    ((list, tuple), "an array"),
    (Mapping, "an object"),
)


def _unusable(entry: object) -> str | None:
    """Say why an entry cannot be a tool at all."""
    if entry is None or isinstance(entry, (str, int, float, list, tuple)):
        return f"the entry is {kind_of(entry)}, not a tool"
    if not isinstance(entry, Mapping):
        return None
    if "name" not in entry:
        kind = entry.get("type")
        return f"a tool of type {shown(kind)} has no name" if kind else "the tool has no name"
    name = entry["name"]
    if not isinstance(name, str):
        return f"the tool's name is {kind_of(name)} ({shown(name)}), not a string"
    return None


def _oddities(tool: Mapping[str, Any], index: int, seen: set[str]) -> Iterable[SourceProblem]:
    """Report a repeated name and members of the wrong JSON type."""
    name: str = tool["name"]
    if name in seen:
        yield SourceProblem(
            name=name, index=index, message="the name is listed twice; the first is used"
        )
    seen.add(name)
    for member in ("inputSchema", "outputSchema"):
        schema = tool.get(member)
        if schema is not None and not isinstance(schema, (Mapping, bool)):
            yield SourceProblem(
                name=name, index=index, message=f"{member} is {kind_of(schema)}, not a JSON Schema"
            )
    description = tool.get("description")
    if description is not None and not isinstance(description, str):
        yield SourceProblem(
            name=name, index=index, message=f"description is {kind_of(description)}, not a string"
        )
    annotations = tool.get("annotations")
    if annotations is not None and not isinstance(annotations, Mapping):
        yield SourceProblem(
            name=name, index=index, message=f"annotations is {kind_of(annotations)}, not an object"
        )
