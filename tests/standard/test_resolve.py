"""Which JSON Schema a tool publishes, and what happens where there is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import attrs
import marshmallow
import msgspec
import pydantic
import pytest

from toolgauge.contract import Success
from toolgauge.standard import (
    Adapted,
    JsonSchemas,
    NoJsonSchema,
    Props,
    Unconvertible,
    resolve_json_schema,
    standardize,
)


class Point(pydantic.BaseModel):
    x: int


class Opaque:
    """No library knows this."""


def bare(vendor: str = "voluptuous") -> Adapted[Any]:
    """Make a validator that says nothing of JSON Schema."""
    return Adapted(Props(vendor=vendor, validate=Success))


def test_explicit_parameters_win_verbatim() -> None:
    """Over a validator that could say it itself, and unread."""
    given = {"type": "object", "x-anything": [1, None], "properties": {"x": {"type": "madeup"}}}

    found = resolve_json_schema(standardize(Point), tool="t", parameters=given)

    assert given == found
    assert list(given) == list(found)


def test_an_objects_own_schema_comes_before_its_vendors() -> None:
    """Even under a vendor's name."""
    own = {"type": "object", "title": "own"}
    ways = JsonSchemas(input=lambda _: own, output=lambda _: {"title": "out"})
    standard = Adapted(Props(vendor="pydantic", validate=Success, json_schema=ways), source=Point)

    assert own == resolve_json_schema(standard, tool="t")
    assert {"title": "out"} == resolve_json_schema(standard, tool="t", direction="output")


def test_a_vendors_converter_comes_before_the_error() -> None:
    """For an object that conforms, has no schema of its own, and is a model too."""

    class Model(pydantic.BaseModel):
        x: int

    Model.__standard_schema__ = Props(vendor="pydantic", validate=Success)  # type: ignore[attr-defined]
    standard = standardize(Model)

    assert id(Model) == id(standard)
    assert Model.model_json_schema() == resolve_json_schema(standard, tool="t")


def test_without_a_schema_the_error_is_the_specifications_sentence() -> None:
    """Acceptance criterion: an actionable error that names the tool and the fix."""
    with pytest.raises(NoJsonSchema) as caught:
        resolve_json_schema(bare(), tool="x")

    expected = (
        "Tool 'x' uses validator 'voluptuous' which toolgauge can't auto-convert to JSON "
        "Schema. Add a `parameters` JSON Schema to the tool."
    )
    assert expected == str(caught.value)


def test_a_foreign_schema_without_json_schema_has_none_either() -> None:
    """It is never taken for something else that it also is."""
    foreign = {"~standard": {"version": 1, "vendor": "valibot", "validate": lambda v: {"value": v}}}

    with pytest.raises(NoJsonSchema, match="valibot"):
        resolve_json_schema(standardize(foreign), tool="x")


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    inner: list[dict[str, Inner]]


class Inner(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    ok: int
    odd: Opaque


class Struct(msgspec.Struct):
    fine: int
    rows: list[InnerStruct]


class InnerStruct(msgspec.Struct):
    odd: Opaque | None


@attrs.define
class Attrs:
    inner: InnerAttrs | None


@attrs.define
class InnerAttrs:
    odd: list[Opaque]


class Strange(marshmallow.fields.Field[Any]):
    """One whose code decides."""


class InnerFields(marshmallow.Schema):
    odd = marshmallow.fields.List(Strange())


class Fields(marshmallow.Schema):
    inner = marshmallow.fields.Nested(InnerFields)


UNCONVERTIBLE = [
    (Model, "pydantic", ("inner", "odd")),
    (Struct, "msgspec", ("rows", "odd")),
    (Attrs, "attrs", ("inner", "odd")),
    (Fields, "marshmallow", ("inner", "odd")),
]


@pytest.mark.parametrize(("obj", "vendor", "path"), UNCONVERTIBLE, ids=lambda each: str(each)[:30])
def test_what_a_known_vendor_cannot_convert_is_named(
    obj: type, vendor: str, path: tuple[str, ...]
) -> None:
    """The same error, with the place, the reason and the cause; never an empty schema."""
    with pytest.raises(NoJsonSchema) as caught:
        resolve_json_schema(standardize(obj), tool="x")

    assert str(caught.value).startswith(f"Tool 'x' uses validator '{vendor}' which toolgauge")
    assert isinstance(caught.value.__cause__, Unconvertible)
    assert path == caught.value.__cause__.path
    assert "/".join(path) in str(caught.value)


@pytest.mark.parametrize(
    "way",
    [
        lambda _: "text",
        lambda _: None,
        lambda _: {"type": "madeup"},
        lambda _: {"pattern": "("},
        {}.__getitem__,
    ],
    ids=["text", "nothing", "no schema", "bad pattern", "raises"],
)
def test_a_schema_that_is_none_is_not_published(way: Any) -> None:
    """Every call would be refused by it."""
    ways = JsonSchemas(input=way, output=way)
    standard = Adapted(Props(vendor="v", validate=Success, json_schema=ways))

    with pytest.raises(NoJsonSchema) as caught:
        resolve_json_schema(standard, tool="x")
    assert caught.value.reason


def test_no_schema_is_made_up() -> None:
    """For none of these does ``{"type": "object"}`` come out."""
    for obj in (
        bare(),
        bare("pydantic"),
        SimpleNamespace(__standard_schema__=bare().__standard_schema__),
    ):
        with pytest.raises(NoJsonSchema):
            resolve_json_schema(standardize(obj), tool="x")
