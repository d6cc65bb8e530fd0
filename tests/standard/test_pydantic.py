"""What is particular to pydantic."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import sys
import uuid  # noqa: TC003 - pydantic reads it when the test runs
from enum import StrEnum
from typing import Annotated, Any, Generic, Literal, Optional, TypedDict, TypeVar, Union

import pydantic
import pytest

from tests.standard.conformance.libraries import PYDANTIC_OWN, pydantic_model
from tests.standard.conformance.shapes import SHAPES
from toolgauge.contract import Failure, Success
from toolgauge.standard import (
    NoJsonSchema,
    Unconvertible,
    UnsupportedTarget,
    resolve_json_schema,
    standardize,
)

T = TypeVar("T")


class Kind(StrEnum):
    A = "a"


class Address(pydantic.BaseModel):
    """Where somebody lives."""

    street: str = pydantic.Field(description="With the number.", examples=["Main St 1"])
    postcode: Annotated[str, pydantic.Field(pattern=r"^\d{5}$")]


class Person(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(
        title="A person", extra="forbid", json_schema_extra={"x-own": [1]}
    )
    id: uuid.UUID
    name: Annotated[str, pydantic.Field(min_length=1, max_length=80)]
    born: dt.date | None = None
    kind: Kind = Kind.A
    address: Address
    friends: list[Person] = []
    balance: decimal.Decimal = decimal.Decimal("0.00")
    tags: set[str] = pydantic.Field(default_factory=set)
    either: Union[int, str] = 1  # noqa: UP007 - both spellings
    maybe: Optional[float] = None  # noqa: UP045 - both spellings
    nickname: str = pydantic.Field("", alias="nickName")

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def initial(self) -> str:
        """Give the first letter."""
        return self.name[:1]


class Page(pydantic.BaseModel, Generic[T]):
    items: list[T]
    next: int | None = None


class Numbers(pydantic.RootModel[list[int]]):
    """A list of numbers."""


class OwnWay(pydantic.BaseModel):
    x: int

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add what the class's author wants."""
        return {**super().model_json_schema(*args, **kwargs), "x-own": True}


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]


class Pet(pydantic.BaseModel):
    pet: Cat | Dog = pydantic.Field(discriminator="kind")


MODELS: list[type[pydantic.BaseModel]] = [
    Address,
    Person,
    Page[int],
    Page[Person],
    Numbers,
    OwnWay,
    Pet,
    *(
        each
        for each in PYDANTIC_OWN.values()
        if isinstance(each, type) and issubclass(each, pydantic.BaseModel)
    ),
    *(pydantic_model(shape) for shape in SHAPES),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda each: each.__name__)
def test_the_published_schema_is_byte_identical_to_pydantics(
    model: type[pydantic.BaseModel],
) -> None:
    """Acceptance criterion: of input and of output, as JSON text, order and all."""
    standard = standardize(model)

    assert json.dumps(model.model_json_schema()) == json.dumps(
        resolve_json_schema(standard, tool="t")
    )
    assert json.dumps(model.model_json_schema(mode="serialization")) == json.dumps(
        resolve_json_schema(standard, tool="t", direction="output")
    )


def test_every_issue_has_its_place() -> None:
    """In the order of the fields, by the names on the wire."""
    bad = {"id": "x", "name": "", "address": {"street": 1}, "friends": [{}], "nickName": []}

    result = standardize(Person).__standard_schema__.validate(bad)

    assert isinstance(result, Failure)
    found = [issue.pointer for issue in result.issues]
    assert ["/id", "/name", "/address/street", "/address/postcode", "/friends/0/id"] == found[:5]
    assert "/nickName" in found
    assert all(issue.message for issue in result.issues)


class Keeper(pydantic.BaseModel):
    pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]
    either: int | list[int] = 1
    named: dict[str, int] = {}
    near: Annotated[int, pydantic.AfterValidator(abs)] | None = None


