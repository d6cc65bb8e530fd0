"""Proves that one schema admits all that another does, keyword by keyword.

Cheap and never wrong, but far from complete: what is not proven here is not
therefore false. It walks both schemas side by side, so it also works where
canonical forms grow too large or a definition contains itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Protocol

from toolgauge.contract.schema.containing.alike import Alike
from toolgauge.contract.schema.containing.apart import Apart
from toolgauge.contract.schema.document import RELATIVE
from toolgauge.contract.schema.equality import identity, same
from toolgauge.contract.schema.keywords import ALL_TYPES, TYPES_OF
from toolgauge.contract.schema.subschemas import iter_subschemas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract.schema.containing.budget import Budget
    from toolgauge.contract.schema.dialects import Dialect


def types_of(schema: dict[str, Any]) -> frozenset[str]:
    """Give the types that a schema may admit, ``integer`` wherever ``number``."""
    found = ALL_TYPES
    if isinstance(schema.get("type"), str):
        found = frozenset({schema["type"]})
    elif isinstance(schema.get("type"), list):
        found = frozenset(schema["type"])
    values = values_of(schema)
    if values is not None:
        listed = frozenset(map(_type_of, values))
        found &= listed | {"integer"} if "number" in listed else listed
    return found | {"integer"} if "number" in found else found


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "number"


def values_of(schema: dict[str, Any]) -> list[Any] | None:
    """Give the values that a schema lists, ``None`` where it lists none."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) else None


def _is_listing(schema: Any) -> bool:
    return isinstance(schema, dict) and values_of(schema) is not None


def _has_type(value: Any, small: dict[str, Any]) -> bool:
    return types_of(small) <= types_of({"type": value})


def _is_listed(value: Any, small: dict[str, Any]) -> bool:
    listed = values_of(small)
    return listed is not None and set(map(identity, listed)) <= set(map(identity, value))


