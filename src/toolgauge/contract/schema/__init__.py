"""The schema engine: compile once, accept fast, explain rejects, bound the work."""

from __future__ import annotations

from toolgauge.contract.schema.compiler import SchemaCompiler, compile_schema

__all__ = ["SchemaCompiler", "compile_schema"]
