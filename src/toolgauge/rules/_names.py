"""Which character of a name does a pattern object to?"""

from __future__ import annotations

import re

MAX_SUGGESTED = 64


def offender(name: str, pattern: str) -> tuple[int, str] | None:
    """Find the first character that a pattern for names has no place for.

    Each character is tried alone at the front and after a letter, so the answer
    costs one short match for each character that is new.

    Returns:
        Its index and the character; ``None`` where no single one is to blame:
        the length is, or the pattern wants more than a set of characters.

    Example:
        >>> offender("a/b", "^[a-z]+$")
        (1, '/')
    """
    if re.fullmatch(pattern, "aa") is None:
        return None
    if name and re.fullmatch(pattern, name[0]) is None:
        return (0, name[0])
    known: dict[str, bool] = {}
    for index, character in enumerate(name):
        if character not in known:
            known[character] = re.fullmatch(pattern, f"a{character}") is not None
        if not known[character]:
            return (index, character)
    return None


def suggestion(name: str, pattern: str) -> str:
    """Give the name with ``_`` for each character that has no place, ``""`` if that will not do.

    Example:
        >>> suggestion("repo/commit", "^[a-z_]+$")
        'repo_commit'
    """
    if not 0 < len(name) <= MAX_SUGGESTED:
        return ""
    letters = [each if re.fullmatch(pattern, f"a{each}") is not None else "_" for each in name]
    if re.fullmatch(pattern, letters[0]) is None:
        letters[0] = "_"
    found = "".join(letters)
    return found if re.fullmatch(pattern, found) is not None else ""
