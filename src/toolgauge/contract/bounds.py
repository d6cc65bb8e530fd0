"""How large and how deep things may be: every bound, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits on what a peer may make us do. Each has a default and a reason.

    Attributes:
        max_body_bytes: Largest HTTP body or line, in bytes.
        max_instance_depth: Deepest nesting of a value. The engines themselves
            fail from about 200 levels on, one of them by ending the process.
        max_schema_depth: Deepest nesting of subschemas in one schema.
        max_subschemas: Most subschemas in one schema.
        max_pattern_backtracks: Most backtracks of one match of one pattern.
        max_work: Most steps of about ten nanoseconds for one value, in the worst case
            that schema and value allow. Decided before the engine starts.
        max_explained: Most keywords looked at to find words for one value.
        max_issues: Most issues given for one value.
        max_message_chars: Longest message text, in characters.
        handler_timeout_s: Longest run of one handler, in seconds.
        max_call_s: Longest run of one call of an upstream server that reports
            progress, in seconds, without the time of questions.
        max_question_s: Longest time that one call may wait while the client
            answers questions of an upstream server, in seconds.
        connect_timeout_s: Longest wait for a server to start or answer its
            first request, in seconds.
        max_calls_in_flight: Most handlers at work at once in one process.
        max_header_bytes: Largest request line and headers of an HTTP request,
            in bytes.
        header_timeout_s: Longest wait for the headers of a request, in seconds,
            from the connection or the first byte on.
        body_stall_s: Longest pause in a request's body, in seconds.
        body_timeout_s: Longest time for a whole body, in seconds, plus one
            second for each 32 KiB that have arrived.
        send_stall_s: Longest pause of a client that reads its answer, in seconds.
        keep_alive_s: Longest wait for the next request of a connection, in seconds.
        max_connections: Most open connections. Half of the process's file
            descriptors where that is less.
        max_sessions: Most MCP sessions. The least recently used idle one gives way.
        session_timeout_s: How long an unused session is kept, in seconds.
        first_use_timeout_s: How long a session is kept that was never used after
            its handshake, in seconds.
        max_upstream_processes: Most sessions in front of a command, each of which
            has a process of its own. The least recently used idle one gives way.
    """

    max_body_bytes: int = 1_048_576
    max_instance_depth: int = 100
    max_schema_depth: int = 64
    max_subschemas: int = 10_000
    max_pattern_backtracks: int = 100_000
    max_work: int = 20_000_000
    max_explained: int = 30_000
    max_issues: int = 1_000
    max_message_chars: int = 2_048
    handler_timeout_s: float = 30.0
    max_call_s: float = 300.0
    max_question_s: float = 600.0
    connect_timeout_s: float = 10.0
    max_calls_in_flight: int = 100

    @property
    def longest_call_s(self) -> float:
        """Longest run of one call of an upstream server, questions included, in seconds."""
        return max(self.max_call_s, self.handler_timeout_s) + self.max_question_s

    max_header_bytes: int = 65_536
    header_timeout_s: float = 10.0
    body_stall_s: float = 10.0
    body_timeout_s: float = 30.0
    send_stall_s: float = 30.0
    keep_alive_s: float = 5.0
    max_connections: int = 1_000
    max_sessions: int = 1_000
    session_timeout_s: float = 1_800.0
    first_use_timeout_s: float = 60.0
    max_upstream_processes: int = 100


DEFAULT_BOUNDS = Bounds()
