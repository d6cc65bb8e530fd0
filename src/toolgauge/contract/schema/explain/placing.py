"""Finds where the faults of a value are, without their words, in one function.

Whoever only counts faults asks about millions of values. So, for the keywords that
nearly all schemas use, a whole walk is written as Python source: straight through the
schema, without a call where a value is right. It takes a third of the time that the
closures take, which remain the way for everything else. No text of a schema gets into
the source: names and limits are constants that it refers to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from toolgauge.contract.schema.explain.glance import FEW_ITEMS, KINDS, LOOKS_AT, classes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolgauge.contract.issues import Places
    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.nodes import Node
    from toolgauge.contract.schema.explain.walk import Schema

    Find = Callable[[Any], Places]

_MAX_NODES = 200
"""As much source as pays; what is below is looked at, and not walked."""

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
_VALUES = {"enum", "const"}
_EXTRAS = "additionalProperties"
_BELOW = {"properties", "required", _EXTRAS, "items"}
_COMMON = _REFUSED_IF.keys() | _VALUES | _BELOW | {"type", "pattern"}

_JSON = tuple(kind for kind in KINDS if kind is not tuple)
_SCALARS = (str, int, float, bool, type(None))
_NUMBERS = (int, float)


class Unplaced(Exception):
    """What is wrong with a value, if anything, only the closures can tell."""


class Terms(Protocol):
    """What is known of the schema as a whole."""

    dialect: Dialect

    def node(self, schema: Schema) -> Node:
        """Give the node of a subschema, the same one each time."""

    def asserting(self, schema: dict[str, Any]) -> list[str]:
        """Name the keywords of a subschema that can refuse a value."""

    def engine(self, schema: Schema) -> Callable[[object], bool] | None:
        """Give the engine's check of a subschema, ``None`` where there is none."""

    def searcher(self, pattern: str) -> Callable[[str], bool]:
        """Give a function that searches a text for a pattern."""


