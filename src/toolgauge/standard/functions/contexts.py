"""Parameters that are filled by whoever runs the tool, and never published.

A parameter is one by the class that its annotation names, never by its spelling:
a user's own class ``Context`` is an argument like any other.
"""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Union

from toolgauge.contract import CallContext, current_call
from toolgauge.standard.errors import ContextUnavailable

_LIBRARIES = frozenset({"mcp", "fastmcp"})
"""Top-level packages whose class ``Context`` a server injects: the MCP SDK's, FastMCP's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextParameter:
    """A parameter that gets the context of the call.

    Attributes:
        function: The function's name.
        name: The parameter's name.
        wanted: The class that it is annotated with, without subscripts.
        is_optional: Whether ``None`` will do.
    """

    function: str
    name: str
    wanted: type
    is_optional: bool

    def supply(self) -> object:
        """Return what the parameter gets in the call that is running.

        ``CallContext`` is there in every call. A server library's own context is
        there where the call came through that library.

        Raises:
            ContextUnavailable: There is none of this kind, and ``None`` will not do.
        """
        call = current_call()
        if issubclass(CallContext, self.wanted):
            return call if call is not None else CallContext(tool=self.function)
        request = call.request if call is not None else None
        if isinstance(request, self.wanted):
            return request
        if _is_sdk_request(request) and self.wanted.__module__.startswith("mcp."):
            return self.wanted(request_context=request)
        if self.is_optional:
            return None
        raise ContextUnavailable(self.function, self.name, self.wanted.__name__)


def find_context(
    function: str, name: str, annotation: object, *, is_optional: bool = False
) -> ContextParameter | None:
    """Recognize a parameter for a context by its annotation, ``None`` for an argument.

    ``CallContext``, ``Context``, ``Context[S, A]``, ``Context | None`` and any of
    these in ``Annotated``.

    Args:
        function: The function's name.
        name: The parameter's name.
        annotation: Its annotation, resolved.
        is_optional: Whether its default is ``None``.
    """
    found: Any = annotation
    if typing.get_origin(found) is Annotated:
        found = typing.get_args(found)[0]
    if typing.get_origin(found) in {Union, types.UnionType}:
        rest = [each for each in typing.get_args(found) if each is not type(None)]
        is_optional = is_optional or len(rest) < len(typing.get_args(found))
        if len(rest) != 1:
            return None
        found = rest[0]
    found = typing.get_origin(found) or found
    # The SDK's `Context[S, A]` is a class of its own, which no context is made of.
    found = (getattr(found, "__pydantic_generic_metadata__", None) or {}).get("origin") or found
    if not isinstance(found, type) or not _is_context(found):
        return None
    return ContextParameter(function=function, name=name, wanted=found, is_optional=is_optional)


def _is_context(cls: type) -> bool:
    return any(
        each is CallContext
        or (each.__name__ == "Context" and each.__module__.partition(".")[0] in _LIBRARIES)
        for each in cls.__mro__
    )


def _is_sdk_request(request: object) -> bool:
    """Recognize the request context of the MCP SDK, which its ``Context`` is built around."""
    return any(
        each.__name__ == "ServerRequestContext" and each.__module__.partition(".")[0] == "mcp"
        for each in type(request).__mro__
    )
