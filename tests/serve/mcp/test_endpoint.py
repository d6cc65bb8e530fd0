"""``/mcp`` over HTTP: sessions, eras, headers, and what stands in front of the SDK."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
import uvicorn
from mcp.server.mcpserver import MCPServer

from tests.serve.mcp.wires import HEADERS, McpHttp, call, initialize, message, open_mcp_stdio
from toolgauge.contract import Bounds, CallResult, Tool
from toolgauge.gate import Gate, Recorder
from toolgauge.serve import bearer_auth
from toolgauge.serve.mcp import McpApp, create_mcp_app, endpoint_of
from toolgauge.serve.mcp.sessions import MAX_EVENTS, RecentEvents
from toolgauge.serve.settings import Settings
from toolgauge.upstream import CommandSource, ModuleSource, open_source

pytestmark = pytest.mark.anyio

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
JSON = {"content-type": "application/json"}


def echo(args: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments back."""
    return args


def odd(args: dict[str, Any]) -> CallResult:
    """Give what is no JSON."""
    return CallResult(structured={"odd": object()})


TOOLS: list[Any] = [
    Tool(name="echo", handler=echo),
    Tool(name="odd", handler=odd),
    Tool(name="untyped", input_schema={"properties": {}}, output_schema="odd"),
    Tool(name="broken", input_schema="odd"),
    Tool(
        name="routed",
        input_schema={
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        },
        handler=echo,
    ),
]


