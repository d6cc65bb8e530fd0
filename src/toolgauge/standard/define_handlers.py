"""Handlers as a gate runs them: given the context they ask for, their results written."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallContext, CallResult, current_call, dump_json
from toolgauge.standard.define_results import dump_by_class
from toolgauge.standard.functions.annotations import (
    NO_DEFAULT,
    Resolver,
    home_of,
    name_of,
    signature_of,
)
from toolgauge.standard.functions.contexts import find_context
from toolgauge.standard.functions.errors import UnresolvedAnnotation
from toolgauge.standard.functions.running import is_async

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Handler
    from toolgauge.standard.define_results import Dump


def writing(handler: Handler, dump: Dump) -> Handler:
    """Let a result be written by the library of its type."""
    if is_async(handler):

        async def answer_async(value: Any) -> object:
            found: Any = handler(value)
            return _dumped(dump, await found)

        return answer_async

    def answer(value: Any) -> object:
        found = handler(value)
        return _later(dump, found) if inspect.isawaitable(found) else _dumped(dump, found)

    return answer


async def _later(dump: Dump, found: Any) -> object:
    return _dumped(dump, await found)


def _dumped(dump: Dump, found: object) -> object:
    """Write a result; an answer that is complete already is left as it is."""
    if found is None or isinstance(found, CallResult):
        return found
    value = dump(found)
    if dump is dump_by_class or not isinstance(value, dict):
        return value
    # Said outright: an object with a member "type" may look like a block of content.
    text = {"type": "text", "text": dump_json(value).decode()}
    return CallResult(content=(text,), structured=value)


def with_context(handler: Callable[..., object]) -> Handler:
    """Give a handler that asks for the context of the call what it asks for."""
    if not _takes_context(handler):
        return handler
    if is_async(handler):

        async def run_async(value: Any) -> object:
            found: Any = handler(value, _call())
            return await found

        return run_async

    def run(value: Any) -> object:
        return handler(value, _call())

    return run


def _call() -> CallContext:
    return current_call() or CallContext(tool="")


def _takes_context(handler: Callable[..., object]) -> bool:
    """Tell whether a handler's second positional parameter is for the context."""
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
    resolver = Resolver(name_of(handler), home_of(handler))
    try:
        return find_context(resolver.resolve(second[0].name, second[0].annotation)) is not None
    except UnresolvedAnnotation:
        return False  # it has a default, which will do
