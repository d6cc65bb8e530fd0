"""What many log records say together: calls, failures, latencies. In bounded memory."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PERCENTILES: Final = (50, 90, 95, 99)
NO_TOOL: Final = "(no tool)"
OTHER_TOOLS: Final = "(other tools)"

_GROWTH = math.log(1.01)
"""Latencies are counted in buckets one percent wide."""
_SHORTEST_MS, _LONGEST_MS = 0.001, 1e15
_MAX_TOOLS = 10_000
"""Callers choose the names of tools that do not exist."""


class Latencies:
    """Percentiles of durations, to within one percent, however many there are."""

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self.count: int = 0
        self.longest_ms: float = 0.0

    def add(self, duration_ms: float) -> None:
        """Count one duration, in milliseconds."""
        self._buckets[math.floor(math.log(max(duration_ms, _SHORTEST_MS)) / _GROWTH)] += 1
        self.count += 1
        self.longest_ms = max(self.longest_ms, duration_ms)

    def percentile(self, percent: float) -> float | None:
        """Give the duration that so many percent do not exceed; ``None`` without any.

        Example:
            >>> latencies = Latencies()
            >>> for duration_ms in range(1, 101):
            ...     latencies.add(duration_ms)
            >>> round(latencies.percentile(50))
            50
        """
        wanted, seen = math.ceil(self.count * percent / 100), 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= wanted:
                return min(math.exp((bucket + 0.5) * _GROWTH), self.longest_ms)
        return None

    def to_json(self) -> dict[str, Any]:
        """Give ``{"p50": …, "p90": …, "p95": …, "p99": …, "max": …}`` in milliseconds."""
        found = {f"p{each}": _rounded(self.percentile(each)) for each in PERCENTILES}
        return found | {"max": _rounded(self.longest_ms) if self.count else None}


class ToolSummary:
    """What the records of one tool say.

    Attributes:
        calls: Requests that named it.
        failures: Those of them that did not go well.
        latencies: Of all of them.
    """

    def __init__(self) -> None:
        self.calls: int = 0
        self.failures: int = 0
        self.latencies: Latencies = Latencies()


class LogSummary:
    """Counts records as they come.

    Attributes:
        calls: Records.
        failures: Those with a canonical code, or taken back by their callers.
        unreadable: Lines that are no records.
        first: When the first request came, as it is written; ``None`` without any.
        last: When the last one did.
        latencies: Of all requests.
        tools: By tool; requests that name none are under ``(no tool)``, and what comes
            after 10,000 different ones under ``(other tools)``.
        causes: How many requests failed for (tool, code, keyword). One that breaks
            several keywords is counted for each; the keyword is ``None`` where none
            was named, and the code ``"CANCELLED"`` for what was taken back.
    """

    def __init__(self) -> None:
        self.calls: int = 0
        self.failures: int = 0
        self.unreadable: int = 0
        self.first: str | None = None
        self.last: str | None = None
        self.latencies: Latencies = Latencies()
        self.tools: dict[str, ToolSummary] = {}
        self.causes: Counter[tuple[str, str, str | None]] = Counter()

    def add(self, record: object) -> bool:
        """Count one record as it was written.

        Returns:
            Whether it is one; if not, it is counted as unreadable.
        """
        if not isinstance(record, dict) or not _is_record(record):
            self.unreadable += 1
            return False
        self.calls += 1
        moment: str = record["ts"]
        self.first = moment if self.first is None else min(self.first, moment)
        self.last = moment if self.last is None else max(self.last, moment)
        name = record.get("tool") or NO_TOOL
        if name not in self.tools and len(self.tools) >= _MAX_TOOLS:
            name = OTHER_TOOLS
        tool = self.tools.setdefault(name, ToolSummary())
        tool.calls += 1
        self.latencies.add(record["durationMs"])
        tool.latencies.add(record["durationMs"])
        code = code_of(record)
        if code is not None:
            self.failures += 1
            tool.failures += 1
            for keyword in _keywords(record):
                self.causes[(name, code, keyword)] += 1
        return True

    def to_json(self) -> dict[str, Any]:
        """Give the whole summary; tools by calls, causes by number, most first."""
        tools = sorted(self.tools.items(), key=lambda item: (-item[1].calls, item[0]))
        causes = sorted(self.causes.items(), key=lambda item: (-item[1], str(item[0])))
        return {
            "calls": self.calls,
            "failures": self.failures,
            "unreadable": self.unreadable,
            "first": self.first,
            "last": self.last,
            "latencyMs": self.latencies.to_json(),
            "tools": [
                {
                    "tool": name,
                    "calls": each.calls,
                    "failures": each.failures,
                    "latencyMs": each.latencies.to_json(),
                }
                for name, each in tools
            ],
            "causes": [
                {"tool": tool, "code": code, "keyword": keyword, "failures": number}
                for (tool, code, keyword), number in causes
            ],
        }


def code_of(record: Mapping[str, Any]) -> str | None:
    """Give why a request failed; ``None`` for one that went well."""
    code = record.get("canonicalCode")
    if isinstance(code, str):
        return code
    return None if record["status"] == _GOOD else "CANCELLED"


_GOOD = 200


def _is_record(record: Mapping[str, Any]) -> bool:
    """Tell whether what is counted is there, and of its type."""
    duration, tool = record.get("durationMs"), record.get("tool")
    return (
        isinstance(record.get("ts"), str)
        and isinstance(record.get("status"), int)
        and isinstance(duration, int | float)
        and not isinstance(duration, bool)
        and 0 <= duration <= _LONGEST_MS
        and (tool is None or isinstance(tool, str))
    )


def _keywords(record: Mapping[str, Any]) -> set[str | None]:
    """Give the keywords that a request broke, each once."""
    errors = record.get("errors")
    listed = errors if isinstance(errors, list) else []
    found = {each.get("keyword") for each in listed if isinstance(each, dict)}
    return {each for each in found if each is None or isinstance(each, str)} or {None}


def _rounded(duration_ms: float | None) -> float | None:
    """Keep three digits: the buckets know no more."""
    return None if duration_ms is None else float(f"{duration_ms:.3g}")
