"""Whatever bytes arrive: no crash, no silence for a request, no second answer."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envelope.specimens import tools
from toolgauge.envelope import Malformed, Notification, Request, Response, read_frame
from toolgauge.envelope.messages import TOO_LONG, LineSplitter
from toolgauge.gate import Caller, CanonicalDialect, Gate, Recorder
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.stdio import serve_lines

PATIENT = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
CALLER = Caller(transport="stdio", route="stdio")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def choice(*usual: Any) -> st.SearchStrategy[Any]:
    """Give a usual value more often than any other."""
    return st.sampled_from(usual) | VALUES


PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "tool": choice("mcp.tool:echo", "mcp.tool:search", "mcp.tool:crash", "mcp.tool:none"),
        "input": choice({}, {"query": "no hits"}, {"query": "tea"}),
        "_meta": choice({"traceparent": "00-x-y-z"}),
    },
)
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": choice("2.0", "2.0", "1.0"),
        "id": choice(1, "a", None, 1.5),
        "method": choice("tools/call", "tools/call", "x"),
        "params": PARAMS | VALUES,
        "result": VALUES,
        "error": choice({"code": 1, "message": "m"}),
        "more": VALUES,
    },
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Write an envelope, then cut something out of it and put something in."""
    raw = json.dumps(draw(ENVELOPES)).encode()
    begin = draw(st.integers(0, len(raw)))
    end = draw(st.integers(begin, min(len(raw), begin + 4)))
    return raw[:begin] + draw(st.binary(max_size=3)) + raw[end:]


MESSAGES = (
    st.binary(max_size=60)
    | ENVELOPES.map(lambda value: json.dumps(value).encode())
    | damaged()
    | VALUES.map(lambda value: json.dumps(value).encode())
)


def due(raw: bytes) -> tuple[bool, Any]:
    """Tell whether a message is answered, and to which id: read again, by other code."""
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return True, None
    if not isinstance(value, dict):
        return True, None
    if "method" not in value and ("result" in value or "error" in value):
        return False, None
    if "id" not in value and isinstance(value.get("method"), str):
        return False, None
    ident = value.get("id")
    is_usable = isinstance(ident, str | int) and not isinstance(ident, bool)
    return True, ident if is_usable else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


@pytest.fixture(scope="module")
def dialect() -> CanonicalDialect:
    """Answer in this process."""
    return CanonicalDialect(Gate(tools), Recorder())


@PATIENT
@given(raw=MESSAGES)
def test_a_frame_is_one_of_four_things(raw: bytes) -> None:
    """And reading it never raises."""
    frame = read_frame(raw)

    assert isinstance(frame, Request | Notification | Response | Malformed)
    is_answered = isinstance(frame, Request) or (isinstance(frame, Malformed) and frame.is_answered)
    assert due(raw) == (is_answered, frame.id if is_answered else None)  # type: ignore[union-attr]
    if not isinstance(frame, Malformed):
        # What is forwarded reads as the same again.
        again = read_frame(json.dumps(frame.message).encode())
        assert frame.message == getattr(again, "message", None)


@PATIENT
@given(raw=MESSAGES)
def test_every_message_is_answered_as_is_due(dialect: CanonicalDialect, raw: bytes) -> None:
    """With a result or with a canonical error, to the id that was sent."""
    is_answered, ident = due(raw)

    reply = asyncio.run(dialect.answer(raw, CALLER))

    assert is_answered is (reply.body is not None)
    if reply.body is not None:
        answer = json.loads(reply.body)
        assert ident == answer["id"]
        assert type(ident) is type(answer["id"])
        assert ("result" in answer) is not ("error" in answer)
        assert (200 == reply.status) is ("result" in answer)


@PATIENT
@given(raw=st.binary(max_size=300), sizes=st.lists(st.integers(0, 40), max_size=20))
def test_lines_do_not_depend_on_where_chunks_end(raw: bytes, sizes: list[int]) -> None:
    """Nor does it matter how long the ones before them were."""
    whole, pieces = LineSplitter(20), LineSplitter(20)
    expected = [*whole.feed(raw), whole.end()]
    found: list[Any] = []
    for size in sizes:
        found += pieces.feed(raw[:size])
        raw = raw[size:]

    found += [*pieces.feed(raw), pieces.end()]
    assert expected == found
    assert all(line is TOO_LONG or line is None or len(line) <= 20 for line in found)


@settings(PATIENT, max_examples=60)
@given(lines=st.lists(MESSAGES, max_size=12))
def test_a_pipe_of_messages_is_answered_line_by_line(lines: list[bytes]) -> None:
    """As many answers as are due, in whatever order, and the loop ends."""
    lines = [part for line in lines for part in line.split(b"\n") if part.strip()]
    expected = sorted(repr(ident) for is_due, ident in map(due, lines) if is_due)

    answers = asyncio.run(through_a_pipe(b"\n".join(lines)))

    assert expected == sorted(repr(json.loads(line)["id"]) for line in answers)


async def through_a_pipe(raw: bytes) -> list[bytes]:
    """Send bytes through the loop that serves standard input."""
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    gate = Gate(tools)
    dialect = CanonicalDialect(gate)

    async def answer(line: bytes) -> bytes | None:
        return (await dialect.answer(line, CALLER)).body

    async def collect() -> list[bytes]:
        reader, found = LineReader(read_out, 1_048_576), []
        while (line := await reader.next()) is not None:
            assert line is not TOO_LONG
            found.append(line)
        return found

    collecting = asyncio.create_task(collect())
    try:
        os.write(write_in, raw)
        os.close(write_in)
        await serve_lines(
            LineReader(read_in, gate.bounds.max_body_bytes),
            LineWriter(write_out),
            answer,
            answer_too_long=lambda: b"",
            max_in_flight=4,
            stop=asyncio.Event(),
            cut_short=gate.stop,
        )
    finally:
        os.close(write_out)
        os.close(read_in)
    found = await collecting
    os.close(read_out)
    return found
