"""Holds arguments against a tool's contract, without anything that could run it.

This module never receives a handler, so whatever only validates cannot call one
(decision V23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import compile_schema

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, Catalog, Issue, Tool


class ArgumentCheck:
    """Finds what is wrong with the arguments of a call.

    Args:
        catalog: The tools.
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.
    """

    __slots__ = ("_bounds", "_catalog", "_formats")

    def __init__(self, catalog: Catalog, *, formats: bool, bounds: Bounds) -> None:
        self._catalog = catalog
        self._formats = formats
        self._bounds = bounds

    @property
    def formats(self) -> bool:
        """Whether ``format`` is asserted."""
        return self._formats

    async def find(self, name: str, request: object = None) -> Tool:
        """Give the tool of a name.

        Raises:
            UnknownTool: If there is none.
        """
        return await self._catalog.find(name, request)

    def find_now(self, name: str) -> Tool:
        """Give the tool of a name, without waiting.

        Raises:
            UnknownTool: If there is none.
        """
        return self._catalog.find_now(name)

    def issues(self, tool: Tool, arguments: object) -> tuple[Issue, ...]:
        """Hold arguments against a tool's input schema; empty when they keep it."""
        schema = compile_schema(tool.input_schema, formats=self._formats, bounds=self._bounds)
        return schema.issues(arguments)
