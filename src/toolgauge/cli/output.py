"""Standard output for what a command has found, and for nobody else."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

ENCODING = "utf_8_visible"
"""UTF-8 with control and format characters escaped; ``toolgauge.cli.text`` defines it."""

_ESCAPED = "backslashreplace"
"""What is no text is written as an escape, as on the other streams."""

_private: TextIO | None = None


def output() -> TextIO:
    """Give the stream for what a command has found, also while ``sys.stdout`` is another."""
    return _private or sys.stdout


@contextmanager
def private_output() -> Iterator[None]:
    """Take standard output away from everybody else in this process.

    What somebody else's code, a library or a child process prints meanwhile goes to
    standard error: a program may be reading a document from our output.
    """
    global _private  # noqa: PLW0603 - a process has one standard output
    if _private is not None:
        yield
        return
    with _copy_of(sys.stdout) as _private, redirect_stdout(sys.stderr):
        try:
            yield
        finally:
            _private = None


@contextmanager
def _copy_of(stream: TextIO) -> Iterator[TextIO]:
    """Give a stream to where one writes, while its descriptor leads to standard error."""
    if not _has_descriptor(stream):
        yield stream
        return
    stream.flush()
    copy = os.dup(1)
    os.dup2(2, 1)
    try:
        with open(copy, "w", closefd=False, encoding=ENCODING, errors=_ESCAPED) as ours:
            yield ours
    finally:
        with suppress(OSError):
            stream.flush()
        os.dup2(copy, 1)
        os.close(copy)


def _has_descriptor(stream: TextIO) -> bool:
    """Tell whether a stream writes to descriptor 1; one in memory has none."""
    try:
        return stream.fileno() == 1
    except (OSError, ValueError):
        return False
