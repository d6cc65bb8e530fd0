"""JSON Pointers: paths as text.

Source: RFC 6901 sections 3 to 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of a value to one place in it."""


def to_pointer(path: Iterable[str | int]) -> str:
    r"""Write a path as a JSON Pointer.

    Example:
        >>> to_pointer(("a/b", "~", 0, ""))
        '/a~1b/~0/0/'
        >>> to_pointer(())
        ''
    """
    parts: list[str] = []
    for step in path:
        text = step if isinstance(step, str) else str(step)
        # `~` first: the other order would escape the `~` of a fresh `~1`.
        parts.append("/" + text.replace("~", "~0").replace("/", "~1"))
    return "".join(parts)


def from_pointer(pointer: str) -> tuple[str, ...]:
    """Read a JSON Pointer as its unescaped segments, all of them text.

    Whether ``"0"`` is an index or a key depends on the value; ``resolve`` knows.

    Raises:
        ValueError: If a pointer that is not empty does not begin with ``/``,
            or a ``~`` is not followed by ``0`` or ``1``.

    Example:
        >>> from_pointer("/a~1b/~0/0/")
        ('a/b', '~', '0', '')
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        msg = f"a JSON Pointer begins with '/', not {pointer[:1]!r}"
        raise ValueError(msg)
    segments: list[str] = []
    for raw in pointer[1:].split("/"):
        if raw.replace("~0", "").replace("~1", "").count("~"):
            msg = f"a '~' in a JSON Pointer is followed by 0 or 1: {raw!r}"
            raise ValueError(msg)
        # `~1` first: the other order would turn `~01` into `/`.
        segments.append(raw.replace("~1", "/").replace("~0", "~"))
    return tuple(segments)


def resolve(value: object, pointer: str) -> object:
    """Look up the place that a JSON Pointer names.

    Raises:
        LookupError: If the value has no such place.
        ValueError: If ``pointer`` is not a JSON Pointer.

    Example:
        >>> resolve({"a": [{"b": 1}]}, "/a/0/b")
        1
    """
    here = value
    for segment in from_pointer(pointer):
        if isinstance(here, dict) and segment in here:
            here = here[segment]
        elif isinstance(here, list) and _is_index(segment) and int(segment) < len(here):
            here = here[int(segment)]
        else:
            msg = f"nothing at {segment!r} of {pointer!r}"
            raise LookupError(msg)
    return here


def _is_index(segment: str) -> bool:
    """Tell whether a segment is an array index: digits without leading zeros."""
    return segment.isascii() and segment.isdigit() and (segment == "0" or segment[0] != "0")
