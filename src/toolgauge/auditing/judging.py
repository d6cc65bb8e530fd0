"""Holds recorded calls against contracts: the one loop that every reader feeds.

The quick loop counts the rows that are simply valid; a call that is not goes the
long way once, and that way alone decides what is wrong.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.quick import QuickLoop
from toolgauge.auditing.reading import DEFAULT_MAX_LINE_BYTES
from toolgauge.auditing.row_tools import without_padding
from toolgauge.auditing.tally import hour_of
from toolgauge.auditing.typed import NOT_READ, read_any
from toolgauge.auditing.verdicts import (
    MISSING,
    NOTHING,
    Call,
    Judged,
    Malformed,
    Recorded,
    Row,
    Verdict,
)
from toolgauge.contract import InvalidJson, Issue, parse_json
from toolgauge.wire import qualified

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolgauge.auditing.contracts import Contract, Contracts
    from toolgauge.auditing.row_tools import OwnTools, RowTools
    from toolgauge.auditing.rows import RowReader
    from toolgauge.contract import Places

ROW_DEPTH = 28
"""Levels that a row may have around the arguments of its calls."""

_MAX_LITERAL_CHARS = 10_000
"""Python's own parser is only asked about texts up to this length."""


class Judge:
    """Holds rows against contracts.

    Args:
        contracts: The tools.
        reader: Reads the calls of a row.
        emit: Takes each record that is not only counted.
        columns: Members of a row to keep with each record.
        max_line_bytes: Longest line that is read.
        emit_valid: Whether valid calls are records too.
        row_tools: Finds the tools that a row brings itself.
        time: The one of ``columns`` that says when a call was made.
        count: Takes an invalid call's tool and the places of its issues; where it
            tells false, the call is a record after all.

    Attributes:
        mappings: What a dialect made of the rows' tools, once for each row.
        valid: The number of valid calls that were only counted, by tool.
        hours: The same, by the hour that they were made in, where ``time`` is given.
        rows: The number of rows that were judged.
    """

    def __init__(  # noqa: PLR0913 - what a reader, a user and a writer want
        self,
        contracts: Contracts,
        reader: RowReader,
        emit: Callable[[Judged], object],
        *,
        columns: tuple[str, ...] = (),
        max_line_bytes: int = DEFAULT_MAX_LINE_BYTES,
        emit_valid: bool = False,
        row_tools: RowTools | None = None,
        time: str | None = None,
        count: Callable[[str, Places], bool] | None = None,
    ) -> None:
        self._time = time
        self._count = count
        self.hours: Counter[str] = Counter()
        self._row_tools = row_tools
        self.mappings: Counter[str] = Counter()
        self._contracts = contracts
        self._read = reader.read
        self._emit = emit
        self._quick: QuickLoop | None = None
        if reader.keys is not None and not emit_valid and row_tools is None:
            self._quick = QuickLoop(
                contracts,
                *reader.keys,
                reader.rivals,
                max_line_bytes,
                count=None if count is None else self._is_counted,
                refuse=self._refused,
                leave=self._left,
                time=time,
                note_time=self._note_time,
            )
        self._file = ""
        self._first = 1
        self._columns = columns
        self._max_line_bytes = max_line_bytes
        self._emit_valid = emit_valid
        self.valid: Counter[str] = Counter()
        self.rows: int = 0

    def block(self, lines: Sequence[bytes], file: str, first: int) -> None:
        """Judge lines that follow each other.

        Args:
            lines: Lines without their ends. Empty ones are no rows.
            file: What the file is called.
            first: The number of the first line, from 1.
        """
        self._file, self._first = file, first
        if self._quick is None:
            for index, line in enumerate(lines):
                self._left(index, line)
            return
        valid = self._quick.run(lines)
        self.valid.update(valid)
        self.rows += len(valid)

    def _note_time(self, value: object) -> None:
        self.hours[hour_of(value)] += 1

    def _left(self, index: int, line: bytes) -> None:
        if line.strip():
            self.line(line, Row(self._file, self._first + index))

    def _is_counted(
        self, arguments: dict[str, Any], tool: str, contract: Contract, size: int
    ) -> bool:
        """Count a row of the block at once, where all that is wrong is found without words."""
        places = contract.compiled.places_at_once(arguments, size)
        if places is None or self._count is None or not self._count(tool, places):
            return False
        self.rows += 1
        return True

    def _refused(
        self, index: int, line: bytes, tool: str, contract: Contract, arguments: dict[str, Any]
    ) -> None:
        """Say why a row of the block is refused of which all else is known."""
        if self._count is not None:
            places = contract.compiled.places(arguments, len(line))
            if places is not None and self._count(tool, places):
                self.rows += 1
                return
        row = Row(self._file, self._first + index)
        issues = contract.compiled.reasons(arguments, len(line))
        columns: Mapping[str, Any] = NOTHING
        if self._columns:
            try:
                whole = read_any(line)
            except NOT_READ:
                self.line(line, row)
                return
            columns = {name: whole.get(name) for name in self._columns}
        self.rows += 1
        self._emit(Judged(row, 0, tool, Verdict.INVALID, issues, (), columns, arguments))

    def line(self, line: bytes, row: Row) -> None:
        """Judge one line, whatever it holds."""
        if len(line) > self._max_line_bytes:
            self.overlong(len(line), row)
            return
        self.rows += 1
        most = self._contracts.bounds.max_instance_depth + ROW_DEPTH
        try:
            value = parse_json(line, max_depth=most)
        except InvalidJson as error:
            self._refuse(row, Verdict.UNPARSABLE_ROW, Issue(message=error.reason, keyword="format"))
            return
        self._value(value, row)

    def overlong(self, size: int, row: Row) -> None:
        """Judge a line that is longer than a row may be, unseen."""
        self.rows += 1
        words = f"line of {size} bytes; the limit is {self._max_line_bytes}"
        self._refuse(row, Verdict.UNPARSABLE_ROW, Issue(message=words))

    def row(self, value: dict[str, Any], row: Row) -> None:
        """Judge a row that came parsed."""
        self.rows += 1
        self._value(value, row)

    def _value(self, value: Any, row: Row) -> None:
        found = self._read(value)
        columns: Mapping[str, Any] = NOTHING
        if self._columns and isinstance(value, dict):
            columns = {name: value.get(name) for name in self._columns}
        if found is None:
            issue = Issue(message="no call of a known shape")
            self._refuse(row, Verdict.MALFORMED_CALL, issue, columns)
            return
        if not found:
            self._emit(Judged(row, 0, None, Verdict.NO_CALL, columns=columns))
            return
        own = None if self._row_tools is None else self._row_tools.of(value, self._contracts)
        if own is not None:
            self.mappings.update(own.mappings)
        for index, each in enumerate(found):
            if isinstance(each, Malformed):
                issues = (each.issue,)
                self._emit(Judged(row, index, None, Verdict.MALFORMED_CALL, issues, (), columns))
            elif isinstance(each, Recorded):
                self._emit(Judged(row, index, each.tool, each.verdict, each.issues, (), columns))
            else:
                self.call(each, row, index, columns, own)

    def _refuse(
        self, row: Row, verdict: Verdict, issue: Issue, columns: Mapping[str, Any] = NOTHING
    ) -> None:
        self._emit(Judged(row, 0, None, verdict, (issue,), columns=columns))

    def call(
        self,
        call: Call,
        row: Row,
        index: int = 0,
        columns: Mapping[str, Any] = NOTHING,
        own: OwnTools | None = None,
    ) -> None:
        """Judge one call."""
        tool = call.tool
        if not isinstance(tool, str) or not tool:
            words = f"the tool's name is {_kind(tool)}"
            issue = Issue(path=call.path[:-1], message=words)
            self._emit(Judged(row, index, None, Verdict.MALFORMED_CALL, (issue,), (), columns))
            return
        contract = None
        for name in dict.fromkeys((qualified(call.namespace, tool), tool)):
            contract = None if own is None else own.contracts.get(name)
            contract = contract or self._contracts.find(name)
            if contract is not None:
                tool = name
                break
        verdict, issues, arguments = self._verdict(call, contract, own)
        if verdict is Verdict.VALID and not self._emit_valid and not call.notes:
            self.valid[tool] += 1
            if self._time is not None:
                self._note_time(columns.get(self._time))
            return
        self._emit(Judged(row, index, tool, verdict, issues, call.notes, columns, arguments))

    def _verdict(
        self, call: Call, contract: Contract | None, own: OwnTools | None
    ) -> tuple[Verdict, tuple[Issue, ...], Any]:
        """Validate a call; return what was validated, too."""
        arguments = call.arguments
        if contract is None:
            if own is not None and own.problem is not None:
                issue = Issue(message=own.problem, keyword="schema")
                return Verdict.BROKEN_CONTRACT, (issue,), arguments
            issue = Issue(path=call.path, message="no contract has this name")
            return Verdict.UNKNOWN_TOOL, (issue,), arguments
        if contract.problem is not None:
            return Verdict.BROKEN_CONTRACT, (contract.problem,), arguments
        if isinstance(arguments, str):
            try:
                arguments = parse_json(
                    arguments, max_depth=self._contracts.bounds.max_instance_depth
                )
            except InvalidJson as error:
                issue = Issue(
                    path=call.path,
                    message=error.reason,
                    keyword="format",
                    hint=hint_at_text(call.arguments),
                )
                return Verdict.UNPARSABLE_ARGUMENTS, (issue,), call.arguments
        if not isinstance(arguments, dict):
            words = f"arguments are {_kind(arguments)}, not an object"
            hint = "JSON text of a JSON text: it was encoded twice"
            is_twice = isinstance(arguments, str)
            issue = Issue(
                path=call.path, message=words, keyword="type", hint=hint if is_twice else None
            )
            return Verdict.WRONG_SHAPE, (issue,), arguments
        if self._row_tools is not None and self._row_tools.drops_padding:
            arguments = without_padding(arguments, contract.schema)
        issues = contract.compiled.issues(arguments)
        return (Verdict.INVALID if issues else Verdict.VALID), issues, arguments


def _kind(value: object) -> str:
    """Name the JSON type of a value, for a sentence."""
    if value is MISSING or value is None:
        return "missing" if value is MISSING else "null"
    if isinstance(value, str):
        return "text" if value else "empty"
    kinds = {bool: "a boolean", list: "an array", dict: "an object"}
    return kinds.get(type(value), "a number")


def hint_at_text(text: object) -> str | None:
    """Say what probably happened to arguments that are not JSON."""
    if not isinstance(text, str):
        return None
    try:
        value = ast.literal_eval(text) if len(text) <= _MAX_LITERAL_CHARS else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if isinstance(value, dict):
        return "this is how Python prints a dict; JSON has double quotes, true, false and null"
    opened = text.count("{") + text.count("[")
    if opened > text.count("}") + text.count("]"):
        return "the text is cut off"
    return None
