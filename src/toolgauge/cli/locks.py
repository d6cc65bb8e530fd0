"""Tools for a comparison: a lock, or any SOURCE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.cli.opening import opened
from toolgauge.cli.paths import is_file, rereadable
from toolgauge.contract import InvalidJson, parse_json
from toolgauge.upstream import FileSource, SourceUnreadable
from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolgauge.changes import Lock
    from toolgauge.contract import Bounds, Tool
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


async def read_side(
    source: Source,
    bounds: Bounds,
    headers: Sequence[str] | None = None,
    env: Sequence[str] | None = None,
) -> Side:
    """Read a lock, known by what is in it, or open a source and close it again.

    Raises:
        SourceError: It cannot be read or reached, or is a lock that somebody changed.
        HandlerFailed: A module's own provider raised.
    """
    with rereadable(source) as held:
        if isinstance(held, FileSource):
            data = _lock_bytes(held.path)
            if data is not None:
                return Side(label=held.label, tools=to_lock(data, held.label).tools)
        async with opened(held, bounds, headers, env) as upstream:
            return Side(
                label=upstream.label, tools=list(upstream.tools), problems=upstream.problems
            )


def to_lock(data: bytes, label: str) -> Lock:
    """Read a lock.

    Raises:
        SourceUnreadable: It is none, of another version, or changed by hand.
    """
    from toolgauge.changes import InvalidLock, OtherLockVersion, read_lock
    from toolgauge.contract import InvalidTool

    try:
        return read_lock(data)
    except (InvalidLock, OtherLockVersion, InvalidTool) as error:
        raise SourceUnreadable(label, str(error)) from error


def is_lock(data: bytes) -> bool:
    """Tell a lock from a file of tools, whose tools are an array."""
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
    """Give the bytes of a file that is a lock; whatever else it is, others say."""
    try:
        data = read_bounded(path, MAX_FILE_BYTES) if is_file(path) else b""
    except (OSError, ValueError, SourceUnreadable):
        return None
    return data if is_lock(data) else None
