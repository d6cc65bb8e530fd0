"""What a run found, in numbers: of one unit, and of many put together.

The result does not depend on the order in which units end: counts are added, and
examples are the first ones by file and line.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from toolgauge.auditing.examples import Example, kept_example
from toolgauge.auditing.verdicts import GOOD, NOTHING, Verdict
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.auditing.verdicts import Judged
    from toolgauge.contract import Path, Places

MAX_KINDS = 2_000
"""Most kinds of failure that are counted apart; further ones are counted together."""

MAX_EXAMPLES = 10
"""Most examples of one kind."""

MAX_KINDS_WITH_EXAMPLES = 200
MAX_NAME_CHARS = 200

OTHER = "(other)"

KindKey = tuple[str, str, str, str]
"""Tool, verdict, keyword, and the path with ``*`` in place of array indices."""


Place = tuple[str | None, Verdict, str | None, "Path"]
"""Tool, verdict, keyword and the very path of an issue."""

_MAX_PLACES = 10_000
"""Most places whose kind is remembered."""

NO_TIME = "(no time)"

_HOUR_CHARS = len("2026-03-01T14")

_DATE_CHARS = len("20260301")

_MILLISECONDS_FROM = 1e11
"""Seconds reach this in the year 5138, milliseconds passed it in 1973."""

_MICROSECONDS_FROM = 1e14
_NANOSECONDS_FROM = 1e17


@dataclass(slots=True)
class Tally:
    """Counts records. Mergeable; crosses processes as JSON.

    Attributes:
        rows: Rows that were read.
        verdicts: Calls (and rows without a call) by verdict.
        tools: Calls by tool and verdict.
        kinds: Failures by kind. A call with three issues is in three kinds.
        notes: What was odd without being a failure, by its words.
        mappings: What a dialect made of types, once for each row that they came with.
        times: Calls by time bucket and verdict.
        examples: The first calls of each kind, as ``kept_example`` gives them.
        told: Kinds of which nobody needs an example of this tally.
    """

    rows: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    tools: dict[str, Counter[str]] = field(default_factory=dict)
    kinds: Counter[KindKey] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    mappings: Counter[str] = field(default_factory=Counter)
    times: dict[str, Counter[str]] = field(default_factory=dict)
    examples: dict[KindKey, list[Example]] = field(default_factory=dict)
    told: frozenset[KindKey] = field(default=frozenset(), repr=False, compare=False)
    _kinds_left: int = field(default=MAX_KINDS_WITH_EXAMPLES, init=False, repr=False, compare=False)
    _full: set[KindKey] = field(default_factory=set, init=False, repr=False, compare=False)
    _counted: dict[tuple[str, Places], int] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _met: set[KindKey] = field(default_factory=set, init=False, repr=False, compare=False)
    _keys: dict[Place, KindKey] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def calls(self) -> int:
        """The number of calls; rows without one are none."""
        return sum(self.verdicts.values()) - self.verdicts[Verdict.NO_CALL]

    @property
    def failures(self) -> int:
        """The number of calls that are not valid."""
        return sum(n for verdict, n in self.verdicts.items() if verdict not in GOOD)

    def add_valid(self, tools: Mapping[str, int], hours: Mapping[str, int] = NOTHING) -> None:
        """Count valid calls that nothing more is known of, by tool and by hour."""
        for hour, number in hours.items():
            self.times.setdefault(hour, Counter())[Verdict.VALID] += number
        for tool, number in tools.items():
            self.verdicts[Verdict.VALID] += number
            self._of(tool)[Verdict.VALID] += number

    def count(self, tool: str, places: Places) -> bool:
        """Count an invalid call by where its issues are, once such calls are no examples.

        Returns:
            False where nothing was counted: ``add`` wants all of it.
        """
        key = tool, places
        seen = self._counted.get(key)
        if seen is None:
            if len(self._counted) >= _MAX_PLACES or any(map(self._wants, self._kinds_at(key))):
                return False
            seen = 0
        self._counted[key] = seen + 1
        return True

    def settle(self) -> None:
        """Put what was only counted into the numbers; to be done before they are read."""
        for key, number in self._counted.items():
            self.verdicts[Verdict.INVALID] += number
            self._of(key[0])[Verdict.INVALID] += number
            for kind in self._kinds_at(key):
                self.kinds[kind] += number
        self._counted.clear()

    def _kinds_at(self, key: tuple[str, Places]) -> dict[KindKey, None]:
        """Give the kinds of a call, each once, in the order of its issues."""
        tool, places = key
        return dict.fromkeys(
            self._kind_at((tool, Verdict.INVALID, keyword, path)) for path, keyword in places
        )

    def add(self, judged: Judged, bucket: str | None = None) -> None:
        """Count one record."""
        verdict = judged.verdict
        tool = judged.tool
        self.verdicts[verdict] += 1
        if tool is not None or verdict is not Verdict.NO_CALL:
            self._of(tool or "")[verdict] += 1
        if bucket is not None:
            self.times.setdefault(bucket, Counter())[verdict] += 1
        for note in judged.notes:
            self.notes[note.message[:MAX_NAME_CHARS]] += 1
        if verdict not in GOOD:
            self._add_kinds(judged)

    def _add_kinds(self, judged: Judged) -> None:
        _, _, tool, verdict, issues, *_ = judged
        seen: set[KindKey] = set()
        for issue in issues:
            key = self._kind_at((tool, verdict, issue.keyword, issue.path))
            if len(issues) > 1:
                if key in seen:
                    continue
                seen.add(key)
            self.kinds[key] += 1
            if self._wants(key):
                kept = self.examples[key]
                kept.append(kept_example(judged, issue))
                if len(kept) == MAX_EXAMPLES:
                    self._full.add(key)

    def _wants(self, key: KindKey) -> bool:
        """Tell whether an example of a kind is to be kept."""
        if key in self._full:
            return False
        if key in self.examples:
            return True
        # A kind that others told takes its place here too: what is kept of further
        # kinds must not depend on them.
        has_room = self._kinds_left > 0
        self._kinds_left -= 1
        if has_room and key not in self.told:
            self.examples[key] = []
            return True
        self._full.add(key)
        return False

    def _kind_at(self, place: Place) -> KindKey:
        """Give the kind of an issue."""
        return self._keys.get(place) or self._kind_of(place)

    def _kind_of(self, place: Place) -> KindKey:
        """Find the kind of an issue, and know it the next time."""
        tool, verdict, keyword, path = place
        general = "".join(
            "/*" if isinstance(each, int) else f"/{each[:MAX_NAME_CHARS]}" for each in path
        )
        key = ((tool or "")[:MAX_NAME_CHARS], str(verdict), keyword or "", general)
        if key not in self._met:
            # Not among ``kinds``: what is only counted comes there when it is settled.
            if len(self._met) >= MAX_KINDS:
                return (OTHER, str(verdict), "", "")
            self._met.add(key)
        if len(self._keys) < _MAX_PLACES:
            self._keys[place] = key
        return key

    def _of(self, tool: str) -> Counter[str]:
        name = tool[:MAX_NAME_CHARS]
        if name not in self.tools:
            if len(self.tools) >= MAX_KINDS:
                name = OTHER
            self.tools.setdefault(name, Counter())
        return self.tools[name]

    def merge(self, other: Tally) -> None:
        """Add what another tally counted."""
        self.rows += other.rows
        self.verdicts.update(other.verdicts)
        self.kinds.update(other.kinds)
        self.notes.update(other.notes)
        self.mappings.update(other.mappings)
        for mine, theirs in ((self.tools, other.tools), (self.times, other.times)):
            for name, counts in theirs.items():
                mine.setdefault(name, Counter()).update(counts)
        for key, examples in other.examples.items():
            both = sorted([*self.examples.get(key, ()), *examples])
            self.examples[key] = both[:MAX_EXAMPLES]
        # The last by name are counted together, in whatever order units end.
        for key in sorted(key for key in self.kinds if key[0] != OTHER)[MAX_KINDS:]:
            self.kinds[OTHER, key[1], "", ""] += self.kinds.pop(key)
            self.examples.pop(key, None)
        for tool in sorted(tool for tool in self.tools if tool != OTHER)[MAX_KINDS:]:
            self.tools.setdefault(OTHER, Counter()).update(self.tools.pop(tool))

    def to_json(self) -> dict[str, Any]:
        """Give everything as one JSON document for people, in an order of its own."""
        return self._written(Example.to_json)

    def to_bytes(self) -> bytes:
        """Give the document of ``to_json`` as text."""
        return dump_json(self._written(lambda example: orjson.Fragment(example.text)))

    def to_wire(self) -> dict[str, Any]:
        """Give everything as JSON that ``from_wire`` reads."""
        return self._written(list)

    def _written(self, example: Callable[[Example], object]) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "calls": self.calls,
            "failures": self.failures,
            "verdicts": _sorted(self.verdicts),
            "tools": {tool: _sorted(of) for tool, of in sorted(self.tools.items())},
            "notes": _sorted(self.notes),
            "mappings": _sorted(self.mappings),
            "times": {time: _sorted(of) for time, of in sorted(self.times.items())},
            "kinds": [
                {
                    "tool": key[0],
                    "verdict": key[1],
                    "keyword": key[2] or None,
                    "path": key[3],
                    "count": count,
                    "examples": [example(each) for each in self.examples.get(key, ())],
                }
                for key, count in sorted(self.kinds.items(), key=lambda item: (-item[1], item[0]))
            ],
        }

    @classmethod
    def from_wire(cls, wire: Mapping[str, Any]) -> Tally:
        """Read what ``to_wire`` gave."""
        tally = cls(
            rows=wire["rows"],
            verdicts=Counter(wire["verdicts"]),
            tools={tool: Counter(of) for tool, of in wire["tools"].items()},
            notes=Counter(wire["notes"]),
            mappings=Counter(wire["mappings"]),
            times={time: Counter(of) for time, of in wire["times"].items()},
        )
        for kind in wire["kinds"]:
            key = (kind["tool"], kind["verdict"], kind["keyword"] or "", kind["path"])
            tally.kinds[key] = kind["count"]
            if kind["examples"]:
                tally.examples[key] = [Example(*each) for each in kind["examples"]]
        return tally


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {str(key): counts[key] for key in sorted(counts)}


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
