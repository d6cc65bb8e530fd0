"""The acceptance criteria of the specification for pluggable validation, in Python terms.

1. A tool defined with the default validator works with no source change, and its JSON
   Schema is byte-identical to that of the library.
2. A tool defined with another validator validates correctly when it runs.
3. Another validator without ``parameters`` fails when the tool is built, with an error
   that names the tool and the fix; ``{"type": "object"}`` never ships.
4. With ``parameters`` that JSON Schema is emitted verbatim.
5. Invalid input gives ``ToolInputInvalid`` that carries the issues; the answer surfaces
   the messages.
6. No new required dependency; the default validator is imported only when it is needed.
7. The checks pass: what this suite is part of.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pydantic
import pytest

from toolgauge import (
    Failure,
    Gate,
    Issue,
    Success,
    Tool,
    ToolInputInvalid,
    create_app,
    define_tool,
    standardize,
)
from toolgauge.standard import NoJsonSchema, Props

if TYPE_CHECKING:
    from toolgauge.contract import Result

ROOT = Path(__file__).parents[2]

PARAMETERS = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "city": {"type": "string"}},
    "required": ["city", "to"],
    "x-vendor": [{"anything": None}],
}


class Search(pydantic.BaseModel):
    """Search hotel inventory."""

    city: str = pydantic.Field(description="where")
    to: str = "tomorrow"


class Query(msgspec.Struct):
    city: str


class Valibot:
    """A validator of a library that nobody here knows, as the specification's is."""

    @property
    def __standard_schema__(self) -> Props[str]:
        return Props(vendor="valibot", validate=_validate)


def _validate(value: object) -> Result[str]:
    if isinstance(value, dict) and isinstance(value.get("city"), str) and value["city"]:
        return Success(value["city"].title())
    return Failure((Issue(path=("city",), message="city must not be empty"),))


def handler(value: Any) -> str:
    """Say what arrived."""
    return repr(value)


async def call(made: Tool, args: object) -> Any:
    """Make one call."""
    return await Gate([made]).call(made.name, args)


@pytest.mark.anyio
async def test_criterion_1_a_pydantic_model_works_and_its_schema_is_byte_identical() -> None:
    """Key order included."""
    made = define_tool(name="search", input=Search, handler=handler)
    answer = await call(made, {"city": "Oslo"})

    assert json.dumps(Search.model_json_schema()) == json.dumps(made.input_schema)
    assert "Search(city='Oslo', to='tomorrow')" == answer.content[0]["text"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("declared", "parameters", "arrived"),
    [(Query, None, "Query(city='oslo')"), (Valibot(), PARAMETERS, "'Oslo'")],
)
async def test_criterion_2_another_validator_validates_when_the_tool_runs(
    declared: Any, parameters: Any, arrived: str
) -> None:
    """And the handler gets its value."""
    made = define_tool(name="t", input=declared, handler=handler, parameters=parameters)
    good = await call(made, {"city": "oslo", "to": "x"})
    bad = await call(made, {"city": 5, "to": "x"})

    assert arrived == good.content[0]["text"]
    assert "/city" == bad.issues[0].pointer


def test_criterion_3_without_a_schema_the_build_fails_and_names_tool_and_fix() -> None:
    """In the specification's own sentence."""
    with pytest.raises(NoJsonSchema) as caught:
        define_tool(name="search", input=Valibot(), handler=handler)

    assert str(caught.value).startswith(
        "Tool 'search' uses validator 'valibot' which toolgauge can't auto-convert to "
        "JSON Schema. Add a `parameters` JSON Schema to the tool."
    )


def test_criterion_3_a_known_vendors_failure_is_an_error_and_no_empty_schema() -> None:
    """A conversion that fails is not swallowed."""

    class Odd(pydantic.BaseModel):
        callback: object
        exotic: type[int]

        @classmethod
        def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
            raise pydantic.errors.PydanticInvalidForJsonSchema("not this one")

    with pytest.raises(NoJsonSchema) as caught:
        define_tool(name="odd", input=Odd, handler=handler)
    assert ("odd", "pydantic") == (caught.value.tool, caught.value.vendor)


