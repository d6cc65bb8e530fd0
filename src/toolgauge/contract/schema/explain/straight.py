"""Walks straight through a schema: its common keywords in one function.

Whoever asks about hundreds of values of one schema gets a function of its own, written
as Python source: no call where a value is right, and the closures of ``nodes`` where it
is not. It takes half the time of the closures alone. No text of a schema gets into the
source: names and limits are constants that it refers to.
"""

from __future__ import annotations

from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract.schema.explain.glance import KINDS, LOOKS_AT, classes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Check, Schema, Terms, Walk

    StraightWalk = Callable[[Walk, Any], None]

    _Condition = tuple[str, str]

_MAX_NODES = 200
"""As much source as pays; what is below is left to the closures."""

_MAX_MEMBERS = 24
"""Looking for each member that may be there must not cost more than passing over those
that are."""

_MAX_LEVELS = 24
_MAX_LOOPS = 8
"""Python's parser takes no more than 20 of these, and 100 levels."""

_REFUSED_IF = {
    "minimum": "{0} < {1}",
    "maximum": "{0} > {1}",
    "exclusiveMinimum": "{0} <= {1}",
    "exclusiveMaximum": "{0} >= {1}",
    "minLength": "len({0}) < {1}",
    "maxLength": "len({0}) > {1}",
    "minItems": "len({0}) < {1}",
    "maxItems": "len({0}) > {1}",
}
"""When a value is refused by a keyword that holds it against a number."""

_VALUES = {"enum", "const"}
_EXTRAS = "additionalProperties"
_PLACES = {"properties", "required", _EXTRAS, "items"}
_COMMON = _REFUSED_IF.keys() | _PLACES | _VALUES | {"type", "pattern"}

MOST_KEYWORDS = len(_COMMON)
"""Most keywords of one subschema that a walk pays nothing for."""

_SCALARS = (str, int, float, bool, type(None))


def straight_walk(schema: Schema, terms: Terms) -> StraightWalk:
    """Write the function that walks a schema.

    Args:
        schema: A whole schema, accepted by the engine.
        terms: What is known of it.

    Returns:
        A function of a walk and of parsed JSON. It notes what the closures note, in the
        same order, and raises what they raise, but it pays nothing for the keywords that
        it asks itself: at most ``MOST_KEYWORDS`` for each place of the value. What it
        leaves to the closures of a whole subschema may leave the walk unsure.
    """
    source = _Source(terms)
    source.value(schema, _Spot("value", (), 1, 0))
    return source.compiled()


class _Index(NamedTuple):
    """An array's index on the way to a value: the variable that holds it."""

    variable: str


class _Spot(NamedTuple):
    """A place in the source where a value is at hand.

    Attributes:
        variable: What holds the value.
        path: The way to it: names of members, and indices.
        level: How far the source is indented.
        loops: How many loops it is in.
    """

    variable: str
    path: tuple[str | _Index, ...]
    level: int
    loops: int


