"""The output folder of a run: on this machine, or in an object store.

A file is there whole or not at all. On this machine it is written under a temporary
name and renamed. An object store shows an object only once it is complete, but
cannot rename, so there a part's name carries a key of its attempt.
"""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from toolgauge.audit.arrow import pa, pafs
from toolgauge.audit.errors import UnwritableOutput
from toolgauge.audit.places import find_place, is_remote, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEMPORARY = ".tmp-"


class Store:
    """Reads and writes the files of one output folder.

    Args:
        folder: A path, or a URI such as ``s3://bucket/run``.
    """

    def __init__(self, folder: str) -> None:
        self.folder: str = shown_name(folder)
        self.is_remote: bool = is_remote(folder)
        with self._told():
            self._system, self._root = find_place(folder)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what the file system says, in one sentence.

        Raises:
            UnwritableOutput: If it refuses something, or cannot be reached.
        """
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            raise UnwritableOutput(self.folder, _reason(error)) from None

    def path(self, name: str) -> str:
        """Give the whole name of a file in the folder."""
        return f"{self._root}/{name}"

    def part_name(self, stem: str, ending: str) -> str:
        """Give the name for one attempt at a part."""
        attempt = f"-{uuid.uuid4().hex[:8]}" if self.is_remote else ""
        return f"{stem}{attempt}{ending}"

    def names(self, folder: str = "") -> list[str]:
        """List the files of a subfolder by their names, without temporary ones.

        Raises:
            UnwritableOutput: If that is not possible.
        """
        selector = pafs.FileSelector(self.path(folder).rstrip("/"), allow_not_found=True)
        with self._told():
            infos: list[Any] = self._system.get_file_info(selector)
        return sorted(
            each.base_name
            for each in infos
            if each.type == pafs.FileType.File and not each.base_name.startswith(_TEMPORARY)
        )

    def has(self, name: str) -> bool:
        """Tell whether a file is there.

        Raises:
            UnwritableOutput: If nobody can tell.
        """
        with self._told():
            found: Any = self._system.get_file_info(self.path(name))
        return bool(found.type == pafs.FileType.File)

    def read(self, name: str) -> bytes:
        """Read a whole file.

        Raises:
            UnwritableOutput: If it cannot be read.
        """
        with self._told(), self._system.open_input_stream(self.path(name)) as file:
            return bytes(file.read())

    def write(self, name: str, data: bytes) -> None:
        """Write a whole file.

        Raises:
            UnwritableOutput: If that is not possible.
        """
        with self.open(name) as file:
            file.write(data)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file for writing; it appears when the block ends without an exception.

        Raises:
            UnwritableOutput: If it cannot be written.
        """
        with self._told():
            opened = self._whole(name) if self.is_remote else _renamed(Path(self.path(name)))
            with opened as file:
                yield file

    @contextmanager
    def _whole(self, name: str) -> Iterator[IO[bytes]]:
        """Write an object; one that was not written to its end is taken away again."""
        stream = self._system.open_output_stream(self.path(name))
        try:
            yield cast("IO[bytes]", stream)
        except BaseException:
            # There is no way to give an upload up but to end it.
            with suppress(OSError):
                stream.close()
                self._system.delete_file(self.path(name))
            raise
        stream.close()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there.

        Raises:
            UnwritableOutput: If that is not possible.
        """
        if self.has(name):
            with self._told():
                self._system.delete_file(self.path(name))


@contextmanager
def _renamed(path: Path) -> Iterator[IO[bytes]]:
    """Write beside the final name, and take that name at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{_TEMPORARY}{path.name}-{uuid.uuid4().hex[:8]}")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    words = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(words).splitlines()[0][:200]