PLACES: list[tuple[dict[str, Any], set[str]]] = [
    ({"pet": {"kind": "cow"}}, {"/pet"}),
    ({"pet": {}}, {"/pet"}),
    ({"pet": {"kind": "cat"}, "either": ["x"]}, {"/either", "/either/0"}),
    ({"pet": {"kind": "cat"}, "named": {"a": "x"}}, {"/named/a"}),
    ({"pet": {"kind": "cat"}, "near": "x"}, {"/near"}),
    ({}, {"/pet"}),
]


@pytest.mark.parametrize(("value", "places"), PLACES)
def test_places_are_those_of_the_value(value: dict[str, Any], places: set[str]) -> None:
    """Without the branches, tags and functions that pydantic adds to them."""
    result = standardize(Keeper).__standard_schema__.validate(value)

    assert isinstance(result, Failure)
    assert places == {issue.pointer for issue in result.issues}


class Lost(TypedDict):
    x: Nowhere  # type: ignore[name-defined]  # noqa: F821 - that is the point


def test_a_name_that_is_not_known_is_an_error() -> None:
    """At once where the type has to be read, else when the schema is asked for."""
    with pytest.raises((Unconvertible, NoJsonSchema), match=r"Nowhere|not fully defined"):
        resolve_json_schema(standardize(Lost), tool="t")