class _Source:
    """The source of one function, while it is written."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._lines: list[str] = []
        self._names: dict[tuple[type, Any], str] = {}
        self._nodes = 0

    def compiled(self) -> StraightWalk:
        """Make the function."""
        space: dict[str, Any] = {name: value for (_, value), name in self._names.items()}
        text = "\n".join(["def straight(walk, value):", *self._lines])
        # A copy: the interpreter makes the code of each function quick for its own names.
        return FunctionType(_code(text).replace(), space)

    def value(self, schema: Schema, at: _Spot) -> None:
        """Write what notes the faults of one value."""
        self._nodes += 1
        node = self._terms.node(schema)
        is_short = self._nodes <= _MAX_NODES and at.level <= _MAX_LEVELS and at.loops <= _MAX_LOOPS
        asserting = self._terms.asserting(schema) if isinstance(schema, dict) else []
        leave = node.look_aside if at.path else node.enter_aside
        if not (isinstance(schema, dict) and is_short and _is_common(schema, asserting, at)):
            self._line(at.level, self._note(leave, at))
            return
        checks = dict(self._terms.checks(schema))
        wrong = _of_wrong_type(schema, asserting)
        other = self._note(_by_class(wrong, checks["type"], leave) if wrong else leave, at)
        asked = self._by_conditions(schema, asserting, at.variable)
        if len(asked) == 1 and not asked[0][0]:
            self._line(at.level, f"if not {self._is_one_of(asked[0][1], at.variable)}: {other}")
            return
        word = ""
        for conditions, kinds in asked:
            self._line(at.level, f"{word}if {self._is_one_of(kinds, at.variable)}:")
            self._ask(schema, conditions, checks, at._replace(level=at.level + 1))
            word = "el"
        self._line(at.level, f"else: {other}" if word else other)

    def _by_conditions(
        self, schema: dict[str, Any], asserting: Sequence[str], variable: str
    ) -> list[tuple[tuple[_Condition, ...], list[type]]]:
        """Put together those of the right classes that the same is asked of."""
        kinds = (dict, list) if _VALUES.isdisjoint(asserting) else KINDS
        if "type" in asserting:
            kinds = classes_of(schema["type"])
        found: dict[tuple[_Condition, ...], list[type]] = {}
        for kind in kinds:
            names = [name for name in asserting if kind in LOOKS_AT.get(name, kinds)]
            names = [name for name in names if name != "type"]
            if kind is not tuple and all(_is_plain(schema, name, kind) for name in names):
                asked = tuple((name, self._fails(schema, name, kind, variable)) for name in names)
                found.setdefault(asked, []).append(kind)
        return sorted(found.items(), key=lambda each: any(fails == "True" for _, fails in each[0]))

    def _fails(self, schema: dict[str, Any], keyword: str, kind: type, variable: str) -> str:
        """Say when a keyword refuses a value of a class, itself and not what is below."""
        if keyword in _REFUSED_IF:
            return _REFUSED_IF[keyword].format(variable, self._constant(schema[keyword]))
        if keyword == "pattern":
            return f"not {self._constant(self._terms.searcher(schema[keyword]))}({variable})"
        if keyword in _VALUES:
            same = frozenset(each for each in _values(schema, keyword) if type(each) is kind)
            return f"{variable} not in {self._constant(same)}" if same else "True"
        if keyword == "required":
            names = [f"{self._constant(name)} in {variable}" for name in schema[keyword]]
            return f"not ({' and '.join(names) or True})"
        if keyword == _EXTRAS:
            named = frozenset(schema.get("properties", ())).issuperset
            return f"not {self._constant(named)}({variable})"
        return ""

    def _ask(
        self,
        schema: dict[str, Any],
        asked: Sequence[_Condition],
        checks: Mapping[str, Check],
        at: _Spot,
    ) -> None:
        """Write what notes the faults of a value of the right class, in the schema's order."""
        written = len(self._lines)
        for keyword, condition in asked:
            if keyword == "properties":
                self._members(schema["properties"], at)
            elif keyword == "items":
                self._items(schema, at)
            elif keyword in checks:
                self._line(at.level, f"if {condition}: {self._note(checks[keyword], at)}")
        if len(self._lines) == written:
            self._line(at.level, "pass")

    def _members(self, properties: Mapping[str, Any], at: _Spot) -> None:
        variable = f"v{self._nodes}"
        for name, schema in properties.items():
            if self._terms.node(schema).can_refuse:
                key = self._constant(name)
                self._line(at.level, f"if {key} in {at.variable}:")
                self._line(at.level + 1, f"{variable} = {at.variable}[{key}]")
                self.value(schema, _Spot(variable, (*at.path, name), at.level + 1, at.loops))

    def _items(self, schema: dict[str, Any], at: _Spot) -> None:
        node = self._terms.node(schema["items"])
        if not node.can_refuse:
            return
        array = at.variable
        right = frozenset(kind for kind, test in node.glance.items() if test is None)
        are_right = self._constant(right.issuperset)
        ask = self._constant(self._terms.node(schema).ask_of_many)
        self._line(at.level, f"if not {are_right}(map(type, {array})) and not {ask}({array}):")
        index, item = _Index(f"i{self._nodes}"), f"v{self._nodes}"
        self._line(at.level + 1, f"for {index.variable}, {item} in enumerate({array}):")
        self.value(schema["items"], _Spot(item, (*at.path, index), at.level + 2, at.loops + 1))

    def _note(self, check: Check, at: _Spot) -> str:
        """Write the call of a closure that notes what is wrong with a value."""
        return f"{self._constant(check)}(walk, {at.variable}, {self._path(at.path)})"

    def _path(self, path: Sequence[str | _Index]) -> str:
        """Write a path, as one constant where it is one."""
        if not any(isinstance(each, _Index) for each in path):
            return self._constant(path)
        steps = [
            each.variable if isinstance(each, _Index) else self._constant(each) for each in path
        ]
        return f"({', '.join(steps)},)"

    def _is_one_of(self, kinds: Sequence[type], variable: str) -> str:
        if len(kinds) == 1:
            return f"type({variable}) is {self._constant(kinds[0])}"
        return f"type({variable}) in {self._constant(frozenset(kinds))}"

    def _constant(self, value: Any) -> str:
        """Give the name by which the source refers to a value."""
        return self._names.setdefault((type(value), value), f"k{len(self._names)}")

    def _line(self, level: int, text: str) -> None:
        self._lines.append(f"{' ' * level}{text}")


