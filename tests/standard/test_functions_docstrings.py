"""The description of a tool is all that its docstring says beside the sections."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import pytest

from toolgauge import tool

AFTER = """Delete a file.

    Args:
        path: which one

            as the shell writes it

    Never call this without asking first.

    Warning:
        It cannot be undone.

    Returns:
        Nothing.
    Ask twice.
    """
FIELD = """Delete a file.

    :param path: which one
    :warning: it cannot be undone.
    :returns: nothing
    """
ONLY_FIELD = """Delete a file.

    :warning: it cannot be undone.
    """
NUMPY = """Delete a file.

    Parameters
    ----------
    path : str
        which one

    Warnings
    --------
    It cannot be undone.

    See Also
    --------
    remove
    """
SAID = [
    (
        AFTER,
        (
            "Delete a file.\n\nNever call this without asking first.\n\n"
            "Warning:\n    It cannot be undone.\n\nAsk twice."
        ),
    ),
    (FIELD, "Delete a file.\n\n:warning: it cannot be undone."),
    (ONLY_FIELD, "Delete a file.\n\n:warning: it cannot be undone."),
    (NUMPY, "Delete a file.\n\nWarnings:\nIt cannot be undone."),
]


@pytest.mark.parametrize(("text", "said"), SAID, ids=["after", "field", "only field", "numpy"])
def test_what_no_section_claims_describes_the_tool(text: str, said: str) -> None:
    """Wherever it stands."""

    def delete(path: str) -> None: ...

    delete.__doc__ = text
    made = tool(delete)

    assert said == made.description
    described = made.input_schema["properties"]["path"].get("description", "")
    assert described.startswith("which one") or text == ONLY_FIELD


class Quiet:
    """Delete files."""

    def __call__(self, path: str) -> None: ...


class Speaking:
    """Hold files."""

    def __call__(self, path: str) -> None:
        """Delete one."""


@dataclasses.dataclass
class Silent:
    root: str = "/"

    def __call__(self, path: str) -> None: ...


class Base:
    def delete(self, path: str) -> None:
        """Delete one."""


class Heir(Base):
    def delete(self, path: str) -> None: ...


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (Quiet(), "Delete files."),
        (Quiet().__call__, "Delete files."),
        (functools.partial(Quiet()), "Delete files."),
        (Speaking(), "Delete one."),
        (Silent(), ""),
        (Heir().delete, "Delete one."),
    ],
)
def test_a_callable_object_is_described_by_its_method_or_its_class(
    function: Callable[..., Any], said: str
) -> None:
    """Never by what Python says of every ``__call__``."""
    assert said == tool(name="delete")(function).description
