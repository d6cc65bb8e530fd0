"""Reads a function's signature as the arguments of a tool."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.standard.errors import UncallableSignature
from toolgauge.standard.functions.annotations import (
    NO_DEFAULT,
    Resolver,
    home_of,
    name_of,
    signature_of,
)
from toolgauge.standard.functions.contexts import ContextParameter, find_context
from toolgauge.standard.functions.docstrings import read_docstring

if TYPE_CHECKING:
    from collections.abc import Callable

_BY_POSITION = (
    "can only be filled by position, and a call names its arguments; remove the '/' after it"
)
_ANY_NUMBER = "takes any number of arguments, which no schema can name; list them one by one"
_REJECTED: dict[object, tuple[str, str]] = {
    inspect.Parameter.POSITIONAL_ONLY: ("", _BY_POSITION),
    inspect.Parameter.VAR_POSITIONAL: ("*", _ANY_NUMBER),
    inspect.Parameter.VAR_KEYWORD: ("**", _ANY_NUMBER),
}
"""What is written before a parameter that no named value can fill, and why it cannot."""
_MAX_PARAMETERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool.

    Attributes:
        name: What the function calls it.
        annotation: The type, with what ``Annotated`` says of it.
        default: What it is when it is left out, ``NO_DEFAULT`` where it must be given.
        description: What the docstring says of it, ``""`` for nothing.
    """

    name: str
    annotation: Any
    default: Any = NO_DEFAULT
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A function as a tool sees it.

    Attributes:
        function: The function itself.
        name: What it is called.
        description: Its docstring without the sections, ``""`` where it has none.
        parameters: The arguments, in the order of the function.
        contexts: The parameters that are filled by whoever runs the tool.
    """

    function: Callable[..., Any]
    name: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    contexts: tuple[ContextParameter, ...] = ()


def read_signature(function: Callable[..., Any]) -> Signature:
    """Read a sync or async function, a bound method, a partial or a callable object.

    What a partial has bound is not published: it is not the caller's to know.

    Args:
        function: Any of these.

    Raises:
        UncallableSignature: A parameter cannot be filled by name, says nothing of
            its type, or the function is a class, a generator or a builtin.
        UnresolvedAnnotation: An annotation names something that cannot be found.
    """
    name = name_of(function)
    home = home_of(function)
    found = _signature(function, name)
    resolver = Resolver(name, home)
    documented = read_docstring(function)
    parameters: list[Parameter] = []
    contexts: list[ContextParameter] = []
    bound = _bound_by_partials(function)
    for each in found.parameters.values():
        if each.name in bound:
            continue
        _reject_uncallable(name, each)
        annotation = resolver.resolve(each.name, each.annotation)
        context = find_context(name, each.name, annotation, is_optional=each.default is None)
        if context is not None:
            contexts.append(context)
            continue
        parameters.append(
            Parameter(
                name=each.name,
                annotation=annotation,
                default=each.default,
                description=documented.parameters.get(each.name, ""),
            )
        )
    return Signature(
        function=function,
        name=name,
        description=documented.text,
        parameters=tuple(parameters),
        contexts=tuple(contexts),
    )


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    """Return the signature of what can be run as a tool.

    Raises:
        UncallableSignature: It cannot.
    """
    if isinstance(function, type):
        raise UncallableSignature(name, "", "is a class; pass a function, or the class as `input`")
    inner = home_of(function)
    if inner is not None and (
        inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner)
    ):
        raise UncallableSignature(name, "", "is a generator; return one result")
    try:
        found = signature_of(function)
    except (TypeError, ValueError) as error:
        raise UncallableSignature(name, "", "has no signature that Python can tell") from error
    if len(found.parameters) > _MAX_PARAMETERS:
        raise UncallableSignature(name, "", f"has more than {_MAX_PARAMETERS} parameters")
    return found


def _reject_uncallable(function: str, parameter: inspect.Parameter) -> None:
    """Reject a parameter that no named JSON value can fill, or whose type is not known.

    Raises:
        UncallableSignature: It is one.
    """
    name = parameter.name
    if parameter.kind in _REJECTED:
        stars, reason = _REJECTED[parameter.kind]
        raise UncallableSignature(function, stars + name, reason)
    if parameter.annotation is not inspect.Parameter.empty:
        return
    reason = "has no annotation; say what it takes (typing.Any for anything)"
    if name in {"self", "cls"}:
        reason = "looks like a method's own; pass the bound method of an object"
    raise UncallableSignature(function, name, reason)


def _bound_by_partials(function: object) -> frozenset[str]:
    """Collect the names that ``functools.partial`` has given values."""
    found: set[str] = set()
    while isinstance(function, functools.partial):
        found |= function.keywords.keys()
        function = function.func
    return frozenset(found)


def read_result(function: Callable[..., Any]) -> Any:
    """Return the type that a function says it returns, ``NO_DEFAULT`` where it says none.

    Raises:
        UnresolvedAnnotation: The annotation names something that cannot be found.
    """
    name = name_of(function)
    found = _signature(function, name).return_annotation
    if found is inspect.Signature.empty or found is None:
        return NO_DEFAULT
    return Resolver(name, home_of(function)).resolve("return", found)
