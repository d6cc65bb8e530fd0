"""Reads a request's body, up to a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from starlette.types import Receive

_MAX_LENGTH_DIGITS = 18


class BodyTooLarge(Exception):
    """The body is larger than the bound, by its header or by what arrived."""


class ClientGone(Exception):
    """The client hung up before its body was complete."""


def header(scope: MutableMapping[str, Any], name: bytes) -> bytes | None:
    """Give the first header of a name (lower case), ``None`` where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


def is_declared_too_large(scope: MutableMapping[str, Any], max_bytes: int) -> bool:
    """Tell whether ``Content-Length`` already says that the body is too large."""
    length = header(scope, b"content-length")
    if length is None or not length.isdigit():
        return False
    return len(length) > _MAX_LENGTH_DIGITS or int(length) > max_bytes


def is_json(scope: MutableMapping[str, Any]) -> bool:
    """Tell whether the body says that it is JSON.

    A page of another site cannot send one that does without being asked for it first.
    """
    media_type = (header(scope, b"content-type") or b"").partition(b";")[0]
    return media_type.strip().lower() == b"application/json"


async def read_body(receive: Receive, max_bytes: int) -> bytes:
    """Read the whole body.

    Raises:
        BodyTooLarge: As soon as more than ``max_bytes`` have arrived.
        ClientGone: If the client hangs up first.
    """
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLarge
        chunks.append(chunk)
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)
