"""What a docstring says of a function and of each parameter.

Google, NumPy and Sphinx style.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import docstring_parser

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_CHARS = 100_000
"""A longer docstring is taken as plain text, without sections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """A docstring, read.

    Attributes:
        text: What is said of the function, without the sections.
        parameters: What is said of each parameter, by its name.
    """

    text: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def read_docstring(function: Any) -> Documented:
    """Read the docstring of a function; empty where there is none."""
    text = inspect.getdoc(function)
    if not text:
        return Documented()
    if len(text) > _MAX_CHARS:
        return Documented(text=text)
    try:
        found = docstring_parser.parse(text)
    except docstring_parser.ParseError:
        return Documented(text=text)
    return Documented(
        text=(found.description or "").strip(),
        parameters={
            name.strip().lstrip("*"): each.description
            for each in found.params
            if each.description
            for name in each.arg_name.split(",")  # NumPy: "x, y : int"
        },
    )
