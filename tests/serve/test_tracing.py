"""Spans of OpenTelemetry, where it is installed and somebody has configured it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from toolgauge.gate import Recorder
from toolgauge.serve import tracing
from toolgauge.serve.tracing import find_tracing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.envelope import LogRecord

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TOOL = "mcp.tool:search"
ROUTE: dict[str, Any] = {"transport": "http", "route": "/rpc", "method": "tools/call", "tool": TOOL}


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Have spans collected."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    yield exporter
    provider.shutdown()


def recorder(lines: list[LogRecord]) -> Recorder:
    """Record with spans."""
    return Recorder(write=lines.append, start_span=find_tracing())


def test_a_request_is_a_span_with_the_logs_own_ids(spans: InMemorySpanExporter) -> None:
    """Named by method and tool."""
    lines: list[LogRecord] = []
    with recorder(lines).request(b"", **ROUTE):
        inside = trace.get_current_span().get_span_context()

    (span,) = spans.get_finished_spans()
    assert (f"tools/call {TOOL}", trace.SpanKind.SERVER) == (span.name, span.kind)
    assert f"{inside.trace_id:032x}" == lines[0].ids.trace_id
    assert f"{inside.span_id:016x}" == lines[0].ids.span_id
    assert {"mcp.method.name": "tools/call", "gen_ai.tool.name": "search"} == span.attributes


def test_a_callers_span_is_the_parent(spans: InMemorySpanExporter) -> None:
    """As ``traceparent`` names it."""
    lines: list[LogRecord] = []
    with recorder(lines).request(b"", traceparent=f"00-{TRACE}-{SPAN}-01", **ROUTE):
        pass

    (span,) = spans.get_finished_spans()
    assert span.parent is not None
    assert (SPAN, True) == (f"{span.parent.span_id:016x}", span.parent.is_remote)
    assert TRACE == lines[0].ids.trace_id


def test_a_failure_is_a_failed_span_without_words(spans: InMemorySpanExporter) -> None:
    """The exception's text may quote arguments."""
    with (
        pytest.raises(ValueError, match="secret"),
        recorder([]).request(b"", transport="http", route="/rpc"),
    ):
        raise ValueError("secret")
    with recorder([]).request(b"", **ROUTE) as recording:
        recording.fail("NOT_FOUND")

    crashed, missing = spans.get_finished_spans()
    assert "request" == crashed.name
    assert not crashed.events
    assert "secret" not in crashed.to_json()
    assert missing.attributes is not None
    assert "NOT_FOUND" == missing.attributes["error.type"]
    assert trace.StatusCode.ERROR is missing.status.status_code


def test_without_a_tracer_the_ids_are_our_own() -> None:
    """No span, and a random trace."""
    lines: list[LogRecord] = []
    with recorder(lines).request(b"", **ROUTE):
        assert not trace.get_current_span().get_span_context().is_valid

    assert 32 == len(lines[0].ids.trace_id)


def test_without_the_library_there_is_nothing_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is imported."""
    monkeypatch.setattr(tracing, "find_spec", lambda name: None)

    assert None is find_tracing()


def test_a_tracer_that_gives_no_ids_changes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that records nothing, for example."""
    provider = trace.NoOpTracerProvider()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    lines: list[LogRecord] = []
    with recorder(lines).request(b"", **ROUTE):
        pass

    assert "0" * 32 != lines[0].ids.trace_id
