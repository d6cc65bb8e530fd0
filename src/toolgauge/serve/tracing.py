"""Spans of OpenTelemetry around requests, where it is installed and configured.

Source: OpenTelemetry semantic conventions for MCP (status: development), for the names
of the span and its attributes. Argument values are in neither.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from toolgauge.envelope import RequestIds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry.context import Context
    from opentelemetry.trace import Span

    from toolgauge.envelope import Parent, StartSpan
    from toolgauge.gate import Recording


def find_tracing() -> StartSpan | None:
    """Return what starts spans; ``None`` where ``opentelemetry-api`` is not installed.

    The library is loaded with the first request.
    """
    return start_span if find_spec("opentelemetry") is not None else None


@contextmanager
def start_span(
    recording: Recording, ids: RequestIds, parent: Parent | None
) -> Iterator[RequestIds]:
    """Hold a span around a request, the current one for the handler's own spans.

    Yields:
        The ids of the span; those given where nobody has configured a tracer.
    """
    from opentelemetry import trace  # noqa: PLC0415 - not everybody has it

    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        yield ids  # nobody listens
        return
    with trace.get_tracer("toolgauge").start_as_current_span(
        " ".join(filter(None, (recording.method, recording.tool))) or "request",
        context=_around(parent),
        kind=trace.SpanKind.SERVER,
        # Its message may quote arguments.
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield _ids_of(span, ids)
        finally:
            _describe(span, recording)


def _around(parent: Parent | None) -> Context | None:
    """Return the context that a ``traceparent`` names."""
    from opentelemetry import trace  # noqa: PLC0415 - not everybody has it

    if parent is None:
        return None
    named = trace.SpanContext(
        trace_id=int(parent.trace_id, 16),
        span_id=int(parent.span_id, 16),
        is_remote=True,
        trace_flags=trace.TraceFlags(parent.flags),
    )
    return trace.set_span_in_context(trace.NonRecordingSpan(named))


def _ids_of(span: Span, ids: RequestIds) -> RequestIds:
    context = span.get_span_context()
    if not context.is_valid:
        return ids
    return RequestIds(
        trace_id=f"{context.trace_id:032x}",
        span_id=f"{context.span_id:016x}",
        request_id=ids.request_id,
    )


def _describe(span: Span, recording: Recording) -> None:
    """Say what became of the request."""
    from opentelemetry.trace import StatusCode  # noqa: PLC0415 - not everybody has it

    if recording.method is not None:
        span.set_attribute("mcp.method.name", recording.method)
    if recording.tool is not None:
        span.set_attribute("gen_ai.tool.name", recording.tool.removeprefix("mcp.tool:"))
    if recording.code is not None:
        span.set_attribute("error.type", recording.code)
        span.set_status(StatusCode.ERROR, recording.code)
