"""JSON text that nests too deep, cut so that the rest of it can be read."""

from __future__ import annotations

import re

_SIGN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
"""Takes a string that never ends up to the end, or a search would begin anew at
each of its quotes."""


def cut_to_depth(text: str, levels: int) -> str:
    """Empty every array and object that nests deeper than ``levels``.

    What is no JSON stays no JSON: a parser still has to read the result.

    Example:
        >>> cut_to_depth('{"a": [[1, "]"], 2]}', 2)
        '{"a": [[], 2]}'
    """
    kept: list[str] = []
    depth = start = 0
    for match in _SIGN.finditer(text):
        sign = match.group()
        if sign in "{[":
            depth += 1
            if depth == levels + 1:
                kept.append(text[start : match.end()])
        elif sign in "}]":
            if depth == levels + 1:
                start = match.start()
            depth -= 1
    return "".join([*kept, text[start:]]) if depth <= levels else text
