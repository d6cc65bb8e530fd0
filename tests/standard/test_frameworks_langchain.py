"""What LangChain shows to models, and keeps from them, is the same for callers."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pydantic
import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, ToolException
from langchain_core.tools import Tool as OneTextTool
from langchain_core.tools import tool as langchain_tool
from langchain_core.utils.function_calling import convert_to_openai_tool

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


async def test_a_tool_of_one_text_takes_one_text() -> None:
    """Under the name that LangChain shows to models, and nothing else."""
    source = OneTextTool(name="upper", description="Shout.", func=lambda text: text.upper())
    gate = Gate([source])
    [made] = gate.tools()
    [name] = made.input_schema["required"]
    shown = convert_to_openai_tool(source)["function"]["parameters"]

    assert [name] == shown["required"]
    assert "AB" == (await gate.call("upper", {name: "ab"})).content[0]["text"]
    assert gate.validate("upper", {name: "ab", "more": 1})


async def test_a_tool_of_one_text_may_have_a_schema() -> None:
    """Its own, with one field."""
    source = OneTextTool(name="count", description="Count.", func=len, args_schema=Narrow)

    assert "2" == (await Gate([source]).call("count", {"folder": "in"})).content[0]["text"]


def refuse(folder: str) -> dict[str, str]:
    """Refuse one folder."""
    if folder == "in":
        raise ToolException("not today")
    return {"folder": folder}


@pytest.mark.parametrize(
    ("handling", "said"),
    [(True, "not today"), ("try later", "try later"), (lambda _: "never", "never")],
)
async def test_an_error_that_a_tool_handles_is_an_error_result(handling: Any, said: str) -> None:
    """The model reads what the tool makes of it; other answers are what they were."""
    source = StructuredTool.from_function(refuse, handle_tool_error=handling)
    gate = Gate([source])
    refused = await gate.call("refuse", {"folder": "in"})
    taken = await gate.call("refuse", {"folder": "out"})

    assert (said, True) == (refused.content[0]["text"], refused.is_error)
    assert ({"folder": "out"}, False) == (json.loads(taken.content[0]["text"]), taken.is_error)
