"""The gate: every call's way, for callers in the same process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from toolgauge.contract import DEFAULT_BOUNDS, Catalog
from toolgauge.gate.checks import ArgumentCheck
from toolgauge.gate.results import refused
from toolgauge.gate.running import Runner

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, CallResult, HandleCall, Issue, Tool, ToolsProvider


class Gate:
    """Holds calls against the contracts of a set of tools, and runs those that keep them.

    Args:
        tools: A list of tools of any shape, or a function (sync or async) that
            returns one.
        handle_call: ``(name, args)`` or ``(name, args, request)`` to
            ``(content, is_error, trace_id)``; ``None`` to run each tool's own
            ``handler``.
        formats: Whether ``format`` is asserted; an annotation by default.
        bounds: Limits on schemas, values and calls.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.

    Example:
        >>> gate = Gate([{"name": "add", "inputSchema": {"required": ["a", "b"]}}])
        >>> [(issue.pointer, issue.keyword) for issue in gate.validate("add", {"a": 1})]
        [('/b', 'required')]
    """

    def __init__(
        self,
        tools: ToolsProvider,
        handle_call: HandleCall | None = None,
        *,
        formats: bool = False,
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        self._catalog = Catalog(tools)
        self._check = ArgumentCheck(self._catalog, formats=formats, bounds=bounds)
        self._runner = Runner(handle_call, bounds)

    def tools(self) -> list[Tool]:
        """Give the tools in the provider's order, the first one of each name.

        Raises:
            InvalidProvider: If the provider can only be awaited.
        """
        return self._catalog.tools_now()

    def validate(self, name: str, args: object) -> tuple[Issue, ...]:
        """Hold arguments against a tool's input schema, without running it.

        Returns:
            What is wrong; empty when the arguments keep the contract.

        Raises:
            UnknownTool: If no tool has this name.
            InvalidProvider: If the provider can only be awaited.
        """
        return self._check.schema_now(name).issues(args)

    async def call(self, name: str, args: object, request: object = None) -> CallResult:
        """Run a tool, if the arguments keep its contract.

        Returns:
            The tool's answer. Arguments that break the contract never reach the
            tool: the result then is an error whose ``issues`` say why.

        Raises:
            UnknownTool: If no tool has this name.
            NoHandler: If nothing here can run it.
            TooManyCalls: If the limit on calls in flight is reached.
            CallTimedOut: If the tool takes longer than it may.
            Exception: Whatever the tool's own code raises.
        """
        tool = await self._catalog.find(name, request)
        issues = self._check.issues(tool, args)
        if issues:
            return refused(issues)
        return await self._runner.run(tool, cast("dict[str, Any]", args), request)
