"""What a server promises of its tools, and whether calls and results keep it.

Results that a server delivers later, through a task, belong to the tool of the call.

Source: MCP 2025-11-25, "Tasks" (``tasks/result``); MCP 2026-07-28, extension
``io.modelcontextprotocol/tasks`` (``tasks/get``, ``notifications/tasks``).
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.shared.inbound import validate_mcp_param_headers

from toolgauge.contract import DEFAULT_BOUNDS, CallResult, InvalidTool, read_tool
from toolgauge.envelope import CanonicalCode
from toolgauge.envelope.mcp import MODERN_VERSIONS
from toolgauge.envelope.messages import INTERNAL_ERROR
from toolgauge.gate import ContractCheck
from toolgauge.serve.mcp.replies import (
    EXECUTION_OFF,
    Reply,
    failed,
    invalid_input,
    invalid_output,
    invalid_params,
    refusal,
    relayed,
    unknown_tool,
)
from toolgauge.upstream import RequestRefused, ServerFailed
from toolgauge.upstream.entries import shown
from toolgauge.upstream.paging import LIST_SHARE, Listed, read_pages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolgauge.contract import Bounds, Tool

_LOG = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long a list is taken as fresh, whatever is said of it or is not in it. One that
took longer to read is fresh for as long as that took."""

MAX_TASKS = 1_000
"""Most tasks that are remembered; the oldest is forgotten, and its result not validated."""

_HOLDERS = frozenset({"tasks/get", "notifications/tasks"})


class Contracts:
    """Finds what breaks a contract, in a call or in its result.

    Args:
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.
        allow_execute: Whether tools may be run at all.
    """

    def __init__(self, *, formats: bool, bounds: Bounds, allow_execute: bool = True) -> None:
        self._allow_execute = allow_execute
        self._check = ContractCheck(formats=formats, bounds=bounds)

    def read_call(self, params: Mapping[str, Any] | None) -> tuple[str, object] | Reply:
        """Give the name and the arguments of a call, or the answer to one that has none."""
        name = (params or {}).get("name")
        if not isinstance(name, str):
            return invalid_params("tools/call needs name, a string")
        if not self._allow_execute:
            return refusal(CanonicalCode.UNAUTHORIZED, message=EXECUTION_OFF, name=name)
        arguments = (params or {}).get("arguments")
        if arguments is not None and not isinstance(arguments, Mapping):
            return invalid_params("arguments of tools/call are an object", name=name)
        return name, arguments

    def admitted(
        self,
        tool: Tool | None,
        name: str,
        arguments: object,
        version: str,
        headers: Mapping[str, str] | None = None,
    ) -> Tool | Reply:
        """Give the tool of a call that may reach it, or the answer to one that may not."""
        if tool is None:
            return unknown_tool(name)
        issues = self._check.admit(tool, {} if arguments is None else arguments)
        if issues:
            return invalid_input(tool.name, tool, issues, version)
        refused = None if headers is None else header_fault(tool, arguments, headers)
        return tool if refused is None else refused

    def refusal_of_result(self, tool: Tool, result: object, version: str) -> Reply | None:
        """Give the answer in place of a result that must not leave, ``None`` where it may.

        In the newer era a result that asks for input, or one of an extension, is not
        the tool's yet; the older one knows no such results.
        """
        if tool.output_schema is None or not isinstance(result, Mapping):
            return None
        kind = result.get("resultType", "complete")
        if version in MODERN_VERSIONS and kind != "complete":
            return None
        found = CallResult(
            is_error=result.get("isError") is True, structured=result.get("structuredContent")
        )
        issues = self._check.hold(tool, found)
        return invalid_output(tool.name, tool, issues) if issues else None


def header_fault(tool: Tool, arguments: object, headers: Mapping[str, str]) -> Reply | None:
    """Hold what a call repeats in headers against its arguments.

    Source: MCP 2026-07-28, Streamable HTTP, "Custom headers from tool parameters".
    """
    given = arguments if isinstance(arguments, Mapping) else {}
    fault = validate_mcp_param_headers(tool.input_schema, given, headers)
    if fault is None:
        return None
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=fault.code,
        message=fault.message,
        name=tool.name,
        tool=tool,
    )


