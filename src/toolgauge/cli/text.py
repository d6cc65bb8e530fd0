"""Foreign text made safe to print, and the wording of counts and issues.

Names, descriptions and results come from servers that nobody here wrote. A
terminal obeys control characters in them, and a reader is misled by characters
that reorder or hide text; both are shown as escapes instead.

``visible`` escapes one text for its place in a line. Whatever reaches a standard
stream without it, JSON too, is escaped by the stream's encoding (``output``).
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolgauge.contract import Issue

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NONCHARACTER = 0xFFFE
"""U+FFFE and U+FFFF, and their like in other planes; XML 1.0 forbids the first two."""

_JOINERS = "\u200c\u200d"
"""Zero-width joiners, which emoji and several scripts are written with."""

_C0 = "".join(map(chr, range(0x20)))
"""Layout and colors: rich writes them, ``visible`` escapes them, JSON never holds them raw."""


def visible(text: str, *, keep: str = "") -> str:
    r"""Show control, bidi, invisible and no characters as escapes; all else XML 1.0 allows.

    Args:
        text: Text that somebody else wrote.
        keep: Characters to leave as they are: ``"\n\t"`` for whole texts.

    Example:
        >>> visible("a\x1b[31mb")
        'a\\x1b[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return _replaced(text, {ord(each): _shown(each) for each in _hidden(text, keep)})


def escaped(text: str) -> str:
    r"""Escape what a terminal obeys as JSON does; a JSON document keeps its value.

    Args:
        text: A whole text that is ready to be written: its layout and colors stay.

    Example:
        >>> escaped('{"name": "a\x9b31m"}')
        '{"name": "a\\u009b31m"}'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return _replaced(text, {ord(each): _json_escape(each) for each in _hidden(text, _C0)})


def first_line(text: str) -> str:
    """Return the first line that is not blank, safe to print."""
    return next((visible(line.strip()) for line in text.splitlines() if line.strip()), "")


def clipped(text: str, most: int) -> str:
    """Cut a long text, and say that it was cut."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def issue_lines(issues: Sequence[Issue], indent: str = "  ") -> Iterator[str]:
    """Write the path, the message and the keyword of each issue, then its causes."""
    # The value itself has an empty pointer, which nobody would see.
    places = [visible(each.pointer) or "(arguments)" for each in issues]
    width = max(map(len, places), default=0)
    for issue, place in zip(issues, places, strict=True):
        keyword = f"  [{visible(issue.keyword)}]" if issue.keyword else ""
        yield f"{indent}{place:<{width}}  {visible(issue.message)}{keyword}"
        if issue.hint:
            yield f"{indent}{'':<{width}}  hint: {visible(issue.hint)}"
        yield from issue_lines(issue.causes, indent + "    ")


def _hidden(text: str, keep: str) -> Iterable[str]:
    """Return the characters of a text, each once, that must not reach a reader as they are."""
    return (
        each
        for each in set(text).difference(keep, _JOINERS)
        if unicodedata.category(each) in _HIDDEN or ord(each) & _NONCHARACTER == _NONCHARACTER
    )


def _replaced(text: str, escapes: Mapping[int, str]) -> str:
    """Put escapes for characters; most texts have none, and looking each up is slow."""
    return text.translate(escapes) if escapes else text


def _shown(character: str) -> str:
    """Escape one character as Python does."""
    code = ord(character)
    if code < 0x100:  # noqa: PLR2004 - two hex digits hold it
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x1_0000 else f"\\U{code:08x}"  # noqa: PLR2004 - the same


def _json_escape(character: str) -> str:
    """Escape one character as JSON does: a surrogate pair past U+FFFF."""
    code = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[at : at + 4]}" for at in range(0, len(code), 4))
