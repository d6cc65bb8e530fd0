"""Holds what a tool gives back against its output schema, before it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import InvalidJson, Issue, SchemaCompiler, dump_json, parse_json

if TYPE_CHECKING:
    from toolgauge.contract import Bounds, CallResult, Tool


class OutputCheck:
    """Finds what is wrong with the answer of a tool.

    Args:
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.
    """

    __slots__ = ("_compiler", "_max_depth")

    def __init__(self, *, formats: bool, bounds: Bounds) -> None:
        self._compiler = SchemaCompiler(formats=formats, bounds=bounds)
        self._max_depth = bounds.max_instance_depth

    def issues(self, tool: Tool, result: CallResult) -> tuple[Issue, ...]:
        """Find what breaks the contract; empty when the answer may leave.

        Only structured content is held against the schema, and none at all where
        the tool says that it failed. An answer without structured content breaks
        the contract of a tool that has an output schema (decision E14).

        Source: MCP 2025-06-18 and later, tools, "Output Schema": "Servers MUST
        provide structured results that conform to this schema."
        """
        if tool.output_schema is None or result.is_error:
            return ()
        if result.structured is None:
            words = "no structured content, though the tool has an output schema"
            return (Issue(message=words, keyword="type"),)
        try:
            # As it leaves: models inside are JSON then, tuples arrays, NaN null.
            sent = dump_json(result.structured)
            value = parse_json(sent, max_depth=self._max_depth)
        except (TypeError, InvalidJson) as error:
            return (Issue(message=f"not a JSON value: {error}"),)
        return self._compiler.compile(tool.output_schema).issues_of_parsed(value, len(sent))