class ToolBook:
    """The tools of a server by name. Bad entries hide no others.

    Args:
        page: Asks for one page: ``await page(cursor)`` gives the raw result.
        bounds: How long the whole list may take.
    """

    def __init__(
        self, page: Callable[[str | None], Awaitable[Any]], bounds: Bounds = DEFAULT_BOUNDS
    ) -> None:
        self._page = page
        self._limit_s = bounds.connect_timeout_s * LIST_SHARE
        self._tools: dict[str, Tool] | None = None
        self._cut: str | None = None
        self._read_at_s = 0.0
        self._patience_s = PATIENCE_S
        self._fresh_s = math.inf
        self._edition = 0
        self._turn = asyncio.Lock()

    @property
    def is_old(self) -> bool:
        """Whether the list may say something else by now: worth a look before a refusal."""
        return self._tools is None or time.monotonic() - self._read_at_s > self._patience_s

    def forget(self) -> None:
        """Read the list again when it is next asked for: the server says it changed."""
        self._tools = None
        self._edition += 1

    def overhear(self, cursor: object, result: object) -> None:
        """Take over what a client has read; a page of many only tells that ours may be old."""
        listed = Listed()
        try:
            is_whole = cursor is None and listed.take(result) is None
        except ValueError:
            return
        self.forget()
        if is_whole:
            self._keep(listed, time.monotonic())

    def known(self, name: str) -> Tool | None:
        """Give a tool that has been read already and is fresh, without asking for it."""
        tool = None if self._tools is None else self._tools.get(name)
        if tool is None or time.monotonic() - self._read_at_s > self._fresh_s:
            return None
        return tool

    async def find(self, name: str) -> Tool | None:
        """Give the first tool of a name. A name that is new is looked for once more.

        Raises:
            RequestRefused: The server does not list its tools, or its list passes a
                bound and the tool is not in what was read of it.
            ServerFailed: It is gone.
            TimeoutError: It is late.
        """
        tool = self.known(name)
        if tool is None and self.is_old:
            return await self._newer(name, self._read_at_s)
        return self._found(name, tool)

    async def find_anew(self, name: str) -> Tool | None:
        """Give the first tool of a name from a list that is read now. Raises as ``find``."""
        return await self._newer(name, time.monotonic())

    async def _newer(self, name: str, than_s: float) -> Tool | None:
        """Give a tool from a list that is newer than a time. Calls share one reading."""
        try:
            async with asyncio.timeout(self._limit_s):
                await self._turn.acquire()
        except TimeoutError:
            raise TimeoutError(self._limit_s) from None
        try:
            if self._tools is not None and self._read_at_s > than_s:
                return self._found(name, self._tools.get(name))
            return await self._read(name)
        finally:
            self._turn.release()

    async def _read(self, name: str) -> Tool | None:
        """Read the whole list, and give the first tool of a name."""
        begun_s, edition = time.monotonic(), self._edition
        try:
            listed = await read_pages(self._page, self._limit_s)
        except ValueError as error:
            listed = Listed(fault=str(error))
        if listed.fault is not None:
            _LOG.warning("the list of tools is not complete: %s", listed.fault)
        if edition != self._edition:
            # It changed between two pages, so it is of no one time and not kept.
            return _by_name(listed).get(name)
        return self._found(name, self._keep(listed, begun_s).get(name))

    def _found(self, name: str, tool: Tool | None) -> Tool | None:
        """Return the tool; without one, a list that was cut does not say that there is none."""
        if tool is None and self._cut is not None:
            message = (
                f"the tool {shown(name)} is not in the part of the list that was read: {self._cut}"
            )
            raise RequestRefused(INTERNAL_ERROR, message)
        return tool

    def _keep(self, listed: Listed, read_at_s: float) -> dict[str, Tool]:
        ttl_s = math.inf if listed.ttl_ms is None else listed.ttl_ms / 1_000
        self._tools = _by_name(listed)
        self._cut = listed.fault if listed.is_cut else None
        self._patience_s = max(PATIENCE_S, time.monotonic() - read_at_s)
        self._read_at_s, self._fresh_s = read_at_s, max(ttl_s, self._patience_s)
        return self._tools


def _by_name(listed: Listed) -> dict[str, Tool]:
    """Read the entries that can be read."""
    tools: dict[str, Tool] = {}
    for entry in listed.entries:
        try:
            tool = read_tool(entry)
        except InvalidTool:
            continue
        tools.setdefault(tool.name, tool)
    return tools


