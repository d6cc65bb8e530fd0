"""Foreign text made safe to print, and everything that is printed.

Names, descriptions and results come from servers that nobody here wrote. A
terminal obeys control characters in them, and a reader is misled by characters
that reorder or hide text; both are shown as escapes instead.

``visible`` escapes one text for its place in a line. Whatever reaches a standard
stream without it, JSON too, is escaped by the stream's encoding (``use_utf8``).
"""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.cli.output import ENCODING, output
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from rich.table import Table

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NONCHARACTER = 0xFFFE
"""U+FFFE and U+FFFF, and their like in other planes; XML 1.0 forbids the first two."""

_LEAST_WIDTH = 40
"""Cells that a line may always have; a terminal with fewer breaks it by itself."""

_JOINERS = "\u200c\u200d"
"""Zero-width joiners, which emoji and several scripts are written with."""

_C0 = "".join(map(chr, range(0x20)))
"""Layout and colors: rich writes them, ``visible`` escapes them, JSON never holds them raw."""


def visible(text: str, *, keep: str = "") -> str:
    r"""Show control, bidi, invisible and no characters as escapes; all else XML 1.0 allows.

    Args:
        text: Text that somebody else wrote.
        keep: Characters to leave as they are: ``"\n\t"`` for whole texts.

    Example:
        >>> visible("a\x1b[31mb")
        'a\\x1b[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return _replaced(text, {ord(each): _shown(each) for each in _hidden(text, keep)})


def escaped(text: str) -> str:
    r"""Escape what a terminal obeys as JSON does; a JSON document keeps its value.

    Args:
        text: A whole text that is ready to be written: its layout and colors stay.

    Example:
        >>> escaped('{"name": "a\x9b31m"}')
        '{"name": "a\\u009b31m"}'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return _replaced(text, {ord(each): _json_escape(each) for each in _hidden(text, _C0)})


def first_line(text: str) -> str:
    """Give the first line that says something, safe to print."""
    for line in text.splitlines():
        if line.strip():
            return visible(line.strip())
    return ""


def say(text: str = "") -> None:
    """Print a line to stdout."""
    output().write(text + "\n")


def say_text(text: str) -> None:
    """Print a whole text to stdout, line by line.

    Where Python does not buffer its output, one large write to a reader that
    goes away ends early and nobody is told; the next line is.
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
        text = dump_json(_escaped(document))
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
    """Tell how many cells a line on stdout may have, ``None`` for any number of them."""
    from rich.console import Console

    is_bounded = output().isatty() or "COLUMNS" in os.environ
    return max(Console().width, _LEAST_WIDTH) if is_bounded else None


def terminal(stream: TextIO, piped_width: int) -> tuple[int, bool]:
    """Tell how wide the terminal is, also behind a pager, and whether a stream takes colours.

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


def clipped(text: str, most: int) -> str:
    """Cut a long text, and say that it was cut."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


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
    """Write UTF-8 whatever the locale says; what is no text is escaped (case C22).

    So is what a terminal obeys, whoever writes it: rich, a traceback, a server's
    own words on standard error.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=ENCODING, errors="backslashreplace")


class _Encoder(codecs.IncrementalEncoder):
    """UTF-8, without any character that a terminal obeys or that hides text."""

    def encode(self, text: str, final: bool = False) -> bytes:  # noqa: ARG002, FBT - of codecs
        return escaped(text).encode("utf-8", self.errors)


def _find_codec(name: str) -> codecs.CodecInfo | None:
    """Give the encoding of the standard streams to Python."""
    if name != ENCODING:
        return None
    return codecs.CodecInfo(
        name=ENCODING,
        encode=lambda text, errors="strict": (_Encoder(errors).encode(text), len(text)),
        decode=codecs.utf_8_decode,
        incrementalencoder=_Encoder,
        incrementaldecoder=codecs.getincrementaldecoder("utf-8"),
    )


codecs.register(_find_codec)


def _escaped(value: object) -> object:
    """Show lone surrogates as escapes, as text on these streams does."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {_escaped(key): _escaped(each) for key, each in value.items()}
    return [*map(_escaped, value)] if isinstance(value, list | tuple) else value


def _hidden(text: str, keep: str) -> Iterable[str]:
    """Give the characters of a text, each once, that must not reach a reader as they are."""
    return (
        each
        for each in set(text).difference(keep, _JOINERS)
        if unicodedata.category(each) in _HIDDEN or ord(each) & _NONCHARACTER == _NONCHARACTER
    )


def _replaced(text: str, escapes: Mapping[int, str]) -> str:
    """Put escapes for characters; most texts have none, and looking each up is slow."""
    return text.translate(escapes) if escapes else text


def _shown(character: str) -> str:
    """Escape one character as Python does."""
    code = ord(character)
    if code < 0x100:  # noqa: PLR2004 - two hex digits hold it
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x1_0000 else f"\\U{code:08x}"  # noqa: PLR2004 - the same


def _json_escape(character: str) -> str:
    """Escape one character as JSON does: a surrogate pair past U+FFFF."""
    code = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[at : at + 4]}" for at in range(0, len(code), 4))
