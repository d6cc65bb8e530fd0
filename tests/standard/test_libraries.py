"""What is particular to msgspec, attrs, marshmallow, named tuples and JSON Schema."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import re
import uuid
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar

import attrs
import marshmallow
import msgspec
import pytest
import typing_extensions
from marshmallow import fields, validate

from toolgauge.contract import Failure, Success, compile_schema
from toolgauge.standard import (
    InvalidStandard,
    Unconvertible,
    UnsupportedTarget,
    resolve_json_schema,
    standardize,
)
from toolgauge.standard.errors import InvalidAnswer

T = TypeVar("T")


def schema_of(obj: object, direction: Literal["input", "output"] = "input") -> dict[str, Any]:
    """Give what a tool would publish."""
    return resolve_json_schema(standardize(obj), tool="t", direction=direction)


def written(obj: object) -> object:
    """Give what the adapter itself writes."""
    schemas = standardize(obj).__standard_schema__.json_schema
    assert schemas is not None
    return schemas.input("draft-2020-12")


def places_of(obj: object, value: object) -> list[str]:
    """Give where the validator finds fault."""
    result = standardize(obj).__standard_schema__.validate(value)
    assert isinstance(result, Failure)
    return [issue.pointer for issue in result.issues]


def value_of(obj: object, value: object) -> Any:
    """Give what the validator makes of a value."""
    result = standardize(obj).__standard_schema__.validate(value)
    assert isinstance(result, Success), result
    return result.value


# --- msgspec ------------------------------------------------------------------------


class Row(msgspec.Struct, rename="camel"):
    row_id: int
    by_name: dict[str, list[int]] = {}


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """Rows and rows."""

    rows: list[Row]
    word: Annotated[str, msgspec.Meta(pattern=r"(?P<w>a+)\Z")] = "a"
    odd: Annotated[str, msgspec.Meta(pattern=r"(?i)b")] = "b"


MSGSPEC_PLACES = [
    ({}, "/rows"),
    ({"rows": [{}]}, "/rows/0/rowId"),
    ({"rows": [{"rowId": "x"}]}, "/rows/0/rowId"),
    ({"rows": [{"rowId": 1, "byName": {"k": ["x"]}}]}, "/rows/0/byName"),
    ({"rows": [], "more": 1}, ""),
    ({"rows": [], "word": "b"}, "/word"),
    ({"rows": {1, 2}}, "/rows"),
    (object(), ""),
]


@pytest.mark.parametrize(("value", "place"), MSGSPEC_PLACES)
def test_msgspecs_message_is_read_for_its_place(value: object, place: str) -> None:
    """Of a missing field it is where that should be; below a map's key it is unknown."""
    assert [place] == places_of(Table, value)


def test_a_name_with_dots_and_brackets_is_one_step() -> None:
    """Told from the value itself."""

    class Odd(msgspec.Struct):
        x: dict[str, int] = msgspec.field(name="a.b[0].c", default={})

    assert ["/a.b[0].c"] == places_of(Odd, {"a.b[0].c": {"k": "x"}, "a": 1})


def test_a_key_of_the_wrong_type_is_placed_at_its_map() -> None:
    """Msgspec names the map."""
    assert [""] == places_of(Annotated[dict[int, int], msgspec.Meta(min_length=1)], {"x": 1})


def test_msgspecs_patterns_are_written_as_json_schema_has_them() -> None:
    """What it has no way to say is left to msgspec."""
    properties = schema_of(Table)["properties"]

    assert "(?<w>a+)$" == properties["word"]["pattern"]
    assert "pattern" not in properties["odd"]
    assert ["/odd"] == places_of(Table, {"rows": [], "odd": "c"})


def test_a_pattern_for_json_schema_alone_is_published_as_it_is() -> None:
    """Python cannot read it, and need not; a field may be called ``pattern`` too."""

    class Odd(msgspec.Struct):
        pattern: Annotated[str, msgspec.Meta(extra_json_schema={"pattern": r"^\p{L}+$"})]
        default: Annotated[str, msgspec.Meta(pattern=r"a\Z")]

    properties = schema_of(Odd)["properties"]

    assert r"^\p{L}+$" == properties["pattern"]["pattern"]
    assert "a$" == properties["default"]["pattern"]


