"""How long a value is as JSON without spaces, in characters.

Source: "Tools JSON validation rules", section "Tool list limits" ("minified"): code
points of ``json.dumps(value, separators=(",", ":"), ensure_ascii=False)``.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def minified_length(value: object, *, in_bytes: bool = False) -> int:
    """Count the characters of a value as minified JSON, or its bytes as UTF-8.

    A value too deep to be written is counted in characters.

    Example:
        >>> minified_length({"name": "é", "tags": [1, 2]})
        25
    """
    try:
        text = _dumped(value)
        return len(text.encode(errors="surrogatepass") if in_bytes else text)
    except RecursionError:
        return _counted(value)
    except ValueError:
        # It holds itself, or an integer that Python does not print.
        return sys.maxsize


def _dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, skipkeys=True, default=str)


def _counted(value: object) -> int:
    """Count level by level, for a value too deep to be written."""
    total = 0
    row: list[Any] = [value]
    while row:
        below: list[Any] = []
        for each in row:
            if isinstance(each, dict):
                total += 2 + max(len(each) - 1, 0)
                total += sum(len(_dumped(key)) + 1 for key in each)
                below += each.values()
            elif isinstance(each, list):
                total += 2 + max(len(each) - 1, 0)
                below += each
            else:
                total += len(_dumped(each))
        row = below
    return total
