"""Schemas and structured results as the clients of each era accept them.

Up to 2025-11-25 ``structuredContent`` is an object, and ``outputSchema`` has
``"type": "object"`` at its root; from 2026-07-28 on both may be anything. A client that
finds another root drops the whole list. The root of ``inputSchema`` is an object in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.envelope.mcp import MODERN_VERSIONS
from toolgauge.standard.define_outputs import RESULT, as_member, as_object, says_object

if TYPE_CHECKING:
    from toolgauge.contract import Tool


def to_wire(tool: Tool, version: str) -> dict[str, Any]:
    """Write a tool so that strict clients of a version take it."""
    wire = tool.to_detail()
    wire["inputSchema"] = _of_arguments(tool.input_schema)
    if not isinstance(wire.get("outputSchema", {}), Mapping):
        del wire["outputSchema"]
    elif "outputSchema" in wire and version not in MODERN_VERSIONS:
        wire["outputSchema"] = _of_results(wire["outputSchema"])
    return wire


def structured_content(tool: Tool | None, structured: Any, version: str) -> Any:
    """Return structured content as ``to_wire`` promises it to clients of a version."""
    if structured is None or version in MODERN_VERSIONS:
        return structured
    is_wrapped = tool is not None and _is_wrapped(tool.output_schema)
    return {RESULT: structured} if is_wrapped else _as_object(structured)


class OlderOutputs:
    """Rewrites what a server of the newer era lists and returns for one older client."""

    def __init__(self) -> None:
        self._wrapped: set[str] = set()

    def rewritten(
        self, method: str, params: Mapping[str, Any] | None, result: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return a result of any method; only those of tools are changed."""
        if method == "tools/list" and isinstance(result.get("tools"), list):
            return {**result, "tools": [self._listed(each) for each in result["tools"]]}
        if method == "tools/call" and "structuredContent" in result:
            found = result["structuredContent"]
            is_wrapped = (params or {}).get("name") in self._wrapped
            return {
                **result,
                "structuredContent": {RESULT: found} if is_wrapped else _as_object(found),
            }
        return result

    def _listed(self, entry: Any) -> Any:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("outputSchema"), Mapping):
            return entry
        name = entry.get("name")
        if isinstance(name, str):
            self._wrapped.discard(name)
            if _is_wrapped(entry["outputSchema"]):
                self._wrapped.add(name)
        return {**entry, "outputSchema": _of_results(entry["outputSchema"])}


def _of_results(schema: Mapping[str, Any]) -> dict[str, Any]:
    return as_member(schema, RESULT) if _is_wrapped(schema) else as_object(schema)


def _as_object(structured: Any) -> Any:
    return structured if isinstance(structured, Mapping) else {RESULT: structured}


def _of_arguments(schema: object) -> dict[str, Any]:
    """Write an input schema: arguments are always an object, whether it says so or not."""
    if not isinstance(schema, Mapping):
        return {"type": "object"}
    root = schema.get("type", "object")
    if root == "object" or (isinstance(root, list) and "object" in root):
        return as_object(schema)
    return {"type": "object", "not": {}}  # it takes no arguments at all


def _is_wrapped(schema: object) -> bool:
    """Check for a schema that some value other than an object conforms to."""
    return isinstance(schema, Mapping) and says_object(schema, schema) is False