def test_msgspecs_root_is_an_object_and_not_a_reference() -> None:
    """Whoever reads a tool looks for its type at the root."""
    schema = schema_of(Table)

    assert "object" == schema["type"]
    assert "Rows and rows." == schema["description"]
    assert ["Row"] == list(schema["$defs"])
    assert schema["additionalProperties"] is False


def test_msgspec_types_without_a_decoder_are_named() -> None:
    """When they are wrapped."""
    with pytest.raises(Unconvertible):
        standardize(Row | Table)  # nothing tells them apart


class Opaque:
    """No library knows this."""


def test_a_recursive_struct_with_an_unknown_type_is_walked_once() -> None:
    """To find the place of the unknown type."""

    class Node(msgspec.Struct):
        children: list[Node]
        pair: tuple[int, Opaque]

    Node.__annotations__["children"] = list[Node]
    schemas = standardize(Annotated[tuple[int, Opaque], msgspec.Meta()]).__standard_schema__
    assert schemas.json_schema is not None
    with pytest.raises(Unconvertible) as caught:
        schemas.json_schema.input("draft-2020-12")
    assert () == caught.value.path


# --- attrs --------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Strange(enum.Enum):
    ONE = (1, 2)


Name = NewType("Name", str)
Numbers = typing_extensions.TypeAliasType("Numbers", list[int])


@attrs.define
class Box(Generic[T]):
    item: T
    more: list[T] = attrs.field(factory=list)


@attrs.define
class Base:
    id: int


class Options(TypedDict, total=False):
    flag: bool


class Pair(NamedTuple):
    x: int
    y: str = "b"


@dataclasses.dataclass
class Plain:
    n: int
    m: list[int] = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=0, init=False)


@attrs.define
class Wide(Base):
    """All kinds of fields.

    And more about them.
    """

    plain: Plain
    name: Name = Name("n")
    numbers: Numbers = attrs.field(factory=list)
    options: Options | None = None
    pair: Pair = Pair(1)  # noqa: RUF009 - immutable
    box: Box[int] | None = None
    texts: Box[str] | None = None
    color: Color = Color.RED
    documented: Annotated[int, typing_extensions.Doc("how many")] = 1
    described: int = attrs.field(default=1, metadata={"description": "why", "other": 1})
    final: int = attrs.field(init=False, default=3)
    deque: collections.deque[int] = attrs.field(factory=collections.deque)
    anything: Any = None
    bare_list: list = attrs.field(factory=list)  # type: ignore[type-arg]
    bare_map: dict = attrs.field(factory=dict)  # type: ignore[type-arg]
    bare_tuple: tuple = ()  # type: ignore[type-arg]
    empty: tuple[()] = ()
    by_color: dict[Color, int] = attrs.field(factory=dict)
    by_day: dict[dt.date, int] = attrs.field(factory=dict)
    span: dt.timedelta = dt.timedelta(0)
    raw: bytes = b"ab"
    cost: decimal.Decimal = decimal.Decimal("1.5")
    when: dt.datetime | None = None
    at: dt.time = dt.time(1, 2)
    where: pathlib.Path = pathlib.Path("a")
    key: uuid.UUID = uuid.UUID(int=0)  # noqa: RUF009 - immutable
    mixed: Literal[1, "a"] | None = 1
    nothing: None = None
    opaque: Any = attrs.field(default=attrs.Factory(Opaque))
    unwritten: Any = Opaque()  # noqa: RUF009 - never changed


def test_attrs_types_are_written_as_cattrs_sees_them() -> None:
    """Inherited fields, generics, aliases, defaults in their JSON form, descriptions."""
    schema = schema_of(Wide)
    properties = schema["properties"]

    assert ["id", "plain"] == schema["required"]
    assert "All kinds of fields." == schema["description"]
    assert "final" not in properties
    assert {"type": "string", "default": "n"} == properties["name"]
    assert {"type": "integer", "description": "how many", "default": 1} == properties["documented"]
    assert "why" == properties["described"]["description"]
    assert "other" not in properties["described"]
    assert "YWI=" == properties["raw"]["default"]
    assert "1.5" == properties["cost"]["default"]
    assert "01:02:00" == properties["at"]["default"]
    assert 0 == properties["span"]["default"]
    assert {} == properties["opaque"] == properties["unwritten"]
    assert {"anyOf": [{"enum": [1, "a"]}, {"type": "null"}], "default": 1} == properties["mixed"]
    assert {"Box_int", "Box_str", "Color", "Options", "Plain", "Numbers"} == set(schema["$defs"])
    assert ["n", "m"] == list(schema["$defs"]["Plain"]["properties"])
    assert {"$ref": "#/$defs/Color"} == properties["by_color"]["propertyNames"]
    assert {"type": "array", "minItems": 0, "maxItems": 0, "default": []} == properties["empty"]


