"""Tools of other frameworks are taken as they are, with the real libraries."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Annotated, Any

import pydantic
import pytest
from agents import RunContextWrapper, function_tool
from fastmcp.exceptions import ToolError as FastMCPToolError
from fastmcp.tools import Tool as FastMCPTool
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool
from langchain_core.tools import tool as langchain_tool
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ImageContent, TextContent
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai import Tool as PydanticTool

from toolgauge import Gate, Tool, create_app
from toolgauge.contract import Catalog, compile_schema, read_tool
from toolgauge.standard import ContextUnavailable
from toolgauge.standard.frameworks import FRAMEWORKS, adopt, is_framework_tool
from toolgauge.upstream import ModuleSource, open_source

pytestmark = pytest.mark.anyio


def repeat(text: str, times: int = 2) -> str:
    """Repeat a text.

    Args:
        text: what to repeat
        times: how often
    """
    return text * times


class Arguments(pydantic.BaseModel):
    text: str
    times: int = pydantic.Field(2, ge=1)


class OwnLangChainTool(BaseTool):
    name: str = "repeat"
    description: str = "Repeat a text."
    args_schema: Any = Arguments

    def _run(self, text: str, times: int) -> str:
        return text * times


def mcp_sdk_tool(function: Callable[..., Any]) -> Any:
    """Register a function with the SDK's server and give its tool."""
    server = MCPServer("specimen")
    server.tool()(function)
    return server._tool_manager.list_tools()[0]


def openai_tool(function: Callable[..., Any]) -> Any:
    """Give a tool of the Agents SDK, which lets a default be a default."""
    return function_tool(function, strict_mode=False)


MADE: list[tuple[str, Callable[[Callable[..., Any]], Any]]] = [
    ("langchain", langchain_tool),
    ("openai_agents", openai_tool),
    ("pydantic_ai", PydanticTool),
    ("fastmcp", FastMCPTool.from_function),
    ("mcp_sdk", mcp_sdk_tool),
]
each_framework = pytest.mark.parametrize(
    "make", [make for _, make in MADE], ids=[name for name, _ in MADE]
)


def test_every_framework_of_the_table_is_tested() -> None:
    """A new row cannot be forgotten."""
    assert [name for name, _ in MADE] == [each.module for each in FRAMEWORKS]


@each_framework
async def test_a_frameworks_tool_is_listed_validated_and_run(make: Any) -> None:
    """In a gate, as if it were one of ours."""
    source = make(repeat)
    gate = Gate([source])
    [made] = gate.tools()
    good = await gate.call("repeat", {"text": "ab"})
    bad = await gate.call("repeat", {"text": "ab", "times": "3"})

    assert is_framework_tool(source)
    assert ("repeat", True) == (made.name, made.description.startswith("Repeat a text."))
    assert ["text"] == made.input_schema["required"]
    assert json.loads(json.dumps(made.to_detail())) == made.to_detail()
    assert "abab" == good.content[0]["text"]
    assert ["/times"] == [each.pointer for each in bad.issues]
    assert "/text" == gate.validate("repeat", {})[0].pointer


@each_framework
def test_a_frameworks_tool_is_read_without_its_framework(make: Any) -> None:
    """Name, description and schema are there for whoever only compares definitions."""
    source = make(repeat)
    read, adopted = read_tool(source), adopt(source)
    assert isinstance(adopted, Tool)

    assert (adopted.name, adopted.input_schema) == (read.name, read.input_schema)


@each_framework
async def test_what_a_frameworks_tool_raises_is_not_the_callers_fault(make: Any) -> None:
    """It is a fault of the tool: raised, or said by the framework in its own words."""

    def broken(text: str) -> str:
        """Fail."""
        raise RuntimeError(f"no {text}")

    made = adopt(make(broken))
    assert isinstance(made, Tool)
    assert made.handler is not None
    try:
        answer = await Gate([made]).call("broken", {"text": "x"})
    except Exception as error:  # noqa: BLE001 - each framework has its own
        said = str(error)
    else:
        assert not answer.issues
        said = answer.content[0]["text"]

    assert any(words in said for words in ("broken", "no x", "error occurred"))


@each_framework
async def test_a_frameworks_tool_is_served(make: Any) -> None:
    """By the HTTP application, from a list and from a provider."""
    import httpx

    for tools in ([make(repeat)], lambda: [make(repeat)]):
        app = create_app(tools, allow_execute=True)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            listed = (await client.get("/tools")).json()
            called = await client.post("/tools/repeat/call", json={"text": "ab"})

        assert ["repeat"] == [each["name"] for each in listed]
        assert "abab" == called.json()["content"][0]["text"]


