"""The ids of a request in traces and logs: random ones, or the same for the same input.

Source: W3C Trace Context, level 1: a trace id has 16 bytes, a span id 8, both in
lowercase hex and never all zero. UUID version 5: RFC 9562, section 5.5.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from dataclasses import dataclass
from typing import Final

DEFAULT_SEED: Final = "0"
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "urn:toolgauge:deterministic-ids")
_MAX_REMEMBERED: Final = 65_536

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """The span that a request was made in, as ``traceparent`` says it.

    Attributes:
        trace_id: 32 hex digits.
        span_id: 16 hex digits.
        flags: 8 bits; the lowest says that the trace is sampled.
    """

    trace_id: str
    span_id: str
    flags: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIds:
    """What one request is called.

    Attributes:
        trace_id: 32 hex digits, the caller's where it sent a ``traceparent``.
        span_id: 16 hex digits.
        request_id: A UUID.
    """

    trace_id: str
    span_id: str
    request_id: str


def read_traceparent(text: object) -> Parent | None:
    """Read a ``traceparent``; ``None`` for anything that is not a valid one.

    Example:
        >>> read_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").flags
        1
    """
    match = _TRACEPARENT.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        return None
    version, trace_id, span_id, flags, more = match.groups()
    # "Version ff is invalid"; version 00 has exactly four fields, later ones may have more.
    is_broken = version == "ff" or (version == "00" and more is not None)
    if is_broken or not int(trace_id, 16) or not int(span_id, 16):
        return None
    return Parent(trace_id=trace_id, span_id=span_id, flags=int(flags, 16))


class RandomIds:
    """Makes ids that nobody can foresee."""

    is_deterministic: Final = False

    def next(self, request: bytes, parent: Parent | None = None) -> RequestIds:  # noqa: ARG002 - alike
        """Name a request; its bytes do not matter."""
        drawn = os.urandom(40)
        return RequestIds(
            trace_id=parent.trace_id if parent else drawn[:16].hex(),
            span_id=drawn[16:24].hex(),
            request_id=str(uuid.UUID(bytes=drawn[24:], version=4)),
        )


class DeterministicIds:
    """Makes the same ids for the same requests, in whatever order they arrive.

    A request is named by its content and by how many equal ones came before it,
    so that transports which deliver in another order give the same ids (decision
    E11). The last 65,536 different requests are remembered; one that comes again
    after that counts as new.

    Args:
        seed: Another seed gives other ids.
    """

    is_deterministic: Final = True

    def __init__(self, seed: str = DEFAULT_SEED) -> None:
        self._namespace = uuid.uuid5(_NAMESPACE, seed)
        self._seen: dict[str, int] = {}

    def next(self, request: bytes, parent: Parent | None = None) -> RequestIds:
        """Name a request.

        Args:
            request: Bytes that are equal for equal requests: the canonical JSON of
                the message, or what came where it is none.
            parent: The caller's span, if it told.
        """
        digest = hashlib.sha256(request).hexdigest()
        occurrence = self._seen.pop(digest, 0)
        self._seen[digest] = occurrence + 1
        if len(self._seen) > _MAX_REMEMBERED:
            del self._seen[next(iter(self._seen))]

        def named(kind: str) -> uuid.UUID:
            return uuid.uuid5(self._namespace, f"{kind}:{digest}:{occurrence}")

        return RequestIds(
            trace_id=parent.trace_id if parent else named("trace").hex,
            span_id=named("span").hex[16:],
            request_id=str(named("request")),
        )


Ids = RandomIds | DeterministicIds
"""Either way of naming requests."""
