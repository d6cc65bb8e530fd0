"""Every shape in the words of every library: an object type with the one field ``v``."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import re
import types
import typing
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

import attrs
import marshmallow
import msgspec
import pydantic
from marshmallow import fields, validate

from tests.standard.conformance.shapes import SHAPES, Shape

T = TypeVar("T")

Build = Callable[[Shape], Any]


# --- pydantic, and what it checks for others -------------------------------------


class PydanticPoint(pydantic.BaseModel):
    x: int
    y: int = 0


class PydanticNode(pydantic.BaseModel):
    name: str
    children: list[PydanticNode] = []


class PydanticAlias(pydantic.BaseModel):
    from_: int = pydantic.Field(alias="from")


class PydanticClosed(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    x: int


class PydanticDefaults(pydantic.BaseModel):
    n: int = 1
    tags: list[str] = pydantic.Field(default_factory=list)


class PydanticCat(pydantic.BaseModel):
    kind: Literal["cat"]
    claws: int


class PydanticDog(pydantic.BaseModel):
    kind: Literal["dog"]
    bark: str


class PydanticBox(pydantic.BaseModel, Generic[T]):
    item: T


PYDANTIC_OWN: dict[str, Any] = {
    "object": PydanticPoint,
    "object or null": PydanticPoint | None,
    "list of objects": list[PydanticPoint],
    "map of objects": dict[str, PydanticPoint],
    "tree": PydanticNode,
    "alias": PydanticAlias,
    "closed object": PydanticClosed,
    "defaults": PydanticDefaults,
    "one of two objects": Annotated[
        PydanticCat | PydanticDog, pydantic.Field(discriminator="kind")
    ],
    "generic": PydanticBox[int],
}


def _pydantic_type(shape: Shape) -> Any:
    found = PYDANTIC_OWN[shape.name] if shape.type is None else shape.type
    return Annotated[found, pydantic.Field(**shape.limits)] if shape.limits else found


def pydantic_model(shape: Shape) -> Any:
    """Build a model."""
    return pydantic.create_model("Holder", v=(_pydantic_type(shape), ...))


def pydantic_strict(shape: Shape) -> Any:
    """Build a strict model."""
    config = pydantic.ConfigDict(strict=True)
    return pydantic.create_model("Holder", __config__=config, v=(_pydantic_type(shape), ...))


def pydantic_dataclass(shape: Shape) -> Any:
    """Build a dataclass of pydantic's."""
    return pydantic.dataclasses.dataclass(standard_dataclass(shape))


def pydantic_adapter(shape: Shape) -> Any:
    """Build a ``TypeAdapter``."""
    return pydantic.TypeAdapter(pydantic_model(shape))


# --- the standard library ---------------------------------------------------------


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


@dataclasses.dataclass
class Node:
    name: str
    children: list[Node] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Defaults:
    n: int = 1
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Cat:
    kind: Literal["cat"]
    claws: int


@dataclasses.dataclass
class Dog:
    kind: Literal["dog"]
    bark: str


@dataclasses.dataclass
class Box(Generic[T]):
    item: T


STANDARD_OWN: dict[str, Any] = {
    "object": Point,
    "object or null": Point | None,
    "list of objects": list[Point],
    "map of objects": dict[str, Point],
    "tree": Node,
    "defaults": Defaults,
    "one of two objects": Cat | Dog,
    "generic": Box[int],
}


class DictPoint(TypedDict):
    x: int
    y: typing.NotRequired[int]


class DictNode(TypedDict, total=False):
    name: typing.Required[str]
    children: list[DictNode]


class DictDefaults(TypedDict, total=False):
    n: int
    tags: list[str]


class DictCat(TypedDict):
    kind: Literal["cat"]
    claws: int


class DictDog(TypedDict):
    kind: Literal["dog"]
    bark: str


DictAlias = TypedDict("DictAlias", {"from": int})

