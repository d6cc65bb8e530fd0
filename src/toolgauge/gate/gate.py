"""The way of a call: lookup, input, handler, output. Every transport goes it here.

Nothing that a user can get wrong is raised: how the call ended is a ``Verdict``, and
each transport says it in its own words.
"""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from toolgauge.contract import DEFAULT_BOUNDS, Catalog, Failure, UnknownTool
from toolgauge.gate.contract_check import ContractCheck
from toolgauge.gate.errors import CallStopped, CallTimedOut, InvalidOutput, TooManyCalls
from toolgauge.gate.running import Runner, refused
from toolgauge.gate.schemas import SchemaRegistry

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, CallResult, HandleCall, Issue, Path, Tool, ToolsProvider
    from toolgauge.envelope import Recording


_LOG = logging.getLogger(__name__)


class Verdict(Enum):
    """How a call ended."""

    DONE = "done"
    """The tool answered, and its answer keeps the contract. It may say ``is_error``."""
    UNKNOWN_TOOL = "unknown tool"
    INVALID_INPUT = "invalid input"
    """The arguments break the contract. The tool never ran."""
    INVALID_OUTPUT = "invalid output"
    """The tool ran, and its answer breaks the contract. The answer must not leave."""
    CRASHED = "crashed"
    """The tool's own code raised, or nothing here can run it. Logged; not for the caller."""
    TIMED_OUT = "timed out"
    BUSY = "busy"
    """Too many calls are in flight. The tool never ran; later it may."""
    STOPPED = "stopped"
    """The process is ending, and the call was cut short."""


class Outcome(NamedTuple):
    """One call's end.

    Attributes:
        verdict: How it ended.
        tool: The tool, ``None`` where there is none of this name.
        result: Its answer; only with ``DONE``.
        issues: What is wrong with the arguments (``INVALID_INPUT``), or with the
            structured content of the answer (``INVALID_OUTPUT``). May be empty for
            arguments that the tool's own validator refused without a reason.
        error: What was raised; with ``UNKNOWN_TOOL``, ``CRASHED``, ``TIMED_OUT``,
            ``BUSY`` and ``STOPPED``. Its text is for logs, not for callers: a
            tool's own code may have put anything into it.
    """

    verdict: Verdict
    tool: Tool | None = None
    result: CallResult | None = None
    issues: tuple[Issue, ...] = ()
    error: Exception | None = None

    @property
    def code(self) -> str | None:
        """The canonical code, ``None`` for ``DONE``. It tells callers no more than this."""
        return _CODES.get(self.verdict, "INTERNAL_ERROR")

    def record(self, recording: Recording, *, input_prefix: Path, output_prefix: Path) -> None:
        """Say in a log how the call ended.

        Args:
            recording: The log line of the request.
            input_prefix: Where the arguments lie in the message.
            output_prefix: Where the structured content lies in the answer.
        """
        if self.tool is not None:
            recording.named(self.tool)
        if self.code is not None:
            is_input = self.verdict is Verdict.INVALID_INPUT
            recording.fail(self.code, self.issues, input_prefix if is_input else output_prefix)


_CODES = {
    Verdict.DONE: None,
    Verdict.UNKNOWN_TOOL: "NOT_FOUND",
    Verdict.INVALID_INPUT: "INVALID_INPUT",
    Verdict.INVALID_OUTPUT: "INVALID_OUTPUT",
}


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
        for callers in this process. Cancellation passes through, and is no verdict.

        Args:
            name: The tool's name.
            args: Parsed JSON.
            request: What the transport knows of the caller, for providers and
                handlers that ask.
        """
        try:
            catalog = self.catalog
            if catalog.is_static:
                tool = catalog.find_now(name)
            else:
                tool = await catalog.find(name, request)
        except UnknownTool as error:
            return Outcome(verdict=Verdict.UNKNOWN_TOOL, error=error)
        except Exception as error:  # noqa: BLE001 - a provider is the user's own code
            _LOG.exception("the provider of tools failed")
            return Outcome(verdict=Verdict.CRASHED, error=error)
        return await self.walk_tool(tool, args, request)

    async def walk_tool(self, tool: Tool, args: object, request: object = None) -> Outcome:
        """Take a call of a tool that is found already: input, handler, output."""
        issues = self.check.admit(tool, args)
        if issues:
            return Outcome(verdict=Verdict.INVALID_INPUT, tool=tool, issues=issues)
        try:
            found = await self.runner.run(tool, cast("dict[str, Any]", args), request)
        except Exception as error:  # noqa: BLE001 - the user's own code, and our bounds on it
            return _stopped(tool, error)
        if isinstance(found, Failure):
            return Outcome(verdict=Verdict.INVALID_INPUT, tool=tool, issues=found.issues)
        issues = self.check.hold(tool, found)
        if issues:
            told = ", ".join(f"{each.pointer or '/'} ({each.keyword})" for each in issues[:3])
            _LOG.warning("tool %r broke its output schema at %s", tool.name, told)
            return Outcome(verdict=Verdict.INVALID_OUTPUT, tool=tool, issues=issues)
        return Outcome(verdict=Verdict.DONE, tool=tool, result=found)

    def stop(self) -> None:
        """Cut short what is still running; each of these calls ends as ``STOPPED``."""
        self.runner.stop()

    def cut_short(self) -> None:
        """Cut short what is running now, as ``stop`` does; later calls are run."""
        self.runner.cut_short()


_BOUNDS = {
    TooManyCalls: Verdict.BUSY,
    CallTimedOut: Verdict.TIMED_OUT,
    CallStopped: Verdict.STOPPED,
}


def _stopped(tool: Tool, error: Exception) -> Outcome:
    """Tell our own bounds on a call from whatever its code raised."""
    verdict = _BOUNDS.get(type(error), Verdict.CRASHED)
    if verdict is Verdict.CRASHED:
        _LOG.error("tool %r raised", tool.name, exc_info=error)
    elif verdict is Verdict.TIMED_OUT:
        _LOG.warning("%s", error)
    return Outcome(verdict=verdict, tool=tool, error=error)


def adopt(source: object) -> object:
    """Give a framework's tool as one of ours, and anything else as it is."""
    from toolgauge.standard import frameworks  # noqa: PLC0415 - most tools need none of it

    return frameworks.adopt(source)