@pytest.mark.anyio
async def test_criterion_4_parameters_are_emitted_verbatim() -> None:
    """In the list of the HTTP application and wherever a tool is written."""
    import httpx

    made = define_tool(name="t", input=Valibot(), handler=handler, parameters=PARAMETERS)
    transport = httpx.ASGITransport(app=create_app([made]))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        detail = (await client.get("/tools/t")).json()

    assert json.dumps(PARAMETERS) == json.dumps(made.input_schema)
    assert json.dumps(PARAMETERS) == json.dumps(detail["inputSchema"])


@pytest.mark.anyio
async def test_criterion_4_parameters_win_over_what_the_validator_says() -> None:
    """And a call is held against both."""
    made = define_tool(name="t", input=Search, handler=handler, parameters={"required": ["to"]})

    assert {"required": ["to"]} == made.input_schema
    assert "/to" == (await call(made, {"city": "Oslo"})).issues[0].pointer
    assert "/city" == (await call(made, {"to": "x"})).issues[0].pointer


@pytest.mark.anyio
async def test_criterion_5_invalid_input_surfaces_the_messages() -> None:
    """The answer holds them, and so does the exception of whoever wants one."""
    made = define_tool(name="t", input=Valibot(), handler=handler, parameters={"type": "object"})
    answer = await call(made, {"city": ""})
    error = ToolInputInvalid(made.name, answer.issues)

    assert answer.is_error
    assert "city must not be empty" in answer.content[0]["text"]
    assert ("t", answer.issues) == (error.tool, error.issues)
    assert 'Tool "t" received invalid input: 1 issue(s).' == str(error)


def test_criterion_5_a_failure_without_issues_is_one_all_the_same() -> None:
    """``issues`` that are there and empty."""

    class Never:
        @property
        def __standard_schema__(self) -> Props[Any]:
            return Props(vendor="never", validate=lambda _: Failure(()))

    made = define_tool(name="t", input=Never(), handler=handler, parameters={"type": "object"})
    answer = asyncio.run(call(made, {}))

    assert answer.is_error


REQUIRED = {
    "anyio",
    "jsonschema",
    "jsonschema-rs",
    "jsonschema-specifications",
    "orjson",
    "referencing",
    "rich",
    "starlette",
    "typer",
    "uvicorn",
}
"""What the package needs without validators: engine, HTTP server, command line."""

VALIDATORS: tuple[str, ...] = (
    "pydantic",
    "msgspec",
    "attrs",
    "cattrs",
    "marshmallow",
    "docstring_parser",
)
VALIDATORS += ("langchain_core", "agents", "pydantic_ai", "fastmcp", "mcp")


def test_criterion_6_no_validator_is_a_required_dependency() -> None:
    """Each is an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert {each.partition(">")[0] for each in project["dependencies"]} == REQUIRED


@pytest.mark.parametrize(
    "code",
    [
        "import toolgauge",
        "from toolgauge import define_tool, tool, standardize",
        "from toolgauge import define_tool; define_tool(name='t', input={}, handler=str)",
        "import toolgauge; toolgauge.Gate([{'name': 't'}]).validate('t', {})",
    ],
)
def test_criterion_6_no_validator_library_is_loaded_before_its_object_turns_up(code: str) -> None:
    """A plain JSON Schema needs none."""
    code = f"{code}\nimport sys\nprint([each for each in {VALIDATORS} if each in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert "[]" == done.stdout.strip()


def test_no_rename_the_three_names_are_there() -> None:
    """``defineTool``, ``ToolConfig`` and ``ToolInputInvalid``, as Python spells them."""
    assert callable(define_tool)
    assert Tool.__name__ == "Tool"
    assert issubclass(ToolInputInvalid, Exception)
    assert standardize(Search).__standard_schema__.vendor == "pydantic"
