"""The quick loop: finds the rows that are simply valid, or simply refused.

A valid row costs little more than parsing it. Whatever is not as simple as that,
the loop leaves to the long way, which decides what is wrong with it.
"""

from __future__ import annotations

import sys
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Raw
from msgspec.json import Decoder

from toolgauge.auditing.typed import NOT_READ, read_any, struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolgauge.auditing.contracts import Contract, Contracts
    from toolgauge.auditing.typed import Given, ReadArguments

_SCALAR = str | int | float | bool | None

_MAX_MEMBERS = 64
"""Most members of rows that are remembered."""

_MAX_READERS = 64
"""Most readers that are made for rows that look ever different: each takes as long as
many rows."""


class _Known(NamedTuple):
    """A tool that the loop has met.

    Attributes:
        read: Reads arguments that the tool accepts.
        most: Longest line, in bytes, that may be read and cannot make too much work.
        short: Longest line, in bytes, that cannot nest too deep.
        contract: The tool's contract.
    """

    read: ReadArguments
    most: int
    short: int
    contract: Contract


class QuickLoop:
    """Reads rows that hold one call in two members of known names.

    Args:
        contracts: The tools.
        tool: The member that names the tool.
        arguments: The member that holds the arguments.
        rivals: Members that may mean another call than those two.
        max_line_bytes: Longest line that is read.
        count: Takes the arguments of a row before anything is known of them, with the
            tool, its contract and the length of the line, and tells whether they are
            refused and counted; ``None`` where refused rows are not only counted.
        refuse: Takes a row of which all is known but the words: its index, its line,
            the tool, its contract and the arguments.
        leave: Takes a row of which nothing is known: its index and its line.
        time: The member that says when a call was made, ``None`` where nobody asks.
        note_time: Takes what that member of a valid row holds, ``None`` where it has none.
    """

    def __init__(  # noqa: PLR0913 - what a row is, and where it goes
        self,
        contracts: Contracts,
        tool: str,
        arguments: str,
        rivals: frozenset[str],
        max_line_bytes: int,
        *,
        count: Callable[[dict[str, Any], str, Contract, int], bool] | None = None,
        refuse: Callable[[int, bytes, str, Contract, dict[str, Any]], None],
        leave: Callable[[int, bytes], None],
        time: str | None = None,
        note_time: Callable[[Any], None],
    ) -> None:
        self._time = time
        self._note_time = note_time
        self._time_of: Callable[[Any], Any] | None = None
        self._count = count
        self._refuse = refuse
        self._leave = leave
        self._contracts = contracts
        self._names = tool, arguments
        self._rivals = rivals
        self._max_line_bytes = max_line_bytes
        self._levels = contracts.bounds.max_instance_depth
        self._tools: dict[str, _Known] = {}
        self._members: dict[str, bool] = {}
        self._is_text = False
        self._readers_left = _MAX_READERS
        self._read: Callable[[bytes], Any] = _unread

    def run(self, lines: Sequence[bytes]) -> list[str]:
        """Find the valid rows, and pass on the others in their order.

        Args:
            lines: Any lines.

        Returns:
            The tools of the valid rows.
        """
        valid: list[str] = []
        leave = self._leave
        tools = self._tools
        read = self._read
        is_timed = self._time is not None
        # A valid row costs two reads and a look-up; nothing may be added.
        for index, line in enumerate(lines):
            try:
                row = read(line)
            except NOT_READ:
                leave(index, line)
                read = self._met(line)
                continue
            name = row.tool
            if name not in tools:
                leave(index, line)
                self._meet(name)
                continue
            read_arguments, most, short, contract = tools[name]
            size = len(line)
            if size > most or (size > short and self._may_be_deep(line, row.arguments)):
                leave(index, line)
                continue
            try:
                read_arguments(row.arguments)
            except NOT_READ:
                if not self._is_right(index, line, row, contract):
                    continue
            valid.append(name)
            if is_timed:
                self._tell_time(row)
        return valid

    def _tell_time(self, row: Any) -> None:
        """Tell when the call of a valid row was made."""
        self._note_time(None if self._time_of is None else self._time_of(row))

    def _is_right(self, index: int, line: bytes, row: Any, contract: Contract) -> bool:
        """Ask the engine about what no type would hold, and pass on what is wrong."""
        given = row.arguments
        if len(line) > 2 * self._levels and self._may_be_deep(line, given):
            # What its type cannot read may nest deeper than what it can.
            self._leave(index, line)
            return False
        try:
            value = read_any(given)
            if type(value) is not dict:
                self._leave(index, line)
                return False
            if self._count is not None and self._count(value, row.tool, contract, len(line)):
                return False
            is_right = contract.accepts(value)
        except NOT_READ:
            self._leave(index, line)
            return False
        if not is_right:
            self._refuse(index, line, row.tool, contract, value)
        return is_right

    def _may_be_deep(self, line: bytes, arguments: Given) -> bool:
        """Tell whether there are brackets enough to nest deeper than a value may."""
        levels = self._levels
        if line.count(b"[") + line.count(b"{") > levels:
            return True
        return (
            isinstance(arguments, str)
            and len(arguments) > 2 * levels
            and arguments.count("[") + arguments.count("{") > levels
        )

    def _meet(self, name: str) -> None:
        """Take a tool into the loop, where its schema allows that."""
        contract = self._contracts.find(name)
        if contract is None or contract.problem is not None:
            return
        reader = self._contracts.reader(name)
        # Where nothing can nest too deep, no line is too long for that.
        is_shallow = reader is not None and reader.is_shallow and not any(self._members.values())
        self._tools[name] = _Known(
            _engine_reader(contract.accepts) if reader is None else reader.read,
            min(contract.max_bytes, self._max_line_bytes),
            sys.maxsize if is_shallow else 2 * self._levels,
            contract,
        )

    def _met(self, line: bytes) -> Callable[[bytes], Any]:
        """Learn the members of a row that could not be read, for the next ones like it."""
        if not self._readers_left:
            return self._read
        try:
            row = read_any(line)
        except NOT_READ:
            return self._read
        if isinstance(row, dict):
            self._learn(row)
        return self._read

    def _learn(self, row: dict[str, Any]) -> None:
        tool, arguments = self._names
        if tool not in row or arguments not in row or not self._rivals.isdisjoint(row):
            return
        members = self._members | {
            name: self._members.get(name, False) or isinstance(value, dict | list)
            for name, value in row.items()
            if name not in self._names
        }
        is_text = isinstance(row[arguments], str)
        is_known = members == self._members and is_text == self._is_text
        if (is_known and self._read is not _unread) or len(members) > _MAX_MEMBERS:
            return
        self._readers_left -= 1
        read = row_reader(tool, arguments, members, is_text=is_text)
        if read is not None:
            self._read, self._members, self._is_text = read, members, is_text
            if self._time in members:
                self._time_of = attrgetter(f"m{list(members).index(self._time)}")
            self._tools.clear()  # how deep a row may nest is known of them anew


