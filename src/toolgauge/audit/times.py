"""When a call was made, as the hour that it is counted in."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

NO_TIME = "(no time)"

_HOUR_CHARS = len("2026-03-01T14")

_DATE_CHARS = len("20260301")

_MILLISECONDS_FROM = 1e11
"""Seconds reach this in the year 5138, milliseconds passed it in 1973."""

_MICROSECONDS_FROM = 1e14
_NANOSECONDS_FROM = 1e17


def hour_of(value: object) -> str:
    """Give the hour of a time stamp: ``2026-03-01T14`` in UTC.

    Args:
        value: ISO 8601 text (UTC where it names no zone), or a Unix time in seconds,
            milli-, micro- or nanoseconds, told apart by its size; also as text of
            more than eight digits. Anything else has no time.

    Example:
        >>> hour_of("2026-03-01T15:20:00+01:00"), hour_of(1772373600)
        ('2026-03-01T14', '2026-03-01T14')
    """
    try:
        if isinstance(value, str):
            found = _of_text(value)
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found = datetime.fromtimestamp(_seconds(float(value)), UTC)
        else:
            return NO_TIME
        return found.astimezone(UTC).isoformat()[:_HOUR_CHARS]
    except (ValueError, OverflowError, OSError):
        return NO_TIME


def _of_text(text: str) -> datetime:
    # Any sign may stand between date and time, so that digits alone are a time of ISO 8601, too.
    if text[4:5] != "-" and len(text) > _DATE_CHARS:
        with suppress(ValueError):
            return datetime.fromtimestamp(_seconds(float(text)), UTC)
    return datetime.fromisoformat(text)


def _seconds(number: float) -> float:
    for limit, factor in (
        (_NANOSECONDS_FROM, 1e9),
        (_MICROSECONDS_FROM, 1e6),
        (_MILLISECONDS_FROM, 1e3),
    ):
        if abs(number) >= limit:
            return number / factor
    return number
