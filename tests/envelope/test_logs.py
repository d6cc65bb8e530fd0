"""The log record, and what many of them say."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from toolgauge.contract import Issue
from toolgauge.envelope import LogRecord, RequestIds, discard_record, log_errors
from toolgauge.envelope import summary as module
from toolgauge.envelope.logs import ROUTING, VOLATILE
from toolgauge.envelope.messages import TOO_LONG, LineSplitter
from toolgauge.envelope.summary import NO_TOOL, OTHER_TOOLS, Latencies, LogSummary, code_of

IDS = RequestIds(trace_id="a" * 32, span_id="b" * 16, request_id="c")
MEMBERS = [
    *("ts", "traceId", "spanId", "requestId", "durationMs", "transport", "route", "method"),
    *("tool", "status", "canonicalCode", "errors", "inputFingerprint", "outputFingerprint"),
    *("schemaVersion", "deterministic"),
]


def record(**members: Any) -> LogRecord:
    """Make a record."""
    usual: dict[str, Any] = {"ids": IDS, "received_s": 0.5, "duration_ms": 1.23456}
    return LogRecord(**usual | {"transport": "http", "route": "/rpc"} | members)


def test_a_record_has_all_its_members_on_one_line() -> None:
    """In camel case and always in the same order."""
    line = record(tool="mcp.tool:a\nb").to_line()

    assert 1 == line.count(b"\n")
    found = json.loads(line)
    assert MEMBERS == list(found)
    assert ("1970-01-01T00:00:00.500Z", 1.235) == (found["ts"], found["durationMs"])
    assert {*VOLATILE, *ROUTING} < set(MEMBERS)


def test_a_record_says_where_and_not_what() -> None:
    """No messages: they quote the arguments (decisions V15, E16)."""
    issue = Issue(path=("a/b", 0), message="'secret' is not of type", keyword="type")

    errors = log_errors([issue], ("params", "input"))
    line = record(errors=errors).to_line()

    assert [{"path": "/params/input/a~1b/0", "keyword": "type"}] == json.loads(line)["errors"]
    assert b"secret" not in line


def test_a_line_is_bounded_whatever_a_caller_sends() -> None:
    """Names are cut, errors counted off, and what is no text is shown."""
    many = log_errors(Issue(path=("x" * 1_000,), message="") for _ in range(1_000))
    line = record(tool="é" * 10_000, method="\ud800" + "m" * 10_000, errors=many).to_line()

    assert 50_000 > len(line)
    found = json.loads(line)
    assert 50 == len(found["errors"])
    assert "é" * 256 + "…" == found["tool"]
    assert found["method"].startswith("\\ud800")


def test_no_log_takes_any_record() -> None:
    """And does nothing with it."""
    assert None is discard_record(record())  # type: ignore[func-returns-value]


def test_percentiles_are_right_to_a_percent() -> None:
    """However many durations there are."""
    latencies, drawn = Latencies(), random.Random(7)
    durations = sorted(drawn.lognormvariate(1, 2) for _ in range(5_000))
    for each in durations:
        latencies.add(each)

    for percent in (50, 90, 95, 99):
        exact = durations[len(durations) * percent // 100 - 1]
        assert pytest.approx(exact, rel=0.011) == latencies.percentile(percent)
    assert pytest.approx(durations[-1], rel=0.011) == latencies.percentile(100)
    assert durations[-1] == latencies.longest_ms


def test_nothing_has_no_percentiles() -> None:
    """And a duration of nothing is one all the same."""
    latencies = Latencies()
    assert {None} == set(latencies.to_json().values())

    latencies.add(0)
    assert 0 == latencies.to_json()["max"] == latencies.percentile(50)


def test_a_summary_counts_calls_failures_and_causes() -> None:
    """A request that breaks two keywords is counted for each."""
    errors = log_errors(
        [
            Issue(message="", keyword="required"),
            Issue(message="", keyword="type"),
            Issue(message="", keyword="type"),
        ]
    )
    bad = record(tool="mcp.tool:a", status=400, canonical_code="INVALID_INPUT", errors=errors)
    summary = LogSummary()
    for each in (bad, bad, record(tool="mcp.tool:a"), record(), record(status=499)):
        assert summary.add(each.to_json())

    found = summary.to_json()
    assert (5, 3, 0) == (found["calls"], found["failures"], found["unreadable"])
    assert [("mcp.tool:a", 3, 2), (NO_TOOL, 2, 1)] == [
        (each["tool"], each["calls"], each["failures"]) for each in found["tools"]
    ]
    assert [
        ("mcp.tool:a", "INVALID_INPUT", "required", 2),
        ("mcp.tool:a", "INVALID_INPUT", "type", 2),
        (NO_TOOL, "CANCELLED", None, 1),
    ] == [tuple(each.values()) for each in found["causes"]]


def test_a_summary_spans_the_first_to_the_last() -> None:
    """Lines are written when requests end, and so are out of order."""
    summary = LogSummary()
    for moment in (5.0, 1.0, 3.0):
        summary.add(record(received_s=moment).to_json())

    assert ("1970-01-01T00:00:01.000Z", "1970-01-01T00:00:05.000Z") == (summary.first, summary.last)


@pytest.mark.parametrize(
    "line",
    [
        None,
        5,
        [],
        {},
        {"ts": "x", "status": 200},
        {"ts": "x", "status": "200", "durationMs": 1},
        {"ts": "x", "status": 200, "durationMs": -1},
        {"ts": "x", "status": 200, "durationMs": True},
        {"ts": "x", "status": 200, "durationMs": 1, "tool": 5},
    ],
)
def test_what_is_no_record_is_counted_as_unreadable(line: object) -> None:
    """And changes nothing else."""
    summary = LogSummary()

    assert not summary.add(line)
    assert (0, 1) == (summary.calls, summary.unreadable)


@pytest.mark.parametrize("errors", [None, 5, [5], [{"keyword": 5}], [{}], []])
def test_errors_of_any_shape_are_a_cause_without_a_keyword(errors: object) -> None:
    """The file may be anybody's."""
    summary = LogSummary()
    usual = {"ts": "x", "status": 400, "durationMs": 1, "canonicalCode": "INVALID_INPUT"}

    assert summary.add(usual | {"errors": errors})
    assert {(NO_TOOL, "INVALID_INPUT", None): 1} == dict(summary.causes)


def test_names_that_callers_invent_do_not_fill_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past a number they are counted together."""
    monkeypatch.setattr(module, "_MAX_TOOLS", 3)
    summary = LogSummary()
    for number in range(10):
        summary.add(record(tool=f"mcp.tool:{number}").to_json())

    assert 4 == len(summary.tools)
    assert 7 == summary.tools[OTHER_TOOLS].calls


def test_a_good_request_has_no_code() -> None:
    """One that was taken back has one of its own."""
    assert None is code_of({"status": 200, "canonicalCode": None})
    assert "CANCELLED" == code_of({"status": 499})


def test_a_line_past_the_bound_is_told_once_and_skipped() -> None:
    """Wherever its pieces end; what follows is read (decision E9)."""
    splitter = LineSplitter(3)
    found = [splitter.feed(piece) for piece in (b"ab", b"cd", b"efgh", b"\nxyz\n", b"last")]

    assert [[], [], [], [TOO_LONG, b"xyz"], []] == found
    assert TOO_LONG is splitter.end()
    assert None is splitter.end()