DICT_OWN: dict[str, Any] = {
    "object": DictPoint,
    "object or null": DictPoint | None,
    "list of objects": list[DictPoint],
    "map of objects": dict[str, DictPoint],
    "tree": DictNode,
    "alias": DictAlias,
    "defaults": DictDefaults,
    "one of two objects": DictCat | DictDog,
}


def _with_limits(found: Any, shape: Shape) -> Any:
    return Annotated[found, pydantic.Field(**shape.limits)] if shape.limits else found


def _standard_type(shape: Shape) -> Any:
    return _with_limits(STANDARD_OWN[shape.name] if shape.type is None else shape.type, shape)


def standard_dataclass(shape: Shape) -> Any:
    """Build a dataclass."""
    return dataclasses.make_dataclass("Holder", [("v", _standard_type(shape))])


def typed_dict(shape: Shape) -> Any:
    """Build a ``TypedDict``, of ``typing``'s own kind."""
    found = DICT_OWN[shape.name] if shape.type is None else shape.type
    make: Any = TypedDict  # a type that is known when the test runs
    return make("Holder", {"v": _with_limits(found, shape)})


def named_tuple(shape: Shape) -> Any:
    """Build a ``NamedTuple``."""
    return NamedTuple("Holder", [("v", _standard_type(shape))])


# --- msgspec ------------------------------------------------------------------------


class StructPoint(msgspec.Struct):
    x: int
    y: int = 0


class StructNode(msgspec.Struct):
    name: str
    children: list[StructNode] = []


class StructAlias(msgspec.Struct):
    from_: int = msgspec.field(name="from")


class StructClosed(msgspec.Struct, forbid_unknown_fields=True):
    x: int


class StructDefaults(msgspec.Struct):
    n: int = 1
    tags: list[str] = msgspec.field(default_factory=list)


class StructCat(msgspec.Struct, tag="cat", tag_field="kind"):
    claws: int


class StructDog(msgspec.Struct, tag="dog", tag_field="kind"):
    bark: str


class StructBox(msgspec.Struct, Generic[T]):
    item: T


MSGSPEC_OWN: dict[str, Any] = {
    "object": StructPoint,
    "object or null": StructPoint | None,
    "list of objects": list[StructPoint],
    "map of objects": dict[str, StructPoint],
    "tree": StructNode,
    "alias": StructAlias,
    "closed object": StructClosed,
    "defaults": StructDefaults,
    "one of two objects": StructCat | StructDog,
    "generic": StructBox[int],
}


def msgspec_struct(shape: Shape) -> Any:
    """Build a struct."""
    found = MSGSPEC_OWN[shape.name] if shape.type is None else shape.type
    if shape.limits:
        found = Annotated[found, msgspec.Meta(**shape.limits)]
    return msgspec.defstruct("Holder", [("v", found)])


def msgspec_dataclass(shape: Shape) -> Any:
    """Build a standard dataclass whose metadata is msgspec's."""
    found = STANDARD_OWN[shape.name] if shape.type is None else shape.type
    found = Annotated[found, msgspec.Meta(description="whatever it is", **shape.limits)]
    return dataclasses.make_dataclass("Holder", [("v", found)])


# --- attrs --------------------------------------------------------------------------


@attrs.define
class AttrsPoint:
    x: int
    y: int = 0


@attrs.define
class AttrsNode:
    name: str
    children: list[AttrsNode] = attrs.field(factory=list)


@attrs.define
class AttrsDefaults:
    n: int = 1
    tags: list[str] = attrs.field(factory=list)


@attrs.define
class AttrsCat:
    kind: Literal["cat"]
    claws: int


@attrs.define
class AttrsDog:
    kind: Literal["dog"]
    bark: str


@attrs.define
class AttrsBox(Generic[T]):
    item: T


ATTRS_OWN: dict[str, Any] = {
    "object": AttrsPoint,
    "object or null": AttrsPoint | None,
    "list of objects": list[AttrsPoint],
    "map of objects": dict[str, AttrsPoint],
    "tree": AttrsNode,
    "defaults": AttrsDefaults,
    "one of two objects": AttrsCat | AttrsDog,
    "generic": AttrsBox[int],
}

