"""The files of calls that a run reads: on this machine, or in an object store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, cast

from toolgauge.audit.arrow import pa
from toolgauge.audit.errors import MissingInput, UnwritableOutput
from toolgauge.audit.files import Entry, Files, find_files
from toolgauge.audit.places import inner_name, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import RawIOBase

Kind = Literal["lines", "gzip", "zstd", "parquet"]

_ENDINGS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    ((".parquet", ".pq"), "parquet"),
    ((".gz", ".gzip"), "gzip"),
    ((".zst", ".zstd"), "zstd"),
    ((".jsonl", ".ndjson", ".json", ".log", ".txt"), "lines"),
)
_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"PAR1", "parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_COPY_BYTES = 1024 * 1024
_REQUEST_BYTES = 2 * 1024 * 1024
"""As much of an object as is asked for at once. A request takes as long as some MB of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One file of calls.

    Attributes:
        name: What the user calls it; records carry this name.
        path: Where it lies: a path or URI.
        kind: How it is written. A file's first bytes decide, then its name.
        size: Its size in bytes.
        stamp: When it was last changed, so that a resumed run sees another file.
    """

    name: str
    path: str
    kind: Kind
    size: int
    stamp: str

    def open(self) -> IO[bytes]:
        """Open it for reading, as it is stored."""
        return open_input(self.path)

    def stream(self) -> IO[bytes]:
        """Open it for reading on, as it is stored."""
        return open_stream(self.path)


def open_input(name: str) -> IO[bytes]:
    """Open a file by name or URI.

    Raises:
        MissingInput: If it is not there or cannot be read.
    """
    try:
        files, path = find_files(name)
        return files.read(path)
    except (OSError, pa.ArrowException) as error:
        raise MissingInput(shown_name(name), _reason(error)) from None


def open_stream(name: str) -> IO[bytes]:
    """Open a file for reading on from one place: an object of a store in few requests.

    Raises:
        MissingInput: As ``open_input``.
    """
    file = open_input(name)
    if isinstance(file, BufferedReader):
        return file
    return BufferedReader(cast("RawIOBase", file), _REQUEST_BYTES)


def find_inputs(names: Iterable[str]) -> list[Input]:
    """Find the files that the user named; of a folder, those that hold calls.

    Hidden files, and files of a folder whose ending is not known, are left out.

    Raises:
        MissingInput: If a name is not there, or a folder holds no file of calls.
    """
    found: list[Input] = []
    for name in names:
        try:
            files, path = find_files(name)
            entry = files.look(path)
            is_folder = entry is not None and entry.is_folder
            inside = list(_folder(name, files, path)) if is_folder else None
        except (OSError, pa.ArrowException) as error:
            raise MissingInput(shown_name(name), _reason(error)) from None
        if entry is None:
            raise MissingInput(shown_name(name), "there is no such file or folder")
        if inside is not None:
            if not inside:
                endings = ", ".join(ending for endings, _ in _ENDINGS for ending in endings)
                words = f"the folder holds no file that ends in {endings}"
                raise MissingInput(shown_name(name), words)
            found += inside
        else:
            found.append(_input(name, entry))
    return found


def spool(stream: IO[bytes], folder: str) -> Input:
    """Copy standard input into a folder, so that it can be cut into units.

    Its stamp is what it holds: the same text piped again is the same input.

    Raises:
        UnwritableOutput: If there is no room for it.
    """
    path = Path(folder) / "stdin"
    digest = hashlib.sha256()
    size = 0
    try:
        with path.open("wb") as file:
            while data := stream.read(_COPY_BYTES):
                digest.update(data)
                size += len(data)
                file.write(data)
    except OSError as error:
        raise UnwritableOutput(folder, _reason(error)) from None
    with path.open("rb") as file:
        start = file.read(4)
    return Input(
        name="-",
        path=str(path),
        kind=_by_magic(start) or "lines",
        size=size,
        stamp=digest.hexdigest(),
    )


def _folder(name: str, files: Files, path: str) -> Iterator[Input]:
    """List a folder, whole and in the order of names."""
    for entry in sorted(files.under(path, is_deep=True)):
        inner = entry.path[len(path) :].lstrip("/")
        hidden = any(part.startswith((".", "_")) for part in inner.split("/"))
        if not hidden and _by_name(inner):
            yield _input(inner_name(name, inner), entry)


def _input(name: str, entry: Entry) -> Input:
    with open_input(name) as file:
        start = file.read(4)
    return Input(
        name=shown_name(name),
        path=name,
        # A broken Parquet file may have lost its first bytes, but not its name.
        kind=_by_magic(start)
        or ("parquet" if _by_name(shown_name(name)) == "parquet" else "lines"),
        size=entry.size,
        stamp=entry.stamp,
    )


def _by_magic(start: bytes) -> Kind | None:
    return next((kind for magic, kind in _MAGIC if start.startswith(magic)), None)


def _by_name(name: str) -> Kind | None:
    lower = name.lower()
    return next((kind for endings, kind in _ENDINGS if lower.endswith(endings)), None)


def _reason(error: Exception) -> str:
    words = getattr(error, "strerror", None) or str(error)
    return (words.splitlines() or [type(error).__name__])[0][:200]
