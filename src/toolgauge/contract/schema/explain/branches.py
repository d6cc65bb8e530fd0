"""Asks the compiled engine whether one subschema accepts a value.

Most of a large value that is refused is all right. Asking takes a hundredth of
the time of walking, so the walk asks first and goes only where something is wrong.
"""

from __future__ import annotations

import threading
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import jsonschema_rs

from toolgauge.contract.pointers import to_pointer
from toolgauge.contract.schema.document import SchemaDocument
from toolgauge.contract.schema.explain.walk import Stopped
from toolgauge.contract.schema.patterns import pattern_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.schema.dialects import Dialect

MAX_ASKING_NS = 50_000_000
"""The engine is asked about parts of one costly value for so many nanoseconds in all."""

_BASE = "urn:toolgauge:schema"


class Branches:
    """The subschemas of one document, compiled when they are first asked for.

    Args:
        schema: A document whose references are all JSON Pointers into itself, and
            that has no base URI of its own.
        dialect: Its dialect.
        formats: Whether ``format`` is asserted.
        bounds: Limits on patterns.
    """

    def __init__(
        self, schema: dict[str, Any], dialect: Dialect, *, formats: bool, bounds: Bounds
    ) -> None:
        self._dialect = dialect
        self._formats = formats
        self._bounds = bounds
        self._document = SchemaDocument(schema)
        self._registry: jsonschema_rs.Registry | None = None
        self._known: dict[int, Callable[[object], bool]] = {}

    def accepts(self, schema: object) -> Callable[[object], bool] | None:
        """Give the engine's check of a subschema, ``None`` for one that it cannot find."""
        key = id(schema)
        if key not in self._known:
            if self._registry is None:
                self._registry = jsonschema_rs.Registry(
                    [(_BASE, self._document.root)], draft=self._dialect.accepts_number
                )
            path = self._document.paths.get(key)
            if path is None:
                return None
            self._known[key] = self._dialect.accepts(
                {"$ref": f"{_BASE}#{quote(to_pointer(path))}"},
                validate_formats=self._formats,
                offline=True,
                pattern_options=pattern_options(self._bounds),
                registry=self._registry,
            ).is_valid
        return self._known[key]


class TimedBranches:
    """The same, for values so costly that asking has to end: each level asks again.

    Args:
        branches: Gives the engine's checks.
    """

    def __init__(self, branches: Branches) -> None:
        self._branches = branches
        self._local = threading.local()

    def begin(self) -> None:
        """Begin an explanation in this thread, with all of the time that it may take."""
        self._local.left_ns = MAX_ASKING_NS

    def accepts(self, schema: object) -> Callable[[object], bool] | None:
        """Return the engine's check of a subschema; it raises ``Stopped`` past the time."""
        ask = self._branches.accepts(schema)
        if ask is None:
            return None
        local = self._local

        def timed(value: object) -> bool:
            started = perf_counter_ns()
            accepted = ask(value)
            local.left_ns -= perf_counter_ns() - started
            if local.left_ns < 0:
                raise Stopped
            return accepted

        return timed
