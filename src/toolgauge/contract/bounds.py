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
        max_work: Most subschema applications for one value, in the worst case
            that schema and value allow. Decided before the engine starts.
        max_explained: Most keywords looked at to find words for one value.
        max_issues: Most issues given for one value.
        max_message_chars: Longest message text, in characters.
        handler_timeout_s: Longest run of one handler, in seconds.
        connect_timeout_s: Longest wait for a server to start or answer its
            first request, in seconds.
        max_calls_in_flight: Most handlers at work at once in one process.
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
    connect_timeout_s: float = 10.0
    max_calls_in_flight: int = 100


DEFAULT_BOUNDS = Bounds()