async def test_langchain_subclasses_and_structured_tools_are_tools() -> None:
    """With a model, a JSON Schema, or a coroutine behind them."""

    async def later(**arguments: Any) -> str:
        return repeat(**arguments)

    sources = [
        OwnLangChainTool(),
        StructuredTool.from_function(
            coroutine=later, name="repeat", description="d", args_schema=Arguments
        ),
        StructuredTool.from_function(
            later,
            name="repeat",
            description="d",
            coroutine=later,
            args_schema=Arguments.model_json_schema(),
        ),
    ]
    for source in sources:
        gate = Gate([source])
        assert "abab" == (await gate.call("repeat", {"text": "ab", "times": 2})).content[0]["text"]
        assert (await gate.call("repeat", {"text": "ab", "times": 0})).is_error


async def test_what_langchain_injects_is_not_published() -> None:
    """Nor can a caller send it."""

    @langchain_tool
    def find(query: str, user: Annotated[str, InjectedToolArg]) -> str:
        """Find."""
        return query

    [made] = Gate([find]).tools()

    assert ["query"] == list(made.input_schema["properties"])


async def test_an_openai_tool_gets_a_run_context_without_an_object() -> None:
    """There is no application around it."""

    @function_tool
    def who(context: RunContextWrapper[Any], n: int) -> str:
        """Tell."""
        return f"{n} {context.context}"

    assert "1 None" == (await Gate([who]).call("who", {"n": 1})).content[0]["text"]


async def test_a_pydantic_ai_tool_that_wants_a_run_is_listed_and_not_run() -> None:
    """The run's model and dependencies are nowhere to be had."""

    def ask(ctx: RunContext[int], n: int) -> int:
        """Ask."""
        return ctx.deps + n

    gate = Gate([PydanticTool(ask)])

    assert ["n"] == list(gate.tools()[0].input_schema["properties"])
    with pytest.raises(ContextUnavailable):
        await gate.call("ask", {"n": 1})


async def test_a_retry_of_pydantic_ai_is_an_error_result() -> None:
    """The model reads what the tool says."""

    def again(n: int) -> int:
        """Refuse."""
        raise ModelRetry("use a larger number")

    answer = await Gate([PydanticTool(again)]).call("again", {"n": 1})

    assert answer.is_error
    assert "use a larger number" == answer.content[0]["text"]


async def test_a_validator_behind_a_pydantic_ai_tool_refuses_at_the_place() -> None:
    """What the schema cannot say is a fault of the arguments."""

    def even(n: Annotated[int, pydantic.AfterValidator(_even)]) -> int:
        """Take even numbers."""
        return n

    answer = await Gate([PydanticTool(even)]).call("even", {"n": 1})

    assert ["/n"] == [each.pointer for each in answer.issues]


def _even(value: int) -> int:
    if value % 2:
        raise ValueError("is odd")
    return value


@pytest.mark.parametrize(
    ("make", "error"),
    [(FastMCPTool.from_function, FastMCPToolError), (mcp_sdk_tool, ToolError)],
)
async def test_what_an_mcp_tool_says_on_purpose_is_an_error_result(
    make: Any, error: type[Exception]
) -> None:
    """The model reads it."""

    def refuse(n: int) -> int:
        """Refuse."""
        raise error("not today")

    answer = await Gate([make(refuse)]).call("refuse", {"n": 1})

    assert answer.is_error
    assert "not today" in answer.content[0]["text"]


@pytest.mark.parametrize("make", [FastMCPTool.from_function, mcp_sdk_tool])
async def test_an_mcp_tool_keeps_its_output_schema_and_its_structure(make: Any) -> None:
    """Published, and kept by the result."""

    def structured(n: int) -> Arguments:
        """Give an object."""
        return Arguments(text="x", times=n)

    gate = Gate([make(structured)])
    [made] = gate.tools()
    answer = await gate.call("structured", {"n": 3})

    assert {"text": "x", "times": 3} == answer.structured
    assert () == compile_schema(made.output_schema).issues(answer.structured)


