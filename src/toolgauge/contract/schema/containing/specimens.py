"""Values that probe what a schema admits: small, directed, always the same ones.

Nothing here decides anything. A specimen is a guess; the engine is asked about
each before it means something.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from toolgauge.contract.schema.containing.budget import Budget
from toolgauge.contract.schema.containing.pattern_samples import pattern_samples
from toolgauge.contract.schema.containing.proofs import values_of
from toolgauge.contract.schema.document import SchemaDocument
from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.keywords import ALL_TYPES

_TIGHTER = {
    **dict.fromkeys(
        ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"),
        max,
    ),
    **dict.fromkeys(
        ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"),
        min,
    ),
}


def listed(schema: dict[str, Any], keyword: str) -> list[Any]:
    """Give a keyword's list, empty where it has none."""
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def mapped(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    """Give a keyword's map, empty where it has none."""
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}


def kinds_of(schema: dict[str, Any]) -> list[str]:
    """Give the types that a schema names, all of them where it names none."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return [each for each in kind if isinstance(each, str)]
    if "properties" in schema or "required" in schema:
        return ["object", *sorted(ALL_TYPES - {"object"})]
    if "items" in schema:
        return ["array", *sorted(ALL_TYPES - {"array"})]
    if "minimum" in schema or "maximum" in schema:
        return ["number", *sorted(ALL_TYPES - {"number"})]
    return ["string", *sorted(ALL_TYPES - {"string"})]


def merged(one: Any, other: Any, budget: Budget) -> dict[str, Any]:
    """Join two schemas into one that asks for both, as far as that is simple.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    if not isinstance(one, dict) or not isinstance(other, dict):
        given = other if isinstance(other, dict) else one
        return given if isinstance(given, dict) else {}
    budget.spend_on(_breadth(one) + _breadth(other))
    found = dict(one)
    for key, value in other.items():
        if key not in found:
            found[key] = value
        elif key == "properties" and isinstance(value, dict):
            mine = mapped(found, key)
            shared = {k: merged(mine[k], v, budget) if k in mine else v for k, v in value.items()}
            found[key] = {**mine, **shared}
        elif key == "required" and isinstance(value, list):
            found[key] = list(dict.fromkeys([*listed(found, key), *value]))
        elif key == "type":
            mine_kinds, theirs = kinds_of(found), kinds_of(other)
            common = [each for each in mine_kinds if each in theirs]
            if "number" in mine_kinds and "integer" in theirs:
                common.append("integer")
            found[key] = common or value
        elif key in _TIGHTER and isinstance(value, int | float):
            found[key] = _TIGHTER[key](found[key], value)
        elif key == "enum" and isinstance(value, list):
            budget.spend_on_all(value)
            known = set(map(identity, value))
            found[key] = [each for each in listed(found, key) if identity(each) in known] or value
    return found


def _breadth(schema: dict[str, Any]) -> int:
    """Count what is copied or compared to join a schema with another."""
    return len(schema) + sum(
        len(schema[each])
        for each in ("properties", "required", "enum", "type")
        if each in schema and isinstance(schema[each], list | dict)
    )


_MAX_CHARS = 100_000
_CHARS_PER_UNIT = 50
_LEAST, _MOST = 1e-12, 1e15
_MOST_EXACT = 10**40

_FORMATS = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "a@example.com",
    "idn-email": "a@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "/a",
    "iri": "https://example.com/",
    "iri-reference": "/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "uri-template": "/{a}",
    "json-pointer": "/a",
    "relative-json-pointer": "0",
    "regex": "^a$",
}


def texts(case: dict[str, Any], budget: Budget) -> list[str]:
    """Give texts that a schema for text probably admits, simplest first.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    low, high = _bound(case, "minLength", 0), _bound(case, "maxLength", _MAX_CHARS)
    pattern, form = case.get("pattern"), case.get("format")
    budget.spend(1 + low // _CHARS_PER_UNIT)
    found: list[str] = []
    if isinstance(pattern, str):
        samples = pattern_samples(pattern, budget)
        found += samples
        found += [each.ljust(low, each[-1:] or "a") for each in samples if len(each) < low]
    if isinstance(form, str) and form in _FORMATS:
        found.append(_FORMATS[form])
    found += ["a" * low, "0" * low, "a" * max(low, min(high, 1))]
    fit = [each for each in found if low <= len(each) <= high]
    return list(dict.fromkeys(fit or found))


def _bound(case: dict[str, Any], keyword: str, default: int) -> int:
    value = case.get(keyword, default)
    return int(min(max(value, 0), _MAX_CHARS)) if isinstance(value, int | float) else default


def as_mark(value: object) -> int | float | None:
    """Give a number to reckon with, exactly where it is whole.

    Returns:
        An integer for a whole number, of 40 digits at most. ``None`` for what is no
        number, and where doubles end.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return value if _LEAST < abs(value) < _MOST else None
    return int(value) if abs(value) < _MOST_EXACT else None


def numbers(case: dict[str, Any], kind: str) -> list[int | float]:
    """Give numbers that a schema for numbers probably admits."""
    step = as_mark(case.get("multipleOf")) or 1
    bounds = [
        (sign, mark, each.startswith("exclusive"))
        for each, sign in _BOUNDS.items()
        if (mark := as_mark(case.get(each))) is not None
    ]
    found: list[int | float] = [0]
    for sign, value, is_open in bounds:
        whole = _multiple(value, step, sign)
        found += [value, whole, whole + sign * step]
        if kind == "number":
            found += [value + sign * step / 2, value + sign * 0.001]
        if is_open:
            found.remove(value)
    fit = [each for each in found if all(_keeps(each, *bound) for bound in bounds)]
    return [each for each in fit if kind == "number" or each == int(each)] or found


_BOUNDS = {"minimum": 1, "exclusiveMinimum": 1, "maximum": -1, "exclusiveMaximum": -1}


def _multiple(mark: float, step: float, sign: int) -> float:
    """Give the multiple of a step that is next to a mark, on the side of the sign."""
    if isinstance(mark, int) and isinstance(step, int):
        return -(-sign * mark // step) * sign * step
    return (math.ceil if sign > 0 else math.floor)(mark / step) * step


def _keeps(number: float, sign: int, value: float, is_open: bool) -> bool:  # noqa: FBT001
    # No difference is taken: that of an integer and a double is rounded.
    return number * sign > value * sign or (number == value and not is_open)


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
            found = [merged(a, b, self.budget) for a, b in _pairs(found, more)]
        for union in _unions(schema, self.budget):
            branches = [case for each in union for case in self._cases(each, depth + 1)]
            found = [merged(a, b, self.budget) for a, b in _pairs(found, branches)] or found
        return found

    def target(self, schema: Any) -> Any:
        """Follow a schema that is nothing but a reference."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, dict) or schema.keys() != {"$ref"}:
                break
            schema = self._target(schema["$ref"])
        return schema

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


def _pairs(ones: list[Any], others: list[Any]) -> list[tuple[Any, Any]]:
    """Give a few pairs of two lists, first those of an entry that comes first in one of them."""
    places = product(range(len(ones))[:_MAX_CASES], range(len(others))[:_MAX_CASES])
    chosen = sorted(places, key=lambda pair: (min(pair), sum(pair)))[:_MAX_CASES]
    return [(ones[one], others[other]) for one, other in chosen]


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
