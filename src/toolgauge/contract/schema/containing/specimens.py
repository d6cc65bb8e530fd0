"""Values that probe what a schema admits: small, directed, always the same ones.

Nothing here decides anything. A specimen is a guess; the engine is asked about
each before it means something.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from toolgauge.contract.schema.containing.budget import Budget
from toolgauge.contract.schema.containing.joining import kinds_of, listed, mapped, merged
from toolgauge.contract.schema.containing.scalar_specimens import numbers, texts
from toolgauge.contract.schema.containing.scalars_proof import values_of
from toolgauge.contract.schema.document import SchemaDocument

_MAX_DEPTH = 8
_MAX_COUNT = 5_000
_MAX_CASES = 12
_MAX_STEPS = 6_000
_MAX_TOLD_APART = 50


class Specimens:
    """Makes values for the subschemas of one document.

    Args:
        root: The document that references point into.
        budget: What making values may cost; passing it raises ``TooCostly``.
    """

    def __init__(self, root: Any, budget: Budget | None = None) -> None:
        self.budget: Budget = Budget() if budget is None else budget
        self._document = SchemaDocument(root, spend=self.budget.spend_on, is_strict=True)
        self._steps = _MAX_STEPS
        self._known: dict[int, tuple[Any, list[dict[str, Any]]]] = {}

    @property
    def is_spent(self) -> bool:
        """Whether the bound on steps is reached, and only crude values follow."""
        return self._steps <= 0

    def cases(self, schema: Any) -> list[dict[str, Any]]:
        """Give a schema as a few without references and unions, one for each branch."""
        known = self._known.get(id(schema))
        if known is None or known[0] is not schema:
            # The schema is kept, so that its id() stays its own.
            known = self._known[id(schema)] = schema, self._cases(schema, 0)
        return known[1]

    def _cases(self, schema: Any, depth: int) -> list[dict[str, Any]]:
        if not isinstance(schema, dict):
            return [{} if schema is True else {"enum": []}]
        self._steps -= 1
        self.budget.spend_on(len(schema))
        base = {k: v for k, v in schema.items() if k not in _SPREAD}
        if depth > _MAX_DEPTH or self.is_spent:
            return [base]
        parts = [*listed(schema, "allOf")]
        reference = schema.get("$ref")
        if isinstance(reference, str):
            parts.append(self._target(reference))
        found = [base]
        for part in parts:
            more = self._cases(part, depth + 1)
            pairs = ((a, b) for a in found for b in more)
            found = [merged(a, b, self.budget) for a, b in islice(pairs, _MAX_CASES)]
        for union in _unions(schema, self.budget):
            branches = [case for each in union for case in self._cases(each, depth + 1)]
            pairs = ((a, b) for b in branches for a in found)
            found = [merged(a, b, self.budget) for a, b in islice(pairs, _MAX_CASES)] or found
        return found

    def _target(self, reference: str) -> Any:
        """Follow a reference; what cannot be followed admits anything."""
        try:
            return self._document.point(reference)
        except LookupError:
            return True

    def one(self, schema: Any, depth: int = 0) -> Any:
        """Give one small value that the schema probably admits."""
        self._steps -= 1
        return None if self.is_spent else self.of_case(self.cases(schema)[0], depth)

    def of_case(self, case: dict[str, Any], depth: int = 0) -> Any:
        """Give one small value for a schema that ``cases`` gave."""
        values = values_of(case)
        if values:
            return values[0]
        kind = (kinds_of(case) or ["string"])[0]
        if kind == "object":
            return self.an_object(case, depth)
        if kind == "array":
            return self.an_array(case, depth)
        if kind == "string":
            return next(iter(texts(case, self.budget)), "")
        if kind in {"integer", "number"}:
            return next(iter(numbers(case, kind)), 0)
        return None if kind == "null" else True

    def an_object(self, case: dict[str, Any], depth: int) -> dict[str, Any]:
        """Give an object with the properties that must be there."""
        named = mapped(case, "properties")
        names = [each for each in listed(case, "required") if isinstance(each, str)]
        self.budget.spend(len(names) + len(named))
        least = case.get("minProperties")
        if isinstance(least, int | float):
            required = set(names)
            spare = [each for each in named if each not in required]
            spare += [f"extra{number}" for number in range(min(int(least), _MAX_COUNT))]
            names += spare[: max(0, int(least) - len(names))]
        if depth > _MAX_DEPTH:
            return {}
        rest = case.get("additionalProperties", True)
        return {name: self.one(named.get(name, rest), depth + 1) for name in names}

    def an_array(self, case: dict[str, Any], depth: int) -> list[Any]:
        """Give an array with as many items as there must be, different where asked."""
        least = case.get("minItems", 0)
        needs = "contains" in case and case.get("minContains", 1) != 0
        least = max(int(least) if isinstance(least, int | float) else 0, int(needs))
        if depth > _MAX_DEPTH or least > _MAX_COUNT:
            return []
        return self.items(case, least, depth)

    def items(self, case: dict[str, Any], count: int, depth: int) -> list[Any]:
        """Give this many items."""
        self.budget.spend(count)
        first = self.item_schemas(case, count)
        found = [self.one(each, depth + 1) for each in first]
        if "contains" in case and found:
            found[-1] = self.one(merged(first[-1], case["contains"], self.budget), depth + 1)
        if case.get("uniqueItems") is True:
            found = _different(found, first)
        return found

    def item_schemas(self, case: dict[str, Any], count: int) -> list[Any]:
        """Give the schemas of the first items."""
        items = case.get("items", True)
        first = items if isinstance(items, list) else listed(case, "prefixItems")
        rest = case.get("additionalItems", True) if isinstance(items, list) else items
        return [first[index] if index < len(first) else rest for index in range(count)]


_SPREAD = frozenset({"allOf", "anyOf", "oneOf", "$ref", "if", "then", "else", "not"})


def _unions(schema: dict[str, Any], budget: Budget) -> list[list[Any]]:
    """Give what is one of several: branches, both ways of a condition."""
    found = [listed(schema, each) for each in ("anyOf", "oneOf") if listed(schema, each)]
    if "if" in schema:
        met = merged(schema["if"], schema.get("then", True), budget)
        found.append([schema.get("else", True), met])
    triggers = {**mapped(schema, "dependentSchemas"), **mapped(schema, "dependencies")}
    for name, needed in triggers.items():
        asked = {"required": needed} if isinstance(needed, list) else needed
        found.append([True, merged({"required": [name]}, asked, budget)])
    return found


def _different(found: list[Any], schemas: list[Any]) -> list[Any]:
    """Make equal items differ, by the ways their schemas allow at a glance."""
    if len(found) > _MAX_TOLD_APART:
        is_text = isinstance(found[0], str)
        return [f"{found[0]}{index}" if is_text else index for index in range(len(found))]
    made: list[Any] = []
    for each, schema in zip(found, schemas, strict=True):
        spare: list[Any] = [each]
        if isinstance(schema, dict) and values_of(schema):
            spare = values_of(schema) or []
        elif isinstance(each, str):
            spare += [f"{each}{index}" for index in range(len(made) + 1)]
            spare += [f"{each[:-1]}{index}" for index in range(len(made) + 1)]
        elif isinstance(each, int | float) and not isinstance(each, bool):
            spare += [each + index for index in range(len(made) + 1)]
        made.append(next((one for one in spare if one not in made), each))
    return made
