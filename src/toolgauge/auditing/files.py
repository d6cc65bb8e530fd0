"""Files of this machine and of object stores, by the same few functions.

A name is a path of this machine or a URI.
``s3://bucket/calls?endpoint_override=localhost:9000&scheme=http`` and the usual
variables of the store (``AWS_ENDPOINT_URL``, ``AWS_PROFILE``, …) say how it is reached.

Files of this machine are read and written without pyarrow: it takes longer to load than
a small audit takes, and its threads keep workers from starting as copies of this process.

Source: Apache Arrow, ``FileSystem.from_uri``: S3, GCS, Azure and HDFS.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import uuid
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

from toolgauge.auditing.arrow import pafs

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_USER = re.compile(r"(://)[^/?@]*@")
_FILE = "file://"

TEMPORARY = ".tmp-"
"""How the names of files begin that are being written."""


def is_remote(name: str) -> bool:
    """Tell whether a name is a URI."""
    return bool(_SCHEME.match(name))


def inner_name(folder: str, inner: str) -> str:
    """Name a file in a folder, by the same way to the store.

    Example:
        >>> inner_name("s3://bucket/calls/?region=eu-west-1", "a/b.jsonl")
        's3://bucket/calls/a/b.jsonl?region=eu-west-1'
    """
    if not is_remote(folder):
        return f"{folder.rstrip('/')}/{inner}"
    path, mark, query = folder.partition("?")
    return f"{path.rstrip('/')}/{inner}{mark}{query}"


def shown_name(name: str) -> str:
    r"""Name a place for people: without keys and options, in characters that UTF-8 has.

    Example:
        >>> shown_name("s3://key:secret@bucket/a.jsonl?endpoint_override=localhost:9000")
        's3://bucket/a.jsonl'
        >>> shown_name(os.fsdecode(b"gr\xf6sse.jsonl"))
        'gr\\udcf6sse.jsonl'
    """
    if is_remote(name):
        name = _USER.sub(r"\1", name.partition("?")[0], count=1)
    return name.encode("utf-8", "backslashreplace").decode()


def real_name(name: str) -> str:
    """Give a place the one name that it has, whatever links lead to it.

    Example:
        >>> real_name("s3://key:secret@bucket/run/?region=eu-west-1")
        's3://bucket/run'
    """
    if name.startswith(_FILE):
        return os.path.realpath(url2pathname(urlsplit(name).path))
    return shown_name(name).rstrip("/") if is_remote(name) else os.path.realpath(name)


def is_within(name: str, folder: str) -> bool:
    """Tell by their real names whether a place is a folder or lies in it."""
    return PurePath(name).is_relative_to(folder)


class Entry(NamedTuple):
    """A file or a folder.

    Attributes:
        path: The way to it, in its file system.
        kind: What it is. A ``stream`` can be read once: a pipe, a device.
        size: Size of a file, in bytes.
        stamp: When it was last changed, ``""`` where nobody knows.
    """

    path: str
    kind: Literal["file", "folder", "stream"]
    size: int
    stamp: str


class Files(Protocol):
    """A file system. Whatever it cannot do is an ``OSError`` or ``pyarrow.ArrowException``."""

    def look(self, path: str) -> Entry | None:
        """Give what is at a path, ``None`` where nothing is."""

    def under(self, path: str, *, is_deep: bool = False) -> Iterable[Entry]:
        """Give the files of a folder, of its folders too if asked; none where there is none."""

    def read(self, path: str) -> IO[bytes]:
        """Open a file for reading."""

    def write(self, path: str) -> AbstractContextManager[IO[bytes]]:
        """Open a file for writing; it appears when the block ends without an exception."""

    def remove(self, path: str) -> None:
        """Remove a file."""

    def hold(self, path: str) -> AbstractContextManager[None]:
        """Keep a folder for oneself; ``BlockingIOError`` where somebody else has it."""


def find_files(name: str) -> tuple[Files, str]:
    """Give the file system that holds a place, and its path there.

    Raises:
        OSError: If the store cannot be reached.
        pyarrow.ArrowException: If there is no such kind of store.
    """
    if not is_remote(name):
        return LocalFiles(), os.fspath(Path(name).absolute())
    system, path = pafs.FileSystem.from_uri(name)
    return _StoredFiles(system), path


class LocalFiles:
    """The files of this machine."""

    def look(self, path: str) -> Entry | None:
        """Give what is at a path."""
        try:
            found = os.stat(path)  # noqa: PTH116 - a thousand files of a folder
        except (FileNotFoundError, NotADirectoryError):
            return None
        size, stamp = found.st_size, str(found.st_mtime_ns)
        if stat.S_ISDIR(found.st_mode):
            return Entry(path, "folder", size, stamp)
        return Entry(path, "file" if stat.S_ISREG(found.st_mode) else "stream", size, stamp)

    def under(self, path: str, *, is_deep: bool = False) -> Iterator[Entry]:
        """Give the files of a folder; links are followed, but not back to where they came from."""
        if self.look(path) is None:
            return
        folders = [(path, frozenset[str]())]
        while folders:
            folder, above = folders.pop()
            real = os.path.realpath(folder)
            if real in above:
                continue
            for name in os.listdir(folder):  # noqa: PTH208 - names are joined to texts
                entry = self.look(f"{folder}/{name}")
                if entry is None:
                    continue  # a link to nothing
                if entry.kind == "file":
                    yield entry
                elif entry.kind == "folder" and is_deep:
                    folders.append((entry.path, above | {real}))

    def read(self, path: str) -> IO[bytes]:
        """Open a file for reading."""
        return Path(path).open("rb")

    @contextmanager
    def write(self, path: str) -> Iterator[IO[bytes]]:
        """Write beside the final name, and take that name at the end."""
        final = Path(path)
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = final.with_name(f"{TEMPORARY}{final.name}-{uuid.uuid4().hex[:8]}")
        try:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(final)
        finally:
            temporary.unlink(missing_ok=True)

    def remove(self, path: str) -> None:
        """Remove a file."""
        Path(path).unlink()

    @contextmanager
    def hold(self, path: str) -> Iterator[None]:
        """Make a folder and lock it, until the block or this process ends.

        Nobody is kept out where there are no such locks: on Windows, on some network disks.
        """
        Path(path).mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            yield
            return
        descriptor = os.open(path, os.O_RDONLY)
        try:
            _flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                yield
            finally:
                # To close it lets nobody in while a copy of this process has it open.
                _flock(descriptor, fcntl.LOCK_UN)
        finally:
            os.close(descriptor)


def _flock(descriptor: int, operation: int) -> None:
    """Lock or unlock, where the disk knows how."""
    try:
        fcntl.flock(descriptor, operation)
    except OSError as error:
        if isinstance(error, BlockingIOError):
            raise


class _StoredFiles:
    """The objects of a store, by a ``pyarrow.fs.FileSystem``."""

    def __init__(self, system: Any) -> None:
        self._system = system

    def look(self, path: str) -> Entry | None:
        return _entry(self._system.get_file_info(path))

    def under(self, path: str, *, is_deep: bool = False) -> list[Entry]:
        selector = pafs.FileSelector(path.rstrip("/"), allow_not_found=True, recursive=is_deep)
        entries = map(_entry, self._system.get_file_info(selector))
        return [each for each in entries if each is not None and each.kind == "file"]

    def read(self, path: str) -> IO[bytes]:
        return cast("IO[bytes]", self._system.open_input_file(path))

    @contextmanager
    def write(self, path: str) -> Iterator[IO[bytes]]:
        stream = self._system.open_output_stream(path)
        try:
            yield cast("IO[bytes]", stream)
        except BaseException:
            # There is no way to give an upload up but to end it and to remove the object.
            with suppress(OSError):
                stream.close()
                self._system.delete_file(path)
            raise
        stream.close()

    def remove(self, path: str) -> None:
        self._system.delete_file(path)

    def hold(self, path: str) -> AbstractContextManager[None]:  # noqa: ARG002 - stores know no locks
        return nullcontext()


def _entry(info: Any) -> Entry | None:
    if info.type == pafs.FileType.NotFound:
        return None
    kind: Literal["file", "folder"] = "file" if info.is_file else "folder"
    return Entry(info.path, kind, info.size or 0, str(info.mtime_ns or ""))
