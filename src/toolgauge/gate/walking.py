"""The way of a call: lookup, input, handler, output. Every transport goes it here.

Nothing that a user can get wrong is raised: how the call ended is a ``Verdict``, and
each transport says it in its own words.
"""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from toolgauge.contract import Failure, UnknownTool
from toolgauge.gate.errors import CallStopped, CallTimedOut, TooManyCalls

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Catalog, Issue, Tool
    from toolgauge.gate.contract_check import ContractCheck
    from toolgauge.gate.running import Runner

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


class Walker:
    """Takes calls along the way. Safe for concurrent calls.

    Args:
        catalog: The tools.
        check: Validates calls and results.
        runner: Runs tools, within its bounds.
    """

    __slots__ = ("_catalog", "_check", "_runner")

    def __init__(self, catalog: Catalog, check: ContractCheck, runner: Runner) -> None:
        self._catalog = catalog
        self._check = check
        self._runner = runner

    async def walk(self, name: str, arguments: object, request: object = None) -> Outcome:
        """Take a call all the way.

        Cancellation passes through as cancellation, and is no verdict.

        Args:
            name: The tool's name.
            arguments: Parsed JSON.
            request: What the transport knows of the caller, for providers and
                handlers that ask.
        """
        try:
            catalog = self._catalog
            if catalog.is_static:
                tool = catalog.find_now(name)
            else:
                tool = await catalog.find(name, request)
        except UnknownTool as error:
            return Outcome(verdict=Verdict.UNKNOWN_TOOL, error=error)
        except Exception as error:  # noqa: BLE001 - a provider is the user's own code
            _LOG.exception("the provider of tools failed")
            return Outcome(verdict=Verdict.CRASHED, error=error)
        return await self.walk_tool(tool, arguments, request)

    async def walk_tool(self, tool: Tool, arguments: object, request: object = None) -> Outcome:
        """Take a call of a tool that is found already: input, handler, output."""
        issues = self._check.admit(tool, arguments)
        if issues:
            return Outcome(verdict=Verdict.INVALID_INPUT, tool=tool, issues=issues)
        try:
            found = await self._runner.attempt(tool, cast("dict[str, Any]", arguments), request)
        except Exception as error:  # noqa: BLE001 - the user's own code, and our bounds on it
            return _stopped(tool, error)
        if isinstance(found, Failure):
            return Outcome(verdict=Verdict.INVALID_INPUT, tool=tool, issues=found.issues)
        issues = self._check.hold(tool, found)
        if issues:
            told = ", ".join(f"{each.pointer or '/'} ({each.keyword})" for each in issues[:3])
            _LOG.warning("tool %r broke its output schema at %s", tool.name, told)
            return Outcome(verdict=Verdict.INVALID_OUTPUT, tool=tool, issues=issues)
        return Outcome(verdict=Verdict.DONE, tool=tool, result=found)


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
