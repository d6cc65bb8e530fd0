"""What the file system says of a path, where it may not say."""

from __future__ import annotations

import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.upstream import FileSource
from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.upstream import Source


def is_file(path: Path) -> bool:
    """Tell a file from everything else."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path) -> bool:
    """Tell a folder from everything else."""
    return stat.S_ISDIR(_mode(path))


def is_pipe(path: Path) -> bool:
    """Tell what can be read only once: a named pipe, or one that a shell made."""
    return stat.S_ISFIFO(_mode(path))


def is_stream(path: Path) -> bool:
    """Tell a pipe or a device, which holds nothing, from a file, a folder and nothing."""
    return is_there(path) and not is_file(path) and not is_folder(path)


def is_there(path: Path) -> bool:
    """Tell whether there is anything, as far as this process may know."""
    return _mode(path) != 0


@contextmanager
def rereadable(source: Source) -> Iterator[Source]:
    """Copy a pipe, such as ``<(git show main:toolgauge.lock)``, which can be read only once."""
    if not isinstance(source, FileSource) or not is_pipe(source.path):
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="toolgauge-") as folder:
        copy = Path(folder, source.label)
        copy.write_bytes(read_bounded(source.path, MAX_FILE_BYTES, source.label))
        yield FileSource(copy)


def _mode(path: Path) -> int:
    """Give the mode of what a path leads to, 0 where the file system does not say.

    ``Path`` raises for a name that is too long and for a folder that may not be
    searched; what then opens the file says so in a sentence.
    """
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0