def test_a_strict_model_is_asked_in_json_mode() -> None:
    """A date is a text in JSON, a tuple an array, and 7.0 an integer."""

    class Strict(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(strict=True)
        day: dt.date
        pair: tuple[int, str]
        id: uuid.UUID | None = None

    validate = standardize(Strict).__standard_schema__.validate
    value = Strict(day=dt.date(2020, 1, 1), pair=(7, "a"))

    assert Success(value) == validate({"day": "2020-01-01", "pair": [7, "a"]})
    assert Success(value) == validate({"day": "2020-01-01", "pair": [7.0, "a"]})
    assert isinstance(validate({"day": "2020-01-01", "pair": ["7", "a"]}), Failure)
    assert isinstance(validate({"day": "2020-01-01", "pair": [object(), "a"]}), Failure)


def test_one_strict_field_is_enough_for_json_mode() -> None:
    """Wherever it lies."""

    class Inner(pydantic.BaseModel):
        day: dt.date = pydantic.Field(strict=True)

    class Outer(pydantic.BaseModel):
        rows: list[Inner]

    result = standardize(Outer).__standard_schema__.validate({"rows": [{"day": "2020-01-01"}]})

    assert isinstance(result, Success)


class Later(pydantic.BaseModel):
    other: Undefined  # type: ignore[name-defined]  # noqa: F821 - defined below


def test_a_model_may_be_completed_after_it_was_wrapped() -> None:
    """The library's own deferral works through the wrapper."""
    standard = standardize(Later)
    Later.model_rebuild(_types_namespace={"Undefined": int})

    assert isinstance(standard.__standard_schema__.validate({"other": 1}), Success)
    assert "other" in resolve_json_schema(standard, tool="t")["properties"]


class Opaque:
    """No library knows this."""


def test_a_type_that_pydantic_cannot_build_is_named() -> None:
    """When it is wrapped, for then nothing can be asked of it."""
    with pytest.raises(Unconvertible, match="Opaque"):
        standardize(list[Opaque])


class Inner(TypedDict):
    x: int


class Loop(TypedDict, total=False):
    name: str
    next: Loop
    inner: Annotated[Inner | None, pydantic.Field(description="d")]
    many: dict[str, list[Inner]]
    literal: Literal["a"]


@pytest.mark.parametrize(
    "kind", [Loop, list[Loop], Loop | None, Annotated[Loop, 1], tuple[int, Loop]]
)
def test_the_standard_librarys_typed_dict_works_on_every_python(kind: Any) -> None:
    """Pydantic refuses it below 3.12 (case D12); inside of it, and in its circles."""
    schema = resolve_json_schema(standardize(kind), tool="t")

    properties = schema["$defs"]["Loop"]["properties"]
    assert {"$ref": "#/$defs/Loop"} == properties["next"]
    assert ["x"] == schema["$defs"]["Inner"]["required"]


def test_a_typed_dict_keeps_its_configuration() -> None:
    """As pydantic reads it."""

    class Closed(TypedDict):
        __pydantic_config__ = pydantic.ConfigDict(extra="forbid")  # type: ignore[misc]
        x: int

    schema = resolve_json_schema(standardize(Closed), tool="t")

    assert schema["additionalProperties"] is False


def test_dialects_that_pydantic_does_not_write_are_refused() -> None:
    """Never a schema in another dialect than was asked for."""
    schemas = standardize(Address).__standard_schema__.json_schema
    assert schemas is not None

    with pytest.raises(UnsupportedTarget) as caught:
        schemas.input("openapi-3.0")
    assert ("pydantic", "openapi-3.0") == (caught.value.vendor, caught.value.target)
    in_draft_07 = schemas.input("draft-07")
    assert "http://json-schema.org/draft-07/schema#" == in_draft_07["$schema"]
    assert Address.model_json_schema()["properties"] == in_draft_07["properties"]


@pytest.mark.parametrize(
    ("kind", "word"), [(tuple[int, str], "prefixItems"), (list[tuple[int]], "prefixItems")]
)
def test_what_draft_07_has_no_word_for_is_refused(kind: Any, word: str) -> None:
    """The keyword is named."""
    schemas = standardize(kind).__standard_schema__.json_schema
    assert schemas is not None

    with pytest.raises(UnsupportedTarget, match=word):
        schemas.output("draft-07")


needs_v1 = pytest.mark.skipif(
    sys.version_info >= (3, 14), reason="pydantic.v1 does not run on Python 3.14"
)


@needs_v1
def test_models_of_pydantic_1_work_as_pydantic_v1_brings_them() -> None:
    """Draft-07, which it speaks, is written as 2020-12; issues have their places."""
    from pydantic import v1

    class Old(v1.BaseModel):
        n: int = v1.Field(ge=1, description="d")
        pair: tuple[int, str] = (1, "a")
        rest: tuple[int, ...] = ()
        others: list[Old] = []

        @v1.root_validator
        def check(cls, values: dict[str, Any]) -> dict[str, Any]:  # noqa: N805 - pydantic 1's way
            if values.get("n") == 13:
                raise ValueError("unlucky")
            return values

    Old.update_forward_refs(Old=Old)
    standard = standardize(Old)
    schema = resolve_json_schema(standard, tool="t")
    validate = standard.__standard_schema__.validate
    bad = validate({"n": 0, "others": [{"n": "x"}]})
    unlucky = validate({"n": 13})

    assert "pydantic" == standard.__standard_schema__.vendor
    assert "object" == schema["type"]
    assert [{"type": "integer"}, {"type": "string"}] == schema["properties"]["pair"]["prefixItems"]
    assert {"$ref": "#/$defs/Old"} == schema["properties"]["others"]["items"]
    assert isinstance(validate({"n": 1, "pair": [2, "b"]}), Success)
    assert isinstance(bad, Failure)
    assert ["/n", "/others/0/n"] == [issue.pointer for issue in bad.issues]
    assert isinstance(unlucky, Failure)
    assert [("", "unlucky")] == [(issue.pointer, issue.message) for issue in unlucky.issues]


@needs_v1
def test_a_field_of_pydantic_1_without_a_schema_is_named() -> None:
    """As its library names it."""
    from pydantic import v1

    class Old(v1.BaseModel):
        odd: Opaque

        class Config:
            arbitrary_types_allowed = True

    schemas = standardize(Old).__standard_schema__.json_schema
    assert schemas is not None
    with pytest.raises(Unconvertible, match="odd"):
        schemas.input("draft-2020-12")