def _at_least(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    def rule(value: Any, small: dict[str, Any]) -> bool:
        if value <= 0:
            return True
        named = small.get("required") if keyword == "minProperties" else ()
        return bool(small.get(keyword, 0) >= value or len(set(named or ())) >= value)

    return rule


def _at_most(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    return lambda value, small: bool(keyword in small and small[keyword] <= value)


def _minimum(value: Any, small: dict[str, Any]) -> bool:
    return _least_whole(small) >= value or any(
        small[each] >= value for each in ("minimum", "exclusiveMinimum") if each in small
    )


def _exclusive_minimum(value: Any, small: dict[str, Any]) -> bool:
    return (
        _least_whole(small) > value
        or ("minimum" in small and small["minimum"] > value)
        or ("exclusiveMinimum" in small and small["exclusiveMinimum"] >= value)
    )


def _maximum(value: Any, small: dict[str, Any]) -> bool:
    return _most_whole(small) <= value or any(
        small[each] <= value for each in ("maximum", "exclusiveMaximum") if each in small
    )


def _exclusive_maximum(value: Any, small: dict[str, Any]) -> bool:
    return (
        _most_whole(small) < value
        or ("maximum" in small and small["maximum"] < value)
        or ("exclusiveMaximum" in small and small["exclusiveMaximum"] <= value)
    )


def _least_whole(small: dict[str, Any]) -> float:
    """Give the least number that bounds leave to a schema of integers alone."""
    if "number" in types_of(small):
        return -math.inf
    found = [math.ceil(small["minimum"])] if "minimum" in small else []
    found += [math.floor(small["exclusiveMinimum"]) + 1] if "exclusiveMinimum" in small else []
    return max(found, default=-math.inf)


def _most_whole(small: dict[str, Any]) -> float:
    """Give the greatest number that bounds leave to a schema of integers alone."""
    if "number" in types_of(small):
        return math.inf
    found = [math.floor(small["maximum"])] if "maximum" in small else []
    found += [math.ceil(small["exclusiveMaximum"]) - 1] if "exclusiveMaximum" in small else []
    return min(found, default=math.inf)


def _is_multiple(value: Any, small: dict[str, Any]) -> bool:
    step = small.get("multipleOf")
    if isinstance(step, int) and isinstance(value, int):
        return step % value == 0
    return step is not None and same(step, value)


def _is_same(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    return lambda value, small: keyword in small and same(value, small[keyword])


_STRICTER: Final = {
    "iri": {"uri"},
    "iri-reference": {"iri", "uri", "uri-reference"},
    "uri-reference": {"uri"},
}
"""Formats that admit less, by RFC 3986 and RFC 3987. An ``email`` need be no
``idn-email``, nor a ``hostname`` an ``idn-hostname``: the engine reads ``xn--`` there."""


def _has_format(value: Any, small: dict[str, Any]) -> bool:
    form = small.get("format")
    return form == value or form in _STRICTER.get(value, ())


SCALAR_RULES: Final[Mapping[str, Callable[[Any, dict[str, Any]], bool]]] = {
    "type": _has_type,
    "enum": _is_listed,
    "const": lambda value, small: _is_listed([value], small),
    "minimum": _minimum,
    "exclusiveMinimum": _exclusive_minimum,
    "maximum": _maximum,
    "exclusiveMaximum": _exclusive_maximum,
    "multipleOf": _is_multiple,
    **{each: _at_least(each) for each in ("minLength", "minItems", "minProperties")},
    **{each: _at_most(each) for each in ("maxLength", "maxItems", "maxProperties")},
    "pattern": _is_same("pattern"),
    "format": _has_format,
    "uniqueItems": lambda value, small: value is False or small.get("uniqueItems") is True,
    "required": lambda value, small: set(value) <= set(small.get("required", ())),
}
"""Each takes the keyword's value on the bigger side and the smaller schema."""


class Prover(Protocol):
    """What proves a pair of subschemas that apply to a member."""

    @property
    def is_alike(self) -> Callable[[Any, Any], bool]:
        """Tells whether the pair means the same."""

    def below(self, big: Any, small: Any) -> bool:
        """Tell whether the pair is proven."""


def _properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    """A property that ``small`` does not name has whatever value it lets others have."""
    named = small.get("properties", {})
    # Which patterns a name matches is the engine's to say: without patterns the
    # rest is known, with them only what is named.
    rest = True if small.get("patternProperties") else small.get("additionalProperties", True)
    # What is listed tells branches of a union apart, and costs least.
    members = sorted(big["properties"].items(), key=lambda each: not _is_listing(each[1]))
    return all(proof.below(schema, named.get(name, rest)) for name, schema in members)


def _pattern_properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    patterns = small.get("patternProperties", {})
    return all(
        proof.below(schema, patterns.get(pattern, True))
        for pattern, schema in big["patternProperties"].items()
    )


def _additional_properties(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    """Whatever else ``small`` lets in must be let in by ``big`` under any name."""
    rest = big["additionalProperties"]
    named, patterns = big.get("properties", {}), big.get("patternProperties", {})
    others = [each for name, each in small.get("properties", {}).items() if name not in named]
    others += [
        each for name, each in small.get("patternProperties", {}).items() if name not in patterns
    ]
    # A name that only the bigger side knows is not asked of its rest.
    return all(
        proof.below(rest, each) for each in (*others, small.get("additionalProperties", True))
    )


def _property_names(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    return proof.below(big["propertyNames"], small.get("propertyNames", True))


def _items(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    one, other = big["items"], small.get("items", True)
    if isinstance(one, list) or isinstance(other, list):
        tuples = [{k: each.get(k) for k in ("items", "additionalItems")} for each in (big, small)]
        return proof.is_alike(*tuples)
    if len(big.get("prefixItems", ())) != len(small.get("prefixItems", ())):
        return False
    return proof.below(one, other)


def _prefix_items(proof: Prover, big: dict[str, Any], small: dict[str, Any]) -> bool:
    known, rest = small.get("prefixItems", []), small.get("items", True)
    if isinstance(rest, list):
        return False
    return all(
        proof.below(schema, known[index] if index < len(known) else rest)
        for index, schema in enumerate(big["prefixItems"])
    )


OBJECT_RULES: Final[Mapping[str, Callable[[Prover, dict[str, Any], dict[str, Any]], bool]]] = {
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "items": _items,
    "prefixItems": _prefix_items,
}
"""Each takes the proof, the bigger schema and the smaller one."""


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
            *("dependentRequired", "dependentSchemas", "additionalItems", "not"),
        )
    },
}
"""Keywords that are only held against themselves, with those that change their meaning."""

_LISTS = ("enum", "const", "required")
"""Keywords whose values may be long, and are compared with each other."""

_UNIONS = ("anyOf", "oneOf")
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
        self._apart = Apart(self.is_alike.documents[0], budget, ignores_siblings=self._alone)
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
        for union in _UNIONS:
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
        if keyword in _WEIGHTLESS or TYPES_OF.get(keyword, ALL_TYPES).isdisjoint(types_of(small)):
            return True
        if keyword in SCALAR_RULES:
            if keyword in _LISTS:
                self._budget.spend_on_all([big[keyword], *(small.get(each) for each in _LISTS)])
            return SCALAR_RULES[keyword](big[keyword], small)
        if keyword in OBJECT_RULES:
            return OBJECT_RULES[keyword](self, big, small)
        if keyword == "allOf":
            return all(self.holds(each, small, here) for each in big[keyword])
        if keyword in _UNIONS:
            return self._is_in_union(keyword, big[keyword], small, here)
        group = _GROUP_OF.get(keyword)
        return keyword not in _NEVER if group is None else self._is_unchanged(group, big, small)

    def _is_in_union(self, keyword: str, branches: list[Any], small: Any, here: Visited) -> bool:
        """Prove that whatever ``small`` admits is in a union, as a whole or case by case."""
        if keyword == "oneOf":
            if self._is_permuted(branches, small.get("oneOf")):
                return True
            if not self._apart.are_apart(branches):
                return False
        if any(self.is_alike(each, small) for each in branches) or any(
            self.holds(each, small, here) for each in branches
        ):
            return True
        return any(
            all(any(self.holds(each, case, here) for each in branches) for case in small[union])
            for union in _UNIONS
            if isinstance(small.get(union), list)
        )

    def _is_permuted(self, branches: list[Any], others: Any) -> bool:
        """Tell whether two lists hold the same branches in any order."""
        if not isinstance(others, list) or len(branches) != len(others):
            return False
        left = dict(enumerate(others))
        for index, each in enumerate(branches):
            row = (index, *(other for other in left if other != index))
            found = next((o for o in row if o in left and self.is_alike(each, left[o])), None)
            if found is None:
                return False
            del left[found]
        return True

    def _is_unchanged(
        self, group: tuple[str, ...], big: dict[str, Any], small: dict[str, Any]
    ) -> bool:
        """Tell whether keywords that only mean something together are the same."""
        one = {each: big[each] for each in group if each in big}
        other = {each: small[each] for each in group if each in small}
        return self.is_alike(one, other)
