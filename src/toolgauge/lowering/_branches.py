"""The branches of unions: which of them accept a value, and which one is taken.

Where several would do, the steps of ``restore`` pick in an order that depends only on
the value and on the picks before. So they are run again with other picks, and the
result is validated against the tool's own schema.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from toolgauge.contract import compile_schema, to_pointer
from toolgauge.contract.schema.document import SchemaDocument, subschema_at
from toolgauge.contract.schema.subschemas import iter_subschemas, with_subschemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from toolgauge.contract import CompiledSchema

_T = TypeVar("_T")

UNIONS = ("anyOf", "oneOf")

_BASE = "#/$defs/all"
"""Where the whole schema lies in that of a branch with references."""

_MAX_RUNS = 64
"""Runs of the steps that are tried for one call."""


class Branches:
    """Holds values against subschemas of one schema, each compiled once.

    Args:
        schema: The schema. Not changed; subschemas are known by their identity.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._document: SchemaDocument = SchemaDocument(schema)
        self._compiled: dict[int, CompiledSchema] = {}
        self._patterns: dict[str, CompiledSchema] = {}

    def accepting(self, branches: Sequence[Any], value: Any) -> list[Any]:
        """Give the branches that accept a value, else the first of its type, else none."""
        found = [each for each in branches if self.accepts(each, value)]
        if found:
            return found
        typed = (each for each in branches if has_type(self.followed(each), value))
        return list(islice(typed, 1))

    def accepts(self, branch: Any, value: Any) -> bool:
        """Tell whether a value is valid under a subschema."""
        if not isinstance(branch, dict):
            return branch is True
        if "type" in branch and not has_type(branch, value):
            return False
        known = self._compiled.get(id(branch))
        if known is None:
            known = self._compiled[id(branch)] = compile_schema(self._alone(branch))
        return known.is_valid(value)

    def matches(self, pattern: str, name: str) -> bool:
        """Tell whether a pattern of ``patternProperties`` is found in a name."""
        if pattern not in self._patterns:
            self._patterns[pattern] = compile_schema({"pattern": pattern})
        return self._patterns[pattern].is_valid(name)

    def followed(self, branch: Any) -> Any:
        """Give what a branch refers to, or the branch itself."""
        if not isinstance(branch, dict):
            return branch
        return self._document.follow(branch.get("$ref")) or branch

    def _alone(self, branch: dict[str, Any]) -> dict[str, Any]:
        """Give a subschema as a schema of its own, with what its references lead to."""
        if not any("$ref" in each for each in iter_subschemas(branch)):
            return branch
        path = self._document.paths.get(id(branch), ())
        return {"$defs": {"all": self._rebased}, "$ref": f"{_BASE}{quote(to_pointer(path))}"}

    @cached_property
    def _rebased(self) -> Any:
        return _rebased(self._document.root)

    def may_meet(self, branch: Any, others: Sequence[Any]) -> bool:
        """Tell whether a value of one branch may be of another too, by their types."""
        mine = types_of(self.followed(branch))
        for other in others:
            theirs = types_of(self.followed(other))
            if other is not branch and (not mine or not theirs or mine & theirs):
                return True
        return False


class Origins:
    """The schema as it was before a pass, to hold candidates for branches against.

    Args:
        schema: That schema.
        places: JSON Pointers into it, by those into the schema that the pass left.
    """

    def __init__(self, schema: dict[str, Any], places: Mapping[str, str]) -> None:
        self.schema: dict[str, Any] = schema
        self.places: dict[str, str] = dict(places)
        self._branches = Branches(schema)

    def admits(self, pointer: str, value: Any) -> bool:
        """Tell whether the original of a subschema accepts a value; yes where it is unknown."""
        if pointer not in self.places:
            return True
        return self._branches.accepts(subschema_at(self.schema, self.places[pointer]), value)


def _rebased(node: Any) -> Any:
    """Copy a schema so that its local references hold below ``_BASE``."""
    if not isinstance(node, dict):
        return node
    made = with_subschemas(node, _rebased)
    for dropped in ("$schema", "$id", "id"):
        made.pop(dropped, None)
    reference = node.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        made["$ref"] = _BASE + reference[1:]
    return made


def iter_unions(node: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield the unions at one subschema."""
    for keyword in UNIONS:
        if isinstance(node.get(keyword), list):
            yield node[keyword]


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


def types_of(node: Any) -> set[str]:
    """Give the types that a subschema names; integers are numbers too."""
    names = node.get("type", ()) if isinstance(node, dict) else ()
    found = {names} if isinstance(names, str) else set(names)
    return found | {"integer"} if "number" in found else found


def has_type(node: Any, value: Any) -> bool:
    """Tell whether a value has one of the types that a subschema names."""
    names = types_of(node)
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and value.is_integer() and "integer" in names:
        return True
    return any(isinstance(value, _TYPES.get(each, ())) for each in names)


class Choices:
    """The picks of one run, and how many there were to choose from.

    Args:
        picks: Which one to take, by the number of the place; elsewhere the first.
    """

    def __init__(self, picks: Mapping[int, int] | None = None) -> None:
        self._picks: Mapping[int, int] = picks or {}
        self.sizes: list[int] = []

    def pick(self, size: int) -> int:
        """Give the pick at the next place, of ``size`` that would do."""
        place = len(self.sizes)
        self.sizes.append(size)
        return min(self._picks.get(place, 0), size - 1)


def best_run(run: Callable[[Choices], _T], faults: Callable[[_T], int]) -> _T:
    """Run with the first picks, and with others while the result has faults.

    One pick changes at a time and stays changed where that leaves fewer faults.

    Args:
        run: Gives a result for picks.
        faults: Counts what is wrong with a result; asked only where there were picks.
    """
    choices = Choices()
    best = run(choices)
    if not choices.sizes or (fewest := faults(best)) == 0:
        return best
    picks: dict[int, int] = {}
    place = runs = 0
    while place < len(choices.sizes):
        for other in range(1, choices.sizes[place]):
            runs += 1
            if runs > _MAX_RUNS:
                return best
            tried = Choices({**picks, place: other})
            result = run(tried)
            count = faults(result)
            if count < fewest:
                best, fewest, choices = result, count, tried
                picks[place] = other
            if fewest == 0:
                return best
        place += 1
    return best
