"""``/mcp`` begins, ends and begins again: in one event loop after another, and in the same."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.serve.mcp.wires import HEADERS as WIRE
from tests.serve.mcp.wires import call, initialize
from toolgauge.contract import Tool
from toolgauge.serve.mcp import McpApp, create_mcp_app

HEADERS = {**WIRE, "content-type": "application/json"}
SESSION = "mcp-session-id"


def app() -> McpApp:
    """Make an endpoint with one tool."""
    return create_mcp_app([Tool(name="echo", handler=lambda args: args)])


def greeted(client: Any) -> dict[str, str]:
    """Shake hands, and give what names the session from then on."""
    answer = client.post("/mcp/", headers=HEADERS, content=initialize())
    assert 200 == answer.status_code, answer.text
    return {**HEADERS, SESSION: answer.headers[SESSION]}


def called(client: Any, headers: dict[str, str]) -> Any:
    """Call the tool."""
    answer = client.post("/mcp/", headers=headers, content=call("echo", 2, a=1))
    return answer.json() if answer.status_code == 200 else answer.status_code


def mounted(*, endpoint: McpApp) -> FastAPI:
    """Mount it where applications do: the endpoint hears nothing of their start and end."""
    outer = FastAPI()
    outer.mount("/mcp", endpoint)
    return outer


def test_a_mounted_endpoint_outlives_event_loops() -> None:
    """A client of tests opens one for each of its lives; a session does not go over."""
    outer = mounted(endpoint=app())
    found = []

    for _ in range(3):
        with TestClient(outer, base_url="http://localhost") as client:
            headers = greeted(client)
            found.append(called(client, headers)["result"]["structuredContent"])
    with TestClient(outer, base_url="http://localhost") as client:
        stale = called(client, headers)

    assert [{"a": 1}] * 3 == found
    assert 404 == stale


def test_each_request_may_have_an_event_loop_of_its_own() -> None:
    """As a client of tests that is not entered has it."""
    client = TestClient(mounted(endpoint=app()), base_url="http://localhost")

    assert greeted(client)[SESSION] != greeted(client)[SESSION]


def test_an_application_may_begin_and_end_again() -> None:
    """As the whole application, it hears of its start and end."""
    endpoint = app()

    for _ in range(2):
        with TestClient(endpoint, base_url="http://localhost") as client:
            assert {"a": 1} == called(client, greeted(client))["result"]["structuredContent"]


@pytest.mark.anyio
async def test_what_comes_after_the_end_is_refused() -> None:
    """It begins nothing anew in a process that ends, until it is begun by its host."""
    endpoint = app()
    transport = httpx2.ASGITransport(endpoint)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:

        async def greet() -> int:
            answer = await client.post("/mcp/", headers=HEADERS, content=initialize())
            return answer.status_code

        found = []
        for _ in range(2):
            async with endpoint.running():
                found.append(await greet())
            found.append(await greet())

    assert [200, 503, 200, 503] == found
