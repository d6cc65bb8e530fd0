"""What pydantic refuses to build, and what it masks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

import pydantic
import pytest
from pydantic import Field, SecretBytes, SecretStr

from toolgauge import Gate, define_tool, tool
from toolgauge.standard import UncallableSignature
from toolgauge.standard.errors import NoJsonSchema

LookAround = Annotated[str, Field(pattern=r"^(?!000)\d{3}$")]


def plain(number: LookAround) -> None:
    """Take one."""


def inside(other: int, number: list[LookAround] | None = None) -> None:
    """Take several."""


@pytest.mark.parametrize("function", [plain, inside])
def test_a_pattern_that_looks_around_is_told_with_its_place(function: Callable[..., None]) -> None:
    """In one line, with the pattern and what is wrong with it."""
    with pytest.raises(UncallableSignature) as caught:
        tool(function)

    assert (function.__name__, "number") == (caught.value.function, caught.value.parameter)
    assert r"^(?!000)\d{3}$" in caught.value.reason
    assert "look-around" in caught.value.reason
    assert "\n" not in str(caught.value)


def test_a_validator_that_looks_around_is_told_in_one_line() -> None:
    """An error of ours."""
    with pytest.raises(NoJsonSchema) as caught:
        define_tool(name="t", input=LookAround, handler=print)

    assert "look-around" in caught.value.reason
    assert "\n" not in str(caught.value)


class Account(pydantic.BaseModel):
    password: SecretStr = SecretStr("hunter2")
    name: str = "Ann"


@dataclasses.dataclass(slots=True)
class Key:
    key: SecretBytes = SecretBytes(b"hunter2")  # noqa: RUF009 - frozen


class Hidden(pydantic.Secret[int]):
    """A secret of one's own."""


@pytest.mark.anyio
async def test_a_secret_default_is_not_published() -> None:
    """Its mask is no value that a caller could send; it holds all the same."""

    def log_in(  # noqa: PLR0917 - one of each kind
        password: SecretStr = SecretStr("hunter2"),  # noqa: B008 - frozen
        maybe: SecretStr | None = SecretStr("hunter2"),  # noqa: B008 - frozen
        several: list[SecretStr] = [SecretStr("hunter2")],  # noqa: B006, B008 - only read
        named: dict[str, SecretStr] = {"a": SecretStr("hunter2")},  # noqa: B006, B008 - only read
        account: Account = Account(),  # noqa: B008 - only read
        key: Key = Key(),  # noqa: B008 - only read
        hidden: Hidden = Hidden(7),  # noqa: B008 - only read
        times: int = 2,
    ) -> str:
        """Log in."""
        return f"{password.get_secret_value()} {times}"

    made = tool(log_in)
    answer = await Gate([made]).call("log_in", {})
    described: dict[str, Any] = {
        **made.input_schema["properties"],
        **made.input_schema["$defs"]["Account"]["properties"],
    }

    assert {"times": 2, "name": "Ann"} == {
        name: each["default"] for name, each in described.items() if "default" in each
    }
    assert "required" not in made.input_schema
    assert "hunter2 2" == answer.content[0]["text"]