def _unread(line: bytes) -> Any:
    """Stand for a reader, before a row was seen."""
    raise ValueError(line)


def _engine_reader(accepts: Callable[[object], bool]) -> Callable[[Given], object]:
    """Read what no type can say: parse it, and ask the engine."""

    def read(given: Given) -> None:
        value = read_any(given)
        if type(value) is not dict or not accepts(value):
            raise ValueError

    return read


def row_reader(
    tool: str, arguments: str, members: Mapping[str, bool], *, is_text: bool
) -> Callable[[bytes], Any] | None:
    """Make the function that reads a row whose members are all known.

    Args:
        tool: The member that names the tool: ``.tool`` of what is read.
        arguments: The member that holds the arguments: ``.arguments``, unparsed.
        members: Further members that a row may have, and whether they hold more than
            a scalar.
        is_text: Whether the arguments stand in the row as text.

    Returns:
        A function of JSON that raises one of ``NOT_READ`` for any other row; ``None``
        where a name is none that the parser knows to look for.
    """
    fields: list[Any] = [("tool", str), ("arguments", str if is_text else Raw)]
    rename = {"tool": tool, "arguments": arguments}
    for number, (name, is_deep) in enumerate(members.items()):
        fields.append((f"m{number}", Any if is_deep else _SCALAR, None))
        rename[f"m{number}"] = name
    try:
        return Decoder(struct("Row", fields, rename)).decode
    except (TypeError, ValueError):
        return None
