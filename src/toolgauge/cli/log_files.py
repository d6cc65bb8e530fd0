"""Contract logs read line by line: whole files, and files that are still written."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from toolgauge.contract import InvalidJson, parse_json
from toolgauge.envelope.messages import TOO_LONG, LineSplitter
from toolgauge.upstream import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.envelope.messages import Line

_CHUNK_BYTES = 1_048_576
_MAX_LINE_BYTES = 1_048_576
_PART = re.compile(r"(?P<start>.+?)(\.(?P<part>\d{4,}))?\.jsonl")


def read_records(path: Path, tell: Callable[[int], None] = lambda _: None) -> Iterator[object]:
    """Yield the records of a file, ``None`` for each line that is none.

    A last line without an end is read too: it may be whole.

    Args:
        path: The file.
        tell: Called with the number of bytes that were read since the last time.

    Raises:
        SourceUnreadable: If the file cannot be read.
    """
    with _opened(path) as file:
        splitter = LineSplitter(_MAX_LINE_BYTES)
        while chunk := _chunk(file, path):
            yield from map(_record, splitter.feed(chunk))
            tell(len(chunk))
        last = splitter.end()
        if last is not None:
            yield _record(last)


def follow_records(path: Path, wait: Callable[[], bool]) -> Iterator[object]:
    """Yield the records of a file, and those that are still to come.

    When the log goes on in another file, which a link such as
    ``envelope_validation.latest.jsonl`` then points to, so does this; files in between
    are not left out. A last line is read when its end has come.

    Args:
        path: The file, or a link to it.
        wait: Called when there is nothing to read; gives whether to go on.

    Raises:
        SourceUnreadable: If the file cannot be read.
    """
    pending = [path.resolve()]
    while pending:
        current = pending.pop(0)
        with _opened(current) as file:
            splitter = LineSplitter(_MAX_LINE_BYTES)
            while True:
                # Looked up before reading: what is written before the log moves on
                # is then in what is read.
                pending = pending or _later(current, path, file)
                while chunk := _chunk(file, current):
                    yield from map(_record, splitter.feed(chunk))
                if pending:
                    last = splitter.end()
                    if last is not None:
                        yield _record(last)
                    break
                if not wait():
                    return


def _later(current: Path, link: Path, file: IO[bytes]) -> list[Path]:
    """Return the files that follow the one being read, up to the one that the link means."""
    with suppress(OSError):
        newest = link.resolve()
        if newest == current:
            # A file may also have been replaced under its own name.
            is_same = os.path.samestat(os.fstat(file.fileno()), newest.stat())
            return [] if is_same else [newest]
        ours, theirs = _place(current), _place(newest)
        if ours is None or theirs is None or ours[0] != theirs[0]:
            return [newest]
        between = (each for each in current.parent.iterdir() if not each.is_symlink())
        placed = sorted((found, each) for each in between if (found := _place(each)))
        return [each for found, each in placed if ours < found <= theirs]
    return []


def _place(path: Path) -> tuple[str, int] | None:
    """Return a file's start and its part; ``None`` if its name has neither."""
    match = _PART.fullmatch(path.name)
    return None if match is None else (match["start"], int(match["part"] or 0))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Report a file that cannot be opened or read."""
    try:
        yield
    except OSError as error:
        raise SourceUnreadable(str(path), error.strerror or str(error)) from None


def _opened(path: Path) -> IO[bytes]:
    with _reading(path):
        return path.open("rb")


def _chunk(file: IO[bytes], path: Path) -> bytes:
    with _reading(path):
        return file.read(_CHUNK_BYTES)


def _record(line: Line) -> object:
    """Parse a line; ``None`` where it is no JSON."""
    if line is TOO_LONG:
        return None
    try:
        return parse_json(line)
    except InvalidJson:
        return None
