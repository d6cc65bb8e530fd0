"""JSON-RPC 2.0 messages: bytes in, a value out. Never raises for what a peer sent.

The same reader stands in front of every transport and both dialects, so that a
frame means the same wherever it arrives. What a dialect asks beyond JSON-RPC
(methods, members of ``params``) is not decided here.

Where a frame is refused its ``id`` is echoed if it is one that JSON-RPC allows, so
that the sender can tell which of its requests was refused; else it is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias, TypeGuard

from toolgauge.contract import DEFAULT_BOUNDS, Bounds, InvalidJson, parse_json

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

ENVELOPE_LEVELS: Final = 2
"""Arguments lie this deep in a message, and may themselves be as deep as anywhere else."""


NOTIFICATIONS: Final = "notifications/"
"""What the method of every MCP notification begins with, and that of no request."""

_ABSENT: Final = object()
"""Default of ``dict.get`` where ``null`` must be told apart from a missing member."""

Id: TypeAlias = str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call that wants one answer.

    Attributes:
        id: The sender's name for it, of the JSON type that was sent.
        method: Any text that does not begin with ``NOTIFICATIONS``.
        params: A JSON object, ``None`` if it was left out.
        message: The frame again, with no members but the protocol's own and each
            once. This, and never the raw bytes, is what may be forwarded (decisions
            V13, E15).
    """

    id: Id
    method: str
    params: dict[str, Any] | None
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A call that wants no answer, not even an error.

    Attributes:
        method: Begins with ``NOTIFICATIONS``.
        params: A JSON object, ``None`` if it was left out.
        message: As for ``Request``.
    """

    method: str
    params: dict[str, Any] | None
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer to a request of ours. It is never answered itself.

    Attributes:
        id: Which request it answers, ``None`` where the sender could not tell.
        message: As for ``Request``: either ``result``, an object, or ``error``, an
            object whose ``code`` is an integer and whose ``message`` is a string.
            Anything else that was sent in their place is replaced by an error.
    """

    id: Id | None
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """Bytes that are no frame.

    Attributes:
        code: JSON-RPC's own code for what is wrong.
        message: JSON-RPC's own words for it. Without any of the sender's text.
        reason: What is wrong, for the sender.
        id: What to answer to, ``None`` where no usable id was found.
        is_answered: Whether an answer is due. It is not where the frame has the
            shape of a notification or of a response (decision E8).
        method: The method where one could be read, for logs.
        found: The JSON object that was sent, ``None`` where it was none.
    """

    code: int
    message: str
    reason: str
    id: Id | None = None
    is_answered: bool = True
    method: str | None = None
    found: dict[str, Any] | None = None

    @property
    def is_logged(self) -> bool:
        """Whether it was meant as a call, answered or not; damaged responses are none."""
        return self.is_answered or self.method is not None


Frame: TypeAlias = Request | Notification | Response | Malformed

_WORDS: Final = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid Request",
    INVALID_PARAMS: "Invalid params",
}


def too_long(bounds: Bounds = DEFAULT_BOUNDS) -> Malformed:
    """Give what a frame is that the transport stopped reading, at ``max_body_bytes``.

    It is not parsed, so it has no id (decision E9).
    """
    return _malformed(INVALID_REQUEST, f"a message has at most {bounds.max_body_bytes} bytes")


def read_frame(raw: bytes, *, bounds: Bounds = DEFAULT_BOUNDS) -> Frame:
    """Read one frame: one line without its end, or one HTTP body.

    Args:
        raw: The bytes as they came. That there are not too many of them is the
            transport's to see to: answer those with ``too_long()``.
        bounds: ``max_instance_depth`` for arguments.

    Returns:
        What it is. Members that JSON-RPC does not know are gone; of duplicate
        members the last one counts.

    Source: JSON-RPC 2.0, sections 4 to 6; MCP 2025-11-25 and 2026-07-28, basic
    protocol: ids are strings or integers and never null, ``params`` is an object,
    there are no batches.

    Example:
        >>> frame = read_frame(b'{"jsonrpc": "2.0", "id": 7, "method": "ping"}')
        >>> frame.id, frame.method, frame.params
        (7, 'ping', None)
        >>> read_frame(b"[]").code
        -32600
    """
    try:
        value = parse_json(raw, max_depth=bounds.max_instance_depth + ENVELOPE_LEVELS)
    except InvalidJson as error:
        # "Invalid JSON was received by the server" (section 5.1).
        return _malformed(PARSE_ERROR, error.reason)
    if isinstance(value, list):
        # MCP 2025-06-18 took batching out; JSON-RPC section 6 answers what is no
        # batch either with a single Invalid Request.
        return _malformed(INVALID_REQUEST, "batches are not supported: send one object per message")
    if not isinstance(value, dict):
        return _malformed(INVALID_REQUEST, "a message is a JSON object")
    return _read_object(value)


