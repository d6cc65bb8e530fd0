"""Messages as parsed JSON, from whatever an SDK gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_LEVELS = 8
"""A call lies this deep in the longest response: ``choices``, its entry, ``message``,
``tool_calls``, its entry, ``function``. Arguments are left as they are."""


def as_json(message: object, levels: int = _LEVELS) -> Any:
    """Return a message as parsed JSON.

    Takes parsed JSON, pydantic 2 and 1 models, objects with ``to_dict``, and
    lists of them; mappings may hold such objects too. Members of an SDK's object
    that are ``None`` are left out, nulls in a call's arguments are kept.

    Args:
        message: The message.
        levels: How deep in lists and mappings objects are looked for.
    """
    if message is None or isinstance(message, str | int | float | bytes) or levels < 0:
        return message
    if isinstance(message, Mapping):
        return {key: as_json(value, levels - 1) for key, value in message.items()}
    if isinstance(message, Sequence):
        return [as_json(each, levels - 1) for each in message]
    if callable(dump := getattr(message, "model_dump", None)):
        # SDKs build objects without validating what the server sent; that is no
        # news for the user of a loop.
        return dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    for name in ("to_dict", "dict"):
        if callable(dump := getattr(message, name, None)) and not isinstance(message, type):
            return as_json(dump(), levels - 1)
    return message


def module_of(message: object) -> str:
    """Return the module of an SDK's object, of the first one in a list; ``""`` for JSON."""
    if isinstance(message, Sequence) and not isinstance(message, str | bytes):
        return module_of(message[0]) if message else ""
    module = type(message).__module__
    return "" if module == "builtins" else module


def rows(found: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a list; other values hold none."""
    if isinstance(found, list):
        yield from (each for each in found if isinstance(each, Mapping))


def described(message: object) -> str:
    """Describe a message in a few words."""
    if isinstance(message, Mapping):
        members = ", ".join(str(key) for key in list(message)[:8]) or "none"
        return f"an object with the members {members[:200]}" if message else "an empty object"
    if isinstance(message, list):
        return f"a list of {len(message)}"
    return f"a {type(message).__name__}"
