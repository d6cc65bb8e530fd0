"""The files of calls that a run reads: on this machine, or in an object store."""

from __future__ import annotations

import hashlib
import posixpath
import re
import uuid
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, cast

from toolgauge.auditing.arrow import pa
from toolgauge.auditing.errors import (
    AuditError,
    ChangedInput,
    MissingInput,
    UnwritableOutput,
    first_line,
)
from toolgauge.auditing.files import (
    Entry,
    Files,
    find_files,
    inner_name,
    is_remote,
    is_within,
    real_name,
    shown_name,
)

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
GZIP = b"\x1f\x8b"
_SKIPPABLE = tuple(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60))
"""How a zstd file may begin: with a frame that holds no data (RFC 8878, section 3.1.2)."""

_MAGIC: tuple[tuple[bytes | tuple[bytes, ...], Kind], ...] = (
    (b"PAR1", "parquet"),
    (GZIP, "gzip"),
    ((b"\x28\xb5\x2f\xfd", *_SKIPPABLE), "zstd"),
)
_LOG = re.compile(r"\d{8}T\d{6}\.\d{3}Z-\d+\.\d{4,}\.jsonl")
_LATEST = "envelope_validation.latest.jsonl"
"""Files of our own contract log; this one is a link to another, or a copy where links are none."""

_COPY_BYTES = 1024 * 1024
_REQUEST_BYTES = 2 * 1024 * 1024
"""As much of an object as is asked for at once. A request takes as long as some MB of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One file of calls.

    Attributes:
        name: What the user calls it, fit to be shown; records carry this name.
        path: Where it lies: a path or URI.
        kind: How it is written. A file's first bytes decide, then its name.
        size: Its size in bytes.
        stamp: When it was last changed, so that a resumed run sees another file.
        is_copy: Whether it is a copy that ``spool`` made, which nobody else writes to.
    """

    name: str
    path: str
    kind: Kind
    size: int
    stamp: str
    is_copy: bool = False

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
        raise MissingInput(shown_name(name), first_line(error)) from None


def change_in(source: Input) -> AuditError | None:
    """Return the error of a file that is no longer what it was when the run began.

    That is ``ChangedInput`` where it is shorter, was written to, or is gone, and
    ``MissingInput`` where nobody can tell. Lines that were added since are no change: a log
    grows.
    """
    if source.is_copy:
        return None
    try:
        files, path = find_files(source.path)
        entry = files.look(path)
    except (OSError, pa.ArrowException) as error:
        return MissingInput(source.name, first_line(error))
    if entry is not None and source.kind == "lines" and entry.size > source.size:
        return None
    is_same = entry is not None and (entry.size, entry.stamp) == (source.size, source.stamp)
    return None if is_same else ChangedInput(source.name)


def open_stream(name: str) -> IO[bytes]:
    """Open a file for reading on from one place: an object of a store in few requests.

    Raises:
        MissingInput: As ``open_input``.
    """
    file = open_input(name)
    if isinstance(file, BufferedReader):
        return file
    return BufferedReader(cast("RawIOBase", file), _REQUEST_BYTES)


def is_stream(name: str) -> bool:
    """Tell whether a name is that of something to be read once: a pipe, a device."""
    if is_remote(name):
        return False
    try:
        files, path = find_files(name)
        entry = files.look(path)
    except OSError:
        return False
    return entry is not None and entry.kind == "stream"


def find_inputs(names: Iterable[str], *, output: str | None = None) -> list[Input]:
    """Find the files that the user named; of a folder, those that hold calls, each once.

    Hidden files, and files of a folder whose ending is not known, are left out. So is
    what lies in ``output``, of a folder around it.

    Args:
        names: Files, folders, URIs.
        output: Folder of the run.

    Raises:
        MissingInput: If a name is not there, or a folder holds no file of calls; for a
            pipe or a device, which ``spool`` copies.
    """
    found: list[Input] = []
    for name in names:
        try:
            files, path = find_files(name)
            entry = files.look(path)
            is_folder = entry is not None and entry.kind == "folder"
            inside = list(_folder(name, files, path, output)) if is_folder else None
        except (OSError, pa.ArrowException) as error:
            raise MissingInput(shown_name(name), first_line(error)) from None
        if entry is None:
            raise MissingInput(shown_name(name), "there is no such file or folder")
        if inside is not None:
            if not inside:
                endings = ", ".join(ending for endings, _ in _ENDINGS for ending in endings)
                words = f"the folder holds no file that ends in {endings}"
                raise MissingInput(shown_name(name), words)
            found += inside
        elif entry.kind == "stream":
            raise MissingInput(shown_name(name), "it is a pipe or a device: spool copies it")
        else:
            found.append(_input(name, entry))
    return found


def spool(stream: IO[bytes], folder: str, name: str = "-") -> Input:
    """Copy a stream into a folder, so that it can be cut into units.

    Its stamp is what it holds: the same text piped again is the same input.

    Args:
        stream: Standard input, a pipe, a device.
        folder: A folder that is there.
        name: What the user calls it.

    Raises:
        UnwritableOutput: If there is no room for it.
    """
    path = Path(folder) / uuid.uuid4().hex
    digest = hashlib.sha256()
    size = 0
    try:
        with path.open("xb") as file:
            while data := stream.read(_COPY_BYTES):
                digest.update(data)
                size += len(data)
                file.write(data)
    except OSError as error:
        raise UnwritableOutput(folder, first_line(error)) from None
    with path.open("rb") as file:
        start = file.read(4)
    return Input(
        name=shown_name(name),
        path=str(path),
        kind=_by_magic(start) or "lines",
        size=size,
        stamp=digest.hexdigest(),
        is_copy=True,
    )


def _folder(name: str, files: Files, path: str, output: str | None) -> Iterator[Input]:
    """List a folder, whole and in the order of names; a file once, whatever links lead to it."""
    entries = {each.path[len(path) :].lstrip("/"): each for each in files.under(path, is_deep=True)}
    inside = {inner: entry for inner, entry in sorted(entries.items()) if _holds_calls(inner)}
    own = None if output is None else real_name(output)
    left_out = None if own is None or is_within(real_name(name), own) else own
    seen: set[str] = set()
    for inner, entry in inside.items():
        whole = inner_name(name, inner)
        real = real_name(whole)
        is_ours = left_out is not None and is_within(real, left_out)
        if not (is_ours or real in seen or _is_copy(inner, inside)):
            seen.add(real)
            yield _input(whole, entry)


def _is_copy(inner: str, inside: Iterable[str]) -> bool:
    """Tell whether a file is the copy of a contract log that lies beside it."""
    folder, name = posixpath.split(inner)
    beside = map(posixpath.split, inside) if name == _LATEST else ()
    return any(there == folder and _LOG.fullmatch(each) for there, each in beside)


def _holds_calls(inner: str) -> bool:
    """Tell by its name whether a file of a folder is one of calls, and not hidden."""
    is_hidden = any(part.startswith((".", "_")) for part in inner.split("/"))
    return not is_hidden and _by_name(inner) is not None


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