def _read_object(value: dict[str, Any]) -> Frame:
    """Tell the four kinds of objects apart by which members they have."""
    if "method" not in value and ("result" in value or "error" in value):
        return _read_response(value)
    ident = value.get("id", _ABSENT)
    known: Id | None = ident if is_id(ident) else None
    method = value.get("method")
    params = value.get("params")
    fault = _fault(value, has_id=ident is not _ABSENT)
    if fault is not None:
        # "A Notification is a Request object without an 'id' member" (section 4.1):
        # whatever else is wrong with one, "the Server MUST NOT reply".
        is_notification = ident is _ABSENT and isinstance(method, str)
        named = method if isinstance(method, str) else None
        code, reason = fault
        return Malformed(
            code=code,
            message=_WORDS[code],
            reason=reason,
            id=known,
            is_answered=not is_notification,
            method=named,
            found=value,
        )
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    assert isinstance(method, str)  # noqa: S101 - else it has a fault
    if known is None:
        return Notification(method=method, params=params, message=message)
    message = {"jsonrpc": "2.0", "id": known, **message}
    return Request(id=known, method=method, params=params, message=message)


def _fault(value: dict[str, Any], *, has_id: bool) -> tuple[int, str] | None:
    """Find the first error of a request or notification: its code and the reason."""
    method = value.get("method")
    if value.get("jsonrpc") != "2.0":
        # "A String specifying the version of the JSON-RPC protocol. MUST be exactly '2.0'."
        return INVALID_REQUEST, 'member "jsonrpc" is not "2.0"'
    if not isinstance(method, str):
        return INVALID_REQUEST, 'member "method" is missing or no string'
    if has_id and not is_id(value["id"]):
        # MCP: "Requests MUST include a string or integer ID", "MUST NOT be null".
        return INVALID_REQUEST, 'member "id" is neither a string nor an integer'
    if has_id == method.startswith(NOTIFICATIONS):
        # "Notifications MUST NOT include an ID", says MCP. A request without one, above
        # all tools/call, is dropped here, so that no transport can forward or run it.
        flaw = "not allowed in a notification" if has_id else "missing in a request"
        return INVALID_REQUEST, f'member "id" is {flaw}'
    if not isinstance(value.get("params", {}), dict):
        # "If present, parameters for the rpc call MUST be provided as a Structured
        # value" (section 4.2), and MCP takes objects only.
        return INVALID_PARAMS, 'member "params" is not an object'
    return None


def _read_response(value: dict[str, Any]) -> Frame:
    """Read a response. Its errors are not reported: nobody waits for an answer to it."""
    ident = value.get("id")
    is_whole = value.get("jsonrpc") == "2.0" and (ident is None or is_id(ident))
    # "Either the result member or error member MUST be included, but both members
    # MUST NOT be included." (section 5)
    if not is_whole or ("result" in value) == ("error" in value):
        return _malformed(INVALID_REQUEST, "not a response", answered=False)
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": ident}
    if isinstance(value.get("result"), dict):
        message["result"] = value["result"]
    else:
        message["error"] = _error_of(value)
    return Response(id=ident, message=message)


def _error_of(value: dict[str, Any]) -> dict[str, Any]:
    """Return the error of a response, completed where members are missing or wrong.

    Whoever waits for the response must learn that there is none, also from a peer
    that writes its errors badly.
    """
    error = value.get("error")
    if not isinstance(error, dict):
        where = "error" if "error" in value else "result"
        return {"code": INTERNAL_ERROR, "message": f"member {where!r} is not an object"}
    code, message = error.get("code"), error.get("message")
    return {
        **error,
        "code": code if isinstance(code, int) and not isinstance(code, bool) else INTERNAL_ERROR,
        "message": message if isinstance(message, str) else "",
    }


def is_id(value: object) -> TypeGuard[Id]:
    """Tell whether a value is an id: a string or an integer of any size, and no boolean."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def meta_of(params: object) -> Mapping[str, Any]:
    """Give ``_meta`` of parameters, empty where there is none."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, Mapping) else {}


def error_message(ident: Id | None, error: dict[str, Any]) -> dict[str, Any]:
    """Give a whole error answer: ``{"jsonrpc": "2.0", "id": …, "error": …}``."""
    return {"jsonrpc": "2.0", "id": ident, "error": error}


def result_message(ident: Id, result: object) -> dict[str, Any]:
    """Give a whole answer: ``{"jsonrpc": "2.0", "id": …, "result": …}``."""
    return {"jsonrpc": "2.0", "id": ident, "result": result}


def _malformed(code: int, reason: str, *, answered: bool = True) -> Malformed:
    return Malformed(code=code, message=_WORDS[code], reason=reason, is_answered=answered)


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


PREFIX: Final = "mcp.tool:"


def to_tool_id(name: str) -> str:
    """Give the canonical id of a tool: ``"mcp.tool:search"`` for ``"search"``."""
    return PREFIX + name


def to_tool_name(tool_id: str) -> str:
    """Give the name behind a canonical id.

    Raises:
        ValueError: If it is not of the form ``mcp.tool:<name>``.
    """
    if not tool_id.startswith(PREFIX) or tool_id == PREFIX:
        msg = f"{tool_id[:80]!r} is not of the form {PREFIX}<name>"
        raise ValueError(msg)
    return tool_id.removeprefix(PREFIX)
