"""Where a library's validator and the JSON Schema that it publishes differ, and why.

Keys are shapes; ``"*"`` is every shape. Each entry must be seen to differ.
"""

from __future__ import annotations

_LAX = {"*": "the lax mode converts: '1' to 1, 'yes' to true; a strict model does not"}
_KEYS = {"map by integers": "the library says nothing of the keys of a map"}
_SETS = {
    "set of integers": "repeated items are dropped, not refused",
    "frozen set of texts": "the same",
}
_LAX_CLASSES = "the class inside has its own configuration, which is lax"
_NO_FORMAT = "no format is published for a time that may lack its zone"
_DOLLAR = "Python's $ also matches before a line break at the end"

PYDANTIC_SCHEMA = {"decimal": "a text is published without a pattern", **_KEYS}
MSGSPEC_SCHEMA = {
    "date and time": f"{_NO_FORMAT}; Meta(tz=True) publishes it",
    "time of day": f"{_NO_FORMAT}; Meta(tz=True) publishes it",
    "decimal": "the format 'decimal' is asserted by nobody",
    **_KEYS,
}
MSGSPEC_VALIDATOR = {
    "decimal": "numbers are taken too",
    "pattern": _DOLLAR,
    **_SETS,
}
_ANNOTATION = "a format is an annotation, which the engine does not assert"

SCHEMA_TAKES_MORE: dict[str, dict[str, str]] = {
    "pydantic model": PYDANTIC_SCHEMA,
    "pydantic strict model": PYDANTIC_SCHEMA,
    "pydantic dataclass": PYDANTIC_SCHEMA,
    "pydantic TypeAdapter": PYDANTIC_SCHEMA,
    "dataclass": PYDANTIC_SCHEMA,
    "TypedDict": PYDANTIC_SCHEMA,
    "NamedTuple": PYDANTIC_SCHEMA,
    "msgspec struct": MSGSPEC_SCHEMA,
    "dataclass by msgspec": MSGSPEC_SCHEMA,
    "marshmallow": {
        "date and time": "RFC 3339 has 't' and 'z' too, Python the capitals alone",
        "time of day": "the same",
        "map by integers": "a pattern of names is not made of a field for keys that are integers",
    },
    "JSON Schema": {
        "decimal": "what it was taken from has no pattern",
        "map by integers": "what it was taken from says nothing of the keys",
    },
}

VALIDATOR_TAKES_MORE: dict[str, dict[str, str]] = {
    "pydantic model": _LAX,
    "pydantic strict model": {
        "one of numbers": "True is 1 to Python",
        "enum of numbers": "the same",
        **_SETS,
        **dict.fromkeys(
            (
                "object",
                "object or null",
                "list of objects",
                "map of objects",
                "alias",
                "closed object",
                "defaults",
                "one of two objects",
                "generic",
            ),
            _LAX_CLASSES,
        ),
    },
    "pydantic dataclass": _LAX,
    "pydantic TypeAdapter": _LAX,
    "dataclass": _LAX,
    "TypedDict": _LAX,
    "NamedTuple": _LAX,
    "msgspec struct": MSGSPEC_VALIDATOR,
    "dataclass by msgspec": MSGSPEC_VALIDATOR,
    "marshmallow": {
        "number": "texts are converted",
        "number as text": "the same",
        "number from to": "the same",
        "number between": "the same",
        "decimal": "blanks around a text are dropped",
        "boolean": "'yes', 'on', 1 and others are truth to marshmallow",
        "boolean as text or number": "the same",
        "pattern": _DOLLAR,
        "enum of numbers": "True is 1 to Python",
    },
    "JSON Schema": {
        "date": _ANNOTATION,
        "date and time": _ANNOTATION,
        "time of day": _ANNOTATION,
        "identifier": _ANNOTATION,
        "decimal": "what it was taken from has no pattern",
        "map by integers": "what it was taken from says nothing of the keys",
    },
}


VARIES = {("validator", "enum of numbers")}
"""Only in some of the versions that are supported."""


def reason(table: dict[str, dict[str, str]], library: str, shape: str) -> str | None:
    """Give the listed reason for a difference, ``None`` where none is listed."""
    known = table.get(library, {})
    return known.get(shape, known.get("*"))
