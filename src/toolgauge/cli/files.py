"""Files of the command line: what a path leads to, reading, and writing whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.cli.errors import WrongUsage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.upstream import Source

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def is_file(path: Path) -> bool:
    """Check whether a path leads to a regular file."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path) -> bool:
    """Check whether a path leads to a folder."""
    return stat.S_ISDIR(_mode(path))


def is_pipe(path: Path) -> bool:
    """Check for what can be read only once: a named pipe, or one that a shell made."""
    return stat.S_ISFIFO(_mode(path))


def is_stream(path: Path) -> bool:
    """Check for a pipe or a device, which holds nothing."""
    return is_there(path) and not is_file(path) and not is_folder(path)


def is_there(path: Path) -> bool:
    """Check whether there is anything, as far as this process may know."""
    return _mode(path) != 0


@contextmanager
def rereadable(source: Source) -> Iterator[Source]:
    """Copy a pipe, such as ``<(git show main:toolgauge.lock)``, which can be read only once."""
    from toolgauge.upstream import FileSource
    from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

    if not isinstance(source, FileSource) or not is_pipe(source.path):
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="toolgauge-") as folder:
        copy = Path(folder, source.label)
        copy.write_bytes(read_bounded(source.path, MAX_FILE_BYTES, source.label))
        yield FileSource(copy)


def read_if_there(path: Path) -> bytes | None:
    """Return the bytes of a file, ``None`` where there is no such file.

    Raises:
        WrongUsage: It is there and cannot be read.
        SourceUnreadable: It is larger than ``MAX_FILE_BYTES``.
    """
    from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

    try:
        return read_bounded(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{path} cannot be read: {reason_of(error)}") from error


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
            with _writing(place):
                if is_there(place) and not is_file(place):
                    place.write_bytes(data)  # a device; a folder says so by itself
                else:
                    staged.append((_stage(place, data), place))
        for temporary, place in staged:
            with _writing(place):
                temporary.replace(place)
    finally:
        for temporary, _ in staged:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def reason_of(error: Exception) -> str:
    """Return why the file system refuses, without the path."""
    return getattr(error, "strerror", None) or "it is no path"


def _mode(path: Path) -> int:
    """Return the mode of what a path leads to, 0 where the file system does not say.

    ``Path`` raises for a name that is too long and for a folder that may not be
    searched; what then opens the file reports it.
    """
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Report which file cannot be written, and why."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise WrongUsage(f"{path} cannot be written: {reason_of(error)}") from error


def _real(path: Path) -> Path:
    """Follow links, so that the renamed file does not take a link's place.

    What leads to a pipe that has no name, as ``/dev/stdout`` does, stays as it is.
    """
    with _writing(path):
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
