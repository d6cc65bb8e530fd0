"""The schema engine: compile once, accept fast, explain rejects, bound the work."""

from __future__ import annotations

from toolgauge.contract.schema.engine import CompiledSchema, SchemaCompiler, compile_schema

__all__ = ["CompiledSchema", "SchemaCompiler", "compile_schema"]
