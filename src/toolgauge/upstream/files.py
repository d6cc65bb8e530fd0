"""Tools in a JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import parse_json
from toolgauge.upstream.errors import SourceNotFound, SourceNotTools, SourceUnreadable
from toolgauge.upstream.problems import SourceProblem, screen
from toolgauge.upstream.shapes import read_tools

if TYPE_CHECKING:
    from typing import Any

    from toolgauge.upstream.source import FileSource

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Largest file of tools that is read. The largest real list known has 1.2 MB."""

MAX_FILE_DEPTH = 200
"""Deepest nesting of a file. A schema within its own bound takes two levels of
JSON for each of its own, and one that is too deep must not hide other tools."""


def read_file(source: FileSource) -> tuple[list[Any], tuple[SourceProblem, ...]]:
    """Read the tools of a file, and what is wrong with single ones.

    Raises:
        SourceNotFound: There is no such file.
        SourceUnreadable: It is a folder, too large, or not strict JSON.
        SourceNotTools: It is JSON and holds no tools.
    """
    try:
        document = parse_json(_read_bytes(source), max_depth=MAX_FILE_DEPTH)
    except InvalidJson as error:
        raise SourceUnreadable(source.label, f"is not JSON: {error.reason}") from error
    try:
        entries = read_tools(document)
    except LookupError as error:
        raise SourceNotTools(source.label, f"holds no tools but {error.args[0]}") from error
    return screen(entries)


def _read_bytes(source: FileSource) -> bytes:
    """Read the whole file, but never more than the bound."""
    try:
        with source.path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceNotFound(source.label, _missing_reason(str(source.path))) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is not a path that can be read"
        raise SourceUnreadable(source.label, f"cannot be read: {reason}") from error
    if len(data) > MAX_FILE_BYTES:
        raise SourceUnreadable(source.label, f"is larger than {MAX_FILE_BYTES} bytes")
    return data


def _missing_reason(word: str) -> str:
    """Say what a word that names no file may have been meant as."""
    if " " in word:
        return "there is no such file; to start a server, put its command after '--'"
    return "there is no such file (other sources: module:attribute, URL, -- COMMAND)"
