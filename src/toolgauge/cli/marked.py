"""The part of a file between two markers, replaced; every other byte stays.

Works on bytes: what is outside the markers is never decoded, so no encoding of
it can go wrong.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BEGIN = b"<!-- toolgauge:tools:begin -->"
END = b"<!-- toolgauge:tools:end -->"
_NOTE = b"<!-- Written by toolgauge manifest. Changes between the markers are lost. -->"
_LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|\Z)")


class BrokenMarkers(ValueError):
    """A file's markers do not enclose one part of it. The argument says why, and where."""


class _Line(NamedTuple):
    number: int
    start: int
    text: bytes
    ending: bytes

    @property
    def end(self) -> int:
        """Where the text ends, without the line's ending."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A file, taken apart.

    Attributes:
        before: Up to the begin marker; the whole file where there are no markers.
        inside: From the begin marker to the end of the end marker, ``None``
            where there are none.
        after: The rest.
        newline: How the file ends its lines.
    """

    before: bytes
    inside: bytes | None
    after: bytes
    newline: bytes

    def with_section(self, section: str) -> bytes:
        r"""Return the file with a section between its markers, at the end where it has none.

        Args:
            section: Markdown with ``\n`` as line end.
        """
        lines = [BEGIN, _NOTE, b"", *section.encode().strip(b"\n").split(b"\n"), b"", END]
        made = self.newline.join(lines)
        if self.inside is not None:
            return self.before + made + self.after
        return self.before + self._gap() + made + self.newline

    def _gap(self) -> bytes:
        """Set a new section off by a blank line."""
        if not self.before:
            return b""
        return self.newline if self.before.endswith((b"\n", b"\r")) else self.newline * 2


def take_apart(data: bytes) -> Marked:
    """Find the markers of a file.

    A marker is a line of its own. The text of one elsewhere is refused: somebody
    meant it, and a second section would appear.

    Raises:
        BrokenMarkers: If there is one without the other, more than one pair, an
            end before its begin, a marker that shares its line, or no text.
    """
    if b"\0" in data:
        raise BrokenMarkers("it is no UTF-8 text")
    lines = list(_iter_lines(data))
    begin, end = _the_only(lines, BEGIN), _the_only(lines, END)
    endings = [each.ending for each in lines if each.ending in {b"\n", b"\r\n"}]
    if begin is None and end is None:
        _hold_no_stray(lines)
        newline = endings[0] if endings else b"\n"
        return Marked(before=data, inside=None, after=b"", newline=newline)
    if begin is None or end is None:
        there, missing = (end, BEGIN) if begin is None else (begin, END)
        number = 0 if there is None else there.number
        raise BrokenMarkers(f"line {number} has a marker without the other, {missing.decode()}")
    if end.number < begin.number:
        raise BrokenMarkers(f"line {end.number} ends the section that line {begin.number} begins")
    _hold_no_stray(each for each in lines if not begin.number <= each.number <= end.number)
    return Marked(
        before=data[: begin.start],
        inside=data[begin.start : end.end],
        after=data[end.end :],
        newline=begin.ending if begin.ending in {b"\n", b"\r\n"} else b"\n",
    )


def _iter_lines(data: bytes) -> Iterator[_Line]:
    # A byte order mark, as some editors write one, is no part of the first line.
    start = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    for number, match in enumerate(_LINE.finditer(data, start), start=1):
        yield _Line(number, match.start(), match[1], match[2])


def _the_only(lines: list[_Line], marker: bytes) -> _Line | None:
    """Find the one line that is a marker."""
    found = [each for each in lines if each.text.rstrip(b" \t") == marker]
    if len(found) > 1:
        numbers = ", ".join(str(each.number) for each in found[:5])
        raise BrokenMarkers(f"lines {numbers} all have the marker {marker.decode()}; keep one pair")
    return found[0] if found else None


def _hold_no_stray(lines: Iterable[_Line]) -> None:
    """Reject a marker that is no line of its own."""
    for each in lines:
        if BEGIN in each.text or END in each.text:
            raise BrokenMarkers(f"line {each.number} has a marker beside other text")
