"""One walk over a value and its schema that notes every issue within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from toolgauge.contract.issues import Issue
from toolgauge.contract.schema.faults import cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.branches import Branches
    from toolgauge.contract.schema.explain.scopes import Scope

Schema: TypeAlias = "dict[str, Any] | bool"

_CHARS_PER_STEP = 64
"""Writing this many characters of a message costs as much as one keyword."""


class At(NamedTuple):
    """Where a walk is: the schema, the place in the value, what references mean."""

    schema: dict[str, Any]
    path: Path
    scope: Scope


class Keyword(Protocol):
    """The words of one keyword: note what ``value`` does wrong by ``want``."""

    def __call__(self, walk: Walk, want: Any, value: Any, at: At, /) -> None: ...  # noqa: D102


Plan: TypeAlias = "tuple[tuple[Keyword, Any], ...]"


class Terms(Protocol):
    """What a walk needs to know of the schema that it explains."""

    dialect: Dialect
    bounds: Bounds
    is_match: Callable[[str, str], bool]
    has_format: Callable[[str, object], bool] | None
    branches: Branches | None

    def plan(self, schema: dict[str, Any]) -> Plan:
        """Give the keywords of a subschema that have words, in its own order."""


class Stopped(Exception):
    """The walk has done as much as it may."""


class Walk:
    """The state of one walk: the issues so far, and what is left of the budget."""

    __slots__ = ("_steps", "issues", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms: Terms = terms
        self.issues: list[Issue] = []
        self._steps = terms.bounds.max_explained

    def descend(
        self,
        value: object,
        schema: Schema,
        path: Path,
        scope: Scope,
        *,
        is_entered: bool = False,
    ) -> None:
        """Note what is wrong with ``value`` by ``schema``.

        ``is_entered`` says that the scope already stands inside the schema,
        as it does behind a reference: a base URI must not be joined twice.
        """
        if schema is True:
            return
        if schema is False:
            self.add(path, f"False schema does not allow {value!r}", None)
            return
        terms = self.terms
        if not is_entered:
            scope = scope.enter(schema)
        plan = terms.plan(schema)
        self.spend(len(plan))
        at = At(schema, path, scope)
        for keyword, want in plan:
            keyword(self, want, value, at)

    def member(self, value: object, schema: Schema, path: Path, scope: Scope) -> None:
        """Note what is wrong with a member, unless the engine says that nothing is.

        An array is not asked about as a whole: its items will be, one by one.
        """
        if value and isinstance(value, dict):
            accepts = self.engine(schema)
            if accepts is not None and accepts(value):
                return
        self.descend(value, schema, path, scope)

    def engine(self, schema: Schema) -> Callable[[object], bool] | None:
        """Give the engine's check of a subschema, ``None`` where there is none."""
        branches = self.terms.branches
        return None if branches is None else branches.accepts(schema)

    def spend(self, steps: int) -> None:
        """Pay for work ahead.

        Raises:
            Stopped: If the budget does not cover it.
        """
        self._steps -= steps
        if self._steps < 0:
            raise Stopped

    def add(
        self,
        path: Path,
        message: str,
        keyword: str | None,
        *,
        hint: str | None = None,
        causes: tuple[Issue, ...] = (),
    ) -> None:
        """Note one issue."""
        bounds = self.terms.bounds
        self.spend(len(message) // _CHARS_PER_STEP)
        message = cut(message, bounds)
        if len(self.issues) >= bounds.max_issues:
            raise Stopped
        self.issues.append(
            Issue(path=path, message=message, keyword=keyword, hint=hint, causes=causes)
        )

    def issues_of(self, value: object, schema: Schema, path: Path, scope: Scope) -> list[Issue]:
        """Give the issues of one branch, without noting them."""
        outer, self.issues = self.issues, []
        try:
            self.descend(value, schema, path, scope)
            return self.issues
        finally:
            self.issues = outer

    def is_valid(self, value: object, schema: Schema, scope: Scope) -> bool:
        """Tell whether one branch accepts the value."""
        return not self.issues_of(value, schema, (), scope)
