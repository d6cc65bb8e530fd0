"""Walks straight through a schema: all its common keywords in one function.

Whoever asks about thousands of values of one schema gets a function of its own, written
as Python source: no call where a value is right, and one keyword's closure where it is
wrong. It takes less than half the time of the closures alone. No text of a schema gets
into the source: names and limits are constants that it refers to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from toolgauge.contract.schema.explain.glance import FEW_ITEMS, KINDS, LOOKS_AT, classes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.nodes import Node
    from toolgauge.contract.schema.explain.walk import Check, Schema, Walk

    StraightWalk = Callable[[Walk, Any], None]

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
_MEMBERS = {"properties", "required", _EXTRAS, "items"}
_COMMON = _REFUSED_IF.keys() | _VALUES | _MEMBERS | {"type", "pattern"}

_JSON = tuple(kind for kind in KINDS if kind is not tuple)
_SCALARS = (str, int, float, bool, type(None))
_NUMBERS = (int, float)


class Unsure(Exception):
    """What is wrong with a value, if anything, only the closures can tell."""


class Terms(Protocol):
    """What is known of the schema as a whole."""

    dialect: Dialect

    def node(self, schema: Schema) -> Node:
        """Give the node of a subschema, the same one each time."""

    def asserting(self, schema: dict[str, Any]) -> list[str]:
        """Name the keywords of a subschema that can refuse a value."""

    def checks(self, schema: dict[str, Any]) -> list[tuple[str, Check]]:
        """Compile the keywords of a subschema, in its own order."""

    def engine(self, schema: Schema) -> Callable[[object], bool] | None:
        """Give the engine's check of a subschema, ``None`` where there is none."""

    def searcher(self, pattern: str) -> Callable[[str], bool]:
        """Give a function that searches a text for a pattern."""


