"""The fingerprints of tools' schemas, each worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import fingerprint

if TYPE_CHECKING:
    from toolgauge.contract import CompiledSchema, SchemaCompiler, Tool

_MAX_KNOWN = 4_096


class Fingerprints:
    """Remembers fingerprints by compiled schema, which there is one of for each content.

    Args:
        compiler: Finds the compiled schema of a content.
    """

    __slots__ = ("_compiler", "_known")

    def __init__(self, compiler: SchemaCompiler) -> None:
        self._compiler = compiler
        self._known: dict[int, tuple[CompiledSchema, str | None]] = {}

    def of(self, tool: Tool) -> tuple[str | None, str | None]:
        """Give the fingerprints of a tool's input and output schema.

        ``None`` stands for no output schema, and for what JSON has no form for.
        """
        output = tool.output_schema
        return self.of_schema(tool.input_schema), None if output is None else self.of_schema(output)

    def of_schema(self, schema: object) -> str | None:
        """Give the fingerprint of one schema; ``None`` if JSON has no form for it."""
        compiled = self._compiler.compile(schema)
        known = self._known.get(id(compiled))
        if known is not None and known[0] is compiled:
            return known[1]
        found = _fingerprint(schema)
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        self._known[id(compiled)] = (compiled, found)
        return found


def _fingerprint(schema: object) -> str | None:
    try:
        return fingerprint({} if schema is None else schema)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        return None
