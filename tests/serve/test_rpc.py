"""``POST /rpc``: who may, what is read, what the host's authentication sees."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.serve.tools import client
from toolgauge import Tool
from toolgauge.contract import Bounds
from toolgauge.gate import Recorder
from toolgauge.serve import bearer_auth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.envelope import LogRecord

JSON = {"content-type": "application/json"}
LIMIT = 400


def call(given: Any = None, tool: str = "get_weather") -> bytes:
    """Write a call."""
    params = {"tool": f"mcp.tool:{tool}", "input": {"city": "Oslo"} if given is None else given}
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    ).encode()


def told(response: Any) -> tuple[int, str]:
    """Give the status and the canonical code of an answer."""
    return response.status_code, response.json()["error"]["data"]["canonical_code"]


def test_a_call_is_answered_with_json() -> None:
    """That no cache keeps and no browser takes for something else."""
    with client(allow_execute=True) as http:
        answer = http.post("/rpc", content=call(), headers=JSON)

    assert 200 == answer.status_code
    assert "sunny" == answer.json()["result"]["content"][0]["text"]
    assert "application/json" == answer.headers["content-type"]
    assert "no-store" == answer.headers["cache-control"]
    assert "nosniff" == answer.headers["x-content-type-options"]


def test_nothing_runs_unless_execution_is_on() -> None:
    """As for ``/call``."""
    with client() as http:
        assert 403 == http.post("/rpc", content=call(), headers=JSON).status_code


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_what_says_that_it_is_json_is_read(kind: str) -> None:
    """A page of another site can send anything else unasked."""
    with client(allow_execute=True) as http:
        answer = http.post("/rpc", content=call(), headers={"content-type": kind})

    assert 415 == answer.status_code


def test_a_page_of_another_site_is_refused() -> None:
    """Also where hosts are the surrounding application's to know."""
    with client(allow_execute=True) as http:
        headers = JSON | {"origin": "https://evil.example"}
        assert 403 == http.post("/rpc", content=call(), headers=headers).status_code


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD"])
def test_other_methods_are_told_which_there_are(method: str) -> None:
    """And so is who asks with ``OPTIONS``."""
    with client(allow_execute=True) as http:
        refused, options = http.request(method, "/rpc"), http.options("/rpc")

    assert (405, 204) == (refused.status_code, options.status_code)
    assert "POST, OPTIONS" == refused.headers["allow"] == options.headers["allow"]


@pytest.mark.parametrize("path", ["/rpc/", "/rpc/x", "/rpcx"])
def test_the_path_is_exact(path: str) -> None:
    """Nothing else is there."""
    with client(allow_execute=True) as http:
        assert 404 == http.post(path, content=call(), headers=JSON).status_code


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_large_body_is_refused_in_the_canonical_words(is_declared: bool) -> None:
    """Before it is read where its length is said, and else as soon as it is too long."""
    body = call({"city": "x" * LIMIT})

    def pieces() -> Iterator[bytes]:
        yield body[:10]
        yield body[10:]

    with client(allow_execute=True, bounds=Bounds(max_body_bytes=LIMIT)) as http:
        content = body if is_declared else pieces()
        answer = http.post("/rpc", content=content, headers=JSON)
        fits = http.post("/rpc", content=call(), headers=JSON)

    assert (413, "INVALID_INPUT") == told(answer)
    assert (-32600, None) == (answer.json()["error"]["code"], answer.json()["id"])
    assert 200 == fits.status_code


def test_who_may_not_is_told_so_before_the_body_is_read() -> None:
    """401, a challenge, and a line in the log."""
    lines: list[LogRecord] = []
    options = {"auth_hook": bearer_auth("t"), "recorder": Recorder(write=lines.append)}
    with client(allow_execute=True, **options) as http:
        refused = http.post("/rpc", content=b"{not json", headers=JSON)
        passed = http.post("/rpc", content=call(), headers=JSON | {"authorization": "Bearer t"})

    assert (401, "UNAUTHORIZED") == told(refused)
    assert "Bearer" == refused.headers["www-authenticate"]
    assert 200 == passed.status_code
    assert [(401, "UNAUTHORIZED"), (200, None)] == [(a.status, a.canonical_code) for a in lines]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("bearer t", 200),
        ("BEARER t", 200),
        ("t", 401),
        ("Basic t", 401),
        ("Bearer  t", 401),
        ("Bearert", 401),
        ("Bearer T", 401),
        ("Bearer", 401),
    ],
)
def test_the_scheme_may_be_written_in_any_case(given: str, status: int) -> None:
    """The token may not."""
    with client(allow_execute=True, auth_hook=bearer_auth("t")) as http:
        answer = http.post("/rpc", content=call(), headers=JSON | {"authorization": given})

    assert status == answer.status_code


def test_the_callers_trace_is_continued_from_the_header() -> None:
    """And the log says what it was over."""
    lines: list[LogRecord] = []
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = JSON | {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
    with client(allow_execute=True, recorder=Recorder(write=lines.append)) as http:
        http.post("/rpc", content=call(), headers=headers)

    assert [(trace, "http", "/rpc")] == [(a.ids.trace_id, a.transport, a.route) for a in lines]


class Watching:
    """An authentication that remembers what passed through it."""

    def __init__(self, *, raises: bool = False, swallows: bool = False) -> None:
        self.seen: list[type[BaseException]] = []
        self._raises, self._swallows = raises, swallows

    @contextmanager
    def hook(self, request: Any) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.seen.append(type(error))
            if not self._swallows:
                raise
        if self._raises:
            raise LookupError


def crash(args: dict[str, Any]) -> None:
    """Raise."""
    raise ZeroDivisionError


CRASHING = [Tool(name="crash", handler=crash), Tool(name="fine", handler=lambda args: "fine")]


@pytest.mark.parametrize("swallows", [True, False])
def test_the_hook_sees_what_the_tool_raised(swallows: bool) -> None:
    """So that it can roll back; the answer is the same whatever it makes of it."""
    hook = Watching(swallows=swallows)
    app = _app(CRASHING, hook)

    assert (500, "INTERNAL_ERROR") == told(app)
    assert [ZeroDivisionError] == hook.seen


def test_a_hook_that_fails_on_its_way_out_is_an_internal_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The call has run, and its answer is not given: what the hook was to do is not done."""
    assert (500, "INTERNAL_ERROR") == told(_app(CRASHING, Watching(raises=True), "fine"))
    assert "LookupError" in caplog.text


def _app(tools: list[Tool], hook: Watching, tool: str = "crash") -> Any:
    """Make a call inside an authentication."""
    from starlette.testclient import TestClient

    from toolgauge.serve import create_app

    app = create_app(tools, allow_execute=True, auth_hook=hook.hook)
    return TestClient(app).post("/rpc", content=call({}, tool), headers=JSON)


def test_a_client_that_hangs_up_gets_nothing() -> None:
    """And nothing is logged as if it had been a message."""
    import anyio

    from toolgauge.serve import create_app

    lines: list[LogRecord] = []
    app = create_app(
        CRASHING,
        allow_execute=True,
        auth_hook=bearer_auth("t"),
        recorder=Recorder(write=lines.append),
    )
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await anyio.lowlevel.checkpoint()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        await anyio.lowlevel.checkpoint()
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"authorization", b"Bearer t")]
    scope = {"type": "http", "method": "POST", "path": "/rpc", "headers": headers}
    anyio.run(app, scope, receive, send)

    assert [] == sent
    assert [] == lines
