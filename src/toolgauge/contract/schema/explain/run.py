"""Explains one schema's rejects: the walk over value and schema, and its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.issues import Issue
from toolgauge.contract.schema.explain.scopes import Unresolved
from toolgauge.contract.schema.explain.tables import keywords_of
from toolgauge.contract.schema.explain.walk import Stopped, Walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.branches import Branches
    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.walk import Plan, Schema


class Explainer:
    """Finds words for the rejects of one schema. Safe to share between threads.

    Args:
        schema: The schema, known to be accepted by the engine.
        dialect: Its dialect.
        scope: What references mean at its root.
        branches: Asks the engine about its subschemas; ``None`` where it cannot.
        bounds: How many issues, how long a message.
        is_match: Searches a text for a pattern: ``(pattern, text)``.
        has_format: Whether a value keeps a format: ``(format, value)``; ``None``
            with formats off.
    """

    def __init__(  # noqa: PLR0913 - one object per schema, and it needs all of it
        self,
        schema: Schema,
        *,
        dialect: Dialect,
        scope: Scope,
        branches: Branches | None,
        bounds: Bounds,
        is_match: Callable[[str, str], bool],
        has_format: Callable[[str, object], bool] | None,
    ) -> None:
        self.dialect: Dialect = dialect
        self.bounds: Bounds = bounds
        self.is_match: Callable[[str, str], bool] = is_match
        self.has_format: Callable[[str, object], bool] | None = has_format
        self._keywords = keywords_of(dialect)
        self._plans: dict[int, tuple[dict[str, Any], Plan]] = {}
        self.branches: Branches | None = branches
        self._schema = schema
        self._scope = scope

    def plan(self, schema: dict[str, Any]) -> Plan:
        """Give the keywords of a subschema that have words, in its own order."""
        known = self._plans.get(id(schema))
        if known is not None:
            return known[1]
        names = schema.keys()
        if "$ref" in schema and self.dialect.number <= 7:  # noqa: PLR2004 - draft-07
            # JSON Schema draft-07 core section 8.3: siblings of $ref MUST be ignored.
            names = {"$ref": None}.keys()
        plan = tuple(
            (self._keywords[name], schema[name]) for name in names if name in self._keywords
        )
        # The schema is kept with its plan, so that its id() stays its own.
        self._plans[id(schema)] = (schema, plan)
        return plan

    def explain(self, value: object) -> tuple[Issue, ...]:
        """Give every issue, in the order in which the schema asks for them.

        Returns:
            Issues; where a bound stopped the walk, the last one is at the root
            and says so. Empty where the walk found nothing wrong,
            or could not say it.
        """
        walk = Walk(self)
        try:
            walk.descend(value, self._schema, (), self._scope, is_entered=True)
        except (Stopped, RecursionError):
            note = f"stopped after {len(walk.issues)} errors: too much to list in full"
            return (*walk.issues, Issue(message=note))
        except (Unresolved, ValueError):
            # CPython does not write integers past sys.get_int_max_str_digits().
            return ()
        return tuple(walk.issues)
