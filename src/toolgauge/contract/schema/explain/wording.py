"""From what a walk noted to issues: only what is given to the caller is put in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.issues import Issue
from toolgauge.contract.jsontext import parse_json
from toolgauge.contract.schema.faults import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Walk


Words: TypeAlias = "str | Callable[[Writer, Any], str]"
"""A text that follows the quoted value, or a function that makes the whole message of it."""

Note: TypeAlias = "tuple[Path, str | None, Any, Words, Any]"
"""What a walk notes of one fault: path, keyword, value, words, more.

A plain tuple, and words that are put together later: most notes belong to
branches that nobody reads. Where the value is ``UNQUOTED``, the words are the
message. ``more`` holds the names of the types that ``type`` wants, and the notes
of each branch of ``anyOf`` and ``oneOf``.
"""

UNQUOTED = object()

_CHARS_PER_STEP = 64
"""Writing this many characters of a message costs as much as one keyword."""

_BRANCHING = frozenset({"anyOf", "oneOf"})
"""Keywords whose notes hold those of each branch."""

TAGS = frozenset({"const", "enum"})
"""Keywords of a member that says which kind of object it is in."""

OTHER_KIND: list[Note] = [((), "const", UNQUOTED, "", None)]
"""Stands for all that could be noted of an object which another branch is about."""


_new = object.__new__
_put_path, _put_message, _put_keyword, _put_hint, _put_causes = (
    vars(Issue)[name].__set__ for name in ("path", "message", "keyword", "hint", "causes")
)


class Writer:
    """Words notes.

    Args:
        bounds: How long a message.
        quote: Writes a value as ``repr`` does, as much of it as a message has room for.
    """

    __slots__ = ("_bounds", "_max_chars", "quote")

    def __init__(self, bounds: Bounds, quote: Callable[[object], str]) -> None:
        self._bounds = bounds
        self._max_chars = bounds.max_message_chars
        self.quote: Callable[[object], str] = quote

    def names(self, items: Sequence[object]) -> str:
        """Quote several values, with commas between."""
        return quoted_list(items, self._max_chars)

    def listed(self, items: Sequence[object]) -> str:
        """Say what should not be there: ``'a', 'b' were``."""
        return f"{self.names(items)} {'was' if len(items) == 1 else 'were'}"

    def issue(self, note: Note, walk: Walk) -> Issue:
        """Word one note.

        Args:
            note: What the walk noted.
            walk: Pays for causes: a value may have many.

        Raises:
            Stopped: If the walk cannot pay.
            ValueError: If it quotes an integer that CPython does not write.
        """
        path, keyword, value, words, more = note
        if type(words) is not str:
            message = words(self, value)  # type: ignore[operator]  # the other of two
        elif value is UNQUOTED:
            message = words
        else:
            message = self.quote(value) + words
        if len(message) > self._max_chars:
            message = cut(message, self._bounds)
        hint: str | None = None
        causes: tuple[Issue, ...] = ()
        if more is not None:
            if keyword in _BRANCHING:
                causes = tuple(self._causes(likeliest(more, path), walk))
            elif isinstance(value, str):
                hint = _stringified(value, more)
        # The initializer of a frozen value takes three times as long, and longer than
        # finding out what is wrong.
        issue = _new(Issue)
        _put_path(issue, path)
        _put_message(issue, message)
        _put_keyword(issue, keyword)
        _put_hint(issue, hint)
        _put_causes(issue, causes)
        return issue

    def most_steps(self, note: Note) -> int:
        """Give what the causes of a note may cost at the most."""
        _, keyword, _, _, branches = note
        if keyword not in _BRANCHING or branches is None:
            return 0
        most = 1 + self._max_chars // _CHARS_PER_STEP
        return sum(most + self.most_steps(each) for branch in branches for each in branch)

    def _causes(self, notes: list[Note], walk: Walk) -> Iterator[Issue]:
        for note in notes:
            cause = self.issue(note, walk)
            walk.spend(1 + len(cause.message) // _CHARS_PER_STEP)
            yield cause


def likeliest(branches: list[list[Note]], path: Path) -> list[Note]:
    """Pick the branch that the value most likely meant.

    A branch is out where the value has another type altogether, or where a tag
    (``const`` or ``enum`` of one of its members) says that it is another kind.
    Of those left, one stands out if there is only one, or if it alone has the
    fewest issues.
    """
    meant = sorted([each for each in branches if _is_meant(each, len(path))], key=len)
    if not meant or (len(meant) > 1 and len(meant[0]) == len(meant[1])):
        return []
    return meant[0]


def _is_meant(notes: list[Note], depth: int) -> bool:
    if notes is OTHER_KIND:
        return False
    for path, keyword, _, _, _ in notes:
        if keyword == "type" and len(path) == depth:
            return False
        if keyword in TAGS and len(path) <= depth + 1:
            return False
    return True


def _stringified(text: str, names: list[str]) -> str | None:
    """Notice JSON in a text where the schema wants the array or object itself.

    Some models write nested arguments so. The value stays refused: whether a
    text should be parsed is not ours to guess.
    """
    for name, opening, kind in (("object", "{", dict), ("array", "[", list)):
        if name in names and text.lstrip().startswith(opening):
            try:
                parsed = parse_json(text)
            except InvalidJson:
                return None
            if isinstance(parsed, kind):
                return f"stringified {name}: pass the {name} itself, not its JSON as text"
    return None


_CONTAINERS = (dict, list, tuple)
"""Exactly these: a class of its own has a ``repr`` of its own."""

_FEW = 8


def quoted(value: object, limit: int) -> str:
    """Write a value as ``repr`` does, at least up to ``limit`` characters.

    Returns:
        ``repr(value)`` where that is short; else text that begins with the same
        ``limit`` characters.

    Raises:
        ValueError: For an integer past ``sys.get_int_max_str_digits()``.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else _long_text(value, limit)
    if type(value) not in _CONTAINERS or not value:
        return repr(value)
    parts: list[str] = []
    _write(value, limit, parts)
    return "".join(parts)


