"""Validate the arguments of a call and its result against the tool's contract.

Every call of every transport passes ``ContractCheck.admit`` before it is run or
forwarded, and ``ContractCheck.hold`` before its result is returned. This module never
receives a handler, so what only validates cannot run one (decision V23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import (
    Catalog,
    InvalidJson,
    Issue,
    SchemaCompiler,
    dump_json,
    parse_json,
    read_input_schema,
)

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, CallResult, CompiledSchema, Tool


_MAX_OWN = 4_096


class ContractCheck:
    """Validates calls and results.

    Args:
        catalog: The tools, for callers that have only a tool's name.
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.

    Attributes:
        formats: Whether ``format`` is asserted.
    """

    __slots__ = ("_catalog", "_compiler", "_max_depth", "_own", "formats")

    def __init__(self, catalog: Catalog | None = None, *, formats: bool, bounds: Bounds) -> None:
        self._catalog = Catalog(()) if catalog is None else catalog
        self._compiler = SchemaCompiler(formats=formats, bounds=bounds)
        self._max_depth = bounds.max_instance_depth
        self._own: dict[int, tuple[Tool, CompiledSchema]] = {}
        self.formats: bool = formats

    @property
    def is_static(self) -> bool:
        """Whether the tools are known without awaiting a provider."""
        return self._catalog.is_static

    async def schema(self, name: str, request: object = None) -> CompiledSchema:
        """Return the compiled input schema of a tool.

        Raises:
            UnknownTool: If no tool has this name.
        """
        source = await self._catalog.find_source(name, request)
        return self._compiler.compile(read_input_schema(source))

    def schema_now(self, name: str) -> CompiledSchema:
        """Return the compiled input schema of a tool, without awaiting.

        Raises:
            UnknownTool: If no tool has this name.
        """
        return self._compiler.compile(read_input_schema(self._catalog.find_source_now(name)))

    def admit(self, tool: Tool, arguments: object) -> tuple[Issue, ...]:
        """Return what is wrong with the arguments of a call; empty if it may run.

        A schema may accept anything, but a handler is written for named
        arguments: these must be an object in any case.
        """
        issues = self._compiled(tool).issues(arguments)
        if not issues and not isinstance(arguments, dict):
            return (Issue(message="arguments are not an object", keyword="type"),)
        return issues

    def hold(self, tool: Tool, result: CallResult) -> tuple[Issue, ...]:
        """Return what is wrong with the result of a call; empty if it may be returned.

        Only structured content is validated, and none if the tool reports an error. A
        result without structured content violates the contract of a tool that has an
        output schema (decision E14).

        Source: MCP 2025-06-18 and later, tools, "Output Schema": "Servers MUST
        provide structured results that conform to this schema."
        """
        if tool.output_schema is None or result.is_error:
            return ()
        if result.structured is None:
            message = "no structured content, though the tool has an output schema"
            return (Issue(message=message, keyword="type"),)
        try:
            # As it is sent: models inside are JSON then, tuples arrays, NaN null.
            sent = dump_json(result.structured)
            value = parse_json(sent, max_depth=self._max_depth)
        except (TypeError, InvalidJson) as error:
            return (Issue(message=f"not a JSON value: {error}"),)
        return self._compiler.compile(tool.output_schema).issues_of_parsed(value, len(sent))

    def _compiled(self, tool: Tool) -> CompiledSchema:
        """Return the compiled input schema of a tool, cached for this very ``Tool``.

        A ``Tool`` that brings its handler is a value of the program's own and does not
        change; the schema of any other is read anew from the object that describes it.
        """
        if tool.handler is None:
            return self._compiler.compile(tool.input_schema)
        known = self._own.get(id(tool))
        if known is None:
            if len(self._own) >= _MAX_OWN:
                self._own.clear()
            # The tool is kept, so that its id() stays its own.
            known = self._own[id(tool)] = (tool, self._compiler.compile(tool.input_schema))
        return known[1]