class Marked(TypedDict, total=False):
    must: typing_extensions.Required[int]
    may: typing_extensions.ReadOnly[str]
    must_too: Annotated[typing_extensions.ReadOnly[typing_extensions.Required[int]], 1]


class Whole(TypedDict):
    must: int
    may: typing_extensions.NotRequired[int]


@attrs.define
class Marks:
    marked: Marked
    whole: Whole
    only_null: None
    text: Annotated[str, "no text of a Doc"] = ""


def test_a_generic_class_needs_its_arguments() -> None:
    """Cattrs would not know what to make of a value."""
    with pytest.raises(Unconvertible):
        standardize(Box)


def test_marks_of_typed_dicts_are_looked_through() -> None:
    """``Required`` and ``ReadOnly``."""
    schema = schema_of(Marks)

    parts = schema["$defs"]

    assert ["integer", "string", "integer"] == [
        each["type"] for each in parts["Marked"]["properties"].values()
    ]
    assert ["must", "must_too"] == parts["Marked"]["required"]
    assert ["must"] == parts["Whole"]["required"]
    assert {"type": "null"} == schema["properties"]["only_null"]
    assert {"type": "string", "default": ""} == schema["properties"]["text"]


def test_names_that_two_classes_share_are_told_apart() -> None:
    """In ``$defs``."""
    other: Any = attrs.make_class("Base", {"x": attrs.field(type=str)})
    both: Any = tuple.__class_getitem__((Base, other))
    schema = schema_of(both)

    assert {"Base", "Base_2"} == set(schema["$defs"])


def test_attrs_values_are_of_their_types() -> None:
    """Each from its JSON form."""
    made = value_of(
        Wide,
        {
            "id": 1,
            "plain": {"n": 1, "m": [2]},
            "pair": [2, "c"],
            "box": {"item": 1},
            "by_day": {"2020-01-01": 1},
            "by_color": {"blue": 2},
            "span": 90,
            "raw": "YWI=",
            "cost": 2.5,
            "when": "2020-01-01t00:00:00z",
            "at": "10:00:00",
            "where": "x/y",
            "key": str(uuid.UUID(int=7)),
            "nothing": None,
        },
    )

    assert Plain(1, [2]) == made.plain
    assert Pair(2, "c") == made.pair
    assert Box(1) == made.box
    assert {dt.date(2020, 1, 1): 1} == made.by_day
    assert {Color.BLUE: 2} == made.by_color
    assert dt.timedelta(seconds=90) == made.span
    assert b"ab" == made.raw
    assert decimal.Decimal("2.5") == made.cost
    assert dt.datetime(2020, 1, 1, tzinfo=dt.UTC) == made.when
    assert dt.time(10) == made.at
    assert uuid.UUID(int=7) == made.key


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("raw", "a"),
        ("key", "x"),
        ("at", "x"),
        ("when", "2020"),
        ("by_day", {"x": 1}),
        ("span", 1e300),
    ],
)
def test_what_a_schema_cannot_see_cattrs_refuses(member: str, value: object) -> None:
    """At the place of the attribute."""
    (place,) = places_of(Wide, {"id": 1, "plain": {"n": 1}, member: value})

    assert place.startswith(f"/{member}")


def _fail(instance: object, attribute: Any, value: int) -> None:
    raise ConnectionError("postgres://app:hunter2@db")


def _key(instance: object, attribute: Any, value: int) -> None:
    raise KeyError("internal")


NOTHING: dict[int, int] = {}


@attrs.define
class Checked:
    """Its validator asks a database."""

    n: int = attrs.field(validator=_fail)


@attrs.define
class Looked:
    """Its converter looks something up, in code that leaves no frame of its own."""

    n: int = attrs.field(converter=NOTHING.__getitem__)  # type: ignore[misc]


@attrs.define
class Finished:
    """It goes wrong at the end, after a validator that has something against the value."""

    n: int

    def __attrs_post_init__(self) -> None:
        raise ExceptionGroup("", [ValueError("n"), OSError("hunter2")])


@attrs.define
class Named:
    n: int = attrs.field(validator=_key)