def quoted_list(items: Sequence[object], limit: int) -> str:
    """Write values as ``repr`` does, with commas between, at least up to ``limit`` characters."""
    if len(items) <= _FEW:
        return ", ".join([quoted(each, limit) for each in items])
    parts: list[str] = []
    _write_all(items, limit, parts)
    return "".join(parts)


def _write(value: object, left: int, parts: list[str]) -> int:
    """Add a value's text to ``parts``; give how many more characters are wanted."""
    if left <= 0:
        return left
    if type(value) is dict and value:
        return _add("}", _write_members(value, _add("{", left, parts), parts), parts)
    if type(value) is list and value:
        return _add("]", _write_all(value, _add("[", left, parts), parts), parts)
    if type(value) is tuple and value:
        left = _write_all(value, _add("(", left, parts), parts)
        return _add(",)" if len(value) == 1 else ")", left, parts)
    return _add(quoted(value, left), left, parts)


def _write_members(value: dict[Any, Any], left: int, parts: list[str]) -> int:
    for place, (name, member) in enumerate(value.items()):
        if left <= 0:
            break
        left = _add(", " if place else "", left, parts)
        left = _add(": ", _write(name, left, parts), parts)
        left = _write(member, left, parts)
    return left


def _write_all(items: Iterable[object], left: int, parts: list[str]) -> int:
    for place, item in enumerate(items):
        if left <= 0:
            break
        left = _add(", " if place else "", left, parts)
        left = _write(item, left, parts)
    return left


def _add(text: str, left: int, parts: list[str]) -> int:
    parts.append(text)
    return left - len(text)


def _long_text(text: str, limit: int) -> str:
    """Write the beginning of a text in the quotes that the whole of it would get.

    Source: CPython uses double quotes where a text has single ones and no double ones.
    """
    has_single, has_double = "'" in text, '"' in text
    marks = "'" * has_single + '"' * (has_single and has_double)
    return repr(text[:limit] + marks)
