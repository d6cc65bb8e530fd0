"""What LangChain keeps from models is kept from callers."""

from __future__ import annotations

from typing import Annotated, Any

import pydantic
import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool
from langchain_core.tools import tool as langchain_tool

from toolgauge import Gate

pytestmark = pytest.mark.anyio

Injected = Annotated[str, InjectedToolArg]


def read_mail(folder: str, user: Injected = "me") -> str:
    """Read mail."""
    return f"{folder} of {user}"


def plain(folder: str, user: str = "me") -> str:
    """Read mail."""
    return f"{folder} of {user}"


class Named(pydantic.BaseModel):
    folder: str
    user: Injected = pydantic.Field("me", alias="uid")


class Chosen(pydantic.BaseModel):
    folder: str
    user: Injected = pydantic.Field(
        "me", validation_alias=pydantic.AliasChoices("uid", pydantic.AliasPath("ids", 0))
    )


class Narrow(pydantic.BaseModel):
    folder: str


class OwnTool(BaseTool):
    name: str = "own"
    description: str = "Read mail."

    def _run(self, folder: str, user: Injected = "me") -> str:
        return read_mail(folder, user)


def structured(function: Any, schema: Any) -> StructuredTool:
    """Give a tool whose schema is written by hand."""
    return StructuredTool.from_function(
        function, name="read_mail", description="Read mail.", args_schema=schema
    )


SOURCES: list[tuple[str, Any, dict[str, Any]]] = [
    ("function", langchain_tool(read_mail), {"user": "ceo"}),
    ("subclass", OwnTool(), {"user": "ceo"}),
    ("alias", structured(plain, Named), {"uid": "ceo"}),
    ("alias choices", structured(plain, Chosen), {"uid": "ceo"}),
    ("alias path", structured(plain, Chosen), {"ids": ["ceo"]}),
    ("not in its schema", structured(read_mail, Narrow), {"user": "ceo"}),
    (
        "JSON Schema",
        structured(read_mail, {"type": "object", "properties": {"folder": {"type": "string"}}}),
        {"user": "ceo"},
    ),
]


@pytest.mark.parametrize(
    ("source", "extra"), [each[1:] for each in SOURCES], ids=[each[0] for each in SOURCES]
)
async def test_what_langchain_injects_cannot_be_sent(source: Any, extra: dict[str, Any]) -> None:
    """The call is refused at that key; a call without it runs with the default."""
    gate = Gate([source])
    refused = await gate.call(source.name, {"folder": "in", **extra})
    taken = await gate.call(source.name, {"folder": "in"})

    assert [f"/{key}" for key in extra] == [each.pointer for each in refused.issues]
    assert "in of me" == taken.content[0]["text"]


async def test_arguments_that_look_like_a_whole_call_are_arguments() -> None:
    """LangChain would take the arguments from inside them, past every check."""
    whole = {"type": "tool_call", "id": "1", "name": "x", "args": {"folder": "a", "user": "ceo"}}
    answer = await Gate([langchain_tool(read_mail)]).call("read_mail", {"folder": "in", **whole})

    assert "in of me" == answer.content[0]["text"]
