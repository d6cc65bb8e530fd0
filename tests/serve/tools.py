"""Tools and a spy that the tests of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from toolgauge.serve import create_app

if TYPE_CHECKING:
    from starlette.requests import Request

WEATHER = {
    "name": "get_weather",
    "description": "Fetch current weather for a city.",
    "annotations": {"readOnlyHint": True, "openWorldHint": True},
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City name"},
            "count": {"type": "integer"},
        },
        "required": ["city"],
    },
}
DELETE = {"name": "delete_record", "description": "Delete a record by ID."}
TOOLS: list[Any] = [WEATHER, DELETE]


class Spy:
    """A ``handle_call`` that remembers its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.bodies: list[bytes] = []

    async def handle_call(
        self, name: str, args: dict[str, Any], request: Request
    ) -> tuple[list[dict[str, Any]], bool, str | None]:
        self.calls.append((name, args))
        self.bodies.append(await request.body())
        return [{"type": "text", "text": "sunny"}], False, "trace-1"


def client(tools: Any = None, handle_call: Any = None, **options: Any) -> TestClient:
    """Make a client of an explorer that serves ``tools``."""
    chosen = TOOLS if tools is None else tools
    return TestClient(create_app(chosen, handle_call or Spy().handle_call, **options))
