"""Bytes that arrive in pieces, cut into lines."""

from __future__ import annotations


class LineBuffer:
    """Cuts what arrives into lines, and keeps the unfinished rest.

    Args:
        max_bytes: Longest unfinished line.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take a piece and give the lines that it completes, without their ends.

        Raises:
            OverflowError: The unfinished line is longer than the bound.
        """
        # The rest has no newline, so only the new chunk is searched: a list of
        # many megabytes arrives in 64 KiB pieces, and this stays linear.
        if b"\n" not in chunk:
            self._rest += chunk
            if len(self._rest) > self._max_bytes:
                raise OverflowError
            return []
        first, *rest = chunk.split(b"\n")
        self._rest += first
        done = [bytes(self._rest), *rest[:-1]]
        self._rest = bytearray(rest[-1])
        return done
