"""Move a date by steps, and say what day it falls on."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Tool
from toolgauge.demo.answers import PURE, cannot

if TYPE_CHECKING:
    from toolgauge.contract import CallResult

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MONTHS_IN = {"months": 1, "years": 12}
_DAYS_IN = {"days": 1, "weeks": 7}
_SATURDAY = 5
_UNITS = [*_DAYS_IN, *_MONTHS_IN, "workdays"]


def calculate(arguments: dict[str, Any]) -> dict[str, Any] | CallResult:
    """Apply the steps in order, then compare where that is asked for."""
    try:
        start = _parse(arguments["start"])
        end = start
        for step in arguments.get("steps", []):
            end = _moved(end, int(step["amount"]), step["unit"])
        until = arguments.get("compare", {}).get("until")
        difference = None if until is None else (_parse(until) - end).days
    except (ValueError, OverflowError) as error:
        return cannot(str(error) if isinstance(error, ValueError) else "a step is too large")
    answer: dict[str, Any] = {
        "date": end.isoformat(),
        "weekday": calendar.day_name[end.weekday()],
        "iso_week": end.isocalendar().week,
        "day_of_year": end.timetuple().tm_yday,
        "is_leap_year": calendar.isleap(end.year),
        "days_from_start": (end - start).days,
    }
    if difference is not None:
        unit = arguments["compare"].get("in", "days")
        answer["until"] = {unit: difference if unit == "days" else round(difference / 7, 2)}
    return answer


def _parse(text: str) -> dt.date:
    """Read a date of the form 2026-02-28, and say what is wrong with any other."""
    if not _DATE.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a date of the form YYYY-MM-DD")
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"there is no {text}: {error}") from error


def _moved(start: dt.date, amount: int, unit: str) -> dt.date:
    """Move a date; a month without that day ends it on its last one."""
    if unit in _DAYS_IN:
        return start + dt.timedelta(days=amount * _DAYS_IN[unit])
    if unit == "workdays":
        return _moved_by_workdays(start, amount)
    months = start.year * 12 + start.month - 1 + amount * _MONTHS_IN[unit]
    year, month = divmod(months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise ValueError(f"the year {year} is not between {dt.MINYEAR} and {dt.MAXYEAR}")
    last = calendar.monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, min(start.day, last))


def _moved_by_workdays(start: dt.date, amount: int) -> dt.date:
    """Count Monday to Friday. Whole weeks are jumped over, so any amount is quick."""
    direction = 1 if amount > 0 else -1
    weeks, days = divmod(abs(amount), 5)
    if days == 0 and weeks:
        weeks, days = weeks - 1, 5  # walk the last week, so that the end is a workday
    end = start + dt.timedelta(weeks=direction * weeks)
    while days:
        end += dt.timedelta(days=direction)
        days -= end.weekday() < _SATURDAY
    return end


DATE_CALCULATOR = Tool(
    name="date_calculator",
    description=(
        "Start at a date, move it by any number of steps, and get the resulting date with its "
        "weekday. Optionally count the days or weeks until another date."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "start": {
                "type": "string",
                "format": "date",
                "description": "The date to start from, YYYY-MM-DD.",
                "examples": ["2026-01-31"],
            },
            "steps": {
                "type": "array",
                "maxItems": 20,
                "default": [],
                "description": "Moves, applied one after the other.",
                "items": {
                    "type": "object",
                    "properties": {
                        "amount": {
                            "type": "integer",
                            "minimum": -100_000,
                            "maximum": 100_000,
                            "description": "How far to move; negative moves back.",
                            "examples": [1, -2],
                        },
                        "unit": {
                            "type": "string",
                            "enum": _UNITS,
                            "description": "What the amount counts; workdays are Monday to Friday.",
                        },
                    },
                    "required": ["amount", "unit"],
                    "additionalProperties": False,
                },
                "examples": [[{"amount": 1, "unit": "months"}]],
            },
            "compare": {
                "type": "object",
                "description": "Count from the resulting date to another one.",
                "properties": {
                    "until": {
                        "type": "string",
                        "format": "date",
                        "description": "The other date, YYYY-MM-DD.",
                        "examples": ["2026-12-24"],
                    },
                    "in": {
                        "type": "string",
                        "enum": ["days", "weeks"],
                        "default": "days",
                        "description": "The unit of the count.",
                    },
                },
                "required": ["until"],
                "additionalProperties": False,
            },
        },
        "required": ["start"],
        "additionalProperties": False,
        "examples": [{"start": "2026-01-31", "steps": [{"amount": 1, "unit": "months"}]}],
    },
    output_schema={
        "type": "object",
        "properties": {
            "date": {"type": "string", "format": "date"},
            "weekday": {"type": "string", "enum": list(calendar.day_name)},
            "iso_week": {"type": "integer", "minimum": 1, "maximum": 53},
            "day_of_year": {"type": "integer", "minimum": 1, "maximum": 366},
            "is_leap_year": {"type": "boolean"},
            "days_from_start": {"type": "integer"},
            "until": {
                "type": "object",
                "properties": {"days": {"type": "integer"}, "weeks": {"type": "number"}},
            },
        },
        "required": ["date", "weekday", "iso_week", "day_of_year", "days_from_start"],
    },
    annotations=PURE,
    extra={"title": "Date calculator"},
    handler=calculate,
)
