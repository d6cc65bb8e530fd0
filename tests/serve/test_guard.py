"""Pages of other sites, and names that other sites rebind, drive nothing (case C26)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.serve.tools import Spy, client
from toolgauge.serve.access import LOOPBACK

CALL = "/tools/get_weather/call"
GOOD = {"city": "Oslo"}


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("https://evil.example", "localhost:3001", 403),
        ("http://127.0.0.1.evil.example", "localhost:3001", 403),
        ("https://evil.example", "evil.example", 403),
        (None, "localhost:3001", 200),
        # The allow list does not ignore the port: another local server is another site.
        ("http://localhost:5173", "localhost:3001", 403),
        ("null", "localhost:3001", 403),
        ("http://localhost:3001", "localhost:3001", 200),
        ("http://LOCALHOST:3001", "localhost:3001", 200),
        ("http://127.0.0.1:3001", "127.0.0.1:3001", 200),
        ("http://[::1]:3001", "[::1]:3001", 200),
        ("http://localhost", "localhost", 200),
        ("http://localhost", "localhost:80", 200),
        ("http://user@localhost:3001", "localhost:3001", 403),
        ("http://localhost:99999", "localhost:3001", 403),
        ("http://localhost:3001/x", "localhost:3001", 403),
        ("file://", "localhost:3001", 403),
        ("", "localhost:3001", 403),
        (None, "evil.example", 403),
        (None, "127.0.0.1.evil.example:3001", 403),
    ],
)
@pytest.mark.parametrize("path", ["/", "/tools", "/tools/get_weather", "validate", "call"])
def test_c26_a_server_of_its_own_refuses_foreign_pages_and_hosts_everywhere(
    origin: str | None, host: str, status: int, path: str
) -> None:
    """Reading the list is refused as well as running a tool."""
    served = client(allow_execute=True, allowed_hosts=LOOPBACK)
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    if path.startswith("/"):
        answer = served.get(path, headers=headers)
    else:
        answer = served.post(f"/tools/get_weather/{path}", json=GOOD, headers=headers)

    assert status == answer.status_code
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        (None, "api.example", 200),
        ("https://api.example", "api.example", 200),
        ("https://api.example:8443", "api.example:8443", 200),
        ("https://evil.example", "api.example", 403),
        ("https://api.example.evil.example", "api.example", 403),
        ("null", "api.example", 403),
    ],
)
def test_c26_inside_an_application_a_call_must_come_from_its_own_pages(
    origin: str | None, host: str, status: int
) -> None:
    """Only the application around it knows its hosts, so any goes if it is the same."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True)
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    answer = served.post(CALL, json=GOOD, headers=headers)

    assert status == answer.status_code
    assert (status == 200) == bool(spy.calls)
    assert 200 == served.get("/tools", headers=headers).status_code


def test_a_foreign_request_is_refused_before_it_is_looked_at() -> None:
    """It does not learn whether a tool exists, nor whether execution is on."""
    served = client(allowed_hosts=LOOPBACK)
    headers = {"host": "localhost", "origin": "https://evil.example"}
    answers: list[Any] = [
        served.post("/tools/nope/call", json={}, headers=headers),
        served.post(CALL, content=b"x" * 2_000_000, headers=headers),
        served.get("/elsewhere", headers=headers),
    ]

    assert {403} == {each.status_code for each in answers}
    assert 1 == len({each.content for each in answers})
