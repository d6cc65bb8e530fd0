"""What a docstring says of a function and of each parameter.

Google, NumPy and Sphinx style.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import docstring_parser
from docstring_parser import DocstringMeta, DocstringStyle
from docstring_parser.google import GoogleParser

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_CHARS = 100_000
"""A longer docstring is taken as plain text, without sections."""


_TITLE = GoogleParser().titles_re
_TOLD = frozenset({"warnings", "notes"})
"""Sections of NumPy's that are about the tool as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """A docstring, read.

    Attributes:
        text: What is said of the function: all but the sections on parameters, results,
            exceptions and examples.
        parameters: What is said of each parameter, by its name.
    """

    text: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def read_docstring(function: Any) -> Documented:
    """Read the docstring of a function; empty where there is none."""
    text = _text_of(function)
    if not text:
        return Documented()
    if len(text) > _MAX_CHARS:
        return Documented(text=text)
    try:
        found = docstring_parser.parse(text)
    except docstring_parser.ParseError:
        return Documented(text=text)
    said = ((found.description or "").strip(), *_beside(text, found))
    return Documented(
        text="\n\n".join(filter(None, said)),
        parameters={
            name.strip().lstrip("*"): each.description
            for each in found.params
            if each.description
            for name in each.arg_name.split(",")  # NumPy: "x, y : int"
        },
    )


def _text_of(function: Any) -> str | None:
    """Return the docstring of a function; of an object that can be called, else its class's."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    is_call = inspect.ismethod(function) and function.__name__ == "__call__"
    if inspect.isroutine(function) and not is_call:
        return inspect.getdoc(function)
    # `getdoc` would give what Python itself says of `__call__`.
    owner = type(getattr(function, "__self__", function))
    for each in (getattr(owner, "__call__", None), owner):  # noqa: B004 - the method itself
        own = getattr(each, "__doc__", None)
        # A dataclass without a docstring has its signature for one.
        if own and not own.startswith(f"{owner.__name__}("):
            return inspect.cleandoc(own)
    return None


def _beside(text: str, found: docstring_parser.Docstring) -> Iterator[str]:
    """Return what the parser keeps out of the description, and no section is about."""
    if found.style is DocstringStyle.GOOGLE:
        yield _after_sections(text)
    for each in found.meta:
        if type(each) is not DocstringMeta:
            continue
        if found.style is DocstringStyle.REST:
            yield f":{' '.join(each.args)}: {each.description or ''}".strip()
        elif each.args[0] in _TOLD:
            yield f"{each.args[0].capitalize()}:\n{each.description or ''}".strip()


def _after_sections(text: str) -> str:
    """Return the lines from the first section on that are in none: sections are indented."""
    first = _TITLE.search(text)
    kept: list[str] = []
    is_inside = True
    for line in text[first.start() :].splitlines() if first else ():
        if line[:1].strip():
            is_inside = _TITLE.match(line) is not None
        if not is_inside:
            kept.append(line)
    return "\n".join(kept).strip()
