"""What python ``jsonschema`` says of a value, and where we depart from it on purpose.

A *departure* is a named reason why we say something else. The differential
tests ask which departure, if any, explains a difference; one that none explains
is a fault of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import jsonschema
from jsonschema import FormatChecker, ValidationError
from jsonschema.exceptions import FormatError
from jsonschema.validators import extend
from jsonschema_specifications import REGISTRY
from referencing import Resource, Specification
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from toolgauge.contract import DEFAULT_BOUNDS, Issue, resolve, to_pointer
from toolgauge.contract.schema.dialects import format_check
from toolgauge.contract.schema.patterns import is_match

if TYPE_CHECKING:
    from toolgauge.contract.schema.dialects import Dialect

_KNOWN: dict[str, tuple[Any, Specification[Any]]] = {
    "2020-12": (jsonschema.Draft202012Validator, DRAFT202012),
    "2019-09": (jsonschema.Draft201909Validator, DRAFT201909),
    "draft-07": (jsonschema.Draft7Validator, DRAFT7),
    "draft-06": (jsonschema.Draft6Validator, DRAFT6),
    "draft-04": (jsonschema.Draft4Validator, DRAFT4),
}
"""Each dialect, as the reference knows it."""


class Departure(Enum):
    """Why our words differ from those of the reference."""

    NONE = "they do not"
    FALSE_SCHEMA = "the reference loses the last step of the path to a false subschema"
    PATTERN = "Python's re does not take the pattern, or reads it another way"
    DEPENDENCIES = "the engine asserts `dependencies` in 2019-09 and 2020-12 too"
    CONTENT = "the engine asserts the content keywords of draft-07; the words are its own"
    UNEVALUATED = "the reference calls what `additionalProperties` refuses unevaluated too"
    ORDER = "the reference visits additional members in the order of a Python set"
    RAISES = "the reference trips over a boolean where it looks for an id; the engine's words"
    UNEXPLAINED = "nobody knows"


class Word(NamedTuple):
    """One error, as far as it is compared."""

    path: tuple[str | int, ...]
    message: str
    keyword: str | None


class Reference:
    """One schema in the hands of python ``jsonschema``.

    Args:
        schema: The schema.
        dialect: Its draft.
        remotes: Other schemas that it may refer to.
        formats: Whether formats are asserted: by the compiled engine's own
            checkers, so that only the words are compared (decision V20).
    """

    def __init__(
        self,
        schema: Any,
        dialect: Dialect,
        *,
        remotes: Mapping[str, Any] | None = None,
        formats: bool = False,
    ) -> None:
        self.schema = schema
        self.dialect = dialect
        self._validator, specification = _KNOWN[dialect.name]
        self._registry = REGISTRY.with_resources(
            (uri, Resource.from_contents(each, default_specification=specification))
            for uri, each in (remotes or {}).items()
        )
        self._checker = _EngineFormats(dialect) if formats else None

    def words(self, value: object, *, changed: Mapping[str, Any] | None = None) -> list[Word]:
        """Give every error, in order; ``changed`` replaces keywords of the reference.

        A missing member is placed where it should be (decision V1).
        """
        validator = _extended(self._validator, changed or {})(
            self.schema, registry=self._registry, format_checker=self._checker
        )
        return [
            Word((*error.absolute_path, *_missing(error)), error.message, error.validator)
            for error in validator.iter_errors(value)
        ]

    def departure(self, issues: tuple[Issue, ...], value: object) -> Departure:  # noqa: PLR0911 - a table in the order in which it is asked
        """Name what explains the difference between our issues and the reference's words."""
        ours = [Word(each.path, each.message, each.keyword) for each in issues]
        try:
            theirs = self.words(value)
        except re.error:
            theirs = []
        except TypeError:
            return Departure.RAISES if ours else Departure.UNEXPLAINED
        if ours == theirs:
            return Departure.NONE
        if _is_same_but_false(ours, theirs, value):
            return Departure.FALSE_SCHEMA
        if _has_additional_schema(self.schema) and _is_same_but_false(
            sorted(ours, key=_place), sorted(theirs, key=_place), value
        ):
            return Departure.ORDER
        if _is_same_but_false(ours, self.words(value, changed=_PATTERNS), value):
            return Departure.PATTERN
        if self.dialect.number > 7 and _is_same_but_false(
            ours, self.words(value, changed=_DEPENDENCIES), value
        ):
            return Departure.DEPENDENCIES
        if not theirs and {each.keyword for each in ours} <= _CONTENT:
            return Departure.CONTENT
        if ours == [each for each in theirs if each.keyword != "unevaluatedProperties"]:
            return Departure.UNEVALUATED
        return Departure.UNEXPLAINED


