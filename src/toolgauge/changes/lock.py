"""The lock: what tools were when somebody looked, to compare with what they are."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.changes.errors import MAX_SHOWN_CHARS, InvalidLock, OtherLockVersion
from toolgauge.contract import InvalidJson, Tool, dump_json, parse_json, read_tool
from toolgauge.contract.extent import MAX_DEFINITION_BYTES, is_larger_than
from toolgauge.contract.fingerprints import canonical_text

if TYPE_CHECKING:
    from collections.abc import Iterable

LOCK_VERSION = 2
_MAX_DEPTH = 254
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Tools as they were when the lock was made.

    Attributes:
        version: The version of the format.
        tools: Sorted by name; of tools that share a name, the first.
    """

    version: int = LOCK_VERSION
    tools: tuple[Tool, ...] = ()

    def fingerprints(self) -> dict[str, str]:
        """Name every tool's whole definition by its content."""
        return {each.name: tool_fingerprint(each) for each in self.tools}

    def to_json(self) -> dict[str, Any]:
        """Give the lock as it is written.

        ``{"version": 2, "fingerprint": "sha256:…", "tools": {"search": {
        "fingerprint": "sha256:…", "description": "…", "inputSchema": {…}}}}``; the
        first fingerprint is that of all names with theirs.
        """
        return {
            "version": self.version,
            "fingerprint": _named(self.fingerprints()),
            "tools": {
                each.name: {"fingerprint": tool_fingerprint(each), **_definition(each)}
                for each in self.tools
            },
        }


def lock_of(tools: Iterable[object]) -> Lock:
    """Lock tools as they are now.

    Args:
        tools: Tools, or what ``read_tool`` reads as such.

    Raises:
        InvalidTool: If something in the list has no name.
    """
    by_name: dict[str, Tool] = {}
    for each in tools:
        tool = read_tool(each)
        by_name.setdefault(tool.name, tool)
    return Lock(tools=tuple(by_name[name] for name in sorted(by_name)))


def dump_lock(lock: Lock) -> bytes:
    """Write a lock: the same tools give the same bytes, one member a line.

    In ASCII, so that no letter looks like another, and with every digit of a number.

    Raises:
        TypeError: If a definition holds what JSON has no form for, as a lone surrogate.
        ValueError: If it holds NaN or infinity, or more than ``read_lock`` reads, or
            takes more memory than any definition may.
    """
    found = [each.to_detail() for each in lock.tools]
    for tool, detail in zip(lock.tools, found, strict=True):
        if is_larger_than(detail):
            msg = f"the tool {tool.name!r} takes more than {MAX_DEFINITION_BYTES} bytes of memory"
            raise ValueError(msg)
    # This one refuses NaN, which the writer would make a null.
    canonical_text(found)
    try:
        # A lock holds them one level deeper.
        plain = lock_of(parse_json(dump_json(found), max_depth=_MAX_DEPTH - 1))
    except InvalidJson as error:
        raise ValueError(error.reason) from error
    written = plain.to_json()
    text = dump_json({**written, "tools": _sorted(written["tools"])}, is_indented=True).decode()
    return _BEYOND_ASCII.sub(lambda found: json.dumps(found.group())[1:-1], text).encode() + b"\n"


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def read_lock(data: bytes | str) -> Lock:
    """Read what ``dump_lock`` wrote.

    What was changed by hand is refused: a definition, a name, an entry more or
    less, a member that is there twice.

    Raises:
        InvalidLock: If it is no lock.
        OtherLockVersion: If it is one of another version.
    """
    try:
        found = parse_json(data, max_depth=_MAX_DEPTH)
    except InvalidJson as error:
        raise InvalidLock(error.reason) from None
    if not isinstance(found, dict) or "version" not in found:
        raise InvalidLock("it has no version")
    if type(found["version"]) is not int or found["version"] != LOCK_VERSION:
        raise OtherLockVersion(found["version"], LOCK_VERSION)
    # Of two members of one name the parser gives the last.
    json.loads(data, object_pairs_hook=_refuse_doubles)
    tools = found.get("tools")
    if not isinstance(tools, dict):
        raise InvalidLock("the tools are not an object", ("tools",))
    lock = lock_of(_read(name, each) for name, each in tools.items())
    if found.get("fingerprint") != _named(lock.fingerprints()):
        raise InvalidLock("the fingerprint is not that of the tools", ("fingerprint",))
    return lock


def _refuse_doubles(members: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in members:
        if name in seen:
            raise InvalidLock(f"the member {name[:MAX_SHOWN_CHARS]!r} is there twice")
        seen.add(name)


def _read(name: str, entry: Any) -> Tool:
    if not isinstance(entry, dict):
        raise InvalidLock("the tool is not an object", ("tools", name))
    members = {key: value for key, value in entry.items() if key not in {"fingerprint", "name"}}
    tool = read_tool({**members, "name": name})
    if entry.get("fingerprint") != tool_fingerprint(tool):
        path = ("tools", name, "fingerprint")
        raise InvalidLock("the fingerprint is not that of the tool's definition", path)
    return tool


def tool_fingerprint(tool: Tool) -> str:
    """Name a tool's definition by its content: ``"sha256:"`` and 64 hex digits.

    Source: RFC 8785 with SHA-256, with the departures of ``contract.fingerprint``.
    """
    return _named(_definition(tool))


def _named(value: dict[str, Any]) -> str:
    return f"sha256:{hashlib.sha256(canonical_text(value)).hexdigest()}"


def _definition(tool: Tool) -> dict[str, Any]:
    return {key: value for key, value in tool.to_detail().items() if key != "name"}