@lru_cache(maxsize=256)
def _code(text: str) -> CodeType:
    """Compile the source of one function. Schemas of one form have the same."""
    module = compile(text, "<straight>", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def _by_class(kinds: Iterable[type], wrong: Check, other: Check) -> Check:
    """Make what looks at a value that is not of a right class."""
    of_wrong_type = frozenset(kinds)

    def look(walk: Walk, value: Any, path: Path) -> None:
        (wrong if type(value) in of_wrong_type else other)(walk, value, path)

    return look


def _is_common(schema: dict[str, Any], asserting: Sequence[str], at: _Spot) -> bool:
    """Tell whether a subschema holds only what can be written."""
    if not _COMMON.issuperset(asserting) or ("$schema" in schema and at.path):
        return False
    limits = [schema[name] for name in _REFUSED_IF if name in schema]
    return (
        len(schema.get("properties", ())) <= _MAX_MEMBERS
        and (isinstance(schema.get("items"), dict) or schema.get("items", True) is True)
        and isinstance(schema.get(_EXTRAS, True), bool)
        # As draft-04 has them.
        and not any(isinstance(limit, bool) for limit in limits)
    )


def _of_wrong_type(schema: dict[str, Any], asserting: Sequence[str]) -> list[type]:
    """Give the classes of values that are of a wrong type, and wrong for nothing else."""
    if "type" not in asserting:
        return []
    looked_at = {*classes_of(schema["type"])}
    if "integer" in schema["type"]:
        looked_at.add(float)
    for name in asserting:
        looked_at.update(LOOKS_AT.get(name, () if name == "type" else KINDS))
    return [kind for kind in KINDS if kind not in looked_at]


def _is_plain(schema: dict[str, Any], keyword: str, kind: type) -> bool:
    """Tell whether values of a class can be looked up among those that a keyword lists."""
    if keyword not in _VALUES:
        return True
    # A number may equal one of another class.
    others = {int: float, float: int}.get(kind)
    kinds = {type(each) for each in _values(schema, keyword)}
    return others not in kinds and (kind in _SCALARS or kind not in kinds)


def _values(schema: dict[str, Any], keyword: str) -> Sequence[Any]:
    values: Sequence[Any] = schema["enum"] if keyword == "enum" else [schema["const"]]
    return values
