"""From a request to its log line, and the schemas that its messages are held against."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from toolgauge import Gate, Tool, UnknownTool
from toolgauge.contract import Bounds, InvalidProvider, Issue, SchemaCompiler, fingerprint
from toolgauge.envelope import DeterministicIds, LogRecord, RequestIds, discard_record
from toolgauge.envelope import logs as module
from toolgauge.envelope.logs import Fingerprints
from toolgauge.gate import Caller, CanonicalDialect, InvalidBundle, Recorder, SchemaRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

BUNDLE = Path(__file__).parents[1] / "fixtures" / "mcp" / "schemas"
ROUTE = {"transport": "http", "route": "/rpc"}
CALLER = Caller(transport="http", route="/rpc")
TRACE = "0af7651916cd43dd8448eb211c80319c"


def test_a_request_is_one_record() -> None:
    """With what is said of it inside the block."""
    lines: list[LogRecord] = []
    recorder = Recorder(write=lines.append)
    tool = Tool(name="t", input_schema={"type": "object"}, output_schema={})

    with recorder.request(b"", method="m", **ROUTE) as recording:
        recording.named(tool)
        recording.fail("INVALID_INPUT", [Issue(path=("a",), message="", keyword="type")], ("p",))

    (line,) = lines
    assert ("m", "mcp.tool:t", 400, "INVALID_INPUT") == (
        line.method,
        line.tool,
        line.status,
        line.canonical_code,
    )
    assert [("/p/a", "type")] == [(each.path, each.keyword) for each in line.errors]
    assert fingerprint({"type": "object"}) == line.input_fingerprint
    assert fingerprint({}) == line.output_fingerprint
    assert 0 <= line.duration_ms < 10_000
    assert not line.is_deterministic


def test_a_block_that_raises_is_an_internal_error() -> None:
    """The exception goes on."""
    lines: list[LogRecord] = []

    with (
        pytest.raises(ZeroDivisionError),
        Recorder(write=lines.append).request(b"", **ROUTE),
    ):
        raise ZeroDivisionError

    assert ["INTERNAL_ERROR"] == [each.canonical_code for each in lines]


@pytest.mark.anyio
async def test_a_request_that_is_taken_back_is_recorded_as_such() -> None:
    """With no canonical code: nobody failed."""
    lines: list[LogRecord] = []
    recorder = Recorder(write=lines.append)

    with anyio.CancelScope() as scope, recorder.request(b"", **ROUTE):
        scope.cancel()
        await anyio.sleep_forever()

    assert [(499, None)] == [(each.status, each.canonical_code) for each in lines]


def test_an_unknown_code_is_a_mistake_of_ours() -> None:
    """And not logged as anything."""
    with Recorder().request(b"", **ROUTE) as recording, pytest.raises(KeyError):
        recording.fail("BAD_GATEWAY")


def test_identities_are_worked_out_only_where_they_are_used() -> None:
    """Equal messages have equal ones, whatever the order of their members."""
    fixed = Recorder(ids=DeterministicIds())

    assert b"" == Recorder().identity({"a": 1})
    assert fixed.identity({"a": 1, "b": 2}) == fixed.identity({"b": 2, "a": 1})
    assert b"{bad" == fixed.identity(b" {bad\r")


def test_a_recorder_knows_whether_anybody_listens() -> None:
    """So that a dialect can save the work."""
    assert not Recorder().is_on
    assert not Recorder(write=discard_record).is_on
    lines: list[LogRecord] = []
    assert Recorder(write=lines.append).is_on


def test_a_span_gives_its_own_ids() -> None:
    """Unless they are to be the same for the same request."""

    @contextmanager
    def span(recording: Any, ids: RequestIds, parent: Any) -> Iterator[RequestIds]:
        yield RequestIds(trace_id="t", span_id="s", request_id=ids.request_id)

    lines: list[LogRecord] = []
    for ids in (None, DeterministicIds()):
        with Recorder(ids=ids, write=lines.append, start_span=span).request(b"", **ROUTE):
            pass

    assert "t" == lines[0].ids.trace_id
    assert "t" != lines[1].ids.trace_id


def test_fingerprints_are_remembered_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bounded number of them; what JSON has no form for has none."""
    monkeypatch.setattr(module, "_MAX_KNOWN", 2)
    known = Fingerprints(SchemaCompiler())

    for number in range(5):
        schema = {"const": number}
        assert fingerprint(schema) == known.of_schema(schema) == known.of_schema(dict(schema))
    assert None is known.of_schema({"const": object()})
    assert fingerprint({}) == known.of_schema(None)


