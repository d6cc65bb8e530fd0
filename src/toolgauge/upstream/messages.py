"""What a server sends, as messages, and the bounds on them.

An answer that nobody can use is an error for the one request that it answers: whoever
waits for it hears why at once, and not, when time is up, that there was none.

Bytes alone do not bound memory: a megabyte of ``[]`` is thirty of Python objects. So
values are counted too, before anything is parsed.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import parse_json
from toolgauge.envelope import CanonicalCode, CanonicalError
from toolgauge.envelope.messages import TOO_LONG, LineSplitter
from toolgauge.upstream.entries import kind_of, shown

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


_SIGN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
"""Takes a string that never ends up to the end, or a search would begin anew at
each of its quotes."""


def cut_to_depth(text: str, levels: int) -> str:
    """Empty every array and object that nests deeper than ``levels``.

    What is no JSON stays no JSON: a parser still has to read the result.

    Example:
        >>> cut_to_depth('{"a": [[1, "]"], 2]}', 2)
        '{"a": [[], 2]}'
    """
    kept: list[str] = []
    depth = start = 0
    for match in _SIGN.finditer(text):
        sign = match.group()
        if sign in "{[":
            depth += 1
            if depth == levels + 1:
                kept.append(text[start : match.end()])
        elif sign in "}]":
            if depth == levels + 1:
                start = match.start()
            depth -= 1
    return "".join([*kept, text[start:]]) if depth <= levels else text


Frame = dict[str, Any]
"""One JSON-RPC message as parsed JSON."""

MAX_FRAME_DEPTH = 254
"""Deepest nesting of a server's message: as deep as it can be written again."""

MAX_LINE_BYTES = MAX_MESSAGE_BYTES
"""Longest line read from a server. A list of tools is one line."""

_MAX_DIGITS = 18
_LARGE_BYTES = 1024 * 1024
"""From this size on, the id of a line that cannot be used is looked for at its ends."""

_ENDS_BYTES = 1_024
_ID = rb'"id"\s*:\s*("[^"\\]{1,200}"|\d{1,18})\s*'
_JSONRPC = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_ID_FIRST = re.compile(rb"\s*\{\s*(?:" + _JSONRPC + rb",\s*)?" + _ID + b",")
_ID_LAST = re.compile(rb",\s*" + _ID + rb"(?:,\s*" + _JSONRPC + rb")?\}\s*\Z")


class Messages:
    """Cuts what arrives into messages, and keeps the unfinished rest.

    Attributes:
        noise: How many lines were no messages.
        first_noise: The first of them, cut short.
        is_overlong: Whether a line was past the bound.
        max_bytes: The bound.
    """

    def __init__(self) -> None:
        self.noise: int = 0
        self.first_noise: str = ""
        self.is_overlong: bool = False
        self.max_bytes: int = MAX_LINE_BYTES
        self._lines = LineSplitter(self.max_bytes)

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take a piece and give the messages that it completes; other lines are counted.

        Raises:
            OverflowError: The unfinished line is longer than the bound.
        """
        lines = self._lines.feed(chunk)
        if self._lines.is_too_long or TOO_LONG in lines:
            self.is_overlong = True
            raise OverflowError
        frames: list[Frame] = []
        for line in lines:
            assert line is not TOO_LONG  # noqa: S101 - see above
            frame = read_message(line)
            if frame is not None:
                frames.append(frame)
            elif line.strip():
                self.ignore(line)
        return frames

    def ignore(self, line: bytes) -> None:
        """Count a line that is no message."""
        self.noise += 1
        self.first_noise = self.first_noise or line[:200].decode("utf-8", "replace").strip()

    def noted(self, reason: str) -> str:
        """Add to what went wrong that there were lines which are no messages."""
        if not self.noise:
            return reason
        return f"{reason}; on stdout it wrote {shown(self.first_noise)}, which is no message"


def read_message(line: bytes) -> Frame | None:
    """Read one line: a message, ``None`` for one that is none."""
    if line.lstrip()[:1] != b"{":
        return None  # not worth an exception: a server may write millions of such lines
    frame, fault = _parsed(line)
    if fault is None:
        message: Frame = frame
        return message
    return unusable(frame["id"], fault) if _is_answer(frame) else None


def _parsed(line: bytes) -> tuple[Any, str | None]:
    """Parse a line, or as much of it as tells whom its fault concerns."""
    excess = too_many_values(line)
    if excess is not None:
        return _outline(line), f"it holds {excess}"
    try:
        frame = parse_json(line, max_depth=MAX_FRAME_DEPTH)
    except InvalidJson as error:
        return _outline(line), f"it is not strict JSON: {error.reason}"
    return frame, _fault(frame)


def unusable(ident: object, fault: str) -> Frame:
    """Give the error in place of an answer that cannot be used."""
    error = CanonicalError.to_mcp_error(
        CanonicalCode.INTERNAL_ERROR, message=f"the answer cannot be used: {fault}"
    )
    return {"jsonrpc": "2.0", "id": ident, "error": error}


def _fault(frame: object) -> str | None:
    """Say why a JSON value is no message, ``None`` where it is one.

    Source: MCP 2025-11-25, basic, "Responses": a result is an object, as an error is.
    """
    if not isinstance(frame, dict):
        return f"it is {kind_of(frame)}, not an object"
    if "method" in frame:
        return None
    members = [each for each in ("result", "error") if each in frame]
    error = frame.get("error")
    if isinstance(error, dict) and not isinstance(error.get("message", ""), str):
        return f"the message of its error is {kind_of(error['message'])}, not a string"
    if any(isinstance(frame[each], dict) for each in members):
        return None
    if not members:
        return "it has no result"
    return f"its {members[0]} is {kind_of(frame[members[0]])}, not an object"


def _is_answer(frame: object) -> bool:
    """Tell whether a request of ours may wait for this."""
    if not isinstance(frame, dict) or "method" in frame or "jsonrpc" not in frame:
        return False
    ident = frame.get("id")
    return isinstance(ident, str | int) and not isinstance(ident, bool)


def _outline(line: bytes) -> Any:
    """Read the outermost members of what is no strict JSON, without what they hold."""
    if len(line) > _LARGE_BYTES:
        found = _ID_FIRST.match(line) or _ID_LAST.search(line[-_ENDS_BYTES:])
        text = (
            ""
            if found is None
            else f'{{"jsonrpc": "2.0", "id": {found[1].decode("utf-8", "replace")}}}'
        )
    else:
        text = cut_to_depth(line.decode("utf-8", "replace"), 1)
    try:
        return json.loads(text, parse_int=_short_int)
    except (ValueError, RecursionError):
        return None


def _short_int(digits: str) -> int | None:
    """Read an id; CPython raises for a number of thousands of digits."""
    return int(digits) if len(digits) <= _MAX_DIGITS else None
