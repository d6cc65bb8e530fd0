"""The tools in a list or a JSON document, and what is wrong with single ones.

Every tool comes out as MCP writes it: ``name``, ``description``, ``inputSchema``. A
definition that already is in that shape passes through untouched. The shapes themselves
are those of ``wire``. A bad entry hides no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolgauge.contract.reading import has_schema_text, parse_schema, why_no_schema
from toolgauge.wire import TOOL_MEMBERS, WRAPPERS, Declared, declared, is_foreign, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server import Server

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.results import HandleCall
    from toolgauge.upstream.peer import Dial


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
        is_note: Whether nothing is wrong, and it is told for people to know.
    """

    name: str | None = None
    index: int | None = None
    message: str
    is_note: bool = False

    def to_json(self) -> dict[str, Any]:
        """Give the problem as ``--format json`` prints it."""
        found: dict[str, Any] = {"name": self.name, "index": self.index, "message": self.message}
        return {**found, "note": True} if self.is_note else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """An open source.

    Attributes:
        label: What to call it. Safe to show to anyone: it never holds an
            environment, a header, arguments of a command, or the query or
            userinfo of a URL.
        tools: What ``Gate`` takes as its tools: raw definitions as MCP writes
            them, or the objects or the provider that a module holds.
        handle_call: ``await handle_call(name, arguments)`` gives a
            ``CallResult``, or raises ``ServerFailed`` where the server is gone
            or late. ``None`` where there is nothing to call, or where each tool
            carries its own handler.
        problems: What is wrong with single tools. None of it hides the others.
        entries: All definitions in the source's own shape, broken ones too; empty
            where only Python code knows them.
        dial: Connects to the same server once more; ``None`` where the source is no
            server elsewhere.
        server: The SDK's server object; ``None`` where the source is none.
        starts_processes: Whether each connection of ``dial`` is a process of its own.
    """

    label: str
    tools: Any
    handle_call: HandleCall | None = None
    problems: tuple[SourceProblem, ...] = ()
    entries: tuple[Declared, ...] = ()
    dial: Dial | None = None
    server: Server[Any] | None = None
    starts_processes: bool = False


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
    return kept, (*problems, *_note_of_text(kept))


def _note_of_text(entries: Iterable[object]) -> Iterable[SourceProblem]:
    """Report once that schemas are kept as JSON text."""
    count = sum(map(has_schema_text, entries))
    if count:
        whose = "a tool" if count == 1 else f"{count} tools"
        message = f"schemas of {whose} are JSON text; what it holds is read"
        yield SourceProblem(message=message, is_note=True)


_SCHEMAS = ("inputSchema", "outputSchema")


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
    for member in _SCHEMAS:
        schema = parse_schema(tool.get(member))
        if schema is not None and not isinstance(schema, (Mapping, bool)):
            yield SourceProblem(
                name=name, index=index, message=f"{member} is {_found(schema)}, not a JSON Schema"
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


def _found(schema: object) -> str:
    return why_no_schema(schema) if isinstance(schema, str) else kind_of(schema)


def foreign_entries(document: object) -> tuple[SourceProblem, ...]:
    """Name the entries of a document that ``read_entries`` passes over.

    Raises:
        LookupError: As ``read_entries``.
    """
    return tuple(
        SourceProblem(message=f"{_called(each)} is no function to call; it is left out")
        for _, each in _find_rows(document, ())
        if isinstance(each, Mapping) and is_foreign(each)
    )


def _called(entry: Mapping[str, Any]) -> str:
    for member in ("name", "type"):
        if isinstance(entry.get(member), str):
            return f"the tool {shown(entry[member])}"
    return f"the entry {shown(next(iter(entry)))}"


def read_entries(document: object) -> list[Declared]:
    """Give the definitions in a document, in its order, with their places.

    What the provider runs itself is none, and passed over.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    rows = _find_rows(document, ())
    entries = [each for _, each in rows]
    if entries and not any(
        is_foreign(each) or (isinstance(each, Mapping) and TOOL_MEMBERS & each.keys())
        for each in entries
    ):
        msg = (
            f"an array of {len(entries)}, none of which is a tool; the first is {shown(entries[0])}"
        )
        raise LookupError(msg)
    return [
        replace(entry, path=(*path, *entry.path))
        for path, each in rows
        if not is_foreign(each)
        for entry in declared(each)
    ]


def _find_rows(document: object, path: Path) -> Sequence[tuple[Path, object]]:
    """Open the wrappers that responses and requests put around the array."""
    if isinstance(document, list):
        return [((*path, index), unpacked(each)) for index, each in enumerate(document)]
    if not isinstance(document, Mapping):
        raise LookupError(f"{kind_of(document)}, not an array of tools or an object with 'tools'")  # noqa: TRY004 - one class for every document without tools
    if isinstance(document.get("error"), Mapping) and "result" not in document:
        raise LookupError(f"a JSON-RPC error: {shown(document['error'].get('message'))}")
    for wrapper in WRAPPERS:
        inner = unpacked(document.get(wrapper))
        if isinstance(inner, (list, Mapping)):
            return _find_rows(inner, (*path, wrapper))
    if TOOL_MEMBERS & document.keys():
        return ((path, document),)  # one tool, not in an array
    members = ", ".join(list(document)[:8]) or "none"
    raise LookupError(f"an object without 'tools'; its members: {members[:200]}")
