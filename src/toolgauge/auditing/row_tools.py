"""Tools that come with the rows: in each of them, or in a file beside, by the row's id."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.dialects import DIALECTS
from toolgauge.auditing.errors import MissingInput, UnreadableInput
from toolgauge.auditing.inputs import change_in
from toolgauge.auditing.reading import DEFAULT_MAX_LINE_BYTES, iter_blocks, iter_rows, parsed
from toolgauge.auditing.units import whole_unit
from toolgauge.contract import InvalidJson, InvalidTool, dump_json, parse_json, read_tool
from toolgauge.wire import declared, is_foreign, unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolgauge.auditing.contracts import Contract, Contracts
    from toolgauge.auditing.inputs import Input

_MAX_DEPTH = 128
MAX_TOOLS_BYTES = 256 * 1024 * 1024
"""Most that the tools of files beside have together, as JSON: they are all held."""

_MAX_KNOWN = 4_096
"""Most different lists of tools that are kept compiled in one process."""


@dataclass(frozen=True, slots=True)
class OwnTools:
    """The tools of one row.

    Attributes:
        contracts: By name.
        mappings: What a dialect made of its types, and how often.
        problem: Why they cannot be read, ``None`` where they can.
    """

    contracts: Mapping[str, Contract] = field(default_factory=dict)
    mappings: Mapping[str, int] = field(default_factory=dict)
    problem: str | None = None


class RowTools:
    """Finds the tools of a row. Crosses processes.

    Args:
        key: The member of a row that holds its tools: definitions of any provider's
            shape, or JSON text of them.
        dialect: The name of a dialect that says how they are written.
        by_id: Tools by the ``id`` of a row, where they stand in another file.
        drops_padding: Whether members that are null are taken for padding of a table.
        is_needed: Whether a run in which no row has the member is refused.
    """

    def __init__(
        self,
        key: str,
        dialect: str | None = None,
        by_id: Mapping[str, Any] | None = None,
        *,
        drops_padding: bool = False,
        is_needed: bool = False,
    ) -> None:
        self.key: str = key
        self.is_needed: bool = is_needed
        self.dialect: str | None = dialect
        self.drops_padding: bool = drops_padding
        self._by_id = by_id or {}
        self._known: OrderedDict[bytes, OwnTools] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is compiled."""
        return {**self.__dict__, "_known": OrderedDict()}

    def to_json(self) -> dict[str, Any]:
        """Give what the result depends on."""
        text = dump_json([self.key, self.dialect, self.drops_padding, self._by_id])
        return {"key": self.key, "content": hashlib.sha256(text).hexdigest()}

    def of(self, row: Any, contracts: Contracts) -> OwnTools | None:
        """Give the tools of a row, ``None`` where it brings none.

        Args:
            row: Parsed JSON.
            contracts: Compiles them.
        """
        if not isinstance(row, dict):
            return None
        held = row.get(self.key)
        if held is None:
            held = self._by_id.get(str(row.get("id")))
        if held is None:
            return None
        text = held.encode("utf-8", "surrogatepass") if isinstance(held, str) else dump_json(held)
        known = self._known.get(text)
        if known is None:
            known = self._read(held, contracts)
            self._known[text] = known
            if len(self._known) > _MAX_KNOWN:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(text)
        return known

    def _read(self, held: Any, contracts: Contracts) -> OwnTools:
        if isinstance(held, str):
            try:
                held = parse_json(held, max_depth=_MAX_DEPTH)
            except InvalidJson as error:
                return OwnTools(problem=f"the row's tools are not JSON: {error.reason}")
        if self.drops_padding:
            held = without_nulls(held)
        found: dict[str, Contract] = {}
        mappings: Counter[str] = Counter()
        for each in definitions(held):
            try:
                tool = read_tool(each)
            except InvalidTool as error:
                return OwnTools(problem=f"the row's tools: {error}")
            schema, made = tool.input_schema, Counter[str]()
            if self.dialect is not None:
                schema, made = DIALECTS[self.dialect].schema(schema)
            mappings.update(made)
            found.setdefault(tool.name, contracts.compile(schema))
        return OwnTools(contracts=found, mappings=mappings)


def definitions(tools: Any) -> Iterator[Any]:
    """Give tools as MCP writes them, from whatever a provider's request or a server holds.

    A tool that the provider runs itself has no contract, and is left out.
    """
    listed = unwrapped(tools)
    for each in listed if isinstance(listed, list) else [listed]:
        if not is_foreign(each):
            yield from (tool.wire for tool in declared(each))


def without_nulls(value: Any) -> Any:
    """Leave out the members that are null, where a table has padded an object.

    A null in ``enum``, ``const``, ``default`` and ``examples`` is data and stays.
    """
    if isinstance(value, dict):
        return {
            key: each if key in _DATA else without_nulls(each)
            for key, each in value.items()
            if each is not None or key in _DATA
        }
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


_DATA = frozenset({"enum", "const", "default", "examples"})


def without_padding(arguments: Any, schema: Any) -> Any:
    """Leave out the null members of arguments that no schema declares."""
    if isinstance(arguments, list):
        items = schema.get("items") if isinstance(schema, dict) else None
        return [without_padding(each, items) for each in arguments]
    if not isinstance(arguments, dict):
        return arguments
    declared = schema.get("properties") if isinstance(schema, dict) else None
    declared = declared if isinstance(declared, dict) else {}
    return {
        key: without_padding(each, declared.get(key))
        for key, each in arguments.items()
        if each is not None or key in declared
    }


def tools_by_id(inputs: Iterable[Input], key: str) -> dict[str, Any]:
    """Read the tools of rows that stand in other files than their calls.

    Args:
        inputs: Files whose rows have an ``id`` and, under ``key``, tools.
        key: The member that holds the tools.

    Returns:
        The tools of each id; of an id that comes twice, the first.

    Raises:
        MissingInput: If none of the files holds such a row.
        UnreadableInput: If a file is damaged, or there is more than is held.
        ChangedInput: If one is written to meanwhile.
    """
    found: dict[str, Any] = {}
    names: list[str] = []
    left = MAX_TOOLS_BYTES
    for each in inputs:
        names.append(each.name)
        for number, size, row in _rows(each):
            if not (isinstance(row, dict) and "id" in row and key in row):
                continue
            left -= len(dump_json(row[key])) if size is None else size
            if left < 0:
                words = f"tools by id have more than {MAX_TOOLS_BYTES} bytes"
                raise UnreadableInput(each.name, number - 1, words)
            found.setdefault(str(row["id"]), row[key])
        changed = change_in(each)
        if changed is not None:
            raise changed
    if not found:
        raise MissingInput(", ".join(names), f"no row has an 'id' and tools under {key!r}")
    return found


def _rows(source: Input) -> Iterator[tuple[int, int | None, Any]]:
    """Yield the rows of a file with their numbers, and their size where it is known."""
    if source.kind == "parquet":
        rows = iter_rows(whole_unit(source), DEFAULT_MAX_LINE_BYTES)
        yield from ((number, None, row) for number, row in rows)
        return
    for first, lines in iter_blocks(source):
        for number, line in enumerate(lines, first):
            yield number, len(line), parsed(line)