@dataclasses.dataclass
class Around:
    """Holds a class of attrs, and one whose items are fine or not."""

    inner: Checked | Named
    many: list[Finished] = dataclasses.field(default_factory=list)


def _function(order: Checked) -> int:
    return order.n


BROKEN: list[tuple[Any, Any]] = [
    *[(each, {"n": 1}) for each in (Checked, Looked, Finished, Named)],
    (Around, {"inner": {"n": 1}}),
    (list[Finished], [{"n": 1}]),
    (_function, {"order": {"n": 1}}),
]


@pytest.mark.parametrize(("declared", "value"), BROKEN)
def test_a_check_of_attrs_that_is_broken_is_no_fault_of_the_value(
    declared: Any, value: Any
) -> None:
    """What it raises may hold anything, and is not for the caller."""
    with pytest.raises(InvalidAnswer):
        standardize(declared).__standard_schema__.validate(value)


@attrs.define
class Unwritable:
    """Nothing holds a value against its schema: there is none."""

    strange: Strange
    key: uuid.UUID
    kind: Literal["a"]


@pytest.mark.parametrize(
    "value", [{}, {"strange": [1, 2], "key": 5, "kind": "b"}, {"strange": "x"}, 5, []]
)
def test_without_a_schema_cattrs_says_what_is_wrong(value: Any) -> None:
    """Whatever it raises for that, at the place of each attribute."""
    assert ["/strange", "/key", "/kind"] == places_of(Unwritable, value)