_ATTRS_LIMITS: dict[str, Callable[[Any], Any]] = {
    "ge": attrs.validators.ge,
    "gt": attrs.validators.gt,
    "le": attrs.validators.le,
    "lt": attrs.validators.lt,
    "min_length": attrs.validators.min_len,
    "max_length": attrs.validators.max_len,
    "pattern": attrs.validators.matches_re,
}


def attrs_class(shape: Shape) -> Any:
    """Build a class of attrs'."""
    found = ATTRS_OWN[shape.name] if shape.type is None else shape.type
    checks = [_ATTRS_LIMITS[name](value) for name, value in shape.limits.items()]
    return attrs.make_class("Holder", {"v": attrs.field(type=found, validator=checks)})


# --- marshmallow --------------------------------------------------------------------


class FieldsPoint(marshmallow.Schema):
    x = fields.Integer(required=True, strict=True)
    y = fields.Integer(strict=True)


class FieldsNode(marshmallow.Schema):
    name = fields.String(required=True)
    children = fields.List(fields.Nested(lambda: FieldsNode(only=None)))


class FieldsAlias(marshmallow.Schema):
    from_ = fields.Integer(required=True, strict=True, data_key="from")


class FieldsClosed(marshmallow.Schema):
    x = fields.Integer(required=True, strict=True)


class FieldsDefaults(marshmallow.Schema):
    n = fields.Integer(strict=True, load_default=1)
    tags = fields.List(fields.String(), load_default=list)


MARSHMALLOW_OWN: dict[str, Callable[[], fields.Field[Any]]] = {
    "object": lambda: fields.Nested(FieldsPoint, required=True),
    "object or null": lambda: fields.Nested(FieldsPoint, required=True, allow_none=True),
    "list of objects": lambda: fields.Nested(FieldsPoint, many=True, required=True),
    "map of objects": lambda: fields.Dict(
        keys=fields.String(), values=fields.Nested(FieldsPoint), required=True
    ),
    "tree": lambda: fields.Nested(FieldsNode, required=True),
    "alias": lambda: fields.Nested(FieldsAlias, required=True),
    "closed object": lambda: fields.Nested(FieldsClosed, required=True),
    "defaults": lambda: fields.Nested(FieldsDefaults, required=True),
}

_MARSHMALLOW: dict[Any, Callable[..., fields.Field[Any]]] = {
    int: lambda **more: fields.Integer(strict=True, **more),
    float: fields.Float,
    bool: fields.Boolean,
    str: fields.String,
    Any: lambda **more: fields.Raw(**{"allow_none": True, **more}),
    dt.date: fields.Date,
    dt.datetime: fields.DateTime,
    dt.time: fields.Time,
    uuid.UUID: fields.UUID,
    decimal.Decimal: fields.Decimal,
}

_RANGE = {"ge": ("min", True), "gt": ("min", False), "le": ("max", True), "lt": ("max", False)}


