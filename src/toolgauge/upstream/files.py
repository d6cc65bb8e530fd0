"""Tools in a JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import is_deeper_than, parse_json
from toolgauge.upstream.entries import (
    SourceProblem,
    Upstream,
    foreign_entries,
    read_entries,
    screen,
)
from toolgauge.upstream.errors import SourceNotFound, SourceNotTools, SourceUnreadable
from toolgauge.upstream.messages import cut_to_depth

if TYPE_CHECKING:
    from pathlib import Path

    from toolgauge.upstream.source import FileSource
    from toolgauge.wire import Declared

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Largest file of tools that is read, and largest lock, map and manifest. The largest real
list known has 1.2 MB."""

MAX_FILE_DEPTH = 200
"""Deepest nesting of a file. A schema within its own bound takes two levels of
JSON for each of its own, and one that is too deep must not hide other tools."""


def read_file(source: FileSource) -> Upstream:
    """Read the tools of a file, and what is wrong with single ones.

    Raises:
        SourceNotFound: There is no such file.
        SourceUnreadable: It is a folder, too large, or not strict JSON.
        SourceNotTools: It is JSON and holds no tools.
    """
    document, is_cut = _parsed(source, _read_bytes(source))
    try:
        entries = tuple(read_entries(document))
        foreign = foreign_entries(document)
    except LookupError as error:
        if is_cut:
            reason = f"nests deeper than {MAX_FILE_DEPTH} levels and holds no tools above that"
            raise SourceUnreadable(source.label, reason) from error
        raise SourceNotTools(source.label, f"holds no tools but {error.args[0]}") from error
    tools, found = screen(entry.wire for entry in entries)
    problems = (*found, *foreign)
    if not is_cut:
        return Upstream(label=source.label, tools=tools, entries=entries, problems=problems)
    deep = [
        (index, entry)
        for index, entry in enumerate(entries)
        if is_deeper_than(entry.raw, MAX_FILE_DEPTH - len(entry.path))
    ]
    return Upstream(
        label=source.label,
        tools=[tool for tool in tools if not any(tool is entry.wire for _, entry in deep)],
        entries=entries,
        problems=(*problems, *(_too_deep(index, entry) for index, entry in deep)),
    )


def _parsed(source: FileSource, data: bytes) -> tuple[object, bool]:
    """Parse the file; what nests too deep is cut, and hides no other tool."""
    try:
        return parse_json(data, max_depth=MAX_FILE_DEPTH), False
    except InvalidJson as error:
        shallow = _parsed_shallow(data)
        if shallow is None:
            raise SourceUnreadable(source.label, f"is not JSON: {error.reason}") from error
        return shallow, True


def _parsed_shallow(data: bytes) -> object:
    """Parse what is left when deep places are cut; ``None`` where nothing was cut or is JSON."""
    # A level more than is allowed stays, then an empty one: by them the cut tools are known.
    levels = MAX_FILE_DEPTH + 1
    try:
        shallow = cut_to_depth(data.decode("utf-8"), levels).encode()
        return parse_json(shallow, max_depth=levels + 1) if len(shallow) < len(data) else None
    except (InvalidJson, UnicodeDecodeError):
        return None


def _too_deep(index: int, entry: Declared) -> SourceProblem:
    """Word why a tool cannot be used."""
    name = entry.wire.get("name") if isinstance(entry.wire, Mapping) else None
    return SourceProblem(
        name=name if isinstance(name, str) else None,
        index=index,
        message="the tool nests too deep to be read whole; it is left out",
    )


def read_bounded(path: Path, max_bytes: int, label: str | None = None) -> bytes:
    """Read a whole file, but never more than a bound.

    Args:
        path: The file, which may be a pipe or a device.
        max_bytes: Most bytes that it may have.
        label: What to call it; by default the path.

    Raises:
        SourceUnreadable: If it is larger.
        OSError: If it is not there, or cannot be read.
        ValueError: If the text is no path.
    """
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SourceUnreadable(label or str(path), f"is larger than {max_bytes} bytes")
    return data


def _read_bytes(source: FileSource) -> bytes:
    """Read the file of a source."""
    try:
        return read_bounded(source.path, MAX_FILE_BYTES, source.label)
    except FileNotFoundError as error:
        raise SourceNotFound(source.label, _missing_reason(str(source.path))) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is not a path that can be read"
        raise SourceUnreadable(source.label, f"cannot be read: {reason}") from error


def _missing_reason(word: str) -> str:
    """Say what a word that names no file may have been meant as."""
    if " " in word:
        return "there is no such file; to start a server, put its command after '--'"
    return "there is no such file (other sources: module:attribute, URL, -- COMMAND)"
