"""The standard streams, and everything that is printed to them."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.cli.text import escaped, visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from rich.table import Table

_ENCODING = "utf_8_visible"
"""UTF-8 with control and format characters escaped, whoever writes them."""

_ESCAPED = "backslashreplace"
"""What is no text is written as an escape (case C22)."""

_LEAST_WIDTH = 40
"""Cells that a line may always have; a terminal with fewer breaks it by itself."""

_private: TextIO | None = None


def output() -> TextIO:
    """Return the stream for what a command has found, also while ``sys.stdout`` is another."""
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


def say(text: str = "") -> None:
    """Print a line to stdout."""
    output().write(text + "\n")


def say_text(text: str) -> None:
    """Print a whole text to stdout, line by line.

    Where Python does not buffer its output, one large write to a reader that
    goes away ends early without an error; the next line raises one.
    """
    output().writelines(text.splitlines(keepends=True))
    output().flush()


def warn(text: str) -> None:
    """Print a line to stderr, marked as ours."""
    sys.stderr.write(f"toolgauge: {text}\n")


def say_json(document: object) -> None:
    """Print one JSON document on a line of stdout; what UTF-8 has not is escaped (case C22)."""
    try:
        text = dump_json(document)
    except TypeError:
        # A name of the command line or the file system that is no text.
        text = dump_json(_without_surrogates(document))
    say(text.decode())


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a page, and how many cells it is set in."""

    text: str
    indent: int = 0


def say_paragraphs(paragraphs: Iterable[Paragraph]) -> None:
    """Print paragraphs, as wide as the terminal is; piped text stays unbroken."""
    from rich.console import Console
    from rich.text import Text

    width, console = terminal_width(), Console()
    for each in paragraphs:
        text, indent = Text(visible(each.text)), " " * each.indent
        lines = [text] if width is None else text.wrap(console, width - each.indent)
        for line in lines or [text]:
            say((indent + line.plain).rstrip())


def say_table(table: Table, width: int) -> None:
    """Print a table that is ``width`` cells wide.

    Drawn first: where the reader goes away, rich would leave with an exit code of its own.
    """
    from rich.console import Console

    console = Console(file=output(), width=width)
    with console.capture() as drawn:
        console.print(table)
    say_text(drawn.get())


def terminal_width() -> int | None:
    """Return how many cells a line on stdout may have, ``None`` for any number of them."""
    from rich.console import Console

    is_bounded = output().isatty() or "COLUMNS" in os.environ
    return max(Console().width, _LEAST_WIDTH) if is_bounded else None


def terminal(stream: TextIO, piped_width: int) -> tuple[int, bool]:
    """Return the width of the terminal, also behind a pager, and whether a stream takes colors.

    Args:
        stream: Where the text will go.
        piped_width: The width where there is no terminal and no ``COLUMNS``.
    """
    from rich.console import Console

    console = Console()
    streams = (sys.stdin, sys.stdout, sys.stderr)
    has_width = "COLUMNS" in os.environ or any(each and each.isatty() for each in streams)
    width = max(console.width, _LEAST_WIDTH) if has_width else piped_width
    return width, stream.isatty() and not console.no_color


def open_missing_streams() -> None:
    """Put the null device where a standard stream is closed, as by ``<&-`` in a shell.

    Otherwise the next file that is opened becomes the standard stream.
    """
    modes = {0: ("stdin", "r"), 1: ("stdout", "w"), 2: ("stderr", "w")}
    for number, (name, mode) in modes.items():
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number, which is this one.
            opened = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(opened, True)
            setattr(sys, name, os.fdopen(opened, mode, closefd=False))


def use_utf8() -> None:
    """Write UTF-8 whatever the locale says, without what a terminal obeys.

    That includes what rich, a traceback or a server's own words hold.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=_ENCODING, errors=_ESCAPED)


@contextmanager
def _copy_of(stream: TextIO) -> Iterator[TextIO]:
    """Return a stream to where one writes, while its descriptor leads to standard error."""
    try:
        has_descriptor = stream.fileno() == 1
    except (OSError, ValueError):  # a stream in memory
        has_descriptor = False
    if not has_descriptor:
        yield stream
        return
    stream.flush()
    copy = os.dup(1)
    os.dup2(2, 1)
    try:
        with open(copy, "w", closefd=False, encoding=_ENCODING, errors=_ESCAPED) as ours:
            yield ours
    finally:
        with suppress(OSError):
            stream.flush()
        os.dup2(copy, 1)
        os.close(copy)


class _Encoder(codecs.IncrementalEncoder):
    """UTF-8, without any character that a terminal obeys or that hides text."""

    def encode(self, text: str, final: bool = False) -> bytes:  # noqa: ARG002, FBT - of codecs
        return escaped(text).encode("utf-8", self.errors)


def _find_codec(name: str) -> codecs.CodecInfo | None:
    """Return the encoding of the standard streams to Python."""
    if name != _ENCODING:
        return None
    return codecs.CodecInfo(
        name=_ENCODING,
        encode=lambda text, errors="strict": (_Encoder(errors).encode(text), len(text)),
        decode=codecs.utf_8_decode,
        incrementalencoder=_Encoder,
        incrementaldecoder=codecs.getincrementaldecoder("utf-8"),
    )


codecs.register(_find_codec)


def _without_surrogates(value: object) -> object:
    """Show lone surrogates as escapes, as text on these streams does."""
    if isinstance(value, str):
        return value.encode("utf-8", _ESCAPED).decode()
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(each) for key, each in value.items()}
    return [*map(_without_surrogates, value)] if isinstance(value, list | tuple) else value
