"""What the comparison of two tools may cost, charged before the work is done."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.jsontext import dump_json
from toolgauge.contract.schema.compiler import compile_schema
from toolgauge.contract.schema.pattern_cost import pattern_cost
from toolgauge.contract.schema.patterns import patterns_of
from toolgauge.contract.schema.subschemas import iter_subschemas

if TYPE_CHECKING:
    from toolgauge.contract.schema.engine import CompiledSchema

MAX_COMPARISON_WORK = 1_200_000
"""Most work to compare two definitions of one tool, in units of about a microsecond."""

_BYTES_PER_UNIT = 200
_MEMBERS_PER_UNIT = 4
_PER_SUBSCHEMA = 10


class TooCostly(Exception):
    """The next piece of work costs more than is left of a budget."""

    def __str__(self) -> str:
        return f"too costly to compare: it needs more than {MAX_COMPARISON_WORK} units of work"


class Budget:
    """What is left of the work that one comparison may cost.

    Attributes:
        left: Units of about a microsecond.
        samples: Texts for the patterns that were charged for.
    """

    __slots__ = ("_compiled", "left", "samples")

    def __init__(self, work: int = MAX_COMPARISON_WORK) -> None:
        self.left: int = work
        self.samples: dict[str, list[str]] = {}
        self._compiled: dict[tuple[int, bool, Bounds], tuple[Any, CompiledSchema]] = {}

    def spend(self, work: int) -> None:
        """Charge for work that is about to be done.

        Raises:
            TooCostly: If less than that is left.
        """
        self.left -= work
        if self.left < 0:
            raise TooCostly

    def spend_on(self, members: int) -> None:
        """Charge for a look at so many members or items.

        Raises:
            TooCostly: As for ``spend``.
        """
        self.spend(1 + members // _MEMBERS_PER_UNIT)

    def spend_on_all(self, value: Any) -> None:
        """Charge for a look at every place of a value.

        Raises:
            TooCostly: As for ``spend``.
        """
        row = [value]
        while row:
            here = [each for each in row if isinstance(each, dict | list)]
            self.spend_on(len(row))
            row = list(
                chain.from_iterable(
                    each.values() if isinstance(each, dict) else each for each in here
                )
            )

    def compile(
        self, schema: Any, *, formats: bool, bounds: Bounds = DEFAULT_BOUNDS
    ) -> CompiledSchema:
        """Compile a schema as ``compile_schema`` does, and charge for it once.

        Raises:
            TooCostly: As for ``spend``.
        """
        key = id(schema), formats, bounds
        known = self._compiled.get(key)
        if known is None:
            self.spend(_compiling(schema))
            compiled = compile_schema(schema, formats=formats, bounds=bounds)
            # The schema is kept, so that its id() stays its own.
            known = self._compiled[key] = schema, compiled
        return known[1]


def _compiling(schema: Any) -> int:
    """Estimate what it takes to compile a schema."""
    try:
        work = len(dump_json(schema)) // _BYTES_PER_UNIT
    except (TypeError, ValueError, RecursionError):
        # No JSON: the compiler finds the same at once.
        return 1
    patterns: set[str] = set()
    for each in iter_subschemas(schema):
        work += _PER_SUBSCHEMA
        patterns.update(patterns_of(each))
    return work + sum(pattern_cost(each).compiling for each in patterns)
