"""Compiles schemas, once each, and holds values against them.

Two engines: ``jsonschema-rs`` gives the verdict, ``explain`` finds the words of
``jsonschema`` for what it refuses. Both work offline and within bounds that are
checked before either starts.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from orjson import dumps

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.issues import Issue
from toolgauge.contract.jsontext import bounded_size, nests_deeper
from toolgauge.contract.schema.dialects import DEFAULT_DIALECT, Dialect, dialect_of, format_check
from toolgauge.contract.schema.explain import Branches, Explainer, TimedBranches, scope_of
from toolgauge.contract.schema.faults import cut, invalid_schema, reason_of
from toolgauge.contract.schema.loads import LARGE_NUMBER_STEPS, MAX_UNIQUE_BYTES
from toolgauge.contract.schema.lookups import LOOKUP_KEYWORDS, for_engine
from toolgauge.contract.schema.patterns import (
    PatternExhausted,
    pattern_options,
    searcher,
)
from toolgauge.contract.schema.weighing import Weighing, large_number_steps
from toolgauge.contract.schema.work import Survey, survey

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract.issues import Places

_MAX_WORDED_VISITS = 10_000
"""The engine lists errors branch by branch, with a copy of the value for each."""


_STEPS_PER_US = 100
_ROUGH_STEPS = 20_000
"""What may cost more is weighed place by place."""

_CHEAP_SHARE = 10_000
"""A value that is so much smaller than the cheap ones costs next to nothing."""


class CompiledSchema:
    """One schema, ready to hold values against. Safe to share between threads.

    Attributes:
        problem: Why nothing can be held against this schema, ``None`` where
            all is well. Then every value is refused with this one issue.
        dialect: The dialect it is read in.
    """

    __slots__ = (
        "_accepts",
        "_askable_bytes",
        "_bounds",
        "_careful",
        "_cheap_bytes",
        "_cheap_parsed_bytes",
        "_engine",
        "_explainer",
        "_formats",
        "_levels",
        "_resources",
        "_schema",
        "_small_bytes",
        "_survey",
        "_weighing",
        "dialect",
        "problem",
    )

    def __init__(
        self,
        schema: Any,
        *,
        formats: bool = False,
        bounds: Bounds = DEFAULT_BOUNDS,
        resources: Mapping[str, Any] | None = None,
        default_dialect: Dialect = DEFAULT_DIALECT,
    ) -> None:
        """Compile a schema that this object may keep. Prefer ``compile_schema``."""
        self._schema = schema
        self._formats = formats
        self._bounds = bounds
        self._resources = dict(resources or {})
        self._explainer: Explainer | None = None
        self._careful: tuple[Explainer, TimedBranches] | None = None
        self._engine: jsonschema_rs.Validator | None = None
        self._accepts: Callable[[object], bool] = _refuse
        self._survey = Survey()
        self.dialect: Dialect = (
            dialect_of(schema, default_dialect, self._resources) or default_dialect
        )
        self.problem: Issue | None = self._compile()
        self._levels = bounds.max_instance_depth
        self._weighing: Weighing | None = None
        self._cheap_bytes = self._survey.cheap_bytes(bounds.max_work)
        # Text that was parsed may hold integers that no machine word does.
        self._cheap_parsed_bytes = self._cheap_bytes
        if self._survey.is_reckoning:
            self._cheap_parsed_bytes = min(
                self._cheap_bytes,
                bounds.max_work // (LARGE_NUMBER_STEPS * self._survey.applications[-1]),
                MAX_UNIQUE_BYTES if self._survey.is_unique else sys.maxsize,
            )
        # Each level of a value may ask for all below it again, and takes two bytes at least.
        self._askable_bytes = max(
            self._cheap_bytes // self._survey.levels, math.isqrt(2 * self._cheap_bytes)
        )
        # Each level takes two brackets, and no place takes less than a byte.
        self._small_bytes = min(2 * self._levels + 1, self._cheap_bytes)

    def _compile(self) -> Issue | None:
        """Survey and compile; give the problem that stops it."""
        dialect = dialect_of(self._schema, self.dialect, self._resources)
        if not isinstance(self._schema, dict | bool):
            # The engine would read a text as the JSON of a schema.
            reason = f"{self._schema!r} is not of type 'object', 'boolean'"
            return invalid_schema(reason, self._bounds)
        if dialect is None:
            named = self._schema["$schema"] if isinstance(self._schema, dict) else None
            return invalid_schema(f"dialect {named!r} is not supported", self._bounds)
        self._survey = survey(self._schema, self._bounds, formats=self._formats)
        if self._survey.problem is not None:
            return invalid_schema(self._survey.problem, self._bounds)
        try:
            self._engine = self._engine_class(dialect)(
                self._engine_schema(),
                validate_formats=self._formats,
                offline=True,
                pattern_options=pattern_options(self._bounds),
                registry=self._engine_registry(),
                keywords=LOOKUP_KEYWORDS if self._has_lookups() else None,
            )
        except (jsonschema_rs.ValidationError, ValueError) as error:
            reason = reason_of(error, self._schema, dialect, self._survey.subschemas)
            return invalid_schema(reason, self._bounds)
        self._accepts = self._engine.is_valid
        return None

    def _engine_schema(self) -> Any:
        """Write patterns and long lists as the engine reads them best."""
        holders = self._survey.with_lookups if self._has_lookups() else ()
        translated = self._survey.with_translated
        if not holders and not translated:
            return self._schema
        return for_engine(self._schema, holders, translated)

    def _has_lookups(self) -> bool:
        return bool(self._survey.with_lookups) and not self._resources

    def _engine_class(self, dialect: Dialect) -> Callable[..., jsonschema_rs.Validator]:
        """Let the engine read a meta-schema of the caller's own, with its vocabularies."""
        if isinstance(self._schema, dict) and self._schema.get("$schema") in self._resources:
            return jsonschema_rs.validator_for
        return dialect.accepts

    def _engine_registry(self) -> jsonschema_rs.Registry | None:
        if not self._resources:
            return None
        return jsonschema_rs.Registry(self._resources.items(), draft=self.dialect.accepts_number)

    def issues(self, value: object) -> tuple[Issue, ...]:
        """Hold a value against the schema.

        Args:
            value: Parsed JSON.

        Returns:
            What is wrong, at least one issue; empty when the value is valid.
        """
        try:
            raw = dumps(value)
            # Most values are too small to pass a bound.
            if len(raw) > self._small_bytes:
                if nests_deeper(raw, value, self._levels):
                    return self._too_deep()
                if len(raw) > self._cheap_bytes and self._is_too_much(value):
                    return self._too_much()
            if self._accepts(value):
                return ()
        except (TypeError, ValueError):
            return self._issues_of_odd(value)
        return self.reasons(value, len(raw))

    def issues_of_parsed(self, value: object, size: int) -> tuple[Issue, ...]:
        """Hold a value against the schema that ``parse_json`` has held to our depth.

        Args:
            value: Parsed JSON.
            size: Bytes that it was parsed from.

        Returns:
            As for ``issues``.
        """
        # A value has fewer places than bytes, so most need no counting.
        if size > self._cheap_parsed_bytes and self._is_too_much(value):
            return self._too_much()
        try:
            is_right = self._accepts(value)
        except ValueError as error:
            return (Issue(message=f"not a JSON value: {error}"),)
        return () if is_right else self.reasons(value, size)

    def _issues_of_odd(self, value: object) -> tuple[Issue, ...]:
        """Judge what in-process callers may pass although JSON has no form for it.

        Some of it the engine takes all the same, as integers of any size.
        """
        size = bounded_size(value, self._levels)
        if size is None:
            return self._too_deep()
        return self.issues_of_parsed(value, size)

    @property
    def accepts(self) -> Callable[[object], bool]:
        """Parsed JSON to the bare verdict, without a bound: for loops that hold them.

        Sure for a value within the bound on depth and of at most ``cheap_bytes``.
        """
        return self._accepts

    @property
    def memory_bytes(self) -> int:
        """What the compiled schema takes of memory, about, in bytes."""
        return self._survey.bytes

    @property
    def cheap_bytes(self) -> int:
        """Longest text, in bytes, whose value cannot make too much work."""
        return self._cheap_parsed_bytes

    def reasons(self, value: object, size: int) -> tuple[Issue, ...]:
        """Say why a value is refused: for the schema's problem, or for its own.

        Args:
            value: Parsed JSON that ``accepts`` refuses.
            size: Bytes of the value as JSON, or more.
        """
        if self.problem is not None:
            return (self.problem,)
        try:
            issues = self._explainer_of(size).explain(value, size)
        except PatternExhausted as exhausted:
            reason = (
                f"pattern {exhausted.pattern!r} needs more than "
                f"{self._bounds.max_pattern_backtracks} backtracks on this value"
            )
            return (invalid_schema(reason, self._bounds),)
        return issues or (self._engine_issue(value),)

    def places(self, value: object, size: int) -> Places | None:
        """Give path and keyword of each of the ``reasons``, which their words take longer than.

        Args:
            value: Parsed JSON that ``accepts`` refuses.
            size: Bytes of the value as JSON, or more.

        Returns:
            ``None`` where only ``reasons`` can tell.
        """
        if self.problem is not None:
            return None
        try:
            return self._explainer_of(size).places(value, size)
        except PatternExhausted:
            return None

    def places_at_once(self, value: object, size: int) -> Places | None:
        """Give the same as ``places`` of any value, where that takes next to no time.

        Args:
            value: Parsed JSON.
            size: Bytes of the value as JSON, or more.

        Returns:
            Where there are some, the schema refuses the value. ``None`` says nothing: ask
            ``accepts``. So it is for a schema that was not often asked about.
        """
        # A meta-schema of the caller's own may leave out keywords that a walk asserts.
        if self._explainer is None or self._resources:
            return None
        try:
            return self._explainer_of(size).places_at_once(value, size)
        except PatternExhausted:
            return None

    def _too_deep(self) -> tuple[Issue, ...]:
        return self._refused(f"value nests deeper than {self._levels} levels")

    def _too_much(self) -> tuple[Issue, ...]:
        return self._refused("too much work: this schema multiplies on values of this size")

    def _refused(self, words: str) -> tuple[Issue, ...]:
        """Refuse a value unseen: for the schema's problem, if it has one."""
        return (self.problem or Issue(message=words),)

    def verdict(self, value: object) -> bool | None:
        """Give the bare verdict, without the words that cost a hundred times more.

        Returns:
            ``None`` where a bound, or a value that JSON has no form for, is what
            would refuse it: that shows nothing about the schema.
        """
        size = bounded_size(value, self._levels)
        if size is None or (size > self._cheap_bytes and self._is_too_much(value)):
            return None
        try:
            return self._accepts(value)
        except ValueError:
            return None

    def cost(self, value: object) -> int:
        """Estimate what ``verdict`` of a value costs at most, in microseconds."""
        size = bounded_size(value, self._levels)
        if size is None or self.problem is not None:
            return 1
        survey, most = self._survey, self._bounds.max_work
        if size <= self._cheap_parsed_bytes // _CHEAP_SHARE:
            return 1 + size // _STEPS_PER_US
        steps, depth = self._visiting(value, size)
        if size < sys.maxsize and survey.nodes and steps <= most:
            rough = size * survey.steps_at(size, depth)
            if rough > _ROUGH_STEPS:
                self._weighing = self._weighing or Weighing(survey, most)
                rough = self._weighing.steps(value, 0)
            steps += rough
        # To write it, twice, and to look at its text.
        writing = size // 2 if size < sys.maxsize else 0
        return 1 + (writing + min(steps, most)) // _STEPS_PER_US

    def is_valid(self, value: object) -> bool:
        """Tell whether the schema accepts a value."""
        verdict = self.verdict(value)
        return not self.issues(value) if verdict is None else verdict

    def _is_too_much(self, value: object) -> bool:
        """Tell whether the worst case for this value passes the bound on work."""
        survey, most = self._survey, self._bounds.max_work
        size = bounded_size(value, self._levels)
        if size is not None and size <= self._cheap_bytes:
            return False
        steps, depth = self._visiting(value, size)
        if (
            size is not None
            and size < sys.maxsize
            and survey.nodes
            and size * survey.steps_at(size, depth) <= most
        ):
            return False
        if steps > most or not survey.nodes:
            return steps > most
        if self._weighing is None:
            self._weighing = Weighing(survey, most)
        return self._weighing.is_too_much(value, steps)

    def _visiting(self, value: object, size: int | None) -> tuple[int, int]:
        """Give the most steps of all visits of a value, and how deep it nests."""
        survey = self._survey
        places, depth = _measure(value)
        steps = places * survey.visits_at(depth)
        if size == sys.maxsize:
            large = large_number_steps(value, is_unique=survey.is_unique)
            steps += survey.applications_at(depth) * large
        return steps, depth

    def _engine_issue(self, value: object) -> Issue:
        """Give the engine's own words where ours found nothing (decision X2)."""
        places, depth = _measure(value)
        visits = places * self._survey.visits_at(depth)
        if self._engine is not None and visits <= _MAX_WORDED_VISITS:
            error = next(self._engine.iter_errors(value), None)
            if error is not None:
                message = cut(error.message, self._bounds)
                path = tuple(error.instance_path)
                if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Required):
                    path = (*path, error.kind.property)
                return Issue(path=path, message=message, keyword=error.kind.name)
        return Issue(message="the schema refuses this value; no more is known")

    def _explainer_of(self, size: int) -> Explainer:
        """Return what explains a value of this size: within a time, if it may be costly.

        The engine is asked about the same part at most once for each level of the value.
        """
        if self._explainer is None:
            self._explainer = self._make_explainer()
        if size <= self._askable_bytes:
            return self._explainer
        if self._careful is None:
            branches = self._branches()
            if branches is None:
                return self._explainer
            timed = TimedBranches(branches)
            self._careful = self._make_explainer(timed), timed
        explainer, timed = self._careful
        timed.begin()
        return explainer

    def _branches(self) -> Branches | None:
        """Let the explainer ask about subschemas, where these can be addressed."""
        schema = self._schema
        if not isinstance(schema, dict) or not self._survey.is_self_contained:
            return None
        if "$id" in schema or "id" in schema or self._resources:
            return None
        if self._survey.with_translated or self._survey.with_lookups:
            return None
        return Branches(schema, self.dialect, formats=self._formats, bounds=self._bounds)

    def _make_explainer(self, branches: Branches | TimedBranches | None = None) -> Explainer:
        bounds, dialect = self._bounds, self.dialect
        return Explainer(
            self._schema,
            dialect=dialect,
            scope=scope_of(
                self._schema,
                dialect,
                self._resources,
                is_self_contained=self._survey.is_self_contained,
            ),
            branches=branches or self._branches(),
            bounds=bounds,
            searcher=lambda pattern: searcher(pattern, bounds),
            format_check=(lambda name: format_check(name, dialect)) if self._formats else None,
        )


class BrokenSchema(CompiledSchema):
    """Stands for a schema that is not even JSON."""

    def __init__(self, reason: str, bounds: Bounds) -> None:
        super().__init__(True, bounds=bounds)  # noqa: FBT003 - the schema that accepts all
        self._accepts = _refuse
        self.problem: Issue | None = invalid_schema(reason, bounds)


def _refuse(value: object) -> bool:  # noqa: ARG001 - whatever it is
    """Accept nothing: what a schema does that is not one."""
    return False


def _measure(value: object) -> tuple[int, int]:
    """Count the places of a value, and how deep they nest."""
    places, depth = 1, 0
    row: list[Any] = [value]
    while row:
        below: list[Any] = []
        for each in row:
            if isinstance(each, dict):
                below += each.values()
            elif isinstance(each, list | tuple):
                below += each
        places += len(below)
        depth += bool(below)
        row = below
    return places, depth
