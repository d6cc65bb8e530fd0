"""Proves that one schema admits all that another does, keyword by keyword.

Cheap and never wrong, but far from complete: what is not proven here is not
therefore false. It walks both schemas side by side, so it also works where
canonical forms grow too large or a definition contains itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.alike import Alike
from toolgauge.contract.schema.containing.objects_proof import OBJECT_RULES
from toolgauge.contract.schema.containing.scalars_proof import (
    ALL_TYPES,
    SCALAR_RULES,
    TYPE_OF,
    types_of,
    values_of,
)
from toolgauge.contract.schema.document import RELATIVE
from toolgauge.contract.schema.subschemas import iter_subschemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolgauge.contract.schema.containing.budget import Budget
    from toolgauge.contract.schema.dialects import Dialect

_MAX_STEPS = 5_000
_MAX_NESTED = 100

Visited = frozenset[tuple[int, int]]
"""Pairs met at the same place of the value: to meet one again proves nothing."""

_WEIGHTLESS = frozenset(
    {"$anchor", "$defs", "$dynamicAnchor", "$id", "$schema", "$vocabulary", "definitions"}
)
_GROUP_OF = {
    **dict.fromkeys(("if", "then", "else"), ("if", "then", "else")),
    **dict.fromkeys(
        ("contains", "minContains", "maxContains"), ("contains", "minContains", "maxContains")
    ),
    **{
        each: (each,)
        for each in (
            *("contentEncoding", "contentMediaType", "contentSchema", "dependencies"),
            *("dependentRequired", "dependentSchemas", "additionalItems", "not", "oneOf"),
        )
    },
}
"""Keywords that are only held against themselves, with those that change their meaning."""

_LISTS = ("enum", "const", "required")
"""Keywords whose values may be long, and are compared with each other."""

_JOINS: dict[str, Callable[[Iterable[bool]], bool]] = {"allOf": all, "anyOf": any}
_NEVER = frozenset({"$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"})


class Proof:
    """One attempt to prove that ``bigger`` admits all that ``smaller`` does.

    Args:
        bigger: A schema without annotations, compiled before.
        smaller: The same.
        dialect: The dialect of both.
        leaf: Asked about pairs without references that no rule here proves;
            must answer ``True`` only for proven ones.
        budget: What the attempt may cost; passing it raises ``TooCostly``.
    """

    def __init__(
        self,
        bigger: Any,
        smaller: Any,
        dialect: Dialect,
        leaf: Callable[[Any, Any], bool],
        budget: Budget,
    ) -> None:
        self._roots = (bigger, smaller)
        self._budget = budget
        self.is_alike: Alike = Alike(bigger, smaller, budget)
        self._alone = dialect.ignores_siblings
        self._leaf = leaf
        self._steps = _MAX_STEPS
        self._assumed: set[tuple[int, int]] = set()
        self._kept: list[Any] = []
        self._rests: dict[int, dict[str, Any]] = {}

    def succeeds(self) -> bool:
        """Tell whether the proof is found within its bound on steps."""
        return self.holds(self._roots[0], self._roots[1], frozenset())

    def below(self, big: Any, small: Any) -> bool:
        """Prove a pair that applies to a member: what is assumed may be used there."""
        return self.holds(big, small, frozenset())

    def holds(self, big: Any, small: Any, here: Visited) -> bool:
        """Prove a pair that applies to the same value as the pairs in ``here``."""
        self._steps -= 1
        if big is True or big == {} or small is False or small == {"not": {}}:
            return True
        if self._steps < 0 or len(self._assumed) > _MAX_NESTED or big is False:
            return False
        if small is True:
            small = self._keep({})
        key = (id(big), id(small))
        if key in here or key in self._assumed:
            return key not in here
        if self.is_alike(big, small):
            return True
        self._assumed.add(key)
        try:
            return self._proves(big, small, here | {key}) or self._leaf_holds(big, small)
        finally:
            self._assumed.discard(key)

    def _keep(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Hold on to a schema made on the way, so that its ``id()`` stays its own."""
        self._kept.append(schema)
        return schema

    def _leaf_holds(self, big: Any, small: Any) -> bool:
        return (
            not self._has_references(big)
            and not self._has_references(small)
            and self._leaf(big, small)
        )

    def _has_references(self, schema: Any) -> bool:
        """Tell whether what a schema means may depend on where it lies."""
        for each in iter_subschemas(schema):
            self._budget.spend_on(len(each))
            if not RELATIVE.isdisjoint(each):
                return True
        return False

    def _proves(self, big: dict[str, Any], small: dict[str, Any], here: Visited) -> bool:
        if "$ref" in big:
            target, rest = self._follow(big, 0)
            return (
                target is not None
                and self.holds(target, small, here)
                and self.holds(rest, small, here)
            )
        if "$ref" in small:
            target, rest = self._follow(small, 1)
            return (target is not None and self.holds(big, target, here)) or self.holds(
                big, rest, here
            )
        return self._by_cases(big, small, here) or all(
            self._implies(keyword, big, small, here) for keyword in big
        )

    def _follow(self, schema: dict[str, Any], side: int) -> tuple[Any, dict[str, Any]]:
        """Give what a reference points at, and what stands beside it."""
        self._budget.spend_on(len(schema))
        if id(schema) not in self._rests:
            self._keep(schema)
            beside = {} if self._alone else {k: v for k, v in schema.items() if k != "$ref"}
            self._rests[id(schema)] = beside
        rest = self._rests[id(schema)]
        try:
            return self.is_alike.documents[side].point(schema["$ref"]), rest
        except LookupError:
            return None, rest

    def _by_cases(self, big: dict[str, Any], small: dict[str, Any], here: Visited) -> bool:
        """Prove every case of a union, or any part of a conjunction."""
        for union in ("anyOf", "oneOf"):
            cases = small.get(union)
            if isinstance(cases, list) and all(self.holds(big, each, here) for each in cases):
                return True
        if any(self.holds(big, each, here) for each in small.get("allOf", ())):
            return True
        kinds = small.get("type")
        if isinstance(kinds, list) and len(kinds) > 1 and ("anyOf" in big or "oneOf" in big):
            parts = [self._keep({**small, "type": each}) for each in kinds]
            return all(self.holds(big, each, here) for each in parts)
        return False

    def _implies(self, keyword: str, big: dict[str, Any], small: Any, here: Visited) -> bool:
        """Prove that whatever ``small`` admits keeps one keyword of ``big``."""
        self._budget.spend_on(len(values_of(small) or ()))
        if keyword in _WEIGHTLESS or TYPE_OF.get(keyword, ALL_TYPES).isdisjoint(types_of(small)):
            return True
        if keyword in SCALAR_RULES:
            if keyword in _LISTS:
                self._budget.spend_on_all([big[keyword], *(small.get(each) for each in _LISTS)])
            return SCALAR_RULES[keyword](big[keyword], small)
        if keyword in OBJECT_RULES:
            return OBJECT_RULES[keyword](self, big, small)
        if keyword in _JOINS:
            return _JOINS[keyword](self.holds(each, small, here) for each in big[keyword])
        if keyword in _GROUP_OF:
            return self._is_unchanged(_GROUP_OF[keyword], big, small)
        return keyword not in _NEVER

    def _is_unchanged(
        self, group: tuple[str, ...], big: dict[str, Any], small: dict[str, Any]
    ) -> bool:
        """Tell whether keywords that only mean something together are the same."""
        one = {each: big[each] for each in group if each in big}
        other = {each: small[each] for each in group if each in small}
        return self.is_alike(one, other)
