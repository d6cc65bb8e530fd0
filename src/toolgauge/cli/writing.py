"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.paths import is_file, is_stream, is_there
from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_files(*files: tuple[Path, bytes]) -> None:
    """Write files under temporary names, and rename them when all are complete.

    A link stays a link; what it leads to is replaced. A pipe or a device is
    written to as it is.

    Raises:
        WrongUsage: One of them cannot be written, or two are the same file.
    """
    places = {_real(path): data for path, data in files}
    if len(places) < len(files):
        raise WrongUsage(f"{files[0][0]} is named twice; give each output a file of its own")
    staged: list[tuple[Path, Path]] = []
    try:
        for place, data in places.items():
            with _told(place):
                if is_there(place) and not is_file(place):
                    place.write_bytes(data)  # a device; a folder says so by itself
                else:
                    staged.append((_stage(place, data), place))
        for temporary, place in staged:
            with _told(place):
                temporary.replace(place)
    finally:
        for temporary, _ in staged:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def read_if_there(path: Path) -> bytes | None:
    """Return the bytes of a file, ``None`` where there is no such file.

    Raises:
        WrongUsage: It is there and cannot be read.
        SourceUnreadable: It is larger than ``MAX_FILE_BYTES``.
    """
    try:
        return read_bounded(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{path} cannot be read: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """Say why the file system refuses, without the path."""
    return getattr(error, "strerror", None) or "it is no path"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say which file cannot be written, and why."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise WrongUsage(f"{path} cannot be written: {reason_of(error)}") from error


def _real(path: Path) -> Path:
    """Follow links, so that the renamed file does not take a link's place.

    What leads to a pipe that has no name, as ``/dev/stdout`` does, stays as it is.

    Raises:
        WrongUsage: The text is no path at all, or its links lead in a circle.
    """
    with _told(path):
        return path if is_stream(path) else path.resolve()


def _stage(place: Path, data: bytes) -> Path:
    """Write beside the place, with the rights of the file that is replaced."""
    temporary = place.with_name(f".toolgauge-{secrets.token_hex(8)}.tmp")
    number = os.open(temporary, _NEW_FILE, 0o666)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            temporary.chmod(stat.S_IMODE(place.stat().st_mode))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary
