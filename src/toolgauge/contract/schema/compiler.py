"""Compiles schemas, each content once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import dump_json, is_larger_than, parse_json
from toolgauge.contract.plain import MAX_PLACES, MAX_WRITTEN_DEPTH, as_definition_value
from toolgauge.contract.schema.cache import WeightedCache

if TYPE_CHECKING:
    from toolgauge.contract.schema.engine import CompiledSchema

_CACHE_BYTES = 64 * 1024 * 1024

_MAX_RECENT = 2_048

_CACHE: WeightedCache[CompiledSchema] = WeightedCache(_CACHE_BYTES)


class SchemaCompiler:
    """Compiles schemas for one set of bounds, each content once.

    All compilers share one cache, bounded by the size of what is in it.

    Args:
        formats: Whether ``format`` is asserted (decision X4).
        bounds: Limits on schemas and on the values held against them.
    """

    __slots__ = ("_bounds", "_formats", "_recent", "_recent_bytes", "_space")

    def __init__(self, *, formats: bool = False, bounds: Bounds = DEFAULT_BOUNDS) -> None:
        self._formats = formats
        self._bounds = bounds
        self._recent: dict[int, tuple[object, bytes, CompiledSchema]] = {}
        self._recent_bytes = 0
        self._space = _SPACES.setdefault((formats, bounds), object())

    def compile(self, schema: object) -> CompiledSchema:
        """Compile a schema, or give the compiled one that is known for its content.

        Never raises for a bad schema: the result then carries a ``problem`` and
        refuses every value with it.

        Args:
            schema: JSON Schema as parsed JSON: ``{"type": "object", …}``.
                ``None`` means ``{}``. Later changes of it have no effect here.
        """
        recent = self._recent.get(id(schema))
        if recent is None and is_larger_than(schema, MAX_PLACES):
            return self._make(None, f"it has more than {MAX_PLACES} members and items")
        try:
            text = dump_json({} if schema is None else schema, convert=as_definition_value)
        except (TypeError, ValueError, RecursionError) as error:
            # orjson refuses cycles, nesting past 254, and what JSON has no form for.
            return self._make(None, f"not JSON: {error}")
        if recent is not None and recent[1] == text:
            return recent[2]
        compiled = _CACHE.get(
            (self._space, text),
            lambda: self._compile(text),
            lambda made: len(text) + made.memory_bytes,
        )
        self._recent_bytes += len(text) + compiled.memory_bytes
        if len(self._recent) >= _MAX_RECENT or self._recent_bytes > _CACHE_BYTES:
            self._recent.clear()
            self._recent_bytes = len(text) + compiled.memory_bytes
        # The schema is kept, so that its id() stays its own; its text is compared,
        # so that a change in place is seen.
        self._recent[id(schema)] = (schema, text, compiled)
        return compiled

    def _compile(self, text: bytes) -> CompiledSchema:
        try:
            own = parse_json(text, max_depth=MAX_WRITTEN_DEPTH)
        except InvalidJson as error:
            return self._make(None, error.reason)
        return self._make(own)

    def _make(self, schema: Any, fault: str | None = None) -> CompiledSchema:
        # Loading the engines takes longer than importing all the rest, and most
        # programs that import this package do not compile a schema at once.
        from toolgauge.contract.schema.engine import BrokenSchema, CompiledSchema  # noqa: PLC0415

        if fault is not None:
            return BrokenSchema(fault, self._bounds)
        return CompiledSchema(schema, formats=self._formats, bounds=self._bounds)


_SPACES: dict[tuple[bool, Bounds], object] = {}
"""One object for each set of bounds: its identity is cheaper to hash than they are."""


def compile_schema(
    schema: object, *, formats: bool = False, bounds: Bounds = DEFAULT_BOUNDS
) -> CompiledSchema:
    """Compile one schema. See ``SchemaCompiler.compile``; use that for many.

    Example:
        >>> compiled = compile_schema({"type": "object", "required": ["city"]})
        >>> [(issue.pointer, issue.keyword) for issue in compiled.issues({})]
        [('/city', 'required')]
    """
    return SchemaCompiler(formats=formats, bounds=bounds).compile(schema)