def test_a_registry_finds_the_tools_of_a_folder() -> None:
    """With what they share; one that is broken breaks no other."""
    registry = SchemaRegistry(BUNDLE)

    odd = registry.load_tool_io("mcp.tool:a/b~c")
    assert ["/x"] == [each.pointer for each in odd.input.issues({})]
    assert None is odd.output_fingerprint
    assert odd.output.is_valid(5)
    assert registry.load_tool_io("mcp.tool:broken").input.problem is not None
    for unknown in ("mcp.tool:shapeless", "mcp.tool:none", "hit", ""):
        with pytest.raises(UnknownTool):
            registry.load_tool_io(unknown)


def test_a_folder_may_have_an_envelope_of_its_own(tmp_path: Path) -> None:
    """What it does not have is the package's."""
    (tmp_path / "envelope.schema.json").write_text('{"required": ["more"]}')
    registry = SchemaRegistry(tmp_path)

    assert ["/more"] == [each.pointer for each in registry.load_envelope().issues({})]
    with pytest.raises(UnknownTool):
        registry.load_tool_io("mcp.tool:t")


@pytest.mark.parametrize("text", ["{", "[]", '{"$defs": 5}', '{"$defs": {"mcp.tool:t": true}}'])
def test_a_folder_that_is_no_bundle_has_no_tools(tmp_path: Path, text: str) -> None:
    """What is no JSON is said so, with its place."""
    (tmp_path / "tool_io.schema.json").write_text(text)

    with pytest.raises((UnknownTool, InvalidBundle)) as raised:
        SchemaRegistry(tmp_path).load_tool_io("mcp.tool:t")
    assert (text == "{") is isinstance(raised.value, InvalidBundle)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A folder in its place."""
    (tmp_path / "envelope.schema.json").mkdir()

    with pytest.raises(InvalidBundle) as raised:
        SchemaRegistry(tmp_path).load_envelope()
    assert str(tmp_path / "envelope.schema.json") == raised.value.place


@pytest.mark.anyio
async def test_a_registry_over_a_gate_has_the_gates_own_schemas() -> None:
    """The very objects; also of a provider that must be awaited."""
    tool = Tool(name="t", input_schema={"required": ["q"]}, output_schema={"type": "object"})

    async def provider() -> list[Any]:
        return [tool]

    gate, awaited = Gate([tool]), Gate(provider)
    found = gate.schemas.load_tool_io("mcp.tool:t")

    assert await gate.check.schema("t") is found.input
    assert (await awaited.schemas.find_tool_io("mcp.tool:t")).output is found.output
    assert fingerprint(tool.output_schema) == found.output_fingerprint
    for name in ("t", "mcp.tool:x"):
        with pytest.raises(UnknownTool):
            gate.schemas.load_tool_io(name)
    with pytest.raises(InvalidProvider):
        awaited.schemas.load_tool_io("mcp.tool:t")
    folder = await SchemaRegistry(BUNDLE).find_tool_io("mcp.tool:broken")
    assert "mcp.tool:broken" == folder.tool_id


def call(given: Any, **params: Any) -> bytes:
    """Write a call of the tool ``t``."""
    params = {"tool": "mcp.tool:t", "input": given} | params
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    ).encode()


async def answered(gate: Gate, raw: bytes, caller: Caller = CALLER) -> tuple[Any, LogRecord]:
    """Take a message through the canonical dialect; give its answer and its record."""
    lines: list[LogRecord] = []
    reply = await CanonicalDialect(gate, Recorder(write=lines.append)).answer(raw, caller)
    assert reply.body is not None
    (line,) = lines
    assert reply.status == line.status
    return json.loads(reply.body), line


@pytest.mark.anyio
async def test_arguments_may_be_as_deep_as_anywhere() -> None:
    """The envelope around them does not count, and its schema does not mind."""
    gate = Gate([Tool(name="t", handler=lambda args: args)], bounds=Bounds(max_instance_depth=5))

    answer, _ = await answered(gate, call({"a": [[[[]]]]}))
    deeper, line = await answered(gate, call({"a": [[[[[]]]]]}))

    assert {"a": [[[[]]]]} == answer["result"]["output"]
    assert -32700 == deeper["error"]["code"]
    assert None is line.tool


@pytest.mark.anyio
async def test_a_handler_gets_the_request_and_may_name_its_trace() -> None:
    """As over every other way."""

    async def handle_call(name: str, args: Any, request: Any) -> Any:
        return [{"type": "text", "text": request}], False, "trace-7"

    caller = Caller(transport="http", route="/rpc", request="the request")
    answer, _ = await answered(Gate([{"name": "t"}], handle_call), call({}), caller)

    assert [{"type": "text", "text": "the request"}] == answer["result"]["content"]
    assert {"_trace_id": "trace-7"} == answer["result"]["_meta"]


@pytest.mark.anyio
async def test_the_header_goes_before_the_meta_member() -> None:
    """Either continues the caller's trace; what is neither begins a new one."""
    gate = Gate([Tool(name="t", handler=lambda args: 1)])
    header = Caller(transport="http", route="/rpc", traceparent=f"00-{TRACE}-{'b' * 16}-01")
    meta = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}

    _, both = await answered(gate, call({}, _meta=meta), header)
    _, only_meta = await answered(gate, call({}, _meta=meta))
    _, neither = await answered(gate, call({}, _meta=5))

    assert (TRACE, "a" * 32) == (both.ids.trace_id, only_meta.ids.trace_id)
    assert neither.ids.trace_id not in {TRACE, "a" * 32}


