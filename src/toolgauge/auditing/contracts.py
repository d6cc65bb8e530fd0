"""The contracts that calls are held against, compiled where they are first needed."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.dialects import DIALECTS
from toolgauge.auditing.typed import arguments_reader
from toolgauge.contract import DEFAULT_BOUNDS, Bounds, SchemaCompiler, dump_json, read_tool
from toolgauge.contract.extent import iter_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolgauge.auditing.typed import Reader
    from toolgauge.contract import CompiledSchema, Issue


@dataclass(frozen=True, slots=True)
class Contract:
    """One tool's input schema, with what a loop needs at hand.

    Attributes:
        compiled: The compiled schema.
        schema: The schema itself.
        accepts: Parsed arguments to the bare verdict, without any bound.
        max_bytes: Longest text, in bytes, whose arguments ``accepts`` may be asked
            about unseen, unless they nest too deep: no shorter one makes too much work.
        is_exact: Whether the schema tells integers past 64 bits apart, which a type for
            numbers may round.
    """

    compiled: CompiledSchema
    schema: Any
    accepts: Callable[[object], bool]
    max_bytes: int
    is_exact: bool

    @property
    def problem(self) -> Issue | None:
        """Why the schema cannot be used."""
        return self.compiled.problem


class Contracts:
    """Tools by name. Crosses processes: each one compiles for itself.

    Args:
        tools: Tools of any shape that ``read_tool`` knows; the first of a name wins.
        formats: Whether ``format`` is asserted.
        bounds: Limits on schemas and values.
        dialect: The name of a dialect that says how their types are written.

    Attributes:
        mappings: What the dialect made of types, and how often.
    """

    def __init__(
        self,
        tools: Iterable[object] = (),
        *,
        formats: bool = False,
        bounds: Bounds = DEFAULT_BOUNDS,
        dialect: str | None = None,
    ) -> None:
        self._schemas: dict[str, Any] = {}
        self.mappings: Counter[str] = Counter()
        for each in tools:
            tool = read_tool(each)
            if tool.name in self._schemas:
                continue
            schema = tool.input_schema
            if dialect is not None:
                schema, made = DIALECTS[dialect].schema(schema)
                self.mappings.update(made)
            self._schemas[tool.name] = schema
        self.formats: bool = formats
        self.bounds: Bounds = bounds
        self._known: dict[str, Contract] = {}
        self._readers: dict[str, Reader | None] = {}
        self._compiler: SchemaCompiler | None = None

    def __getstate__(self) -> tuple[dict[str, Any], bool, Bounds, Counter[str]]:
        """Leave out what is compiled."""
        return self._schemas, self.formats, self.bounds, self.mappings

    def __setstate__(self, state: tuple[dict[str, Any], bool, Bounds, Counter[str]]) -> None:
        self._schemas, self.formats, self.bounds, self.mappings = state
        self._known = {}
        self._readers = {}
        self._compiler = None

    def __len__(self) -> int:
        return len(self._schemas)

    @property
    def fingerprint(self) -> str:
        """Name all tools together by their content, and how they are held."""
        text = dump_json([self._schemas, self.formats, str(self.bounds)])
        return hashlib.sha256(text).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in their order."""
        return tuple(self._schemas)

    def find(self, name: object) -> Contract | None:
        """Give the contract of a name, ``None`` where there is none."""
        if not isinstance(name, str):
            return None
        known = self._known.get(name)
        if known is None and name in self._schemas:
            known = self._known[name] = self.compile(self._schemas[name])
        return known

    def reader(self, name: str) -> Reader | None:
        """Give what reads arguments that a tool surely accepts, ``None`` where nothing can."""
        if name not in self._readers:
            contract = self.find(name)
            self._readers[name] = (
                None
                if contract is None or contract.is_exact
                else arguments_reader(
                    contract.compiled,
                    contract.schema,
                    formats=self.formats,
                    levels=self.bounds.max_instance_depth,
                )
            )
        return self._readers[name]

    def compile(self, schema: object) -> Contract:
        """Compile a schema that came with a row; each content once."""
        if self._compiler is None:
            self._compiler = SchemaCompiler(formats=self.formats, bounds=self.bounds)
        compiled = self._compiler.compile(schema)
        return Contract(compiled, schema, compiled.accepts, compiled.cheap_bytes, _is_exact(schema))


_EXACT_TO = 2**53
_EXACT_KEYWORDS = frozenset({"multipleOf", "uniqueItems"})


def _is_exact(schema: object) -> bool:
    """Tell whether a schema's verdict can depend on digits that a double loses.

    Rounding keeps the order of a large integer and a small bound, and keeps an
    integer an integer. Only large numbers in the schema, divisors, and items that
    must differ from each other can tell a rounded integer from the one it was.
    """
    return any(
        not _EXACT_KEYWORDS.isdisjoint(each)
        if isinstance(each, dict)
        else isinstance(each, int | float) and abs(each) >= _EXACT_TO
        for each in iter_values(schema)
    )
