"""Bytes that arrive in pieces, cut into lines of a bounded length."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias


class _TooLong(Enum):
    """The type of ``TOO_LONG``."""

    TOO_LONG = "too long"


TOO_LONG: Final = _TooLong.TOO_LONG
"""Stands for a line that was longer than the bound, and is gone."""

Line: TypeAlias = bytes | _TooLong


class LineSplitter:
    r"""Cuts bytes into lines, wherever the pieces they arrive in were cut.

    A line that is too long is skipped to its end, and told as one ``TOO_LONG``: what
    follows it is read as if nothing had been (decision E9).

    Args:
        max_bytes: Longest line, without its end.

    Example:
        >>> splitter = LineSplitter(4)
        >>> splitter.feed(b"a\nlong"), splitter.feed(b"er\nb\n")
        ([b'a'], [<_TooLong.TOO_LONG: 'too long'>, b'b'])
    """

    __slots__ = ("_is_skipping", "_max_bytes", "_pieces", "_size")

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        self._is_skipping = False

    def feed(self, chunk: bytes) -> list[Line]:
        """Take a piece and give the lines that it completes, without their ends."""
        lines: list[Line] = []
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._add(piece)
            lines.append(self._taken())
        self._add(rest)
        return lines

    @property
    def is_too_long(self) -> bool:
        """Whether the line that is arriving is too long already."""
        return self._is_skipping

    def end(self) -> Line | None:
        """Give what is left after the last line; ``None`` where nothing is."""
        return self._taken() if self._size or self._is_skipping else None

    def _add(self, piece: bytes) -> None:
        if not piece or self._is_skipping:
            return
        self._size += len(piece)
        if self._size > self._max_bytes:
            self._is_skipping = True
            self._pieces.clear()
        else:
            self._pieces.append(piece)

    def _taken(self) -> Line:
        line: Line = TOO_LONG if self._is_skipping else b"".join(self._pieces)
        self._pieces.clear()
        self._size, self._is_skipping = 0, False
        return line
