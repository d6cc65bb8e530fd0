"""A function as a handler: bound arguments in, its result out."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Handler
    from toolgauge.standard.functions.signature import Signature


def handler_of(signature: Signature) -> Handler:
    """Give the function as what a gate runs; async where the function is.

    It takes the bound arguments and adds the context of the running call.
    """
    function, contexts = signature.function, signature.contexts

    def fill(values: dict[str, Any]) -> dict[str, Any]:
        return values | {each.name: each.supply() for each in contexts} if contexts else values

    if is_async(function):

        async def run_async(values: dict[str, Any]) -> object:
            found: object = await function(**fill(values))
            return found

        return run_async

    def run(values: dict[str, Any]) -> object:
        found: object = function(**fill(values))
        return found

    return run


def is_async(function: Callable[..., Any]) -> bool:
    """Tell whether calling a function gives an awaitable; also of callable objects."""
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004 - an instance's async __call__
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
