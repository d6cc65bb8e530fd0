"""Tools, calls and folders that the tests of this room share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from toolgauge.auditing import Contracts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

"""Whether there is time for more rows, more cases and more examples of each."""

WEATHER: dict[str, Any] = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
}
BROKEN: dict[str, Any] = {"name": "broken", "inputSchema": {"type": "objekt"}}


@pytest.fixture
def contracts() -> Contracts:
    """One tool that works, and one whose schema is broken."""
    return Contracts([WEATHER, BROKEN])


@pytest.fixture
def write_lines(tmp_path: Path) -> Callable[..., Path]:
    """Write rows, or raw lines, to a file."""

    def write(rows: Iterable[Any], name: str = "calls.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (each if isinstance(each, bytes) else orjson.dumps(each) for each in rows)
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return write
