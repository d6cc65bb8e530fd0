"""Handlers as a gate runs them: given the context they ask for, their results written."""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallContext, CallResult, current_call, dump_json
from toolgauge.contract.jsontext import is_of_mcp
from toolgauge.standard.define_outputs import dump_by_class
from toolgauge.standard.errors import UnresolvedAnnotation
from toolgauge.standard.functions.annotations import (
    NO_DEFAULT,
    Resolver,
    home_of,
    name_of,
    signature_of,
)
from toolgauge.standard.functions.contexts import find_context

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Handler
    from toolgauge.standard._protocol import Dump
    from toolgauge.standard.functions.signature import Signature


def writing(handler: Handler, dump: Dump, *, member: str | None = None) -> Handler:
    """Return a handler whose results are written as JSON.

    Args:
        handler: The tool's own.
        dump: Writes its results.
        member: Where in the structured content they are put, if not as that itself.
    """
    write = partial(_dumped, dump, member)
    if is_async(handler):

        async def answer_async(value: Any) -> object:
            found: Any = handler(value)
            return write(await found)

        return answer_async

    async def later(found: Any) -> object:
        return write(await found)

    def answer(value: Any) -> object:
        found = handler(value)
        return later(found) if inspect.isawaitable(found) else write(found)

    return answer


def _dumped(dump: Dump, member: str | None, found: object) -> object:
    """Write a result; an answer that is complete already is left as it is."""
    if isinstance(found, CallResult) or is_of_mcp(found):
        return found
    if found is None and member is None:
        return None
    value = dump(found)
    if member is not None:
        return CallResult(content=_text(value), structured={member: value})
    if dump is dump_by_class or not isinstance(value, dict):
        return value
    # Said outright: an object with a member "type" may look like a block of content.
    return CallResult(content=_text(value), structured=value)


def _text(value: Any) -> tuple[dict[str, str], ...]:
    """Write a value for readers of text; nothing at all is no content."""
    if value is None:
        return ()
    return (
        {"type": "text", "text": value if isinstance(value, str) else dump_json(value).decode()},
    )


def handler_of(signature: Signature) -> Handler:
    """Return a function as what a gate runs, async if the function is.

    It takes the bound arguments and adds the context of the running call.
    """
    function, contexts = signature.function, signature.contexts
    if not contexts:
        return _as(function, lambda values: function(**values))

    def run(values: dict[str, Any]) -> object:
        found: object = function(**values, **{each.name: each.supply() for each in contexts})
        return found

    return _as(function, run)


def with_context(handler: Callable[..., object]) -> Handler:
    """Return a handler that passes the context of the call, if the given one takes it."""
    if not _takes_context(handler):
        return handler
    return _as(handler, lambda value: handler(value, current_call() or CallContext(tool="")))


def _as(function: Callable[..., Any], run: Handler) -> Handler:
    """Return ``run``, which calls ``function``, as a coroutine function if that is one."""
    if not is_async(function):
        return run

    async def run_async(value: Any) -> object:
        found: Any = run(value)
        return await found

    return run_async


def is_async(function: Callable[..., Any]) -> bool:
    """Check whether calling a function returns an awaitable; also for callable objects."""
    while isinstance(function, partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004 - an instance's async __call__
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _takes_context(handler: Callable[..., object]) -> bool:
    """Check whether a handler's second positional parameter is for the context."""
    try:
        parameters = list(signature_of(handler).parameters.values())
    except (TypeError, ValueError):
        return False  # a builtin without a signature
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [each for each in parameters if each.kind in kinds][1:2]
    if not second:
        return False
    if second[0].default is NO_DEFAULT:
        return True
    function, name = name_of(handler), second[0].name
    try:
        annotation = Resolver(function, home_of(handler)).resolve(name, second[0].annotation)
    except UnresolvedAnnotation:
        return False  # it has a default, which will do
    return find_context(function, name, annotation) is not None
