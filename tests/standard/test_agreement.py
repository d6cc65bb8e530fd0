"""The search for values that a validator and its published schema judge differently."""

from __future__ import annotations

import asyncio
import decimal  # noqa: TC003 - msgspec reads it when the test runs
from typing import Annotated, Any

import msgspec
import pydantic
import pytest

from toolgauge.contract import Failure, Issue, Result, Success
from toolgauge.standard import (
    Adapted,
    Props,
    Standard,
    disagreement,
    disagreements,
    resolve_json_schema,
    standardize,
)
from toolgauge.standard._agreement import MAX_VALUES


class Lax(pydantic.BaseModel):
    n: int


class Hidden(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(strict=True)
    rows: list[dict[str, int]] = []

    @pydantic.field_validator("rows")
    @classmethod
    def few(cls, value: list[dict[str, int]]) -> list[dict[str, int]]:
        """Refuse what the schema does not say."""
        if len(value) > 1:
            raise ValueError("one row at most")
        return value


class Struct(msgspec.Struct):
    raw: bytes
    count: Annotated[int, msgspec.Meta(ge=1)] = 1


def found_in(obj: object) -> tuple[Any, ...]:
    """Search with the schema that a tool would publish."""
    standard = standardize(obj)
    return disagreements(standard, resolve_json_schema(standard, tool="t"))


def test_lax_coercion_is_found_with_an_example() -> None:
    """The smallest value; the schema's own words against it."""
    (found,) = found_in(Lax)

    assert "validator" == found.accepted_by
    assert ["n"] == list(found.value)
    assert isinstance(found.value["n"], str | bool)
    assert "/n" == found.issues[0].pointer
    assert "type" == found.issues[0].keyword


def test_a_constraint_that_is_not_published_is_found_and_comes_first() -> None:
    """It is the graver kind: the model cannot know it."""
    standard = standardize(Hidden)
    schema = resolve_json_schema(standard, tool="t")
    found = disagreement(standard, schema)

    assert found is not None
    assert "schema" == found.accepted_by
    assert 2 == len(found.value["rows"])
    assert "one row at most" in found.issues[0].message


def test_where_they_agree_nothing_is_found() -> None:
    """Encodings and formats that the schema names count as said."""
    assert () == found_in(Struct)
    assert (
        disagreement(standardize(Struct), resolve_json_schema(standardize(Struct), tool="t"))
        is None
    )


def test_a_json_schema_agrees_with_itself() -> None:
    """Even one that is true or false."""
    for schema in ({"type": "object", "properties": {"a": {"minimum": 3}}}, True, False):
        assert () == disagreements(standardize(schema), schema)


def _even(value: Any) -> Result[Any]:
    if isinstance(value, dict) and isinstance(value.get("n"), int | float) and value["n"] % 2 == 0:
        return Success(value)
    return Failure((Issue(message="odd"),))


async def _evenly(value: Any) -> Result[Any]:
    await asyncio.sleep(0)
    return _even(value)


NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize("validate", [_even, _evenly], ids=["sync", "async"])
def test_sync_and_async_validators_are_asked_alike(validate: Any) -> None:
    """The async one on a loop of its own."""
    found = disagreement(Adapted(Props(vendor="v", validate=validate)), NUMBER)

    assert found is not None
    assert "schema" == found.accepted_by
    assert 1 == found.value["n"] % 2
    assert ("odd",) == tuple(issue.message for issue in found.issues)


@pytest.mark.anyio
async def test_the_search_may_be_made_inside_a_running_loop() -> None:
    """As ``check`` does for an async source."""
    assert disagreement(Adapted(Props(vendor="v", validate=_evenly)), NUMBER) is not None


def test_a_validator_that_raises_refuses() -> None:
    """What it raised is the reason."""

    def validate(value: Any) -> Result[Any]:
        return Success(1 // value["n"])

    found = disagreement(Adapted(Props(vendor="v", validate=validate)), NUMBER)

    assert found is not None
    assert {"n": 0} == found.value
    assert "ZeroDivisionError" in found.issues[0].message


def test_a_schema_that_is_none_is_not_searched() -> None:
    """There is nothing to compare with."""
    assert () == disagreements(Adapted(Props(vendor="v", validate=Success)), {"type": "madeup"})


def test_a_validator_that_changes_its_value_disturbs_nothing() -> None:
    """It gets a copy."""

    def validate(value: Any) -> Result[Any]:
        if isinstance(value, dict):
            value.clear()
        return Success(value)

    found = disagreement(Adapted(Props(vendor="v", validate=validate)), NUMBER)

    assert found is not None
    assert "validator" == found.accepted_by


def test_the_search_is_bounded_and_always_the_same() -> None:
    """In the number of questions."""
    asked: list[object] = []

    def validate(value: object) -> Result[Any]:
        asked.append(value)
        return Success(value)

    node: dict[str, Any] = {"type": "object", "properties": {}}
    for name in "abcdefghijklmnopqrstuvwxyz":
        node["properties"][name] = {"type": ["object", "array"], "items": {"enum": list(range(50))}}
    standard: Standard[Any] = Adapted(Props(vendor="v", validate=validate))

    first = disagreements(standard, node)
    count = len(asked)

    assert count <= 2 * MAX_VALUES
    assert first == disagreements(standard, node)


def test_texts_that_are_said_to_be_decimal_count_as_said() -> None:
    """Msgspec's own format, which no engine asserts."""

    class Priced(msgspec.Struct):
        cost: decimal.Decimal

    assert ["validator"] == [each.accepted_by for each in found_in(Priced)]