def placer(schema: Schema, terms: Terms) -> Find:
    """Write the function that finds the places of a value's faults.

    Args:
        schema: A whole schema, accepted by the engine.
        terms: What is known of it.

    Returns:
        A function of parsed JSON. It gives path and keyword of each fault, in the order
        of a walk; nothing where the value is right. It raises ``Unplaced`` where it
        cannot tell, and what a search for a pattern raises.
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


class _Fault(NamedTuple):
    """What a keyword has against values of one class.

    Attributes:
        keyword: The keyword.
        condition: When it refuses the value; ``None`` for always, and ``""`` where that
            is for the members or items to say.
    """

    keyword: str
    condition: str | None


class _Source:
    """The source of one function, while it is written."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._lines: list[str] = []
        self._names: dict[tuple[type, Any], str] = {}
        self._nodes = 0

    def compiled(self) -> Find:
        """Make the function."""
        names = {name: value for (_, value), name in self._names.items()}
        space: dict[str, Any] = {"Unplaced": Unplaced, **names}
        lines = ["def find(value):", " found = []", " add = found.append", *self._lines]
        text = "\n".join([*lines, " return tuple(found)"])
        exec(compile(text, "<places>", "exec"), space)  # noqa: S102 - of no foreign text
        find: Find = space["find"]
        return find

    def value(self, schema: Schema, at: _Spot) -> None:
        """Write what finds the faults of one value."""
        self._nodes += 1
        is_short = self._nodes <= _MAX_NODES and at.level <= _MAX_LEVELS and at.loops <= _MAX_LOOPS
        asserting = self._terms.asserting(schema) if isinstance(schema, dict) else []
        if not (isinstance(schema, dict) and is_short and _is_common(schema, asserting, at)):
            is_right = self._constant(self._terms.node(schema).is_at_a_glance)
            self._line(at.level, f"if not {is_right}({at.variable}): raise Unplaced")
            return
        word = "if"
        for faults, kinds in self._by_faults(schema, asserting, at.variable):
            self._line(at.level, f"{word} {self._is_one_of(kinds, at.variable)}:")
            self._faults(schema, faults, at._replace(level=at.level + 1))
            word = "elif"
        self._line(at.level, "else: raise Unplaced")

    def _by_faults(
        self, schema: dict[str, Any], asserting: Sequence[str], variable: str
    ) -> Iterable[tuple[tuple[_Fault, ...], list[type]]]:
        """Put together the classes that the same can be wrong with, first the right one."""
        found: dict[tuple[_Fault, ...], list[type]] = {}
        for kind in _JSON:
            faults = [self._fault(each, kind, schema, variable) for each in asserting]
            if Unplaced not in faults:
                key = tuple(each for each in faults if isinstance(each, _Fault))
                found.setdefault(key, []).append(kind)
        return sorted(found.items(), key=lambda each: any(f.condition is None for f in each[0]))

    def _fault(
        self, keyword: str, kind: type, schema: dict[str, Any], variable: str
    ) -> _Fault | type[Unplaced] | None:
        """Say when a keyword refuses values of a class; ``Unplaced`` where that is not plain."""
        if keyword == "type":
            return self._type_fault(kind, schema["type"], variable)
        if keyword in _VALUES:
            values = schema["enum"] if keyword == "enum" else [schema["const"]]
            return self._value_fault(keyword, kind, values, variable)
        if kind not in LOOKS_AT[keyword]:
            return None
        if keyword in _BELOW:
            return _Fault(keyword, "")
        if keyword == "pattern":
            search = self._constant(self._terms.searcher(schema[keyword]))
            return _Fault(keyword, f"not {search}({variable})")
        limit = self._constant(schema[keyword])
        return _Fault(keyword, _REFUSED_IF[keyword].format(variable, limit))

    def _type_fault(self, kind: type, names: str | list[str], variable: str) -> _Fault | None:
        if kind in classes_of(names):
            return None
        is_integral = self._terms.dialect.number > 4  # noqa: PLR2004 - as ``is_integer``
        if kind is float and is_integral and "integer" in names:
            return _Fault("type", f"not {variable}.is_integer()")
        return _Fault("type", None)

    def _value_fault(
        self, keyword: str, kind: type, values: Sequence[Any], variable: str
    ) -> _Fault | type[Unplaced]:
        # A number may equal one of another class.
        near = _NUMBERS if kind in _NUMBERS else (kind,)
        same = {each for each in values if type(each) in _SCALARS and type(each) in near}
        if any(type(each) is not kind for each in same):
            return Unplaced
        if kind not in _SCALARS and any(type(each) is kind for each in values):
            return Unplaced
        if not same:
            return _Fault(keyword, None)
        return _Fault(keyword, f"{variable} not in {self._constant(frozenset(same))}")

    def _faults(self, schema: dict[str, Any], faults: Sequence[_Fault], at: _Spot) -> None:
        """Write what tells the faults of values of some classes, in the schema's order."""
        written = len(self._lines)
        for keyword, condition in faults:
            if condition:
                self._line(at.level, f"if {condition}: add({self._place(at.path, keyword)})")
            elif condition is None:
                self._line(at.level, f"add({self._place(at.path, keyword)})")
            elif keyword == "properties":
                self._members(schema["properties"], at)
            elif keyword == "items":
                self._items(schema, at)
            elif keyword == "required":
                self._required(schema["required"], at)
            elif schema[keyword] is False:
                named = frozenset(schema.get("properties", ())).issuperset
                fault = f"add({self._place(at.path, keyword)})"
                self._line(at.level, f"if not {self._constant(named)}({at.variable}): {fault}")
        if len(self._lines) == written:
            self._line(at.level, "pass")

    def _members(self, properties: dict[str, Any], at: _Spot) -> None:
        variable = f"v{self._nodes}"
        for name, schema in properties.items():
            if self._terms.node(schema).can_refuse:
                key = self._constant(name)
                self._line(at.level, f"if {key} in {at.variable}:")
                self._line(at.level + 1, f"{variable} = {at.variable}[{key}]")
                self.value(schema, _Spot(variable, (*at.path, name), at.level + 1, at.loops))

    def _required(self, names: Sequence[str], at: _Spot) -> None:
        for name in names:
            fault = f"add({self._place((*at.path, name), 'required')})"
            self._line(at.level, f"if {self._constant(name)} not in {at.variable}: {fault}")

    def _items(self, schema: dict[str, Any], at: _Spot) -> None:
        node = self._terms.node(schema["items"])
        if not node.can_refuse:
            return
        array = at.variable
        right = frozenset(kind for kind, test in node.glance.items() if test is None)
        test = f"not {self._constant(right.issuperset)}(map(type, {array}))"
        ask = self._terms.engine(schema)
        if ask is not None:
            test += f" and (len({array}) <= {FEW_ITEMS} or not {self._constant(ask)}({array}))"
        index, item = _Index(f"i{self._nodes}"), f"v{self._nodes}"
        self._line(at.level, f"if {test}:")
        self._line(at.level + 1, f"for {index.variable}, {item} in enumerate({array}):")
        self.value(schema["items"], _Spot(item, (*at.path, index), at.level + 2, at.loops + 1))

    def _place(self, path: Sequence[str | _Index], keyword: str) -> str:
        """Write a place, as one constant where it is one."""
        if not any(isinstance(each, _Index) for each in path):
            return self._constant((tuple(path), keyword))
        steps = [e.variable if isinstance(e, _Index) else self._constant(e) for e in path]
        return f"(({', '.join(steps)},), {self._constant(keyword)})"

    def _is_one_of(self, kinds: Sequence[type], variable: str) -> str:
        if len(kinds) == 1:
            return f"type({variable}) is {self._constant(kinds[0])}"
        return f"type({variable}) in {self._constant(frozenset(kinds))}"

    def _constant(self, value: Any) -> str:
        """Give the name by which the source refers to a value."""
        return self._names.setdefault((type(value), value), f"k{len(self._names)}")

    def _line(self, level: int, text: str) -> None:
        self._lines.append(f"{' ' * level}{text}")


def _is_common(schema: dict[str, Any], asserting: Sequence[str], at: _Spot) -> bool:
    """Tell whether a subschema holds only what can be written."""
    if not _COMMON.issuperset(asserting) or ("$schema" in schema and at.path):
        return False
    limits = [schema[name] for name in _REFUSED_IF if name in schema]
    return (
        len(schema.get("properties", ())) <= _MAX_MEMBERS
        and isinstance(schema.get("items", True), dict | bool)
        and isinstance(schema.get(_EXTRAS, True), bool)
        # As draft-04 has them.
        and not any(isinstance(limit, bool) for limit in limits)
    )
