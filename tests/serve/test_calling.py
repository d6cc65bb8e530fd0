"""``POST /tools/{name}/call``: the order of its checks, and what a caller learns."""

from __future__ import annotations

import contextlib
import logging
import threading
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from starlette.testclient import TestClient

from tests.serve.tools import WEATHER, Spy, client
from toolgauge.contract import Bounds, CallResult, Tool
from toolgauge.serve import create_app

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request

URL = "/tools/get_weather/call"
GOOD = {"city": "Oslo"}


def test_a_call_runs_the_tool_and_answers_in_the_known_shape() -> None:
    """The shape of ``mcp-embedded-ui``: content, isError, and the trace id."""
    spy = Spy()
    answer = client(handle_call=spy.handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 200 == answer.status_code
    assert {
        "content": [{"type": "text", "text": "sunny"}],
        "isError": False,
        "_meta": {"_trace_id": "trace-1"},
    } == answer.json()
    assert [("get_weather", GOOD)] == spy.calls


def test_a_handler_may_take_no_request() -> None:
    """``(name, args)`` is enough, and no trace id leaves ``_meta`` out."""

    async def handle_call(name: str, args: dict[str, Any]) -> tuple[list[Any], bool, None]:
        return [{"type": "text", "text": f"{name} {args['city']}"}], False, None

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert {
        "content": [{"type": "text", "text": "get_weather Oslo"}],
        "isError": False,
    } == answer.json()


def test_execution_is_off_by_default() -> None:
    """Also for tools that do not exist: the answer tells nothing of them."""
    spy = Spy()
    served = client(handle_call=spy.handle_call)
    for path in (URL, "/tools/nope/call"):
        answer = served.post(path, json=GOOD)

        assert 403 == answer.status_code
        assert {"error": "Tool execution is disabled."} == answer.json()
    assert not spy.calls


def test_an_unknown_tool_is_404_before_auth() -> None:
    """Tools can be listed by anybody, so this tells nothing new."""
    answer = client(allow_execute=True, auth_hook=refuse).post("/tools/nope/call", json={})

    assert 404 == answer.status_code


class Refusal:
    """A context manager, sync and async, that lets nobody in."""

    def __enter__(self) -> None:
        raise PermissionError("token sk-secret-123 is wrong")

    def __exit__(self, *error: object) -> None:
        """Never reached."""


class AsyncRefusal(contextlib.AbstractAsyncContextManager[None]):
    """The same, for asynchronous hooks."""

    async def __aenter__(self) -> None:
        raise PermissionError("token sk-secret-123 is wrong")

    async def __aexit__(self, *error: object) -> None:
        """Never reached."""


def refuse(request: Request) -> Refusal:
    """Refuse everybody on entering."""
    return Refusal()


def refuse_async(request: Request) -> AsyncRefusal:
    """Refuse everybody on entering, asynchronously."""
    return AsyncRefusal()


def refuse_at_once(request: Request) -> Refusal:
    """Refuse everybody, before there is a context manager."""
    raise PermissionError("token sk-secret-123 is wrong")


@pytest.mark.parametrize("hook", [refuse, refuse_at_once, refuse_async])
@pytest.mark.parametrize("body", [b'{"city": "Oslo"}', b"not json", b"{}"])
def test_a_refusal_is_a_plain_401_before_the_body_is_read(
    hook: Any, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """What the hook raised reaches neither the client nor the log."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True, auth_hook=hook)
    with caplog.at_level(logging.DEBUG):
        answer = served.post(URL, content=body, headers={"content-type": "application/json"})

    assert 401 == answer.status_code
    assert {"error": "Unauthorized"} == answer.json()
    assert "www-authenticate" in answer.headers
    assert "sk-secret-123" not in caplog.text
    assert not spy.calls


@pytest.mark.parametrize("is_async", [False, True])
def test_auth_is_held_while_the_call_runs(is_async: bool) -> None:
    """Entered before, left after, and an error of the handler passes through it."""
    events: list[str] = []

    @contextmanager
    def hook(request: Request) -> Iterator[None]:
        events.append(f"enter {request.headers['x-user']}")
        try:
            yield
        except ValueError:
            events.append("saw the error")
            raise
        finally:
            events.append("leave")

    @asynccontextmanager
    async def async_hook(request: Request) -> AsyncIterator[None]:
        with hook(request):
            yield

    async def handle_call(name: str, args: dict[str, Any]) -> tuple[list[Any], bool, None]:
        events.append("run")
        if args["city"] == "bad":
            raise ValueError("boom")
        return [], False, None

    served = client(
        handle_call=handle_call, allow_execute=True, auth_hook=async_hook if is_async else hook
    )
    good = served.post(URL, json=GOOD, headers={"x-user": "ann"})
    bad = served.post(URL, json={"city": "bad"}, headers={"x-user": "ann"})

    assert (200, 500) == (good.status_code, bad.status_code)
    assert ["enter ann", "run", "leave"] == events[:3]
    assert ["enter ann", "run", "saw the error", "leave"] == events[3:]


@pytest.mark.parametrize("error", [PermissionError("x"), RuntimeError("x")])
def test_an_error_of_the_handler_is_not_mistaken_for_a_refusal(error: Exception) -> None:
    """Even one of the class that a hook would raise."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        raise error

    served = client(
        handle_call=handle_call,
        allow_execute=True,
        auth_hook=lambda request: contextlib.nullcontext(),
    )

    assert 500 == served.post(URL, json=GOOD).status_code


@pytest.mark.parametrize(("begins", "status"), [(False, 401), (True, 500)])
def test_a_hook_that_exits_ends_no_more_than_the_request(begins: bool, status: int) -> None:
    """On its way in it refuses; on its way out the call is an internal error."""

    @contextmanager
    def hook(request: Request) -> Iterator[None]:
        if begins:
            yield
        raise SystemExit(2)

    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True, auth_hook=hook)

    assert status == served.post(URL, json=GOOD).status_code
    assert begins == bool(spy.calls)


def test_a_hook_that_swallows_the_handlers_error_still_gives_an_answer() -> None:
    """``contextlib.suppress`` is a context manager too."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        raise ValueError

    served = client(
        handle_call=handle_call,
        allow_execute=True,
        auth_hook=lambda request: contextlib.suppress(ValueError),
    )

    assert 500 == served.post(URL, json=GOOD).status_code


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"]
)
def test_another_media_type_is_415(media_type: str) -> None:
    """A form on another page cannot send JSON, so nothing else is run."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True)
    answer = served.post(URL, content=b'{"city": "Oslo"}', headers={"content-type": media_type})

    assert 415 == answer.status_code
    assert not spy.calls


def test_a_media_type_may_have_parameters() -> None:
    """And any case."""
    answer = client(allow_execute=True).post(
        URL,
        content=b'{"city": "Oslo"}',
        headers={"content-type": "Application/JSON; charset=utf-8"},
    )

    assert 200 == answer.status_code


@pytest.mark.parametrize("body", [b"", b"{", b'{"city": NaN}', b"\xff"])
def test_a_body_that_is_not_json_never_reaches_the_tool(body: bytes) -> None:
    """400 in the shape of validation (decision V12)."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True)
    answer = served.post(URL, content=body, headers={"content-type": "application/json"})

    assert 400 == answer.status_code
    assert "format" == answer.json()["errors"][0]["keyword"]
    assert not spy.calls


@pytest.mark.parametrize("body", [b"{}", b'{"city": 5}', b"[]", b"null"])
def test_arguments_that_break_the_contract_never_reach_the_tool(body: bytes) -> None:
    """400 with the same errors as validation."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=True)
    headers = {"content-type": "application/json"}
    called = served.post(URL, content=body, headers=headers)
    validated = served.post("/tools/get_weather/validate", content=body)

    assert 400 == called.status_code
    assert validated.json() == called.json()
    assert not spy.calls


@pytest.mark.parametrize("body", [b"[]", b"null", b"5"])
def test_a_schema_that_accepts_anything_still_needs_an_object(body: bytes) -> None:
    """Handlers are written for named arguments (decision V11)."""
    spy = Spy()
    served = client([{"name": "t"}], spy.handle_call, allow_execute=True)
    answer = served.post(
        "/tools/t/call", content=body, headers={"content-type": "application/json"}
    )

    assert 400 == answer.status_code
    assert "type" == answer.json()["errors"][0]["keyword"]
    assert not spy.calls


def test_a_handler_that_raises_is_a_clean_500(caplog: pytest.LogCaptureFixture) -> None:
    """Its text is in the log, and nowhere else."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        raise RuntimeError("password=hunter2 in /srv/app.py")

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 500 == answer.status_code
    assert {
        "content": [{"type": "text", "text": "Internal error"}],
        "isError": True,
    } == answer.json()
    assert "hunter2" in caplog.text


@pytest.mark.parametrize("garbage", [None, 5, "text", ([], False), object()])
def test_a_handler_that_gives_garbage_is_a_clean_500(garbage: object) -> None:
    """It must be the three things, or a ``CallResult``."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        return garbage

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 500 == answer.status_code
    assert answer.json()["isError"] is True


def test_a_result_without_a_json_form_is_a_clean_500() -> None:
    """It is found out before anything is sent."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        return [{"type": "text", "text": object()}], False, None

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 500 == answer.status_code


def test_an_error_of_the_tool_is_told_as_one() -> None:
    """Status 500, as ``mcp-embedded-ui`` answers, with the tool's own words."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        return [{"type": "text", "text": "no such city"}], True, "t"

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 500 == answer.status_code
    assert {
        "content": [{"type": "text", "text": "no such city"}],
        "isError": True,
        "_meta": {"_trace_id": "t"},
    } == answer.json()


def test_tools_may_bring_their_own_handlers() -> None:
    """A mapping is structured content, with its JSON as text beside it."""
    tool = Tool(name="add", handler=lambda args: {"sum": args["a"] + args["b"]})
    served = TestClient(create_app([tool], allow_execute=True))
    answer = served.post("/tools/add/call", json={"a": 1, "b": 2})

    assert {"sum": 3} == answer.json()["structuredContent"]
    assert '{"sum":3}' == answer.json()["content"][0]["text"]


def test_a_handler_gets_what_was_sent_as_it_was_sent() -> None:
    """Integers of any size, ``1.0``, and the raw body through the request."""
    spy = Spy()
    served = client([{"name": "t"}], spy.handle_call, allow_execute=True)
    body = b'{"id": 12345678901234567890, "ratio": 1.0}'
    served.post("/tools/t/call", content=body, headers={"content-type": "application/json"})

    assert [("t", {"id": 12345678901234567890, "ratio": 1.0})] == spy.calls
    assert [body] == spy.bodies


def test_a_handler_that_takes_too_long_is_504() -> None:
    """The caller is not kept waiting; others are not blocked."""

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        await anyio.sleep_forever()

    served = client(
        handle_call=handle_call, allow_execute=True, bounds=Bounds(handler_timeout_s=0.05)
    )

    assert 504 == served.post(URL, json=GOOD).status_code


@pytest.mark.anyio
async def test_more_calls_than_the_bound_are_503_with_retry_after() -> None:
    """And the next one goes through once a place is free."""
    started, release = anyio.Event(), anyio.Event()

    async def handle_call(name: str, args: dict[str, Any]) -> CallResult:
        started.set()
        await release.wait()
        return CallResult()

    app = create_app(
        [WEATHER], handle_call, allow_execute=True, bounds=Bounds(max_calls_in_flight=1)
    )
    answers: list[tuple[int, dict[bytes, bytes]]] = []
    async with anyio.create_task_group() as group:
        group.start_soon(post, app, answers)
        await started.wait()
        await post(app, answers)
        release.set()
    await post(app, answers)

    assert [503, 200, 200] == [status for status, _ in answers]
    assert b"retry-after" in answers[0][1]


def test_a_sync_handler_runs_in_a_thread_of_its_own() -> None:
    """So that it cannot block the server."""
    threads: list[threading.Thread] = []

    def handle_call(name: str, args: dict[str, Any]) -> Any:
        threads.append(threading.current_thread())
        return [], False, None

    answer = client(handle_call=handle_call, allow_execute=True).post(URL, json=GOOD)

    assert 200 == answer.status_code
    assert threads[0] is not threading.main_thread()


@pytest.mark.anyio
async def test_a_client_that_hangs_up_gets_no_answer_and_runs_nothing() -> None:
    """There is nobody left to tell."""
    spy = Spy()
    app = create_app([WEATHER], spy.handle_call, allow_execute=True)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope(), receive, send)

    assert not sent
    assert not spy.calls


def scope() -> dict[str, Any]:
    """Give the ASGI scope of a call."""
    return {
        "type": "http",
        "method": "POST",
        "path": URL,
        "raw_path": URL.encode(),
        "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
        "query_string": b"",
    }


async def post(app: Any, answers: list[tuple[int, dict[bytes, bytes]]]) -> None:
    """Call the application without a server."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b'{"city": "Oslo"}', "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answers.append((message["status"], dict(message["headers"])))

    await app(scope(), receive, send)
