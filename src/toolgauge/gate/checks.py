"""Holds arguments against a tool's contract, without anything that could run it.

This module never receives a handler, so whatever only validates cannot call one
(decision V23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import Issue, SchemaCompiler, read_input_schema

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, Catalog, CompiledSchema, Tool


_MAX_OWN = 4_096


class ArgumentCheck:
    """Finds what is wrong with the arguments of a call.

    Args:
        catalog: The tools.
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.

    Attributes:
        formats: Whether ``format`` is asserted.
    """

    __slots__ = ("_catalog", "_compiler", "_own", "formats")

    def __init__(self, catalog: Catalog, *, formats: bool, bounds: Bounds) -> None:
        self._catalog = catalog
        self._compiler = SchemaCompiler(formats=formats, bounds=bounds)
        self._own: dict[int, tuple[Tool, CompiledSchema]] = {}
        self.formats: bool = formats

    @property
    def is_static(self) -> bool:
        """Whether the tools are at hand without waiting for anything."""
        return self._catalog.is_static

    async def schema(self, name: str, request: object = None) -> CompiledSchema:
        """Give the compiled input schema of a tool.

        Raises:
            UnknownTool: If there is none of this name.
        """
        source = await self._catalog.find_source(name, request)
        return self._compiler.compile(read_input_schema(source))

    def schema_now(self, name: str) -> CompiledSchema:
        """Give the compiled input schema of a tool, without waiting.

        Raises:
            UnknownTool: If there is none of this name.
        """
        return self._compiler.compile(read_input_schema(self._catalog.find_source_now(name)))

    def issues(self, tool: Tool, arguments: object) -> tuple[Issue, ...]:
        """Find what stops a call of a tool; empty when it may run.

        A schema may accept anything, but a handler is written for named
        arguments: these must be an object in any case.
        """
        issues = self._compiled(tool).issues(arguments)
        if not issues and not isinstance(arguments, dict):
            return (Issue(message="arguments are not an object", keyword="type"),)
        return issues

    def _compiled(self, tool: Tool) -> CompiledSchema:
        """Compile a tool's schema, or take it as it was for this very ``Tool``.

        A ``Tool`` that brings its handler is a value of the program's own, and is not
        looked at again; all others are read anew from whatever describes them.
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