@asynccontextmanager
async def client_of(app: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve an application without a network."""
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app), base_url="http://localhost", headers=JSON
    ) as client:
        yield client


def newer(method: str, **params: Any) -> tuple[bytes, dict[str, str]]:
    """Write a request of the newer era, and its headers."""
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
    if "name" in params:
        headers["mcp-name"] = params["name"]
    accept = {"accept": "application/json, text/event-stream"}
    return message(method, 1, _meta=META, **params), {**headers, **accept}


def event_of(answer: httpx2.Response) -> Any:
    """Give the last message on a stream."""
    lines = [line for line in answer.text.splitlines() if line.startswith("data: {")]
    return json.loads(lines[-1].removeprefix("data: "))


async def test_a_session_lives_from_its_handshake_to_its_end() -> None:
    """It remembers the version; without it there is 404, and 400 where none is named."""
    async with client_of(create_mcp_app(TOOLS)) as client:
        opened = await client.post("/", content=initialize("2025-06-18"), headers=HEADERS)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        accept = {"accept": HEADERS["accept"], **session}
        old = await client.post("/", content=call("echo", 1), headers=accept)
        bad = await client.post("/", content=message("tools/call", 2, name=5), headers=accept)
        told = await client.post("/", content=message("notifications/initialized"), headers=accept)
        ended = await client.delete("/", headers=accept)
        after = await client.post("/", content=call("echo", 3), headers=accept)
        streams = [await client.get("/", headers=accept), await client.delete("/")]
        unknown = await client.post("/", content=b'{"jsonrpc":"2.0","id":"x","result":{}}')

    assert "2025-06-18" == event_of(opened)["result"]["protocolVersion"]
    assert {} == old.json()["result"]["structuredContent"]
    assert -32602 == bad.json()["error"]["code"]
    assert [202, 200, 404] == [told.status_code, ended.status_code, after.status_code]
    assert 3 == after.json()["id"]
    assert [404, 400] == [each.status_code for each in streams]
    assert (202, b"") == (unknown.status_code, unknown.content)


@pytest.mark.parametrize("ident", [True, 1.0, None, [], [1], {}, "1", 2])
async def test_an_odd_id_takes_nothing_back(ident: Any) -> None:
    """Only the id that a request has names it; the notification is taken all the same."""
    begun, go_on = anyio.Event(), anyio.Event()

    async def wait(_: dict[str, Any]) -> str:
        begun.set()
        await go_on.wait()
        return "done"

    async with client_of(create_mcp_app([Tool(name="wait", handler=wait)])) as client:
        opened = await client.post("/", content=initialize(), headers=HEADERS)
        headers = {**HEADERS, "mcp-session-id": opened.headers["mcp-session-id"]}
        answers: list[httpx2.Response] = []

        async def ask() -> None:
            answers.append(await client.post("/", content=call("wait", 1), headers=headers))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await begun.wait()
            note = message("notifications/cancelled", requestId=ident)
            told = await client.post("/", content=note, headers=headers)
            go_on.set()

    assert 202 == told.status_code
    assert "done" == answers[0].json()["result"]["content"][0]["text"]


async def test_the_newer_era_needs_no_session() -> None:
    """Each request says everything; each result names who answers."""
    async with client_of(create_mcp_app(TOOLS)) as client:

        async def ask(method: str, **params: Any) -> httpx2.Response:
            body, headers = newer(method, **params)
            return await client.post("/", content=body, headers=headers)

        discovered = (await ask("server/discover")).json()["result"]
        listed = (await ask("tools/list")).json()["result"]
        called = (await ask("tools/call", name="echo", arguments={"a": 1})).json()["result"]
        unknown = await ask("tools/call", name="none")
        removed = await ask("ping")
        note = message("notifications/odd")
        told = await client.post("/", content=note, headers=newer("x")[1])
        answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
        answered = await client.post("/", content=answer, headers=newer("x")[1])

    assert ["2026-07-28"] == discovered["supportedVersions"]
    assert (0, "complete") == (listed["ttlMs"], listed["resultType"])
    assert {"a": 1} == called["structuredContent"]
    assert "toolgauge" == called["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]
    assert [400, 404] == [unknown.status_code, removed.status_code]
    assert [202, 400] == [told.status_code, answered.status_code]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"mcp-method": "tools/list"}, -32020),
        ({"mcp-name": "other"}, -32020),
        ({"mcp-protocol-version": "2099-01-01"}, -32020),
        ({"mcp-param-region": "north"}, -32020),
        ({"mcp-name": " routed "}, None),
    ],
)
async def test_headers_must_agree_with_the_body(more: dict[str, str], code: int | None) -> None:
    """Routers look at one and servers at the other."""
    body, headers = newer("tools/call", name="routed", arguments={"region": "south"})
    headers["mcp-param-region"] = "south"
    async with client_of(create_mcp_app(TOOLS)) as client:
        answer = await client.post("/", content=body, headers={**headers, **more})

    assert code == answer.json().get("error", {}).get("code")
    assert (200 if code is None else 400) == answer.status_code


async def test_a_header_that_is_there_twice_is_refused() -> None:
    """Some read the first, some the last."""
    body, headers = newer("tools/list")
    twice = [*{**JSON, **headers}.items(), ("mcp-method", "tools/list")]
    async with client_of(create_mcp_app(TOOLS)) as client:
        answer = await client.post("/", content=body, headers=twice)

    assert -32020 == answer.json()["error"]["code"]


async def test_the_list_can_be_read_by_strict_clients() -> None:
    """Each schema says that it is an object's; what is no schema is left out."""
    async with client_of(create_mcp_app(TOOLS)) as client:
        answer = await client.post("/", content=message("tools/list", 1))
        paged = await client.post("/", content=message("tools/list", 1, cursor="2"))
    tools = {tool["name"]: tool for tool in answer.json()["result"]["tools"]}

    assert {"object"} == {tool["inputSchema"]["type"] for tool in tools.values()}
    assert "outputSchema" not in tools["untyped"]
    assert -32602 == paged.json()["error"]["code"]


async def test_what_breaks_on_our_side_is_an_internal_error() -> None:
    """A result that is no JSON, a provider that raises; a definition like that is left out."""
    some: list[Any] = [Tool(name="odd", input_schema={"not": object()}), Tool(name="good")]

    def failing() -> list[Any]:
        raise RuntimeError("secret")

    async with client_of(create_mcp_app(TOOLS)) as client:
        result = await client.post("/", content=call("odd"))
    async with client_of(create_mcp_app(failing)) as client:
        listed = await client.post("/", content=message("tools/list", 1))
        called = await client.post("/", content=call("echo"))
    async with client_of(create_mcp_app(some)) as client:
        rest = await client.post("/", content=message("tools/list", 1))

    assert [-32603] * 3 == [each.json()["error"]["code"] for each in (result, listed, called)]
    assert "secret" not in listed.text + called.text
    assert ["good"] == [tool["name"] for tool in rest.json()["result"]["tools"]]


async def test_http_itself_is_checked_first() -> None:
    """Media types, sizes, origins, tokens, methods."""
    options: Any = {"allowed_hosts": ("localhost",), "bounds": Bounds(max_body_bytes=1_000)}
    async with client_of(create_mcp_app(TOOLS, **options)) as client:
        big = await client.post("/", content=call("echo", x="x" * 1_000))
        pieces = await client.post("/", content=_pieces(call("echo", x="x" * 1_000)))
        text = await client.post("/", content=call("echo"), headers={"content-type": "text/plain"})
        xml = await client.post("/", content=call("echo"), headers={"accept": "text/xml"})
        foreign = await client.post("/", content=call("echo"), headers={"origin": "http://evil"})
        put = await client.put("/", content=call("echo"))
    async with client_of(create_mcp_app(TOOLS, auth_hook=bearer_auth("right"))) as client:
        refused = await client.post("/", content=call("echo"))
        let_in = {"authorization": "Bearer right"}
        admitted = await client.post("/", content=call("echo"), headers=let_in)
    async with client_of(create_mcp_app(TOOLS, allow_execute=False)) as client:
        off = await client.post("/", content=call("echo"))

    assert [413, 413] == [big.status_code, pieces.status_code]
    assert -32600 == big.json()["error"]["code"]
    assert [415, 406, 403] == [text.status_code, xml.status_code, foreign.status_code]
    assert put.status_code in {400, 405}
    assert (401, 200) == (refused.status_code, admitted.status_code)
    assert "Bearer" == refused.headers["www-authenticate"]
    assert "UNAUTHORIZED" == off.json()["error"]["data"]["canonical_code"]


async def _pieces(raw: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(raw), 100):
        yield raw[start : start + 100]


async def test_too_many_calls_are_told_to_come_back() -> None:
    """503 and when."""

    async def slow(args: dict[str, Any]) -> str:
        await anyio.sleep(0.2)
        return "done"

    app = create_mcp_app([Tool(name="slow", handler=slow)], bounds=Bounds(max_calls_in_flight=1))
    answers: list[httpx2.Response] = []
    async with client_of(app) as client, anyio.create_task_group() as tasks:

        async def ask() -> None:
            answers.append(await client.post("/", content=call("slow")))

        tasks.start_soon(ask)
        tasks.start_soon(ask)

    assert [503, 200] == [each.status_code for each in answers]
    assert "1" == answers[0].headers["retry-after"]


async def test_the_application_lives_with_its_host() -> None:
    """Started and stopped by the server where it says so; WebSockets are closed."""
    app = create_mcp_app(TOOLS)
    sent: list[Any] = []
    to_app, inbox = anyio.create_memory_object_stream[Any](2)

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async with anyio.create_task_group() as tasks, to_app, inbox:
        tasks.start_soon(app, {"type": "lifespan"}, inbox.receive, send)
        await to_app.send({"type": "lifespan.startup"})
        async with client_of(app) as client:
            assert 200 == (await client.post("/", content=call("echo"))).status_code
        await to_app.send({"type": "lifespan.shutdown"})
    other, wire = anyio.create_memory_object_stream[Any](1)
    async with other, wire:
        await other.send({"type": "websocket.connect"})
        await app({"type": "websocket"}, wire.receive, send)

    assert ["lifespan.startup.complete", "lifespan.shutdown.complete", "websocket.close"] == sent


SUM = MCPServer("sum")


@SUM.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@SUM.tool()
def fail() -> str:
    """Raise."""
    raise RuntimeError("no")


@asynccontextmanager
async def opened(source: Any, lines: list[Any], **limits: Any) -> AsyncIterator[McpApp]:
    """Open the endpoint in front of a source, as the command line does."""
    bounds = Bounds(connect_timeout_s=30.0, **limits)
    async with open_source(source, bounds=bounds) as upstream:
        gate = Gate(upstream.tools, upstream.handle_call)
        settings = Settings(
            allow_execute=True, recorder=Recorder(write=lines.append), bounds=bounds
        )
        app = endpoint_of(gate, settings, upstream)
        async with app.running():
            yield app


async def test_a_server_object_keeps_its_sessions_and_its_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everything is its own, but for calls that break a contract."""
    lines: list[Any] = []
    monkeypatch.setitem(sys.modules, "sum_server", sys.modules[__name__])
    source = ModuleSource("sum_server", "SUM")
    async with opened(source, lines) as app, client_of(app) as client:
        opening = await client.post("/", content=initialize(), headers=HEADERS)
        session = {**HEADERS, "mcp-session-id": opening.headers["mcp-session-id"]}

        async def ask(raw: bytes) -> Any:
            return event_of(await client.post("/", content=raw, headers=session))

        good = await ask(call("add", a=1, b=2))
        bad = await ask(call("add", a="x", b=2))
        unknown = await ask(call("none"))
        nameless = await ask(message("tools/call", 1, name=5))
        failed = await ask(call("fail"))
        prompts = await ask(message("prompts/list", 1))
        method = await ask(message("odd/method", 1))
        lost = await client.post("/", content=call("add", a=1, b=2), headers=HEADERS)

    assert {"result": 3} == good["result"]["structuredContent"]
    assert bad["result"]["isError"]
    assert "/a" in bad["result"]["content"][0]["text"]
    assert [-32602, -32602] == [each["error"]["code"] for each in (unknown, nameless)]
    assert failed["result"]["isError"]
    assert [] == prompts["result"]["prompts"]
    assert -32601 == method["error"]["code"]
    assert 400 == lost.status_code
    codes = [(each.method, each.canonical_code) for each in lines]
    assert ("tools/call", "INVALID_INPUT") in codes
    assert ("odd/method", "NOT_FOUND") in codes


async def test_a_server_elsewhere_is_behind_each_session() -> None:
    """One conversation per session; the newer era shares one, and gets another when it ends."""
    lines: list[Any] = []
    script = str(Path(__file__).parent / "upstream.py")
    source = CommandSource((sys.executable, script))
    async with opened(source, lines) as app, client_of(app) as client:
        opening = await client.post("/", content=initialize(), headers=HEADERS)
        session = {**HEADERS, "mcp-session-id": opening.headers["mcp-session-id"]}
        await client.post("/", content=message("notifications/initialized"), headers=session)
        good = event_of(await client.post("/", content=call("twice", n=2), headers=session))
        steps = message("tools/call", 1, name="step", arguments={}, _meta={"progressToken": "p"})
        stepped = await client.post("/", content=steps, headers=session)

        async def ask(name: str) -> Any:
            body, headers = newer("tools/call", name=name, arguments={})
            return (await client.post("/", content=body, headers=headers)).json()

        died = await ask("die")
        alive = await ask("sorry")
        body, headers = newer("ping")
        removed = await client.post("/", content=body, headers=headers)

    assert {"n": 4} == good["result"]["structuredContent"]
    assert '"progressToken":"p"' in stepped.text
    assert "half way" in stepped.text
    assert "exit code 7" in died["error"]["message"]
    assert "it failed" == alive["result"]["content"][0]["text"]
    assert 404 == removed.status_code
    assert len(lines) >= 6


async def test_a_server_elsewhere_that_is_busy_is_not_asked() -> None:
    """The same 503 as for tools in this process, in both eras, until a call has ended."""
    lines: list[Any] = []
    source = CommandSource((sys.executable, str(Path(__file__).parent / "upstream.py")))
    limits = {"max_calls_in_flight": 1, "handler_timeout_s": 1.0}
    async with opened(source, lines, **limits) as app, client_of(app) as client:
        opening = await client.post("/", content=initialize(), headers=HEADERS)
        session = {**HEADERS, "mcp-session-id": opening.headers["mcp-session-id"]}
        newer_call, newer_headers = newer("tools/call", name="sorry", arguments={})
        answers: list[httpx2.Response] = []

        async def ask(ident: int) -> None:
            answers.append(await client.post("/", content=call("hang", ident), headers=session))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, 1)
            tasks.start_soon(ask, 11)
            while not answers:
                await anyio.lowlevel.checkpoint()
            at_once = answers[0]
            other = await client.post("/", content=newer_call, headers=newer_headers)
            unbounded = await client.post("/", content=message("tools/list", 2), headers=session)
        late = event_of(answers[1])
        after = await client.post("/", content=newer_call, headers=newer_headers)

    for refused in (at_once, other):
        assert (503, "1") == (refused.status_code, refused.headers["retry-after"])
        assert "INTERNAL_ERROR" == refused.json()["error"]["data"]["canonical_code"]
    assert ([1, 11], 1) == (sorted([at_once.json()["id"], late["id"]]), other.json()["id"])
    assert event_of(unbounded)["result"]["tools"]
    assert "1 s" in late["error"]["message"]
    assert "it failed" == after.json()["result"]["content"][0]["text"]
    # Each of the two that were refused has a line, and so has the late one.
    assert 3 == [(each.method, each.status) for each in lines].count(("tools/call", 500))


async def test_a_call_keeps_its_place_when_its_client_hangs_up() -> None:
    """In the older era it runs on, and the client may come back for the answer."""
    source = CommandSource((sys.executable, str(Path(__file__).parent / "upstream.py")))
    limits = {"max_calls_in_flight": 1, "handler_timeout_s": 1.0}
    statuses: list[int] = []
    async with opened(source, [], **limits) as app, client_of(app) as client:
        opening = await client.post("/", content=initialize(), headers=HEADERS)
        session = {**HEADERS, "mcp-session-id": opening.headers["mcp-session-id"]}
        await client.post("/", content=call("sorry"), headers=session)
        with anyio.move_on_after(0.3):
            await client.post("/", content=call("hang"), headers=session)
        while 200 not in statuses:
            answer = await client.post("/", content=call("sorry", 2), headers=session)
            statuses.append(answer.status_code)
            await anyio.lowlevel.checkpoint()  # without a network nothing else waits

    assert 503 == statuses[0]


async def test_a_url_can_stand_behind_the_gateway(http: McpHttp, tmp_path: Path) -> None:
    """One gateway in front of another: HTTP behind stdio."""
    with open_mcp_stdio(tmp_path, http.url + "mcp") as stdio:
        greeting = stdio.asked(initialize())
        good = stdio.asked(call("echo", 1, a=1))
        bad = stdio.asked(call("note_add", 2))
        newer_list = stdio.asked(message("tools/list", 3, _meta=META))
    with open_mcp_stdio(tmp_path, http.url + "nowhere") as stdio:
        missing = stdio.asked(initialize())

    assert "toolgauge" == greeting["result"]["serverInfo"]["name"]
    assert {"a": 1} == good["result"]["structuredContent"]
    assert bad["result"]["isError"]
    assert newer_list["result"]["tools"]
    assert "error" in missing


async def test_events_of_a_session_can_be_heard_again() -> None:
    """Those of the same stream, and no more than are kept."""
    from mcp_types import JSONRPCNotification

    store = RecentEvents()
    note = JSONRPCNotification(jsonrpc="2.0", method="a")
    heard: list[Any] = []

    async def hear(event: Any) -> None:
        heard.append(event.event_id)

    first = await store.store_event("one", None)
    await store.store_event("two", note)
    last = await store.store_event("one", note)

    assert "one" == await store.replay_events_after(first, hear)
    assert [last] == heard
    for _ in range(MAX_EVENTS):
        await store.store_event("two", note)
    assert None is await store.replay_events_after(first, hear)


@pytest.fixture
def older_url() -> Iterator[str]:
    """Serve a server object over the transport of 2024, with the SDK's own code."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(SUM.sse_app(), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/sse"
    server.should_exit = True
    thread.join(20)
    listener.close()


def test_a_url_of_the_older_transport_can_stand_behind_the_gateway(
    older_url: str, tmp_path: Path
) -> None:
    """Where a POST is refused, the stream of events is opened instead."""
    with open_mcp_stdio(tmp_path, older_url) as stdio:
        greeting = stdio.asked(initialize())
        stdio.send(message("notifications/initialized") + b"\n")
        good = stdio.asked(call("add", 1, a=1, b=2))
        bad = stdio.asked(call("add", 2, a="x", b=2))
        newer_call = stdio.asked(
            message("tools/call", 3, name="add", arguments={"a": 2, "b": 2}, _meta=META)
        )

    assert "sum" == greeting["result"]["serverInfo"]["name"]
    assert {"result": 3} == good["result"]["structuredContent"]
    assert "/a" in bad["result"]["content"][0]["text"]
    assert {"result": 4} == newer_call["result"]["structuredContent"]
