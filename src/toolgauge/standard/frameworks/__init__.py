"""Tools of other frameworks, taken as they are.

A row tells a framework's tool by its class, without importing the framework. Its
module here is imported when such an object turns up.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallResult, Tool
from toolgauge.contract.reading import plain
from toolgauge.standard import _mentions as kinds
from toolgauge.standard.errors import GuardUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """One row: a class of tools, and which module here converts them.

    Attributes:
        package: Where the class lies, or in which package below.
        name: The class's name; subclasses count.
        module: The module of this package.
    """

    package: str
    name: str
    module: str


FRAMEWORKS = (
    Framework(package="langchain_core.tools", name="BaseTool", module="langchain"),
    Framework(package="agents.tool", name="FunctionTool", module="openai_agents"),
    Framework(package="pydantic_ai.tools", name="Tool", module="pydantic_ai"),
    Framework(package="fastmcp.tools", name="Tool", module="fastmcp"),
    Framework(package="mcp.server", name="Tool", module="mcp_sdk"),
)


def adopt(source: object) -> object:
    """Return a framework's tool as a ``Tool`` of ours that runs it; anything else unchanged."""
    row = _framework_of(source)
    if row is None:
        return source
    convert: Callable[[object], Tool] = importlib.import_module(f"{__name__}.{row.module}").convert
    return convert(source)


def is_framework_tool(source: object) -> bool:
    """Check whether an object is one tool of a framework that is known here."""
    return _framework_of(source) is not None


def _framework_of(source: object) -> Framework | None:
    cls: Any = type(source)
    return _row_of(cls)


@lru_cache(maxsize=1_024)
def _row_of(cls: Any) -> Framework | None:
    for row in FRAMEWORKS:
        for each in cls.__mro__:
            if each.__name__ == row.name and kinds.module_is_in(each.__module__, row.package):
                return row
    return None


def reject_guarded(tool: Any, *guards: str) -> None:
    """Reject the run of a tool with a guard that its framework checks in its own runs only.

    Called with each call: a guard may be set after the tool was taken.

    Args:
        tool: The framework's own.
        guards: Attributes of the tool. One is set if it is anything but missing,
            ``None``, ``False`` or empty.

    Raises:
        GuardUnavailable: If it has one of these guards.
    """
    for guard in guards:
        if getattr(tool, guard, None):
            raise GuardUnavailable(tool.name, guard)


def error_result(text: str) -> CallResult:
    """Return a result that reports an error to the model."""
    return CallResult(content=({"type": "text", "text": text},), is_error=True)


_PACKAGES = frozenset({"mcp", "fastmcp"})


def as_tool(tool: Any, run: Callable[[Any], Awaitable[CallResult]]) -> Tool:
    """Return a tool of either library as ours.

    Args:
        tool: The library's own.
        run: Runs it with the arguments of a call.
    """

    async def handle(arguments: Any) -> CallResult:
        try:
            return await run(arguments)
        except Exception as error:
            said = said_on_purpose(error)
            if said is None:
                raise
            return said

    extra: dict[str, Any] = {}
    for wire, attribute in (("title", "title"), ("icons", "icons"), ("_meta", "meta")):
        value = getattr(tool, attribute, None)
        if value:
            extra[wire] = [plain(each) for each in value] if isinstance(value, list) else value
    return Tool(
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.parameters,
        output_schema=tool.output_schema,
        annotations=plain(getattr(tool, "annotations", None)) or {},
        extra=extra,
        handler=handle,
    )


def from_blocks(
    content: Iterable[object], structured: object = None, *, is_error: bool = False
) -> CallResult:
    """Return content blocks, as models of the SDK, as a result."""
    return CallResult(
        content=tuple(plain(each) for each in content), structured=structured, is_error=is_error
    )


def said_on_purpose(error: Exception) -> CallResult | None:
    """Return what a tool wants the model to read; ``None`` for any other exception.

    Both libraries have a ``ToolError`` for that. The SDK's ``UnexpectedToolError`` wraps
    any other exception.
    """
    names = {
        each.__name__
        for each in type(error).__mro__
        if each.__module__.partition(".")[0] in _PACKAGES
    }
    if "ToolError" not in names or "UnexpectedToolError" in names:
        return None
    return error_result(str(error))
