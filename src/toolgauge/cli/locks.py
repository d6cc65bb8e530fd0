"""Tools for a comparison: a lock, or any SOURCE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.cli.files import is_file, rereadable
from toolgauge.contract import InvalidJson, InvalidTool, parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolgauge.cli.connection import Connection
    from toolgauge.contract import Tool
    from toolgauge.upstream import Source, SourceProblem

_MAX_LOCK_DEPTH = 254


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison.

    Attributes:
        label: What to call it.
        tools: Its tools.
        problems: What is wrong with single ones, which are left out.
    """

    label: str
    tools: Sequence[Tool]
    problems: tuple[SourceProblem, ...] = ()


async def read_side(source: Source, connection: Connection) -> Side:
    """Read a lock, known by what is in it, or open a source and close it again.

    Raises:
        SourceError: It cannot be read or reached, or is a lock that somebody changed.
        HandlerFailed: A module's own provider raised.
    """
    from toolgauge.changes import InvalidLock, OtherLockVersion, read_lock
    from toolgauge.upstream import FileSource, SourceUnreadable

    with rereadable(source) as held:
        data = _lock_bytes(held.path) if isinstance(held, FileSource) else None
        if data is not None:
            try:
                return Side(label=held.label, tools=read_lock(data).tools)
            except (InvalidLock, OtherLockVersion, InvalidTool) as error:
                raise SourceUnreadable(held.label, str(error)) from error
        async with connection.open(held) as opened:
            return Side(label=opened.label, tools=opened.tools, problems=opened.problems)


def is_lock(data: bytes) -> bool:
    """Check for a lock; in a file of tools, the tools are an array."""
    if b'"version"' not in data:
        return False
    try:
        found = parse_json(data, max_depth=_MAX_LOCK_DEPTH)
    except InvalidJson:
        return False
    if not isinstance(found, dict) or "version" not in found:
        return False
    return "fingerprint" in found or isinstance(found.get("tools"), dict)


def _lock_bytes(path: Path) -> bytes | None:
    """Return the bytes of a file that is a lock; any other file is read as a source."""
    from toolgauge.upstream import SourceUnreadable
    from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

    try:
        data = read_bounded(path, MAX_FILE_BYTES) if is_file(path) else b""
    except (OSError, ValueError, SourceUnreadable):
        return None
    return data if is_lock(data) else None