def straight_walk(schema: Schema, terms: Terms) -> StraightWalk:
    """Write the function that walks a schema.

    Args:
        schema: A whole schema, accepted by the engine.
        terms: What is known of it.

    Returns:
        A function of a walk and of parsed JSON, which notes what the closures note. It
        pays for nothing: the value must be too small to use up the walk. It raises
        ``Unsure`` where it cannot tell, with some notes made, and what noting and
        searching for a pattern raise.
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
    """What a keyword may have against values of one class.

    Attributes:
        keyword: The keyword.
        condition: When it refuses the value; ``None`` for always, and ``""`` where that
            is for members or items to say.
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

    def compiled(self) -> StraightWalk:
        """Make the function."""
        constants = {name: value for (_, value), name in self._names.items()}
        space: dict[str, Any] = {"Unsure": Unsure, **constants}
        text = "\n".join(["def straight(walk, value):", *self._lines])
        exec(compile(text, "<straight>", "exec"), space)  # noqa: S102 - of no foreign text
        straight: StraightWalk = space["straight"]
        return straight

    def value(self, schema: Schema, at: _Spot) -> None:
        """Write what notes the faults of one value."""
        self._nodes += 1
        is_short = self._nodes <= _MAX_NODES and at.level <= _MAX_LEVELS and at.loops <= _MAX_LOOPS
        asserting = self._terms.asserting(schema) if isinstance(schema, dict) else []
        if not (isinstance(schema, dict) and is_short and _is_common(schema, asserting, at)):
            is_right = self._constant(self._terms.node(schema).is_at_a_glance)
            self._line(at.level, f"if not {is_right}({at.variable}): raise Unsure")
            return
        checks = dict(self._terms.checks(schema))
        word = "if"
        for faults, kinds in self._by_faults(schema, asserting, at.variable):
            self._line(at.level, f"{word} {self._is_one_of(kinds, at.variable)}:")
            self._faults(schema, faults, checks, at._replace(level=at.level + 1))
            word = "elif"
        self._line(at.level, "else: raise Unsure")

    def _by_faults(
        self, schema: dict[str, Any], asserting: Sequence[str], variable: str
    ) -> Iterable[tuple[tuple[_Fault, ...], list[type]]]:
        """Put together the classes that the same can be wrong with, first the right one."""
        found: dict[tuple[_Fault, ...], list[type]] = {}
        for kind in _JSON:
            faults = [self._fault(each, kind, schema, variable) for each in asserting]
            if Unsure not in faults:
                key = tuple(each for each in faults if isinstance(each, _Fault))
                found.setdefault(key, []).append(kind)
        return sorted(found.items(), key=lambda each: any(f.condition is None for f in each[0]))

    def _fault(
        self, keyword: str, kind: type, schema: dict[str, Any], variable: str
    ) -> _Fault | type[Unsure] | None:
        """Say when a keyword refuses values of a class; ``Unsure`` where that is not plain."""
        if keyword == "type":
            return self._type_fault(kind, schema["type"], variable)
        if keyword in _VALUES:
            values = schema["enum"] if keyword == "enum" else [schema["const"]]
            return self._value_fault(keyword, kind, values, variable)
        if kind not in LOOKS_AT[keyword]:
            return None
        if keyword in _MEMBERS:
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
    ) -> _Fault | type[Unsure]:
        # A number may equal one of another class.
        near = _NUMBERS if kind in _NUMBERS else (kind,)
        same = {each for each in values if type(each) in _SCALARS and type(each) in near}
        if any(type(each) is not kind for each in same):
            return Unsure
        if kind not in _SCALARS and any(type(each) is kind for each in values):
            return Unsure
        if not same:
            return _Fault(keyword, None)
        return _Fault(keyword, f"{variable} not in {self._constant(frozenset(same))}")

    def _faults(
        self,
        schema: dict[str, Any],
        faults: Sequence[_Fault],
        checks: dict[str, Check],
        at: _Spot,
    ) -> None:
        """Write what notes the faults of values of some classes, in the schema's order."""
        written = len(self._lines)
        for keyword, condition in faults:
            if keyword == "properties":
                self._members(schema["properties"], at)
            elif keyword == "items":
                self._items(schema, at)
            elif keyword in checks:
                asked = self._lacks(schema, keyword, at) if condition == "" else condition
                note = f"{self._constant(checks[keyword])}(walk, {at.variable}, {self._path(at)})"
                self._line(at.level, note if asked is None else f"if {asked}: {note}")
        if len(self._lines) == written:
            self._line(at.level, "pass")

    def _lacks(self, schema: dict[str, Any], keyword: str, at: _Spot) -> str:
        """Say when an object lacks a member that it must have, or has one that it must not."""
        if keyword == "required":
            names = schema["required"]
            has_all = [f"{self._constant(name)} in {at.variable}" for name in names]
            return f"not ({' and '.join(has_all) or True})"
        named = frozenset(schema.get("properties", ())).issuperset
        return f"not {self._constant(named)}({at.variable})"

    def _members(self, properties: dict[str, Any], at: _Spot) -> None:
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
        test = f"not {self._constant(right.issuperset)}(map(type, {array}))"
        ask = self._terms.engine(schema)
        if ask is not None:
            test += f" and (len({array}) <= {FEW_ITEMS} or not {self._constant(ask)}({array}))"
        index, item = _Index(f"i{self._nodes}"), f"v{self._nodes}"
        self._line(at.level, f"if {test}:")
        self._line(at.level + 1, f"for {index.variable}, {item} in enumerate({array}):")
        self.value(schema["items"], _Spot(item, (*at.path, index), at.level + 2, at.loops + 1))

    def _path(self, at: _Spot) -> str:
        """Write the path to a value, as one constant where it is one."""
        if not any(isinstance(each, _Index) for each in at.path):
            return self._constant(at.path)
        steps = [e.variable if isinstance(e, _Index) else self._constant(e) for e in at.path]
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
