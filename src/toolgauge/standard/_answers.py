"""Asks validators: values as they want them, answers in whichever of the allowed shapes.

An answer is ``Success(value)`` or ``Failure(issues)`` of ours; or, as Standard Schema writes
it, ``{"value": …}`` or ``{"issues": [{"message": "…", "path": ["a", {"key": 0}]}]}``, as
mappings or as objects with these attributes.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from toolgauge.contract import DEFAULT_BOUNDS, Failure, Issue, Path, Success, dump_json
from toolgauge.standard.errors import InvalidAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolgauge.contract import Result, Validate

_ABSENT = object()


def make_issue(message: str, path: Path = (), keyword: str | None = None) -> Issue:
    """Make an issue of a validator's own words, within the bound on messages."""
    limit = DEFAULT_BOUNDS.max_message_chars
    if len(message) > limit:
        message = f"{message[: limit - 1]}…"
    return Issue(path=path, message=message, keyword=keyword)


def checked(vendor: str, validate: Callable[[object], object]) -> Validate:
    """Make a validator answer only in our shapes, and raise only ``InvalidAnswer``.

    Args:
        vendor: The name for its errors.
        validate: The validator's own function, sync or async.
    """

    def ask(value: object) -> Result[Any] | Awaitable[Result[Any]]:
        try:
            answer = validate(value)
        except Exception as error:
            raise InvalidAnswer(vendor, f"raised {type(error).__name__}") from error
        if isinstance(answer, Success | Failure):
            return answer
        if inspect.isawaitable(answer):
            return _awaited(vendor, answer)
        return read_answer(vendor, answer)

    return ask


async def _awaited(vendor: str, answer: Awaitable[object]) -> Result[Any]:
    try:
        found = await answer
    except Exception as error:
        raise InvalidAnswer(vendor, f"raised {type(error).__name__}") from error
    return read_answer(vendor, found)


def read_answer(vendor: str, answer: object) -> Result[Any]:
    """Read one answer.

    Raises:
        InvalidAnswer: If it is none.
    """
    if isinstance(answer, Success | Failure):
        return answer
    # Failure is where issues are not null, even when there are none of them (S3).
    issues = member(answer, "issues")
    if issues is not None:
        return Failure(_issues(vendor, issues))
    value = member(answer, "value", _ABSENT)
    if value is _ABSENT:
        raise InvalidAnswer(vendor, f"answered {_a(answer)}")
    return Success(value)


def member(holder: object, name: str, default: object = None) -> Any:
    """Return a key of a mapping, or an attribute of anything else."""
    if isinstance(holder, Mapping):
        return holder.get(name, default)
    return getattr(holder, name, default)


def _issues(vendor: str, issues: object) -> tuple[Issue, ...]:
    if not isinstance(issues, Iterable) or isinstance(issues, str | bytes | Mapping):
        raise InvalidAnswer(vendor, f"answered issues that are {_a(issues)}")
    bounded = islice(issues, DEFAULT_BOUNDS.max_issues)
    return tuple(_issue(vendor, each) for each in bounded)


def _issue(vendor: str, issue: object) -> Issue:
    if isinstance(issue, Issue):
        return issue
    message, path = member(issue, "message"), member(issue, "path")
    if not isinstance(message, str):
        raise InvalidAnswer(vendor, "answered an issue without a message")
    if path is None:
        return make_issue(message)
    if not isinstance(path, Iterable) or isinstance(path, str | bytes | Mapping):
        raise InvalidAnswer(vendor, f"answered an issue whose path is {_a(path)}")
    return make_issue(message, tuple(as_step(each) for each in path))


def as_step(segment: object) -> str | int:
    """Read a path segment: a key, or a mapping or object that holds it as ``key``."""
    if not isinstance(segment, str | int | float):
        segment = member(segment, "key", segment)
    if isinstance(segment, float) and segment.is_integer():
        return int(segment)
    if isinstance(segment, int) and not isinstance(segment, bool):
        return int(segment)
    return str(segment)


def _a(found: object) -> str:
    name = type(found).__name__
    return f"an {name}" if name[:1] in "aeiouAEIOU" else f"a {name}"


T = TypeVar("T")

_MAX_EXACT = 2.0**53
"""A double past this may stand for several integers."""


def decode_json(decode: Callable[[bytes], T], text: bytes, invalid: type[Exception]) -> T:
    """Decode JSON with a library's own decoder.

    To JSON Schema 7.0 is an integer, to many decoders it is not. So a text that is
    rejected is decoded again with each whole number as an integer.

    Args:
        decode: The library's decoder.
        text: From ``dump_json``.
        invalid: What ``decode`` raises for a text that it rejects.
    """
    try:
        return decode(text)
    except invalid:
        whole = dump_json(with_whole_numbers(json.loads(text)))
        if whole == text:
            raise
    return decode(whole)


def with_whole_numbers(value: Any) -> Any:
    """Return a value with each number that is whole as an ``int``.

    Source: JSON Schema 2020-12 core, section 4.2.3, and validation, section 6.1.1.

    Example:
        >>> with_whole_numbers({"a": [7.0, 7.5]})
        {'a': [7, 7.5]}
    """
    if isinstance(value, dict):
        return {key: with_whole_numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [with_whole_numbers(each) for each in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _MAX_EXACT
    return int(value) if is_whole else value
