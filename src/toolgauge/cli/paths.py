"""What the file system says of a path, where it may not say."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def is_file(path: Path) -> bool:
    """Tell a file from everything else."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path) -> bool:
    """Tell a folder from everything else."""
    return stat.S_ISDIR(_mode(path))


def is_pipe(path: Path) -> bool:
    """Tell what can be read only once: a named pipe, or one that a shell made."""
    return stat.S_ISFIFO(_mode(path))


def is_there(path: Path) -> bool:
    """Tell whether there is anything, as far as this process may know."""
    return _mode(path) != 0


def _mode(path: Path) -> int:
    """Give the mode of what a path leads to, 0 where the file system does not say.

    ``Path`` raises for a name that is too long and for a folder that may not be
    searched; what then opens the file says so in a sentence.
    """
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0
