"""The lock: what tools were when somebody looked, to compare with what they are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.changes.errors import InvalidLock, OtherLockVersion
from toolgauge.contract import InvalidJson, Tool, parse_json, read_tool
from toolgauge.contract.fingerprints import canonical_text

if TYPE_CHECKING:
    from collections.abc import Iterable

LOCK_VERSION = 1
_MAX_DEPTH = 254


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

        ``{"version": 1, "tools": {"search": {"fingerprint": "sha256:…",
        "description": "…", "inputSchema": {…}}}}``
        """
        return {
            "version": self.version,
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

    Raises:
        TypeError: If a definition holds what JSON has no form for.
        ValueError: If it holds NaN or infinity.
    """
    import json  # noqa: PLC0415 - of the two writers, only this one sorts and indents all numbers

    tidy = json.loads(canonical_text(lock.to_json()))
    text = json.dumps({"version": tidy["version"], "tools": tidy["tools"]}, indent=2)
    return text.encode() + b"\n"


def read_lock(data: bytes | str) -> Lock:
    """Read what ``dump_lock`` wrote.

    A fingerprint that does not belong to its definition is refused: somebody
    changed one of the two by hand.

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
    tools = found.get("tools")
    if not isinstance(tools, dict):
        raise InvalidLock("its tools are not an object")
    return lock_of(_read(name, each) for name, each in tools.items())


def _read(name: str, entry: Any) -> Tool:
    if not isinstance(entry, dict):
        raise InvalidLock(f"tool {name!r} is not an object")
    members = {key: value for key, value in entry.items() if key not in {"fingerprint", "name"}}
    tool = read_tool({**members, "name": name})
    if entry.get("fingerprint") != tool_fingerprint(tool):
        raise InvalidLock(f"the fingerprint of tool {name!r} is not that of its definition")
    return tool


def tool_fingerprint(tool: Tool) -> str:
    """Name a tool's definition by its content: ``"sha256:"`` and 64 hex digits.

    Source: RFC 8785 with SHA-256, with the departures of ``contract.fingerprint``.
    """
    return f"sha256:{hashlib.sha256(canonical_text(_definition(tool))).hexdigest()}"


def _definition(tool: Tool) -> dict[str, Any]:
    return {key: value for key, value in tool.to_detail().items() if key != "name"}