async def test_what_an_mcp_tool_says_of_itself_is_kept() -> None:
    """Title, annotations, ``_meta``."""
    server = MCPServer("specimen")
    server.tool(title="Again", annotations={"readOnlyHint": True}, meta={"a": 1})(repeat)  # type: ignore[arg-type]
    [sdk] = Gate(server._tool_manager.list_tools()).tools()
    source = FastMCPTool.from_function(repeat, title="Again", meta={"a": 1})
    [fast] = Gate([source]).tools()

    assert {"title": "Again", "_meta": {"a": 1}}.items() <= sdk.to_detail().items()
    assert "Again" == fast.to_detail()["title"]


def _with_context(n: int, ctx: Context) -> str:
    """Take a context."""
    return type(ctx).__name__


async def test_an_sdk_tool_that_asks_for_a_context_gets_the_requests() -> None:
    """Where the call came through the SDK."""
    gate = Gate([mcp_sdk_tool(_with_context)])

    assert "Context" == (await gate.call("_with_context", {"n": 1}, Context())).content[0]["text"]
    with pytest.raises(ContextUnavailable):
        await gate.call("_with_context", {"n": 1})


async def test_blocks_of_an_sdk_tool_arrive_as_they_are() -> None:
    """Whole results too."""

    def picture(n: int) -> list[ImageContent | TextContent]:
        """Give blocks."""
        return [TextContent(type="text", text="x")]

    def whole(n: int) -> CallToolResult:
        """Give a result."""
        return CallToolResult(content=[TextContent(type="text", text="y")], is_error=True)

    first = await Gate([mcp_sdk_tool(picture)]).call("picture", {"n": 1})
    second = await Gate([mcp_sdk_tool(whole)]).call("whole", {"n": 1})

    assert ("x", False) == (first.content[0]["text"], first.is_error)
    assert ("y", True) == (second.content[0]["text"], second.is_error)


def test_other_objects_pass_untouched() -> None:
    """A definition of the MCP SDK is data, not a tool that runs."""
    from mcp_types import Tool as Definition

    definition = Definition(name="t", input_schema={"type": "object"})

    for each in (definition, {"name": "t"}, Tool(name="t"), object()):
        assert each is adopt(each)


async def test_a_tool_is_converted_once() -> None:
    """Making its schema takes longer than a call."""
    source, asked = langchain_tool(repeat), []

    def counting(each: object) -> object:
        asked.append(each)
        return adopt(each)

    catalog = Catalog([source], adopt=counting)
    for _ in range(3):
        await catalog.tools()
        await catalog.find("repeat")

    assert [source] == asked


async def test_a_provider_of_new_objects_does_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was converted is forgotten in time."""
    monkeypatch.setattr("toolgauge.contract.catalog._MAX_ADOPTED", 2)
    catalog = Catalog(lambda: [langchain_tool(repeat)], adopt=adopt)
    for _ in range(5):
        assert "repeat" == (await catalog.tools())[0].name
        assert "repeat" == catalog.find_now("repeat").name

    assert len(catalog._adopted) <= 2


async def test_a_tool_that_cannot_be_converted_hides_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is left out with a warning."""

    class Odd(pydantic.BaseModel):
        callback: Callable[[int], int]

    class OddTool(OwnLangChainTool):
        name: str = "odd"
        args_schema: Any = Odd

    assert ["repeat"] == [each.name for each in Gate([OddTool(), OwnLangChainTool()]).tools()]
    assert "left out" in caplog.text


MODULE = """
from agents import Agent, function_tool
from fastmcp import FastMCP
from langchain_core.tools import tool
from pydantic_ai import FunctionToolset
from toolgauge import tool as our_tool
from tests.standard.test_frameworks import repeat

langchain = tool(repeat)
several = [tool(repeat)]
agent = Agent(name="a", tools=[function_tool(repeat)])
toolset = FunctionToolset(tools=[repeat])
ours = our_tool(repeat)
server = FastMCP("specimen")
server.tool(repeat)
"""


@pytest.mark.parametrize(
    "attribute", ["langchain", "several", "agent", "toolset", "ours", "server"]
)
async def test_a_module_may_hold_tools_of_any_framework(
    attribute: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One tool, a list, an agent, a toolset, a server."""
    (tmp_path / "specimen_frameworks.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "specimen_frameworks", raising=False)
    source = ModuleSource("specimen_frameworks", attribute)
    async with open_source(source) as upstream:
        gate = Gate(upstream.tools, upstream.handle_call)
        answer = await gate.call("repeat", {"text": "ab", "times": 2})

        assert ["repeat"] == [each.name for each in gate.tools()]
        assert "abab" == answer.content[0]["text"]
