"""What type checkers infer of a handler's argument from ``input=``. Checked, never run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, assert_type

import msgspec
import pydantic

from toolgauge import CallContext, Success, Tool, define_tool, standardize, tool
from toolgauge.standard import Props, Standard

if TYPE_CHECKING:
    from toolgauge.contract import Result


class Model(pydantic.BaseModel):
    city: str


class Struct(msgspec.Struct):
    city: str


@dataclass
class Data:
    city: str


class Typed(TypedDict):
    city: str


class Own:
    """Speaks the protocol itself."""

    @property
    def __standard_schema__(self) -> Props[int]:
        def validate(value: object) -> Result[int]:
            return Success(1)

        return Props(vendor="own", validate=validate)


# A lambda's parameter has the type that `input` gives it: misuse of it is an error.
# (mypy reads a lambda twice, at first without its context, so `assert_type` does not do.)
define_tool(name="t", input=Model, handler=lambda args: args.city)
define_tool(name="t", input=Model, handler=lambda args: args.nope)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownLambdaType, reportUnknownMemberType]
define_tool(name="t", input=Struct, handler=lambda args: args.city)
define_tool(name="t", input=Struct, handler=lambda args: args.nope)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownLambdaType, reportUnknownMemberType]
define_tool(name="t", input=Data, handler=lambda args: args.city)
define_tool(name="t", input=Data, handler=lambda args: args.nope)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownLambdaType, reportUnknownMemberType]
define_tool(name="t", input=Typed, handler=lambda args: args["city"])
define_tool(name="t", input=Typed, handler=lambda args: args["nope"])  # type: ignore[typeddict-item]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownLambdaType]
define_tool(name="t", input=Own(), handler=lambda args: args + 1)
define_tool(name="t", input=Own(), handler=lambda args: args + "1")  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue, reportUnknownLambdaType]
define_tool(
    name="t",
    input=pydantic.TypeAdapter(list[int]),
    handler=lambda args: args[0].bit_length(),
)
define_tool(
    name="t",
    input=pydantic.TypeAdapter(list[int]),
    handler=lambda args: args[0].nope,  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownLambdaType, reportUnknownMemberType]
)
define_tool(name="t", input=Model, handler=lambda args, call: f"{args.city} {call.tool}")
define_tool(name="t", input=Model, handler=lambda args, call: call.nope)  # type: ignore[arg-type, misc]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownLambdaType, reportUnknownMemberType]
define_tool(name="t", input={"type": "object"}, handler=lambda args: args["city"])


async def take_model(args: Model) -> str:
    """Take one type."""
    return args.city


def take_model_and_call(args: Model, call: CallContext) -> str:
    """Take one type."""
    return f"{args.city} {call.tool}"


def take_struct(args: Struct) -> str:
    """Take one type."""
    return args.city


def take_data(args: Data) -> str:
    """Take one type."""
    return args.city


def take_typed(args: Typed) -> str:
    """Take one type."""
    return args["city"]


define_tool(name="t", input=Model, handler=take_model)
define_tool(name="t", input=Model, handler=take_model_and_call)
define_tool(name="t", input=Struct, handler=take_struct)
define_tool(name="t", input=Data, handler=take_data)
define_tool(name="t", input=Typed, handler=take_typed)

# A handler for another type is an error.
define_tool(name="t", input=Model, handler=take_struct)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
define_tool(name="t", input=Struct, handler=take_data)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
define_tool(name="t", input=Data, handler=take_typed)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
define_tool(name="t", input=Typed, handler=take_model)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]

assert_type(standardize(Model), Standard[Model])


@tool
def plain(city: str) -> str:
    """Become a tool."""
    return city


@tool(name="other", annotations={"readOnlyHint": True})
async def named(city: str) -> dict[str, Any]:
    """Become a tool."""
    return {"city": city}


assert_type(plain, Tool)
assert_type(named, Tool)
