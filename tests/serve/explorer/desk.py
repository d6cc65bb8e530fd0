"""A set of tools for the tests of this folder: every kind of result, and groups to find them in."""

from __future__ import annotations

import base64
import json
from typing import Any

from toolgauge import Tool
from toolgauge.contract import CallResult
from toolgauge.gate import Recorder
from toolgauge.serve import LogFeed, create_app

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ROWS = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "object"}}},
    "required": ["rows"],
}
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer"}},
    "required": ["city"],
}


def wave() -> str:
    """Give a sound of a few silent samples as base64."""
    data = bytes(8)
    head = (
        b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    )
    shape = (1).to_bytes(2, "little") * 2 + (8000).to_bytes(4, "little") * 2
    rest = (1).to_bytes(2, "little") + (8).to_bytes(2, "little") + b"data"
    return base64.b64encode(head + shape + rest + len(data).to_bytes(4, "little") + data).decode()


def _parts(_args: dict[str, Any]) -> CallResult:
    """Give one of every kind of content."""
    return CallResult(
        content=(
            {"type": "text", "text": "plain words"},
            {"type": "text", "text": '{"big": 12345678901234567890, "one": 1.0}'},
            {"type": "image", "mimeType": "image/png", "data": PIXEL},
            {"type": "audio", "mimeType": "audio/wav", "data": wave()},
            {"type": "resource_link", "name": "guide", "uri": "https://example.org/guide"},
            {"type": "resource_link", "name": "trap", "uri": "javascript:alert(1)"},
            {
                "type": "resource",
                "resource": {
                    "uri": "file:///notes.md",
                    "mimeType": "text/markdown",
                    "text": "# Notes",
                },
            },
            {
                "type": "resource",
                "resource": {
                    "uri": "file:///a/report.pdf",
                    "mimeType": "application/pdf",
                    "blob": base64.b64encode(b"%PDF-fake").decode(),
                },
            },
            {
                "type": "resource",
                "resource": {"uri": "file:///x.png", "mimeType": "image/png", "blob": PIXEL},
            },
            {"type": "novelty", "value": 5},
        ),
    )


def _echo(args: dict[str, Any]) -> dict[str, Any]:
    return {"rows": [args]}


def _many(_args: dict[str, Any]) -> dict[str, Any]:
    return {"rows": [{"id": n, "name": f"item {n}"} for n in range(10_000)]}


def _liar(_args: dict[str, Any]) -> CallResult:
    return CallResult(content=(), structured={"rows": "the secret"})


TOOLS = [
    Tool(name="weather_now", description="The weather.", input_schema=CITY, handler=_echo),
    Tool(
        name="weather_past",
        description="Older weather.",
        input_schema=CITY,
        output_schema=ROWS,
        annotations={"readOnlyHint": True},
        handler=_echo,
    ),
    Tool(
        name="weather_clear",
        description="Forget the weather.",
        annotations={"destructiveHint": True},
        handler=_echo,
    ),
    Tool(name="parts", description="Every kind of content.", handler=_parts),
    Tool(name="many", description="Ten thousand rows.", output_schema=ROWS, handler=_many),
    Tool(name="liar", description="Breaks its promise.", output_schema=ROWS, handler=_liar),
]


def desk(tools: Any = None, *, is_logged: bool = True, **options: Any) -> Any:
    """Make the application, with its log on."""
    feed = LogFeed()
    log: dict[str, Any] = (
        {"recorder": Recorder(write=feed.write), "log_feed": feed} if is_logged else {}
    )
    chosen = TOOLS if tools is None else tools
    return create_app(chosen, allow_execute=True, **{"title": "Weather desk", **log, **options})


def stored(page: Any) -> list[dict[str, Any]]:
    """Give the runs that the browser keeps, newest first."""
    found: list[dict[str, Any]] = json.loads(
        page.evaluate(
            "localStorage.getItem(Object.keys(localStorage)"
            ".find((key) => key.startsWith('toolgauge-history')) ?? '') ?? '[]'"
        )
    )
    return found