class ToolContracts:
    """The contracts of the tools of one server, by the list that it gives in one conversation.

    Args:
        contracts: Holds calls against them.
        page: As for ``ToolBook``.
        bounds: As for ``ToolBook``.

    Attributes:
        book: The list.
    """

    def __init__(
        self,
        contracts: Contracts,
        page: Callable[[str | None], Awaitable[Any]],
        bounds: Bounds,
    ) -> None:
        self.book: ToolBook = ToolBook(page, bounds)
        self._contracts = contracts
        self._tasks: dict[str, Tool] = {}

    def admitted_now(self, params: Mapping[str, Any] | None, version: str) -> Tool | Reply | None:
        """Return the tool of a call that may reach it, or the reply to one that may not.

        ``None`` if the list of tools must be read first.

        Args:
            params: Of the call.
            version: What the client speaks.
        """
        asked = self._contracts.read_call(params)
        if isinstance(asked, Reply):
            return asked
        known = self.book.known(asked[0])
        if known is None:
            return None
        tool = self._contracts.admitted(known, *asked, version)
        return None if isinstance(tool, Reply) and self.book.is_old else tool

    async def admitted(
        self,
        params: Mapping[str, Any] | None,
        version: str,
        headers: Mapping[str, str] | None,
    ) -> Tool | Reply:
        """Do the same, and read the list where that is needed. Raises as ``ToolBook.find``."""
        asked = self._contracts.read_call(params)
        if isinstance(asked, Reply):
            return asked
        about = (*asked, version, headers)
        tool = self._contracts.admitted(await self.book.find(asked[0]), *about)
        if isinstance(tool, Reply) and self.book.is_old:
            # Nothing is refused by a list that may be out of date.
            tool = self._contracts.admitted(await self.book.find_anew(asked[0]), *about)
        return tool

    def judged(self, tool: Tool, found: Any, version: str, *, may_be_task: bool = False) -> Reply:
        """Return the reply to a call for what came back.

        Args:
            tool: The tool that was called.
            found: Its result, or what was raised instead.
            version: What is spoken with the server.
            may_be_task: Whether the client asked for a task.
        """
        more: dict[str, Any] = {"name": tool.name, "tool": tool}
        if isinstance(found, RequestRefused):
            return relayed(found, **more)
        if isinstance(found, ServerFailed):
            _LOG.warning("%s", found)
            return failed(f"{found.label}: {found.reason}", **more)
        if self._is_task(tool, found, may_be_task=may_be_task):
            return Reply(result=found, **more)
        try:
            held = self._contracts.refusal_of_result(tool, found, version)
        except Exception:  # noqa: BLE001 - the client waits, whatever goes wrong here
            _LOG.exception("a result of tool %r could not be validated", tool.name)
            return failed("Internal error", **more)
        return Reply(result=found, **more) if held is None else held

    def is_doubtful(self, reply: Reply) -> bool:
        """Tell a result that is held back by a list which may be out of date."""
        return reply.code is CanonicalCode.INVALID_OUTPUT and self.book.is_old

    async def judged_anew(self, reply: Reply, tool: Tool, found: Any, version: str) -> Reply:
        """Judge a result by a list that is read now; the reply stands where there is none."""
        try:
            newer = await self.book.find_anew(tool.name)
        except (RequestRefused, ServerFailed, TimeoutError):
            return reply
        return reply if newer is None else self.judged(newer, found, version)

    def held_back(
        self, method: str, params: Mapping[str, Any] | None, found: object, version: str
    ) -> Reply | None:
        """Return the reply in place of a task's result that violates its output schema.

        Args:
            method: Of the request that was answered, or of a notification.
            params: Of the same.
            found: The result of the request; the ``params`` of a notification.
            version: What is spoken with the server.
        """
        ident = (params or {}).get("taskId")
        tool = self._tasks.get(ident) if isinstance(ident, str) else None
        if tool is None or not isinstance(found, Mapping):
            return None
        if method in _HOLDERS:
            found = found.get("result")
        elif method != "tasks/result":
            return None
        return self._contracts.refusal_of_result(tool, found, version)

    def _is_task(self, tool: Tool, found: object, *, may_be_task: bool) -> bool:
        """Tell whether a call was answered with a task, and remember it."""
        if not isinstance(found, Mapping):
            return False
        task = found if found.get("resultType") == "task" else found.get("task")
        if task is not found and not may_be_task:
            return False
        ident = task.get("taskId") if isinstance(task, Mapping) else None
        if not isinstance(ident, str):
            return False
        self._tasks[ident] = tool
        if len(self._tasks) > MAX_TASKS:
            del self._tasks[next(iter(self._tasks))]
        return True
