"""The damaged and odd envelopes of ``tests/suites/envelopes.jsonl``, one row each.

``text`` or ``hex`` is what is sent; ``filler`` is how often ``¤`` in it is repeated as
``filler_char`` (``x``), and ``pieces`` where a pipe cuts it. ``canonical`` and ``mcp``
are what is answered in each dialect, null where nothing may be; a ``code`` of null is a
result. ``http`` is the status of the canonical dialect, ``mcp_http`` MCP's where it is
another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parents[1] / "suites" / "envelopes.jsonl"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One message and what becomes of it."""

    name: str
    raw: bytes
    pieces: tuple[int, ...]
    canonical: dict[str, Any] | None
    mcp: dict[str, Any] | None
    http: int
    mcp_http: int

    def __str__(self) -> str:
        return self.name


def read_rows() -> list[Row]:
    """Read the table; only bytes are cut at line ends alone, and not at U+2028."""
    return [_row(json.loads(line)) for line in PLACE.read_bytes().splitlines()]


def _row(line: dict[str, Any]) -> Row:
    text = line.get("text", "")
    if "filler" in line:
        text = text.replace("¤", line.get("filler_char", "x") * line["filler"])
    return Row(
        name=line["name"],
        raw=bytes.fromhex(line["hex"]) if "hex" in line else text.encode("utf-8"),
        pieces=tuple(line.get("pieces", ())),
        canonical=line["canonical"],
        mcp=line["mcp"],
        http=line["http"],
        mcp_http=line.get("mcp_http", line["http"]),
    )


ROWS: list[Row] = read_rows()
