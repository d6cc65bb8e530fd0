"""Bounds on the size of what an MCP server sends: one message, or its whole tool list.

Bytes alone do not bound memory: a megabyte of ``[]`` is thirty of Python objects. So
values are counted too, before anything is parsed.
"""

from __future__ import annotations

import random
import re

MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""Largest message of a server, and largest whole list of its tools, in bytes."""

MAX_MESSAGE_VALUES = 1_000_000
"""Most JSON values in a message of a server, and in the whole list of its tools."""

SHORT_BYTES = 4 * 1024 * 1024
"""Texts up to this size are not counted: even the densest is some 100 MiB of objects."""

_BLOCK_BYTES = 4_096
_BLOCKS_PER_SAMPLE = 16

TOO_MANY_VALUES = f"more than {MAX_MESSAGE_VALUES:,} JSON values"

_TOKEN = re.compile(rb'"[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+("?)|[,\[{]')
"""A string, perhaps unfinished, or a character that stands before a value. No JSON
string holds a line break, so that a stray quote hides nothing after its own line."""


class ValueCount:
    """Count the JSON values of a text that arrives in pieces.

    What is short is not counted at all, and the rest is estimated first from a few blocks
    picked at random, which costs next to nothing. Only a text with very many commas and
    brackets is read again, without those inside strings.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self._values = 0
        self._exact = 0
        self._unread: list[bytes] = []
        self._begun = b""

    def add(self, piece: bytes) -> bool:
        """Count one more piece, and return whether the bound is passed."""
        self._unread.append(piece)
        was_short = self._bytes <= SHORT_BYTES
        self._bytes += len(piece)
        if self._bytes <= SHORT_BYTES:
            return False
        self._values += sum(map(_estimate, self._unread if was_short else [piece]))
        if self._values > MAX_MESSAGE_VALUES // 2:
            self._read()
        return self._values > MAX_MESSAGE_VALUES

    def _read(self) -> None:
        """Replace the estimate by the exact count."""
        text = self._begun + b"".join(self._unread)
        self._unread.clear()
        self._begun = b""
        for token in _TOKEN.finditer(text):
            if token[1] is None:
                self._exact += 1
                if self._exact > MAX_MESSAGE_VALUES:
                    break
            elif not token[1] and text[token.end() : token.end() + 2] in {b"", b"\\"}:
                # It goes on in the next piece, as does an escape that it ends with.
                self._begun = b'"' + text[token.end() :]
        self._values = self._exact


def too_large(max_bytes: int = MAX_MESSAGE_BYTES) -> str:
    """Return the end of a sentence about a message past the bound on bytes."""
    return f"more than {max_bytes:,} bytes"


def too_many_values(text: bytes) -> str | None:
    """Return the end of a sentence about a text past the bound on values, else ``None``."""
    return TOO_MANY_VALUES if ValueCount().add(text) else None


def _estimate(piece: bytes) -> int:
    """Return about how many commas and brackets a text holds, from one block in sixteen."""
    starts = range(0, len(piece), _BLOCK_BYTES)
    picked = random.sample(starts, -(-len(starts) // _BLOCKS_PER_SAMPLE))
    blocks = [piece[start : start + _BLOCK_BYTES] for start in picked]
    found = sum(each.count(b",") + each.count(b"[") + each.count(b"{") for each in blocks)
    return found * len(starts) // max(len(picked), 1)
