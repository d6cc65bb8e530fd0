"""Cases of types and signatures, by the ids of the collected reports."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Literal

import attrs
import pydantic
import pytest
from typing_extensions import TypedDict

from toolgauge import Gate, define_tool, tool
from toolgauge.serve.mcp.outputs import OlderOutputs, structured_content, to_wire
from toolgauge.standard.errors import NoJsonSchema, UncallableSignature

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.anyio

OLDER, NEWER = "2025-11-25", "2026-07-28"


class Node(pydantic.BaseModel):
    name: str
    kids: list[Node] = []


class Tree(TypedDict):
    kids: list[Tree]


class Left(pydantic.BaseModel):
    kind: Literal["left"] = "left"


class Right(pydantic.BaseModel):
    kind: Literal["right"] = "right"


OUTPUTS: list[Any] = [
    *(Node, Tree, Left | Right, list[Node], Node | None, pydantic.RootModel[Node], int),
    *({"properties": {"a": {}}}, {"type": ["object"]}, {"anyOf": [{"type": "object"}, {}]}),
]


@pytest.mark.parametrize("declared", OUTPUTS, ids=str)
def test_m2_an_output_schema_has_the_root_that_clients_look_for(declared: Any) -> None:
    """An object, or an object around it."""
    made = define_tool(name="t", input={}, output=declared, handler=print)

    assert "object" == made.output_schema["type"]


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": "string"}, {"enum": [1]}])
def test_m2_an_older_client_gets_an_object_around_any_other_result(schema: Any) -> None:
    """What is listed and what is sent agree; the newer era takes it as it is."""
    made = define_tool(name="t", input={}, handler=print)
    made = dataclasses.replace(made, output_schema=schema)
    older = OlderOutputs()
    listed: Any = older.rewritten("tools/list", None, {"tools": [to_wire(made, NEWER)]})
    sent: Any = older.rewritten("tools/call", {"name": "t"}, {"structuredContent": [1]})

    assert schema == to_wire(made, NEWER)["outputSchema"]
    assert schema == to_wire(made, OLDER)["outputSchema"]["properties"]["result"]
    assert to_wire(made, OLDER)["outputSchema"] == listed["tools"][0]["outputSchema"]
    assert [1] == structured_content(made, [1], NEWER)
    assert {"result": [1]} == structured_content(made, [1], OLDER) == sent["structuredContent"]


def _curried(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(n: int) -> Any:
        return function(n, {})

    return inner


def _passing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def multiples(n: int, cfg: dict[str, Any]) -> dict[str, Any]:
    """Multiply."""
    return {"n": n, "cfg": cfg}


@pytest.mark.parametrize("wrap", [_curried, lambda each: _passing(_curried(each))])
async def test_m20_a_wrapper_is_published_as_it_is_called(wrap: Any) -> None:
    """And can be called as it is published."""
    made = tool(wrap(multiples))

    assert ["n"] == list(made.input_schema["properties"])
    assert not (await Gate([made]).call("multiples", {"n": 1})).is_error
    assert ["n", "cfg"] == list(tool(_passing(multiples)).input_schema["properties"])


def test_m20_a_wrapper_that_no_call_can_satisfy_is_refused() -> None:
    """By name."""

    @functools.wraps(multiples)
    def needs(token: str, **kwargs: Any) -> Any:
        return multiples(**kwargs), token

    @functools.wraps(multiples)
    def by_position(*args: Any) -> Any:
        return multiples(*args)

    for each in (needs, by_position):
        with pytest.raises(UncallableSignature):
            tool(each)


class Odd:
    pass


@attrs.define
class OfAttrs:
    odd: Odd


@dataclasses.dataclass
class OfData:
    odd: Odd


class OfDict(TypedDict):
    odd: Odd


@pytest.mark.parametrize("declared", [OfAttrs, OfData, OfDict])
@pytest.mark.parametrize("parameters", [None, {"type": "object"}])
def test_s6_a_field_without_a_schema_is_named_with_the_tool_and_a_fix(
    declared: Any, parameters: Any
) -> None:
    """The fix works: a JSON Schema in the place that is named."""
    with pytest.raises(NoJsonSchema) as caught:
        define_tool(name="t", input=declared, handler=print, parameters=parameters)
    with pytest.raises(NoJsonSchema) as of_output:
        define_tool(name="t", input={}, output=declared, handler=print)

    assert all("/odd" in each.value.reason for each in (caught, of_output))
    assert ("input", "output") == (caught.value.remedy, of_output.value.remedy)
    define_tool(name="t", input={"type": "object"}, output={}, handler=print)