@pytest.mark.anyio
@pytest.mark.parametrize("answer", [{"a": object()}, [{"type": "text", "text": object()}]])
async def test_an_answer_that_json_cannot_say_does_not_leave(answer: Any) -> None:
    """It is the tool's fault, and logged as such."""
    gate = Gate([Tool(name="t", handler=lambda args: answer)])

    found, line = await answered(gate, call({}))

    assert found["error"]["data"]["canonical_code"] == line.canonical_code != "INVALID_INPUT"


@pytest.mark.anyio
async def test_what_breaks_the_output_schema_is_not_quoted() -> None:
    """The caller must not get by the error what it must not get as the answer."""
    tool = Tool(
        name="t",
        output_schema={"properties": {"a": {"type": "integer"}}},
        handler=lambda args: {"a": "secret"},
    )

    answer, _ = await answered(Gate([tool]), call({}))

    assert "secret" not in json.dumps(answer)
    assert "/result/output/a" == answer["error"]["data"]["errors"][0]["path"]


@pytest.mark.anyio
async def test_a_call_that_timed_out_says_so() -> None:
    """In the errors; the code is an internal error."""

    async def hang(args: Any) -> None:
        await anyio.sleep_forever()

    gate = Gate([Tool(name="t", handler=hang)], bounds=Bounds(handler_timeout_s=0.01))
    answer, _ = await answered(gate, call({}))

    assert "INTERNAL_ERROR" == answer["error"]["data"]["canonical_code"]
    assert "0.01 s" in answer["error"]["data"]["errors"][0]["message"]
