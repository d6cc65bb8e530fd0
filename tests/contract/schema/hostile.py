"""Schemas and values that cost seconds or gigabytes where something is not counted.

Each function gives a schema and a value. They stand for kinds: every keyword whose cost
grows with more than one of them, each at about the size where it hurts.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tests.contract.schema.test_bounds import (
    by_anchor,
    by_dynamic_anchor,
    by_fragment_id,
    by_id,
    by_pointer,
)

Case = tuple[Any, Any]

CASES: dict[str, Callable[[], Case]] = {}


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    """Add a case under the name of its function."""
    CASES[make.__name__] = make
    return make


def _doubling(spelling: Callable[[str, int], dict[str, Any]], keyword: str, levels: int) -> None:
    name = f"{spelling.__name__}_{keyword}_{levels}"
    CASES[name] = lambda: (spelling(keyword, levels), 5)


for _spelling in (by_pointer, by_anchor, by_fragment_id, by_dynamic_anchor, by_id):
    for _keyword in ("allOf", "anyOf", "oneOf"):
        for _levels in (14, 20):
            _doubling(_spelling, _keyword, _levels)


# Patterns that backtrack.


@case
def backtracking_items() -> Case:
    """Each search may take all backtracks."""
    return {"items": {"type": "string", "pattern": "(a*)*\\1b"}}, ["a" * 16] * 1_000


@case
def backtracking_few_items() -> Case:
    """The same, of which some are within the bound."""
    return {"items": {"type": "string", "pattern": "(a*)*\\1b"}}, ["a" * 16] * 3


@case
def backtracking_under_not() -> Case:
    """A search that gives up must not make a value valid."""
    return {"items": {"not": {"pattern": "(a|aa)*\\1b"}}}, ["a" * 18] * 2_000


@case
def backtracking_names() -> Case:
    """Names of members are searched in too."""
    names = {"a" * 20 + str(n): 1 for n in range(2_000)}
    return {"patternProperties": {"^(a|aa)*\\1b$": False}}, names


@case
def backtracking_property_names() -> Case:
    """The same by ``propertyNames``."""
    names = {"a" * 16 + str(n): 1 for n in range(1_000)}
    return {"propertyNames": {"pattern": "(a*)*\\1b"}}, names


@case
def scanning_lookahead() -> Case:
    """A scan of the text from each of its characters."""
    return {"pattern": "(?=[^z]*z)b"}, "a" * 1_000_000


@case
def scanning_lookahead_under_not() -> Case:
    """The same where the search decides nothing by itself."""
    return {"not": {"pattern": "(?=[^z]*z)b"}}, "a" * 1_000_000


@case
def password() -> Case:
    """A pattern that people write, and a long text."""
    return {"pattern": "(?=.*[A-Z])(?=.*[0-9]).{8,}"}, "a" * 50_000


@case
def conditional_lookaheads() -> Case:
    """In a condition of each item."""
    return {"items": {"if": {"pattern": "^(?=a)(a+)+b\\1$"}, "then": False}}, ["a" * 18] * 20_000


# Patterns that do not, and are large.


@case
def wide_automaton() -> Case:
    """Thousands of states for each character."""
    return {"pattern": "(?:a|b|c){0,1000}(?:[abc]{1,900})z"}, "abc" * 300_000


@case
def window() -> Case:
    """All sets of 50 states, each new."""
    return {"pattern": "a[ab]{50}c"}, "abbab" * 200_000


@case
def many_patterns() -> Case:
    """Each is a search of the same text."""
    return {"allOf": [{"pattern": f"a.*{n}z|^a"} for n in range(3_000)]}, "a" * 1_000_000


@case
def unicode_patterns() -> Case:
    """0.1 seconds and 13 MB each."""
    pattern = "(?:\\p{L}\\p{N}){199}N"
    return {"properties": {f"p{n}": {"pattern": pattern + str(n)} for n in range(180)}}, {}


@case
def unicode_names() -> Case:
    """The same as names of members."""
    return {"patternProperties": {"(?:\\p{L}\\p{N})" + f"{{{n}}}": {} for n in range(50, 550)}}, {}


@case
def nested_repetitions() -> Case:
    """The counts multiply."""
    return {"pattern": "(?:(?:(?:a{100}){100}){100}){100}"}, "a"


@case
def long_alternation() -> Case:
    """A pattern of 690 kB."""
    return {"pattern": "|".join(f"w{n}" for n in range(100_000))}, "a"


@case
def many_lookaheads() -> Case:
    """A pattern of 100 kB."""
    return {"pattern": "(?=x)" * 20_000}, "x"


# Comparisons.


@case
def enum_of_objects() -> Case:
    """Each item is compared with each object."""
    return {"items": {"enum": [{"a": n} for n in range(9_000)]}}, [{"a": 8_999}] * 12_000


@case
def enum_of_fractions() -> Case:
    """The same with numbers."""
    return {"items": {"enum": [n / 3 for n in range(4_000)]}}, [3_999 / 3] * 4_000


@case
def enum_of_arrays() -> Case:
    """The same with arrays that differ at the end."""
    return {"items": {"enum": [[0] * 20 + [n] for n in range(1_500)]}}, [[0] * 20 + [1_499]] * 1_500


@case
def enum_in_a_member_called_enum() -> Case:
    """A list of values below a property that has the keyword's name."""
    schema, value = enum_of_arrays()
    return {"properties": {"enum": schema}}, {"enum": value}


