"""The exceptions of the upstream room.

ToolgaugeError
├── RequestRefused            the other side answered a request with an error
└── SourceError               tools could not be had from a SOURCE
    ├── InvalidSource         the words do not name a SOURCE
    ├── SourceNotFound        there is no such file, module or attribute
    ├── SourceUnreadable      it is there and cannot be read
    ├── SourceNotTools        it was read and holds no tools
    ├── ServerFailed          a server did not start, answer or stay alive
    └── MissingExtra          an optional dependency is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract.errors import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Exchange(NamedTuple):
    """An HTTP exchange that failed.

    Attributes:
        status: Its status; 599 if there was no answer.
        reason: What went wrong, as the end of a sentence about the server.
    """

    status: int
    reason: str

    @property
    def is_down(self) -> bool:
        """Whether the status stands for the server, and carries no answer of it."""
        return self.status in _REFUSALS or self.status >= _SERVER_ERROR


_REFUSALS = frozenset({401, 403, 407, 429})
_SERVER_ERROR = 500


class RequestRefused(ToolgaugeError):
    """The other side answered a request with a JSON-RPC error.

    Attributes:
        code: The error's code.
        message: Its message, as it came.
        data: What else it holds, ``None`` for nothing.
        exchange: The HTTP exchange that failed, if the error stands for one.
    """

    def __init__(
        self, code: int, message: str, data: Any = None, exchange: Exchange | None = None
    ) -> None:
        super().__init__(code, message, data, exchange)
        self.code: int = code
        self.message: str = message
        self.data: Any = data
        self.exchange: Exchange | None = exchange

    def __str__(self) -> str:
        return f"error {self.code}: {self.message}"

    def to_json(self) -> dict[str, Any]:
        """Give the ``error`` member of a JSON-RPC message."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error


class SourceError(ToolgaugeError):
    """Tools could not be had from a SOURCE.

    Attributes:
        label: What was opened, safe to show: see ``Upstream.label``.
        reason: What is wrong and what to do, as the end of a sentence.
    """

    def __init__(self, label: str, reason: str) -> None:
        # Positional, and all of them: this is what pickle replays.
        super().__init__(label, reason)
        self.label: str = label
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.label}: {self.reason}"


class InvalidSource(SourceError):
    """The words do not name a SOURCE. Wrong usage, unlike its siblings."""


class SourceNotFound(SourceError):
    """There is no such file, module or attribute."""


class SourceUnreadable(SourceError):
    """It is there, but it cannot be read: not JSON, too large, raises on import."""


class SourceNotTools(SourceError):
    """It was read and holds no tools. The reason says what was found instead."""


class ServerFailed(SourceError):
    """A server did not start, did not answer in time, refused, or died.

    Raised while opening, and by ``handle_call`` when the server is gone or
    late. An error that the server *answers* is a ``CallResult`` instead.

    Attributes:
        stderr: The last lines that it wrote to stderr, oldest first. Empty
            for servers that are not our child processes.
    """

    def __init__(self, label: str, reason: str, stderr: Sequence[str] = ()) -> None:
        super().__init__(label, reason)
        # Pickle replays `args`, so all three go there.
        self.args: tuple[Any, ...] = (label, reason, tuple(stderr))
        self.stderr: tuple[str, ...] = tuple(stderr)

    def __str__(self) -> str:
        sentence = super().__str__()
        if not self.stderr:
            return sentence
        quoted = "".join(f"\n  | {line}" for line in self.stderr)
        return f"{sentence}; the last it wrote to stderr:{quoted}"


class MissingExtra(SourceError):
    """An optional dependency is not installed. The reason names the command."""