def _marshmallow_checks(limits: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for name, value in limits.items():
        if name in _RANGE:
            end, is_inclusive = _RANGE[name]
            found.append(validate.Range(**{end: value, f"{end}_inclusive": is_inclusive}))
        elif name in {"min_length", "max_length"}:
            found.append(validate.Length(**{name.removesuffix("_length"): value}))
        else:
            found.append(validate.Regexp(re.compile(value)))
    return found


def _marshmallow_field(kind: Any, **more: Any) -> fields.Field[Any]:  # noqa: PLR0911 - one for each kind
    if kind in _MARSHMALLOW:
        return _MARSHMALLOW[kind](**more)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        more["validate"] = validate.OneOf(arguments)
        return _marshmallow_field(type(arguments[0]), **more)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return fields.Enum(kind, by_value=True, **more)
    if origin in {typing.Union, types.UnionType} and type(None) in arguments:
        (inner_kind,) = (each for each in arguments if each is not type(None))
        return _marshmallow_field(inner_kind, **{**more, "allow_none": True})
    if origin in {list, collections.abc.Sequence} or (origin is tuple and arguments[1] is ...):
        return fields.List(_marshmallow_field(arguments[0]), **more)
    if origin is tuple:
        return fields.Tuple(tuple(_marshmallow_field(each) for each in arguments), **more)
    if origin is dict:
        # A strict field takes no text, and the keys of an object are nothing else.
        names = fields.Integer() if arguments[0] is int else _marshmallow_field(arguments[0])
        values = _marshmallow_field(arguments[1])
        return fields.Dict(keys=names, values=values, **more)
    raise NotImplementedError(kind)


def marshmallow_schema(shape: Shape) -> Any:
    """Build a schema."""
    if shape.type is None:
        return marshmallow.Schema.from_dict({"v": MARSHMALLOW_OWN[shape.name]()}, name="Holder")
    checks = _marshmallow_checks(shape.limits)
    made = _marshmallow_field(shape.type, required=True, validate=checks or None)
    return marshmallow.Schema.from_dict({"v": made}, name="Holder")


# --- plain JSON Schema ----------------------------------------------------------------


def json_schema(shape: Shape) -> Any:
    """Take the schema that pydantic writes for the shape."""
    return pydantic_model(shape).model_json_schema()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """One adapter under test.

    Attributes:
        vendor: What the adapter calls itself.
        build: Makes the object type of a shape.
        without: Shapes that the library has no words for, with the reason.
    """

    vendor: str
    build: Build
    without: dict[str, str] = dataclasses.field(default_factory=dict)


_NO_ALIAS = {"alias": "fields have no other name on the wire", "closed object": "always open"}

LIBRARIES: dict[str, Library] = {
    "pydantic model": Library(vendor="pydantic", build=pydantic_model),
    "pydantic strict model": Library(vendor="pydantic", build=pydantic_strict),
    "pydantic dataclass": Library(vendor="pydantic", build=pydantic_dataclass, without=_NO_ALIAS),
    "pydantic TypeAdapter": Library(vendor="pydantic", build=pydantic_adapter),
    "dataclass": Library(vendor="pydantic", build=standard_dataclass, without=_NO_ALIAS),
    "TypedDict": Library(
        vendor="pydantic",
        build=typed_dict,
        without={
            "closed object": "always open",
            "generic": "not one that pydantic takes on Python 3.11",
        },
    ),
    "NamedTuple": Library(vendor="pydantic", build=named_tuple, without=_NO_ALIAS),
    "msgspec struct": Library(
        vendor="msgspec", build=msgspec_struct, without={"path": "no type of msgspec's"}
    ),
    "dataclass by msgspec": Library(
        vendor="msgspec",
        build=msgspec_dataclass,
        without={
            "path": "no type of msgspec's",
            **_NO_ALIAS,
            "one of two objects": "msgspec tells structs apart by tags, not dataclasses",
        },
    ),
    "attrs": Library(
        vendor="attrs",
        build=attrs_class,
        without={**_NO_ALIAS, "integer multiple": "attrs has no such validator"},
    ),
    "marshmallow": Library(
        vendor="marshmallow",
        build=marshmallow_schema,
        without={
            "integer multiple": "no such validator",
            "null": "no such field",
            "path": "no such field",
            "bytes": "no such field",
            "integer or text": "no unions",
            "text or texts": "no unions",
            "one of two objects": "no unions",
            "set of integers": "no such field",
            "frozen set of texts": "no such field",
            "generic": "schemas have no parameters",
        },
    ),
    "JSON Schema": Library(vendor="jsonschema", build=json_schema),
}

CASES = [
    (name, shape)
    for name, library in LIBRARIES.items()
    for shape in SHAPES
    if shape.name not in library.without
]