@case
def enum_of_all_kinds() -> Case:
    """One ``null`` among texts is enough for the engine to go through them."""
    return {"items": {"enum": [*(f"v{n}" for n in range(5_000)), None]}}, ["v4999"] * 10_000


@case
def consts_of_branches() -> Case:
    """One branch for each value."""
    return {"items": {"oneOf": [{"enum": [n, str(n)]} for n in range(3_000)]}}, [2_999] * 3_000


@case
def required_names() -> Case:
    """Names that are looked up in each item."""
    return {"items": {"required": [f"r{n}" for n in range(9_000)]}}, [{"a": 1}] * 10_000


@case
def unique_in_branches() -> Case:
    """The same array, again and again."""
    schema = {"allOf": [{"uniqueItems": True, "minItems": n} for n in range(1_000)]}
    return schema, [{"a": n} for n in range(10_000)]


@case
def unique_at_every_level() -> Case:
    """Each level compares all that is below it."""
    value: Any = [[n] for n in range(20_000)]
    for _ in range(90):
        value = [value, 1, 2, 3, 4, 5]
    return {"anyOf": [{"type": "integer"}, {"items": {"$ref": "#"}, "uniqueItems": True}]}, value


# Numbers.


@case
def infinite_integers() -> Case:
    """Numbers of ten thousand digits, in six characters each."""
    return {"items": {"type": "integer"}}, [Decimal("1e9999")] * 100_000


@case
def infinite_multiples() -> Case:
    """Divided, which takes a millisecond each."""
    return {"items": {"multipleOf": 0.01}}, [Decimal("1e9999")] * 1_000


@case
def unique_infinities() -> Case:
    """Each is compared with each."""
    return {"uniqueItems": True}, [Decimal(f"1e{9_000 + n}") for n in range(200)]


@case
def unique_large_integers() -> Case:
    """The same with integers of 21 digits."""
    return {"uniqueItems": True}, [10**20 + n for n in range(4_000)]


@case
def large_multiples() -> Case:
    """Integers of 4,000 digits are divided."""
    return {"items": {"multipleOf": 1e-5}}, [10**4_000 + n for n in range(240)]


@case
def tiny_divisor() -> Case:
    """The quotient has 600 digits."""
    return {"items": {"multipleOf": 1e-300}}, [1e300 + n * 1e290 for n in range(50_000)]


@case
def large_limits() -> Case:
    """Limits of many digits."""
    return {"items": {"enum": [10**30 + n for n in range(2_500)]}}, [10**30 + 2_499] * 3_000


# References.


@case
def anchors() -> Case:
    """As many anchors as references."""
    definitions = {f"d{n}": {"$anchor": f"a{n}"} for n in range(2_500)}
    return {"$defs": definitions, "allOf": [{"$ref": f"#a{n}"} for n in range(2_500)]}, 5


@case
def dynamic_anchors() -> Case:
    """Each reference may lead to each anchor."""
    definitions = {
        f"d{n}": {"$id": f"http://h/{n}", "$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}
        for n in range(900)
    }
    return {"$defs": definitions, "allOf": [{"$ref": f"http://h/{n}"} for n in range(900)]}, [[1]]


@case
def pointers_that_lead_nowhere() -> Case:
    """Each is looked for everywhere."""
    definitions = {f"d{n}": {"$id": f"http://h/{n}"} for n in range(1_500)}
    references = [{"$ref": f"http://h/{n}#/foo"} for n in range(1_500)]
    return {"$defs": definitions, "allOf": references}, 5


@case
def shared_parts() -> Case:
    """Objects that are in two places each: as JSON, as many as 2 ** 30."""
    schema: dict[str, Any] = {}
    for n in range(60):
        shared = {"properties": {"a": schema}, "allOf": [schema]}
        schema = shared if n % 2 else {"additionalProperties": schema}
    return schema, {}


# Explanations.


@case
def asking_at_every_level() -> Case:
    """Each level asks the engine about all that is below it."""
    value: Any = [*([n] for n in range(12_000)), "x"]
    for _ in range(90):
        value = [value, [], [], [], [], []]
    node = {"type": ["integer", "array"], "items": {"$ref": "#/$defs/n"}}
    return {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": node}}, value


@case
def named_resources() -> Case:
    """References by URI, each to the next."""
    definitions: dict[str, Any] = {
        f"d{n}": {"$id": f"http://h/{n}/", "$ref": f"http://h/{n + 1}/"} for n in range(1_500)
    }
    definitions["last"] = {"$id": "http://h/1500/", "type": "string"}
    return {"$id": "http://h/", "$defs": definitions, "$ref": "http://h/0/"}, 5


@case
def dependent_schemas() -> Case:
    """Thousands of branches that are all at fault."""
    wrong = {"properties": {"x": {"type": "string"}}}
    return (
        {"dependentSchemas": {f"a{n}": wrong for n in range(1_500)}},
        {**{f"a{n}": 1 for n in range(1_500)}, "x": 1},
    )


@case
def texts_that_hold_json() -> Case:
    """Each is parsed for a hint."""
    return {"items": {"type": "object"}}, ['{"a":[' + "1e400," * 300 + "1]}"] * 40
