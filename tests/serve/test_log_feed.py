"""``GET /log``: the newest lines of the contract log, for those who may call."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serve.tools import client
from toolgauge import Tool
from toolgauge.envelope import LogRecord, RequestIds
from toolgauge.gate import Recorder
from toolgauge.serve import LogFeed, bearer_auth, create_app
from toolgauge.serve.contract_log import MAX_PER_ANSWER

IDS = RequestIds(trace_id="a" * 32, span_id="b" * 16, request_id="c")
TRACE = "0af7651916cd43dd8448eb211c80319c"
BROKEN = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TOOLS = [
    Tool(
        name="add",
        input_schema={"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]},
        handler=lambda args: {"n": args["a"]},
        output_schema=BROKEN,
    ),
    Tool(name="liar", handler=lambda _args: {"n": "the secret"}, output_schema=BROKEN),
]


def record(tool: str = "mcp.tool:t") -> LogRecord:
    """Make a record."""
    return LogRecord(
        ids=IDS, received_s=0.0, duration_ms=1.0, transport="http", route="/rpc", tool=tool
    )


def served(**options: Any) -> Any:
    """Serve tools with the log on."""
    feed = LogFeed()
    app = create_app(
        TOOLS,
        allow_execute=True,
        recorder=Recorder(write=feed.write),
        log_feed=feed,
        **options,
    )
    return TestClient(app)


def test_a_reader_gets_what_is_new_to_it() -> None:
    """Oldest first, numbered; the next question begins where this answer ended."""
    feed = LogFeed()
    feed.write(record("one"))
    feed.write(record("two"))
    first = feed.since(0)
    feed.write(record("three"))
    second = feed.since(first["last"])

    assert [(1, "one"), (2, "two")] == [(r["number"], r["tool"]) for r in first["records"]]
    assert [(3, "three")] == [(r["number"], r["tool"]) for r in second["records"]]
    assert 3 == second["last"]
    assert [] == feed.since(3)["records"]
    assert first["feed"] == second["feed"] != LogFeed().since(0)["feed"]


def test_the_feed_is_bounded_and_keeps_the_newest() -> None:
    """In memory, and in one answer."""
    feed = LogFeed(max_records=3)
    for n in range(5):
        feed.write(record(str(n)))
    long = LogFeed()
    for n in range(MAX_PER_ANSWER + 10):
        long.write(record(str(n)))

    assert ["2", "3", "4"] == [each["tool"] for each in feed.since(0)["records"]]
    assert MAX_PER_ANSWER == len(long.since(0)["records"])
    assert str(MAX_PER_ANSWER + 9) == long.since(0)["records"][-1]["tool"]


def test_a_record_goes_to_the_feed_and_to_the_file() -> None:
    """One recorder writes both."""
    feed, lines = LogFeed(), list[LogRecord]()
    feed.beside(lines.append)(record("one"))

    assert ["one"] == [each.tool for each in lines]
    assert ["one"] == [each["tool"] for each in feed.since(0)["records"]]


def test_a_call_of_the_page_is_logged_under_its_trace() -> None:
    """As the same call over MCP would be, without a word of what it said."""
    http = served()
    trace = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    http.post("/tools/add/call", json={"a": 1}, headers=trace)
    http.post("/tools/add/call", json={"a": "the secret"})
    http.post("/tools/liar/call", json={})
    http.post("/tools/nope/call", json={})
    http.post("/tools/add/call", content=b"{broken", headers={"content-type": "application/json"})
    body = http.get("/log").json()
    told = [(r["tool"], r["canonicalCode"], r["errors"]) for r in body["records"]]

    assert [
        ("mcp.tool:add", None, []),
        ("mcp.tool:add", "INVALID_INPUT", [{"path": "/params/arguments/a", "keyword": "type"}]),
        (
            "mcp.tool:liar",
            "INVALID_OUTPUT",
            [{"path": "/result/structuredContent/n", "keyword": "type"}],
        ),
        ("mcp.tool:nope", "NOT_FOUND", []),
        ("mcp.tool:add", "INVALID_INPUT", []),
    ] == told
    assert TRACE == body["records"][0]["traceId"]
    assert {("http", "/call", "tools/call")} == {
        (r["transport"], r["route"], r["method"]) for r in body["records"]
    }
    assert "secret" not in http.get("/log").text


def test_after_says_what_is_known_already() -> None:
    """What is no number counts as none."""
    http = served()
    http.post("/tools/add/call", json={"a": 1})
    http.post("/tools/add/call", json={"a": 2})

    assert [2] == [r["number"] for r in http.get("/log?after=1").json()["records"]]
    for odd in ("", "x", "-1", "9" * 30, "%FF", "&a" * 100):
        assert 2 == len(http.get(f"/log?after={odd}").json()["records"])


def test_without_the_switch_there_is_no_log() -> None:
    """Not even its route; the page knows."""
    http = client(TOOLS, recorder=Recorder(write=LogFeed().write))

    assert 404 == http.get("/log").status_code
    assert '"log":false' in http.get("/").text
    assert '"log":true' in served().get("/").text


def test_the_log_is_for_those_who_may_call() -> None:
    """With the same token, from the same host, from no other site's page."""
    http = served(auth_hook=bearer_auth("t"))
    named = served(allowed_hosts=["tools.test"])
    foreign = served().get("/log", headers={"origin": "https://evil.example"})

    assert 401 == http.get("/log").status_code
    assert "Bearer" == http.get("/log").headers["www-authenticate"]
    assert 200 == http.get("/log", headers={"authorization": "Bearer t"}).status_code
    assert 403 == named.get("/log").status_code
    assert 403 == foreign.status_code
    assert 405 == served().post("/log").status_code


def test_a_refused_caller_is_a_line_of_the_log() -> None:
    """401, without what it sent."""
    http = served(auth_hook=bearer_auth("t"))
    http.post("/tools/add/call", json={"a": 1}, headers={"authorization": "Bearer guess"})
    body = http.get("/log", headers={"authorization": "Bearer t"})

    assert ["UNAUTHORIZED"] == [r["canonicalCode"] for r in body.json()["records"]]
    assert "guess" not in body.text


@pytest.mark.parametrize("is_shown", [True, False])
def test_routes_have_a_log_where_they_are_given_one(is_shown: bool) -> None:
    """A host's own ``/log`` is left alone otherwise."""
    from toolgauge.serve import build_routes

    options: Any = {"log_feed": LogFeed()} if is_shown else {}
    paths = [getattr(each, "path", "") for each in build_routes([{"name": "t"}], **options)]

    assert is_shown is ("/log" in paths)
    assert "/targets" in paths


def test_an_answer_says_that_it_keeps_its_schema_or_where_it_does_not() -> None:
    """What breaks it does not leave; its place and keyword do."""
    http = served()
    kept = http.post("/tools/add/call", json={"a": 1})
    broken = http.post("/tools/liar/call", json={})

    assert "kept" == kept.headers["toolgauge-output-schema"]
    assert {"n": 1} == kept.json()["structuredContent"]
    assert 502 == broken.status_code
    assert [{"path": "/n", "message": "breaks the output schema", "keyword": "type"}] == (
        broken.json()["errors"]
    )
    assert "toolgauge-output-schema" not in broken.headers
    assert "secret" not in broken.text
