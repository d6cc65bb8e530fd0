"""The output folder of a run: on this machine, or in an object store.

What cannot be read or written is an ``UnwritableOutput``.

A file is there whole or not at all. On this machine it is written under a temporary
name and renamed. An object store shows an object only once it is complete, but
cannot rename, so there a part's name carries a key of its attempt.
"""

from __future__ import annotations

import uuid
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING

from toolgauge.auditing.arrow import pa
from toolgauge.auditing.errors import ForeignOutput, UnwritableOutput, first_line
from toolgauge.auditing.files import find_files, inner_name, is_remote, real_name, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator


MAX_STATE_BYTES = 64 * 1024 * 1024
"""Largest file of a run's state that is read. A unit's numbers and examples have a few MB."""


class Store:
    """Reads and writes the files of one output folder.

    Args:
        folder: A path, or a URI such as ``s3://bucket/run``.
    """

    def __init__(self, folder: str) -> None:
        self.folder: str = shown_name(folder)
        self.is_remote: bool = is_remote(folder)
        self._name = folder
        with self._told():
            self._files, self._root = find_files(folder)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise ``UnwritableOutput`` for what the file system refuses."""
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            raise UnwritableOutput(self.folder, first_line(error)) from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs out of the folder, which is made, until the block ends.

        Raises:
            ForeignOutput: If one is at work in it.
        """
        with ExitStack() as stack:
            with self._told():
                try:
                    stack.enter_context(self._files.hold(self._root))
                except BlockingIOError:
                    reason = "is in use: another run writes to it; wait, or name another folder"
                    raise ForeignOutput(self.folder, reason) from None
            yield

    def path(self, name: str) -> str:
        """Give the whole name of a file in the folder."""
        return f"{self._root}/{name}"

    def part_name(self, stem: str, ending: str) -> str:
        """Give the name for one attempt at a part."""
        attempt = f"-{uuid.uuid4().hex[:8]}" if self.is_remote else ""
        return f"{stem}{attempt}{ending}"

    def real_name(self, folder: str = "") -> str:
        """Give the one name that a subfolder has, whatever links lead to it."""
        return real_name(inner_name(self._name, folder))

    def names(self, folder: str = "") -> list[str]:
        """List the files of a subfolder by their names, also those that are being written."""
        with self._told():
            entries = list(self._files.under(self.path(folder)))
        return sorted(each.path.rpartition("/")[2] for each in entries)

    def all_names(self) -> Iterator[str]:
        """List all files, those of subfolders too and after the others, by their way from here."""
        yield from self.names()
        with self._told():
            for each in self._files.under(self._root, is_deep=True):
                yield each.path[len(self._root) :].lstrip("/")

    def has(self, name: str) -> bool:
        """Tell whether a file is there."""
        with self._told():
            found = self._files.look(self.path(name))
        return found is not None and found.kind == "file"

    def read(self, name: str) -> bytes:
        """Read a whole file of ours; nothing of one that is too large to be one."""
        with self._told(), self._files.read(self.path(name)) as file:
            data = bytes(file.read(MAX_STATE_BYTES + 1))
        return data if len(data) <= MAX_STATE_BYTES else b""

    def write(self, name: str, data: bytes) -> None:
        """Write a whole file."""
        with self.open(name) as file:
            file.write(data)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file for writing; it appears when the block ends without an exception."""
        with self._told(), self._files.write(self.path(name)) as file:
            yield file

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        if self.has(name):
            with self._told():
                self._files.remove(self.path(name))