_CONTENT = {"contentEncoding", "contentMediaType"}
_ASKS = {"required", "dependentRequired", "dependencies"}


def _missing(error: ValidationError) -> tuple[str, ...]:
    """Find the member that an error misses."""
    if error.validator not in _ASKS:
        return ()
    asked: Any = error.validator_value
    groups = [asked] if error.validator == "required" else asked.values()
    names = {name for group in groups if isinstance(group, list) for name in group}
    return tuple(
        name
        for name in sorted(names)
        if error.message == f"{name!r} is a required property"
        or error.message.startswith(f"{name!r} is a dependency of ")
    )


def _place(word: Word) -> tuple[str, str]:
    return (word.message, "" if word.keyword is None else repr(word.path))


def _has_additional_schema(schema: object) -> bool:
    """Tell whether a schema holds additional members against a schema, anywhere."""
    if isinstance(schema, dict):
        return isinstance(schema.get("additionalProperties"), dict) or any(
            map(_has_additional_schema, schema.values())
        )
    return isinstance(schema, list) and any(map(_has_additional_schema, schema))


def _is_same_but_false(ours: list[Word], theirs: list[Word], value: object) -> bool:
    """Compare, with the path to a false subschema mended by its last step."""
    return len(ours) == len(theirs) and all(
        our == their or _is_mended(our, their, value)
        for our, their in zip(ours, theirs, strict=True)
    )


def _is_mended(our: Word, their: Word, value: object) -> bool:
    """Tell whether our path leads to what the false subschema refused."""
    if our.keyword is not None or our[1:] != their[1:] or our.path[:-1] != their.path:
        return False
    refused = resolve(value, to_pointer(our.path))
    return our.message == f"False schema does not allow {refused!r}"


def _pattern(_: Any, want: str, value: object, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not is_match(want, value, DEFAULT_BOUNDS):
        yield ValidationError(f"{value!r} does not match {want!r}")


def _pattern_properties(
    validator: Any, want: dict[str, Any], value: object, _: Any
) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for each, schema in want.items():
            for name, member in value.items():
                if is_match(each, name, DEFAULT_BOUNDS):
                    yield from validator.descend(member, schema, path=name, schema_path=each)


def _additional_properties(
    validator: Any, want: Any, value: object, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    """Leave out the members that a pattern names, and say the rest as the reference does."""
    patterns = schema.get("patternProperties", {})
    if not isinstance(value, dict) or not patterns:
        yield from _ADDITIONAL(validator, want, value, schema)
        return
    left = {
        name: member
        for name, member in value.items()
        if name not in schema.get("properties", {})
        and not any(is_match(each, name, DEFAULT_BOUNDS) for each in patterns)
    }
    if want is False and left:
        names = ", ".join(repr(each) for each in sorted(left))
        verb = "does" if len(left) == 1 else "do"
        known = ", ".join(repr(each) for each in sorted(patterns))
        yield ValidationError(f"{names} {verb} not match any of the regexes: {known}")
    elif want is not False:
        yield from _ADDITIONAL(validator, want, left, {})


_ADDITIONAL = jsonschema.Draft7Validator.VALIDATORS["additionalProperties"]
_PATTERNS = {
    "additionalProperties": _additional_properties,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
}
_DEPENDENCIES = {"dependencies": jsonschema.Draft7Validator.VALIDATORS["dependencies"]}


_extended: Any = extend
"""It has no types for its parameters."""


class _EngineFormats(FormatChecker):
    """Every format, as the compiled engine checks it."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(())
        self._dialect = dialect

    def check(self, instance: object, format: str) -> None:  # noqa: A002 - the name is theirs
        if not format_check(format, self._dialect)(instance):
            raise FormatError(f"{instance!r} is not a {format!r}")
