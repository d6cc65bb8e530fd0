"""The gate: every call's way, for callers in the same process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import DEFAULT_BOUNDS, Catalog
from toolgauge.gate.adopting import adopt
from toolgauge.gate.contract_check import ContractCheck
from toolgauge.gate.errors import InvalidOutput
from toolgauge.gate.results import refused
from toolgauge.gate.running import Runner
from toolgauge.gate.schemas import SchemaRegistry
from toolgauge.gate.walking import Verdict, Walker

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, CallResult, HandleCall, Issue, Tool, ToolsProvider
    from toolgauge.gate.walking import Outcome


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

    Attributes:
        bounds: As given.
        formats: As given.
        catalog: The tools; ``await gate.catalog.tools(request)`` lists them.
        check: Validates calls and results, and can run nothing.
        runner: Runs tools. All that goes through this gate shares its bound on
            calls in flight.
        schemas: The compiled schemas of the envelope and of each tool.
        walker: The whole way of a call.

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
        self.bounds: Bounds = bounds
        self.formats: bool = formats
        self.catalog: Catalog = Catalog(tools, adopt=adopt)
        self.check: ContractCheck = ContractCheck(self.catalog, formats=formats, bounds=bounds)
        self.runner: Runner = Runner(handle_call, bounds)
        self.schemas: SchemaRegistry = SchemaRegistry(
            catalog=self.catalog, formats=formats, bounds=bounds
        )
        self.walker: Walker = Walker(self.catalog, self.check, self.runner)

    def tools(self) -> list[Tool]:
        """Give the tools in the provider's order, the first one of each name.

        Raises:
            InvalidProvider: If the provider can only be awaited.
        """
        return self.catalog.tools_now()

    def validate(self, name: str, args: object) -> tuple[Issue, ...]:
        """Hold arguments against a tool's input schema, without running it.

        Returns:
            What is wrong; empty when the arguments keep the contract.

        Raises:
            UnknownTool: If no tool has this name.
            InvalidProvider: If the provider can only be awaited.
        """
        return self.check.schema_now(name).issues(args)

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
            CallStopped: If ``stop`` was called.
            InvalidOutput: If the answer breaks the tool's output schema.
            CodeAborted: If the tool's own code exits, or is cancelled and the call is not.
            Exception: Whatever the tool's own code raises.
        """
        outcome = await self.walk(name, args, request)
        if outcome.result is not None:
            return outcome.result
        if outcome.verdict is Verdict.INVALID_INPUT:
            return refused(outcome.issues)
        raise outcome.error or InvalidOutput(name, outcome.issues)

    async def walk(self, name: str, args: object, request: object = None) -> Outcome:
        """Take a call all the way, and tell how it ended without raising.

        For transports: each says the outcome in its own words. ``call`` is the same
        for callers in this process. See ``Walker``.
        """
        return await self.walker.walk(name, args, request)

    def stop(self) -> None:
        """Cut short what is still running; each of these calls ends as ``STOPPED``."""
        self.runner.stop()

    def cut_short(self) -> None:
        """Cut short what is running now, as ``stop`` does; later calls are run."""
        self.runner.cut_short()
