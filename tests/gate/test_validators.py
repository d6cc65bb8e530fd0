"""A tool's own validator is asked after its schema, and the handler gets its value."""

from __future__ import annotations

import pytest

from toolgauge.contract import (
    Failure,
    Issue,
    Result,
    Success,
    Tool,
    ToolInputInvalid,
    current_call,
)
from toolgauge.gate import Gate

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def even(value: object) -> Result[int]:
    """Take even numbers, times ten."""
    assert isinstance(value, dict)
    n: int = value["n"]
    if n % 2:
        return Failure((Issue(path=("n",), message="is odd"),))
    return Success(n * 10)


async def evenly(value: object) -> Result[int]:
    """Do the same, awaited."""
    return even(value)


@pytest.mark.anyio
@pytest.mark.parametrize("validate", [even, evenly], ids=["sync", "async"])
async def test_the_handler_gets_the_validators_value(validate: object) -> None:
    """Whatever the validator makes of the arguments is what runs."""
    gate = Gate([_tool(validate)])

    assert "value 20" == (await gate.call("t", {"n": 2})).content[0]["text"]


@pytest.mark.anyio
@pytest.mark.parametrize("validate", [even, evenly], ids=["sync", "async"])
async def test_a_failure_never_reaches_the_handler(validate: object) -> None:
    """Its issues come back as those of the schema would."""
    result = await Gate([_tool(validate)]).call("t", {"n": 3})

    assert result.is_error
    assert ["/n"] == [issue.pointer for issue in result.issues]


@pytest.mark.anyio
async def test_a_failure_without_issues_is_a_failure() -> None:
    """An empty list of issues is a refusal all the same (decision S3)."""
    result = await Gate([_tool(lambda _: Failure(()))]).call("t", {"n": 2})

    assert result.is_error
    assert () == result.issues


@pytest.mark.anyio
async def test_a_validator_that_raises_is_a_fault_of_the_program() -> None:
    """It is never taken for a fault of the arguments."""
    with pytest.raises(ZeroDivisionError):
        await Gate([_tool(lambda _: Success(1 // 0))]).call("t", {"n": 2})


@pytest.mark.anyio
async def test_a_handle_call_gets_the_arguments_as_they_came() -> None:
    """The validator is asked, but its value is for the tool's own handler."""

    async def handle_call(name: str, args: dict[str, object]) -> object:
        return [f"{name} {args}"], False, None

    gate = Gate([_tool(even)], handle_call)

    assert "t {'n': 2}" in (await gate.call("t", {"n": 2})).content[0]["text"]
    assert (await gate.call("t", {"n": 3})).is_error


@pytest.mark.anyio
async def test_a_handler_can_ask_who_is_calling() -> None:
    """Inside a call there is one, outside of it there is none."""

    def handler(_: object) -> str:
        call = current_call()
        assert call is not None
        return f"{call.tool} for {call.request}"

    result = await Gate([Tool(name="who", handler=handler)]).call("who", {}, "me")

    assert "who for me" == result.content[0]["text"]
    assert current_call() is None


def test_the_message_is_the_seeds() -> None:
    """Word for word."""
    error = ToolInputInvalid("search", (Issue(message="x"), Issue(message="y")))

    assert 'Tool "search" received invalid input: 2 issue(s).' == str(error)


def _tool(validate: object) -> Tool:
    return Tool(
        name="t",
        input_schema=SCHEMA,
        validate=validate,  # type: ignore[arg-type]
        handler=lambda value: f"value {value}",
    )
