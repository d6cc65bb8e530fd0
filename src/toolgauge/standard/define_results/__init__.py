"""Writes what a handler gives back as JSON, by the library that its type belongs to.

A library is known by the class; its module here is imported when such a result turns up.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from toolgauge.contract import CallResult
from toolgauge.standard import _mentions as kinds
from toolgauge.standard.errors import Unconvertible
from toolgauge.standard.functions.annotations import NO_DEFAULT

Dump = Callable[[Any], Any]
"""A result to parsed JSON."""

_HERE = __name__
_SCALARS = frozenset({str, bool, int, float, type(None), CallResult})
_UNTOLD = (NO_DEFAULT, Any, object, list, dict, *_SCALARS)
"""What a function may say of its result without saying how to write it."""
_ANSWERS = ("mcp", "mcp_types", "fastmcp")
"""Packages whose types are an answer in MCP's own shape, not a value to be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Library:
    """One row: whose types, and which module here writes their values."""

    claims: Callable[[object], bool]
    module: str


def _of(package: str) -> Callable[[object], bool]:
    return lambda obj: kinds.is_from(obj, package) or kinds.mentions(obj, package)


_LIBRARIES = (
    _Library(claims=lambda obj: kinds.is_from(obj, "marshmallow.schema"), module="marshmallow"),
    _Library(claims=_of("msgspec"), module="msgspec"),
    _Library(claims=_of("attrs"), module="attrs"),
    _Library(claims=lambda obj: kinds.is_from(obj, "pydantic.v1"), module="pydantic_v1"),
)


def dump_of(declared: Any) -> Dump:
    """Give the function that writes results of a declared type.

    A JSON Schema, and an object that only says what it accepts, leave a result as
    it is: it is written as its own class wants it.

    Args:
        declared: Anything that ``standardize`` takes.
    """
    if isinstance(declared, Mapping | bool) or any(
        hasattr(declared, name) for name in ("__standard_schema__", "~standard")
    ):
        return dump_by_class
    for row in _LIBRARIES:
        if row.claims(declared):
            return _load(row.module, declared)
    if kinds.is_from(declared, "pydantic") or find_spec("pydantic"):
        return _load("pydantic", declared)
    return _load("msgspec", declared) if find_spec("msgspec") else _by_fields


def dump_by_class(value: Any) -> Any:
    """Write a result as its own class wants it, in lists and mappings too.

    Whatever needs no help is left alone.
    """
    cls: type = type(value)
    if cls in _SCALARS or hasattr(cls, "model_dump"):
        return value
    if cls in {list, tuple}:
        return [dump_by_class(each) for each in value]
    if cls is dict:
        return {key: dump_by_class(each) for key, each in value.items()}
    if dataclasses.is_dataclass(cls) or kinds.is_attrs(cls) or kinds.is_from(cls, "msgspec"):
        return _dump_of_class(cls)(value)
    return value


@lru_cache(maxsize=256)
def _dump_of_class(cls: type) -> Dump:
    return dump_of(cls)


def _by_fields(value: Any) -> Any:
    """Write a dataclass where no library is there to do it."""
    is_data = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.asdict(value) if is_data else value


def has_fields(declared: object) -> bool:
    """Tell a class with named fields: only its results make an object of known members."""
    return (
        isinstance(declared, type)
        and not is_answer(declared)
        and (
            dataclasses.is_dataclass(declared)
            or kinds.is_typed_dict(declared)
            or kinds.is_attrs(declared)
            or kinds.is_from(declared, "msgspec")
            or any(hasattr(declared, each) for each in ("model_fields", "__fields__"))
        )
    )


def is_answer(declared: object) -> bool:
    """Tell an answer that is complete already: ours, or one of the MCP SDK's types."""
    return declared is CallResult or any(kinds.mentions(declared, each) for each in _ANSWERS)


def written(declared: Any) -> Dump:
    """Give the function that writes what a function says that it returns.

    Nothing was promised here, so a type that no library knows is no fault.
    """
    if any(declared is each for each in _UNTOLD) or is_answer(declared):
        return dump_by_class
    try:
        return dump_of(declared)
    except Unconvertible:
        return dump_by_class


def _load(module: str, declared: Any) -> Dump:
    found: Dump = importlib.import_module(f"{_HERE}.{module}").dump_of(declared)
    return found