V = attrs.validators
VALIDATED: list[tuple[Any, Any, dict[str, Any]]] = [
    (int, V.ge(1), {"type": "integer", "minimum": 1}),
    (int, V.gt(1), {"type": "integer", "exclusiveMinimum": 1}),
    (float, V.le(1.5), {"type": "number", "maximum": 1.5}),
    (float, V.lt(1), {"type": "number", "exclusiveMaximum": 1}),
    (int, [V.ge(1), V.ge(3), V.ge(2)], {"type": "integer", "minimum": 3}),
    (
        int | None,
        V.optional(V.ge(1)),
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
    ),
    (dt.date, V.ge(dt.date(2020, 1, 1)), {"type": "string", "format": "date"}),
    (str, V.min_len(1), {"type": "string", "minLength": 1}),
    (str, V.and_(V.min_len(1), V.max_len(2)), {"type": "string", "minLength": 1, "maxLength": 2}),
    (list[int], V.max_len(2), {"type": "array", "items": {"type": "integer"}, "maxItems": 2}),
    (
        dict[str, int],
        V.min_len(1),
        {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
    ),
    (bytes, V.min_len(3), {"type": "string", "contentEncoding": "base64"}),
    (str, V.matches_re("a|b"), {"type": "string", "pattern": "^(?:a|b)$"}),
    (str, V.matches_re("a", func=re.match), {"type": "string", "pattern": "^(?:a)"}),
    (str, V.matches_re("a", func=re.search), {"type": "string", "pattern": "a"}),
    (str, V.matches_re("a", flags=re.IGNORECASE), {"type": "string"}),
    (
        str,
        [V.matches_re("a+"), V.matches_re(".b?")],
        {"type": "string", "pattern": "^(?:a+)$", "allOf": [{"pattern": "^(?:.b?)$"}]},
    ),
    (str, V.in_(["a", "b"]), {"type": "string", "enum": ["a", "b"]}),
    (str, V.in_({"b", "a"}), {"type": "string", "enum": ["a", "b"]}),
    (str, V.in_("abc"), {"type": "string"}),
    (int, V.in_([1, "a"]), {"type": "integer", "enum": [1]}),
    (Literal["a", "b"], V.in_(["b", "c"]), {"type": "string", "enum": ["b"]}),
    (int, V.in_(["a"]), {"not": {}}),
    (Any, V.in_([dt.date(2020, 1, 1)]), {}),
    (str, V.not_(V.in_(["a"])), {"type": "string", "allOf": [{"not": {"enum": ["a"]}}]}),
    (str, V.not_(V.in_("a")), {"type": "string"}),
    (str, V.not_(V.matches_re("a")), {"type": "string"}),
    (Any, V.instance_of(int), {"type": "integer"}),
    (Any, V.instance_of((int, str)), {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (Any, V.instance_of(Opaque), {}),
    (str, V.instance_of(str), {"type": "string"}),
    (
        int,
        V.or_(V.lt(0), V.gt(9)),
        {
            "anyOf": [
                {"type": "integer", "exclusiveMaximum": 0},
                {"type": "integer", "exclusiveMinimum": 9},
            ]
        },
    ),
    (int, V.or_(V.lt(0), V.is_callable()), {"type": "integer"}),
    (
        list[int],
        V.deep_iterable(V.ge(1), V.max_len(2)),
        {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 2},
    ),
    (list, V.deep_iterable(V.instance_of(int)), {"type": "array", "items": {"type": "integer"}}),
    (
        tuple[int, int],
        V.deep_iterable(V.ge(1)),
        {
            "type": "array",
            "prefixItems": [{"type": "integer", "minimum": 1}] * 2,
            "minItems": 2,
            "maxItems": 2,
        },
    ),
    (
        dict[str, int],
        V.deep_mapping(V.max_len(3), V.ge(1), V.min_len(1)),
        {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "propertyNames": {"type": "string", "maxLength": 3},
            "minProperties": 1,
        },
    ),
    (
        dict,
        V.deep_mapping(V.instance_of(str), V.instance_of(int)),
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ),
]


@pytest.mark.parametrize(("kind", "validator", "expected"), VALIDATED)
def test_attrs_validators_are_published(
    kind: Any, validator: Any, expected: dict[str, Any]
) -> None:
    """As far as JSON Schema has a keyword."""
    holder = attrs.make_class("Holder", {"v": attrs.field(type=kind, validator=validator)})

    assert expected == schema_of(holder)["properties"]["v"]


def test_an_attrs_validator_of_ones_own_has_the_last_word() -> None:
    """Its issue is placed where it says which attribute it is of."""

    def odd(_: object, attribute: attrs.Attribute[int], value: int) -> None:
        if value % 2 == 0:
            raise ValueError("even", attribute)

    def nameless(_: object, __: object, value: int) -> None:
        if value == 7:
            raise ValueError

    @attrs.define
    class Odd:
        n: int = attrs.field(validator=[odd, nameless])
        m: dt.timedelta = attrs.field(default=dt.timedelta(0), validator=V.ge(dt.timedelta(0)))

    assert {"type": "integer"} == schema_of(Odd)["properties"]["n"]
    assert ["/n"] == places_of(Odd, {"n": 2})
    assert [""] == places_of(Odd, {"n": 7})
    assert ["/m"] == places_of(Odd, {"n": 1, "m": -1})
    assert ["/0/n"] == places_of(list[Odd], [{"n": 2}])


@attrs.define
class Left:
    kind: str = "l"
    left: int = 0


@attrs.define
class Right:
    kind: str = "r"
    right: dt.date | None = None


def test_unions_are_told_apart_by_their_members() -> None:
    """The one that knows most of the keys; the next where one cannot be made."""
    union = list[Left | Right | dt.date | int | str]
    value = [{"right": "2020-01-01"}, {"left": 1}, {}, "2020-01-01", 3, "a"]
    made = value_of(union, value)

    assert [Right("r", dt.date(2020, 1, 1)), Left("l", 1), Left()] == made[:3]
    assert [dt.date(2020, 1, 1), 3, "a"] == made[3:]
    assert ["/0/right"] == places_of(list[Right | int], [{"right": "x"}])
    assert ["/0"] == places_of(list[Left | dt.date], ["nodate"])


UNWRITABLE = [
    (list[Opaque | Left], ()),
    (dict[tuple[int, int], Left], ()),
    (list[Strange | Left], ()),
    (list[Literal[b"a"] | Left], ()),
    (list[collections.abc.Callable[[], Left]], ()),
]


@pytest.mark.parametrize(("kind", "path"), UNWRITABLE, ids=str)
def test_what_has_no_json_schema_is_named(kind: Any, path: tuple[str, ...]) -> None:
    """Either when it is wrapped, or when the schema is asked for."""
    with pytest.raises(Unconvertible):
        written(kind)


def test_an_unresolved_name_is_unconvertible() -> None:
    """And says which."""

    @attrs.define
    class Broken:
        x: NotDefinedAnywhere  # type: ignore[name-defined]  # noqa: F821 - that is the point

    with pytest.raises(Unconvertible, match="NotDefinedAnywhere"):
        written(Broken)


# --- marshmallow --------------------------------------------------------------------


class Inner(marshmallow.Schema):
    class Meta:
        unknown = marshmallow.EXCLUDE

    z = fields.Integer(required=True, data_key="Zed", metadata={"description": "last"})


class Outer(marshmallow.Schema):
    """Everything.

    At length.
    """

    name = fields.String(required=True, metadata={"title": "Name", "other": 1})
    inner = fields.Nested(Inner)
    inners = fields.List(fields.Nested(Inner))
    many = fields.Nested(Inner, many=True)
    open = fields.Nested(Inner, unknown=marshmallow.RAISE)
    own = fields.Nested(
        lambda: Outer(only=("name", "own"), partial=("name",)), load_default=None, allow_none=True
    )
    plucked = fields.Pluck(Inner, "z", many=True)
    mapped = fields.Dict(
        keys=fields.String(validate=validate.Length(max=2)), values=fields.Integer()
    )
    bare = fields.Dict()
    pair = fields.Tuple((fields.Integer(), fields.String()))
    none = fields.Tuple(())
    by_name = fields.Enum(Color)
    by_value = fields.Enum(Color, by_value=True)
    url = fields.Url()
    relative = fields.Url(relative=True)
    email = fields.Email()
    id = fields.UUID(load_default=uuid.UUID(int=0))
    when = fields.DateTime(load_default=dt.datetime(2020, 1, 1))  # noqa: DTZ001 - naive on purpose
    stamp = fields.DateTime(format="timestamp")
    formatted = fields.DateTime(format="%Y")
    day = fields.Date(format="%d.%m.%Y")
    iso_day = fields.Date()
    at = fields.Time()
    span = fields.TimeDelta()
    ip = fields.IP()
    ip4 = fields.IPv4()
    ip6 = fields.IPv6()
    net = fields.IPInterface()
    cost = fields.Decimal(as_string=True, load_default=decimal.Decimal("1.5"))
    ratio = fields.Float(load_default=lambda: 1.5)
    truth = fields.Boolean()
    raw = fields.Raw()
    method = fields.Method(deserialize="load_method")
    function = fields.Function(deserialize=lambda value: value)
    constant = fields.Constant("c")
    strange_constant = fields.Constant(object)
    read_only = fields.Integer(dump_only=True)
    write_only = fields.Integer(load_only=True)

    def load_method(self, value: object) -> object:
        """Give it back."""
        return value


def test_marshmallow_fields_are_written() -> None:
    """By their class; what only goes out does not come in, and the reverse."""
    schema = schema_of(Outer)
    properties = schema["properties"]
    out = schema_of(Outer, "output")["properties"]

    assert ["name"] == schema["required"]
    assert "Everything." == schema["description"]
    assert schema["additionalProperties"] is False
    assert {"type": "string", "title": "Name"} == properties["name"]
    assert {"Zed": {"type": "integer", "description": "last"}} == schema["$defs"]["Inner"][
        "properties"
    ]
    assert "additionalProperties" not in schema["$defs"]["Inner"]
    assert schema["$defs"]["Inner_2"]["additionalProperties"] is False
    assert {"$ref": "#/$defs/Inner_2"} == properties["open"]
    assert [] == schema["$defs"]["Outer_2"]["required"]
    assert properties["own"]["default"] is None
    assert {"type": "array", "items": {"type": "integer", "description": "last"}} == properties[
        "plucked"
    ]
    assert 2 == properties["mapped"]["propertyNames"]["maxLength"]
    assert {"type": "object"} == properties["bare"]
    assert {"type": "array", "minItems": 0, "maxItems": 0} == properties["none"]
    assert ["RED", "BLUE"] == properties["by_name"]["enum"]
    assert ["red", "blue"] == properties["by_value"]["enum"]
    assert "uri" == properties["url"]["format"]
    assert "uri-reference" == properties["relative"]["format"]
    assert "2020-01-01T00:00:00" == properties["when"]["default"]
    assert {"type": "number"} == properties["stamp"] == properties["span"]
    assert {"type": "string"} == properties["formatted"] == properties["day"]
    assert "1.5" == properties["cost"]["default"]
    assert {"type": "number"} == properties["ratio"]
    assert {} == properties["raw"] == properties["method"] == properties["strange_constant"]
    assert {"const": "c"} == {key: properties["constant"][key] for key in ("const",)}
    assert "read_only" not in properties
    assert "read_only" in out
    assert "write_only" not in out
    assert {"type": "string"} == out["cost"]


def test_a_schema_of_many_is_an_array() -> None:
    """Of its objects."""
    schema = schema_of(Inner(many=True))

    assert "array" == schema["type"]
    assert {"$ref": "#/$defs/Inner"} == schema["items"]
    assert ["/1/Zed", "/2"] == places_of(Inner(many=True), [{"Zed": 1}, {}, 5])


def test_partial_loads_require_nothing() -> None:
    """All of it, or the fields that are named."""
    assert [] == schema_of(Outer(partial=True))["required"]
    assert [] == schema_of(Outer(partial=("name",)))["required"]


def test_marshmallows_messages_are_placed() -> None:
    """``_schema``, ``key`` and ``value`` are no places."""

    class Whole(marshmallow.Schema):
        rows = fields.Dict(
            keys=fields.String(validate=validate.Length(1)), values=fields.Nested(Inner)
        )
        pair = fields.Tuple((fields.Integer(), fields.Nested(Inner)))
        list = fields.List(fields.Integer())
        inner = fields.Nested(Inner)
        many = fields.Nested(Inner, many=True)

        @marshmallow.validates_schema(skip_on_field_errors=False)
        def check(self, data: object, **_: object) -> None:
            """Refuse all."""
            raise marshmallow.ValidationError("never", "_schema")

    value = {
        "rows": {"": {"Zed": 1}, "k": {}},
        "pair": [1, {}],
        "list": [1, "x"],
        "inner": 5,
        "many": [{}, {"Zed": "x"}],
    }

    found = places_of(Whole, value)
    expected = [
        "/rows/",
        "/rows/k/Zed",
        "/pair/1/Zed",
        "/list/1",
        "/inner",
        "/many/0/Zed",
        "/many/1/Zed",
    ]
    assert {*expected, ""} == set(found)
    assert {""} == set(places_of(Whole, 5))


CHECKED: list[tuple[Any, dict[str, Any]]] = [
    (
        fields.Integer(validate=validate.Range(1, 5)),
        {"type": "integer", "minimum": 1, "maximum": 5},
    ),
    (
        fields.Integer(validate=validate.Range(1, 5, min_inclusive=False, max_inclusive=False)),
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 5},
    ),
    (
        fields.String(validate=validate.Length(1, 5)),
        {"type": "string", "minLength": 1, "maxLength": 5},
    ),
    (
        fields.String(validate=validate.Length(equal=3)),
        {"type": "string", "minLength": 3, "maxLength": 3},
    ),
    (fields.String(validate=validate.OneOf(["a", "b"])), {"type": "string", "enum": ["a", "b"]}),
    (fields.String(validate=validate.OneOf({"b", "a"})), {"type": "string", "enum": ["a", "b"]}),
    (
        fields.String(validate=validate.NoneOf(["a"])),
        {"type": "string", "allOf": [{"not": {"enum": ["a"]}}]},
    ),
    (fields.Integer(validate=validate.Equal(4)), {"type": "integer", "enum": [4]}),
    (fields.String(validate=validate.Regexp("a+$")), {"type": "string", "pattern": "^(?:a+$)"}),
    (fields.String(validate=validate.Regexp("a", re.IGNORECASE)), {"type": "string"}),
    (fields.String(validate=validate.Email()), {"type": "string", "format": "email"}),
    (fields.String(validate=validate.URL()), {"type": "string", "format": "uri"}),
    (
        fields.String(validate=validate.And(validate.Length(1), validate.Length(max=2))),
        {"type": "string", "minLength": 1, "maxLength": 2},
    ),
    (
        fields.List(fields.String(), validate=validate.ContainsOnly(["a"])),
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
    ),
    (
        fields.List(fields.String(), validate=validate.ContainsNoneOf(["a"])),
        {"type": "array", "items": {"type": "string", "allOf": [{"not": {"enum": ["a"]}}]}},
    ),
    (fields.Integer(validate=lambda value: value != 3), {"type": "integer"}),
    (fields.Integer(validate=validate.Predicate("bit_length")), {"type": "integer"}),
    (
        fields.Date(validate=validate.Range(dt.date(2020, 1, 1))),
        {"type": "string", "format": "date"},
    ),
    (
        fields.Integer(allow_none=True, validate=validate.Range(1)),
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
    ),
    (fields.Integer(load_default=object()), {"type": "integer"}),
]


@pytest.mark.parametrize(("field", "expected"), CHECKED)
def test_marshmallow_validators_are_published(field: Any, expected: dict[str, Any]) -> None:
    """As far as JSON Schema has a keyword."""
    holder = marshmallow.Schema.from_dict({"v": field})

    assert expected == schema_of(holder)["properties"]["v"]


def test_marshmallow_values_that_json_has_no_form_for_are_named() -> None:
    """An enum by values that are no scalars."""
    holder = marshmallow.Schema.from_dict({"v": fields.Enum(Strange, by_value=True)})
    schemas = standardize(holder).__standard_schema__.json_schema
    assert schemas is not None

    with pytest.raises(Unconvertible) as caught:
        schemas.input("draft-2020-12")
    assert ("v",) == caught.value.path


# --- named tuples --------------------------------------------------------------------


class City(NamedTuple):
    """Where it is."""

    name: str
    tags: list[str] = []  # noqa: RUF012 - the adapter has to cope with it
    size: int = 0


Old = collections.namedtuple("Old", ["x", "y"], defaults=[1])  # noqa: PYI024 - the old way is tested


def test_a_named_tuple_is_an_object_by_name() -> None:
    """For arguments come by name; what goes out is the array that it is."""
    schema = schema_of(City)

    assert "object" == schema["type"]
    assert "City" == schema["title"]
    # pydantic 2.11 publishes no docstring of a dataclass.
    assert schema.get("description") in {"Where it is.", None}
    assert ["name"] == schema["required"]
    assert City("a", ["b"]) == value_of(City, {"name": "a", "tags": ["b"]})
    assert City("a").tags is not value_of(City, {"name": "a"}).tags
    assert ["/name", "/size"] == places_of(City, {"size": "x"})
    assert "array" == schema_of(City, "output")["type"]


def test_a_namedtuple_without_types_takes_anything() -> None:
    """By its names."""
    assert ["x"] == schema_of(Old)["required"]
    assert "description" not in schema_of(Old)
    assert Old("a", 1) == value_of(Old, {"x": "a"})


# --- plain JSON Schema -----------------------------------------------------------------


def test_a_json_schema_is_its_own_validator() -> None:
    """Values pass unchanged, issues carry keywords, the schema is published verbatim."""
    schema = {"properties": {"x": {"type": "integer"}}, "type": "object", "x-own": 1}
    result = standardize(schema).__standard_schema__.validate({"x": "a"})

    assert list(schema) == list(schema_of(schema))
    assert schema == schema_of(schema) == schema_of(schema, "output")
    assert {"x": 1} == value_of(schema, {"x": 1})
    assert isinstance(result, Failure)
    assert "type" == result.issues[0].keyword


@pytest.mark.parametrize(("schema", "written"), [(True, {}), (False, {"not": {}})])
def test_booleans_are_schemas(schema: bool, written: dict[str, Any]) -> None:
    """Written as the objects that say the same."""
    assert written == schema_of(schema)
    assert schema is isinstance(standardize(schema).__standard_schema__.validate(1), Success)


def test_what_is_no_json_schema_is_refused() -> None:
    """When it is wrapped, with the reason."""
    with pytest.raises(InvalidStandard, match="Invalid schema"):
        standardize({"type": "madeup"})


def test_a_json_schema_keeps_the_dialect_that_it_names() -> None:
    """And is given in another one only where it means the same there."""
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}
    new = {"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a", "title": "t"}
    schemas = [standardize(each).__standard_schema__.json_schema for each in (old, new)]
    beside = standardize({**new, "minimum": 1}).__standard_schema__.json_schema

    assert schemas[0] is not None
    assert schemas[1] is not None
    assert beside is not None
    assert old == schema_of(old) == schemas[0].input("draft-07")
    assert new["$defs"] == schemas[1].input("draft-07")["$defs"]
    with pytest.raises(UnsupportedTarget, match="minimum"):
        beside.input("draft-07")
    with pytest.raises(UnsupportedTarget):
        schemas[1].input("openapi-3.0")


def test_every_published_schema_of_this_page_compiles() -> None:
    """With formats asserted too."""
    for obj in (Table, Wide, Outer, City, Old):
        assert compile_schema(schema_of(obj), formats=True).problem is None


def test_addresses_have_a_schema_of_pydantics() -> None:
    """Types of the standard library that no library above writes go there."""
    assert "ipv4" == schema_of(ipaddress.IPv4Address)["format"]
