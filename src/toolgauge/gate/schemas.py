"""The schemas that messages are held against, compiled once for all transports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from toolgauge.contract import (
    DEFAULT_BOUNDS,
    InvalidJson,
    SchemaCompiler,
    UnknownTool,
    parse_json,
)
from toolgauge.envelope import to_tool_name
from toolgauge.envelope.logs import Fingerprints
from toolgauge.envelope.messages import ENVELOPE_LEVELS, PREFIX
from toolgauge.gate.errors import InvalidBundle

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from toolgauge.contract import Bounds, Catalog, CompiledSchema, Tool

ENVELOPE_FILE = "envelope.schema.json"
TOOL_IO_FILE = "tool_io.schema.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolIO:
    """The compiled contract of one tool.

    Attributes:
        tool_id: ``"mcp.tool:<name>"``.
        input: Holds arguments against the input schema.
        output: Holds structured content against the output schema; one that takes
            anything where the tool has none.
        input_fingerprint: Of the input schema; ``None`` if JSON has no form for it.
        output_fingerprint: Of the output schema, ``None`` where there is none.
    """

    tool_id: str
    input: CompiledSchema
    output: CompiledSchema
    input_fingerprint: str | None
    output_fingerprint: str | None


class SchemaRegistry:
    """Finds the schema of the envelope and those of each tool.

    Equal schemas give the same compiled object, whoever asks: the cache is by
    content. Later changes of a file have no effect on a registry that has read it.

    Args:
        schema_root: A folder with ``envelope.schema.json``, ``tool_io.schema.json``
            or both; what it does not have is taken from this package. The tools are
            those of the bundle: members of its ``$defs`` under their ids.
        catalog: The tools, in place of a bundle.
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.

    Example:
        >>> registry = SchemaRegistry()
        >>> envelope = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        >>> [issue.pointer for issue in registry.load_envelope().issues(envelope)]
        ['/params']
    """

    def __init__(
        self,
        schema_root: Path | None = None,
        *,
        catalog: Catalog | None = None,
        formats: bool = False,
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        self._root = schema_root
        self._catalog = catalog
        self._compiler = SchemaCompiler(formats=formats, bounds=bounds)
        # Arguments may be as deep as anywhere, and the envelope lies around them.
        depth = bounds.max_instance_depth + ENVELOPE_LEVELS
        self._around = SchemaCompiler(bounds=replace(bounds, max_instance_depth=depth))
        self._fingerprints = Fingerprints(self._compiler)
        self._documents: dict[str, Any] = {}

    def load_envelope(self) -> CompiledSchema:
        """Give the compiled schema of a request in the canonical dialect.

        Raises:
            InvalidBundle: If the file cannot be read, or is no JSON.
        """
        return self._around.compile(self._document(ENVELOPE_FILE))

    def load_tool_io(self, tool_id: str) -> ToolIO:
        """Give the compiled contract of a tool.

        Args:
            tool_id: ``"mcp.tool:<name>"``.

        Raises:
            UnknownTool: If there is no such tool.
            InvalidBundle: If the bundle cannot be read, or is no JSON.
            InvalidProvider: If the catalog's provider can only be awaited: use
                ``find_tool_io``.
        """
        name = _name(tool_id)
        if self._catalog is not None:
            return self._of_tool(tool_id, self._catalog.find_now(name))
        bundle = self._document(TOOL_IO_FILE)
        definitions = bundle.get("$defs") if isinstance(bundle, dict) else None
        entry = definitions.get(tool_id) if isinstance(definitions, dict) else None
        sides = entry.get("properties") if isinstance(entry, dict) else None
        if not isinstance(sides, dict):
            raise UnknownTool(tool_id)
        return ToolIO(
            tool_id=tool_id,
            input=self._compiler.compile(_inside(bundle, sides.get("input", {}))),
            output=self._compiler.compile(_inside(bundle, sides.get("output", {}))),
            input_fingerprint=self._fingerprints.of_schema(sides.get("input", {})),
            output_fingerprint=(
                self._fingerprints.of_schema(sides["output"]) if "output" in sides else None
            ),
        )

    async def find_tool_io(self, tool_id: str, request: object = None) -> ToolIO:
        """Give the compiled contract of a tool whose provider may have to be awaited.

        Raises:
            UnknownTool: If there is no such tool.
            InvalidBundle: If the bundle cannot be read, or is no JSON.
        """
        if self._catalog is None:
            return self.load_tool_io(tool_id)
        return self._of_tool(tool_id, await self._catalog.find(_name(tool_id), request))

    def _of_tool(self, tool_id: str, tool: Tool) -> ToolIO:
        fingerprints = self._fingerprints.of(tool)
        return ToolIO(
            tool_id=tool_id,
            input=self._compiler.compile(tool.input_schema),
            output=self._compiler.compile({} if tool.output_schema is None else tool.output_schema),
            input_fingerprint=fingerprints[0],
            output_fingerprint=fingerprints[1],
        )

    def _document(self, name: str) -> Any:
        """Read a file once: the folder's own, else the package's."""
        if name not in self._documents:
            self._documents[name] = _read(self._place(name))
        return self._documents[name]

    def _place(self, name: str) -> Traversable:
        own = self._root / name if self._root is not None else None
        if own is not None and own.exists():
            return own
        return files("toolgauge.envelope").joinpath("schemas", name)


def _inside(bundle: dict[str, Any], schema: object) -> object:
    """Give a tool's schema as one of its own, in which references to what is shared hold."""
    if not isinstance(schema, dict):
        return schema
    definitions: dict[str, Any] = bundle["$defs"]
    shared = {key: each for key, each in definitions.items() if not key.startswith(PREFIX)}
    found = {**schema, "$defs": shared} if shared else dict(schema)
    if "$schema" in bundle:
        found.setdefault("$schema", bundle["$schema"])
    return found


def _name(tool_id: str) -> str:
    """Give a tool's own name."""
    try:
        return to_tool_name(tool_id)
    except ValueError:
        raise UnknownTool(tool_id) from None


def _read(place: Traversable) -> Any:
    """Read a schema file."""
    try:
        return parse_json(place.read_bytes())
    except OSError as error:
        raise InvalidBundle(str(place), error.strerror or str(error)) from None
    except InvalidJson as error:
        raise InvalidBundle(str(place), str(error)) from None
