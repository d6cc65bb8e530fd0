"""The envelope specification, sentence by sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from tests.envelope.transports import Transport, call, records
from toolgauge import Tool, UnknownTool
from toolgauge.envelope import CANONICAL_ERRORS, CanonicalError, DeterministicIds
from toolgauge.gate import Gate, SchemaRegistry

if TYPE_CHECKING:
    from tests.envelope.transports import Http, Stdio

PACKAGED = Path(__file__).parents[2] / "src" / "toolgauge" / "envelope" / "schemas"
BUNDLE = Path(__file__).parents[1] / "fixtures" / "mcp" / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
SEARCH = "mcp.tool:web.search.query"
GOOD: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"tool": "mcp.tool:echo", "input": {}},
}
TABLE = [
    ("INVALID_INPUT", 400, -32602, "Invalid params"),
    ("INVALID_OUTPUT", 502, -32002, "Invalid tool output"),
    ("NOT_FOUND", 404, -32004, "Resource not found"),
    ("UNAUTHORIZED", 401, -32001, "Unauthorized"),
    ("INTERNAL_ERROR", 500, -32603, "Internal error"),
]


def without(member: str) -> dict[str, Any]:
    """Give an envelope that lacks a member."""
    return {key: value for key, value in GOOD.items() if key != member}


# --- Envelope Schema


def test_schema_location() -> None:
    """``envelope.schema.json``: a file of the package, which the registry loads."""
    schema = json.loads((PACKAGED / "envelope.schema.json").read_text("utf-8"))

    jsonschema.Draft202012Validator.check_schema(schema)
    assert SchemaRegistry().load_envelope().is_valid(GOOD)


@pytest.mark.parametrize("name", ["envelope.schema.json", "tool_io.schema.json"])
def test_draft_2020_12(name: str) -> None:
    """Said in each file, and how it is read."""
    schema = json.loads((PACKAGED / name).read_text("utf-8"))

    assert DRAFT == schema["$schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "2020-12" in str(SchemaRegistry().load_envelope().dialect)


@pytest.mark.parametrize("member", ["id", "jsonrpc", "method", "params"])
def test_required_request_fields(member: str) -> None:
    """``id``, ``jsonrpc``, ``method``, ``params``."""
    (issue,) = SchemaRegistry().load_envelope().issues(without(member))

    assert (f"/{member}", "required") == (issue.pointer, issue.keyword)


@pytest.mark.parametrize("version", ["1.0", "2", 2.0, 2, None, ""])
def test_jsonrpc_must_equal_2_0(version: object) -> None:
    """The text, and nothing like it."""
    (issue,) = SchemaRegistry().load_envelope().issues(GOOD | {"jsonrpc": version})

    assert ("/jsonrpc", "const") == (issue.pointer, issue.keyword)


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ("text", "/params"),
        ([], "/params"),
        (None, "/params"),
        ({"input": {}}, "/params/tool"),
        ({"tool": "mcp.tool:echo"}, "/params/input"),
        ({"tool": "echo", "input": {}}, "/params/tool"),
        ({"tool": "mcp.tool:", "input": {}}, "/params/tool"),
        ({"tool": "tool:mcp.tool:x", "input": {}}, "/params/tool"),
        ({"tool": 5, "input": {}}, "/params/tool"),
        ({"tool": "mcp.tool:echo", "input": []}, "/params/input"),
        ({"tool": "mcp.tool:echo", "input": "{}"}, "/params/input"),
    ],
)
def test_params_holds_tool_and_input(params: object, pointer: str) -> None:
    """An object with at least the tool's id (``mcp.tool:<domain>``) and an object as input."""
    (issue,) = SchemaRegistry().load_envelope().issues(GOOD | {"params": params})

    assert pointer == issue.pointer


def test_params_may_hold_more() -> None:
    """At least these: further members are allowed (decision E15)."""
    params = GOOD["params"] | {"_meta": {"traceparent": "x"}}

    assert SchemaRegistry().load_envelope().is_valid(GOOD | {"params": params, "more": 1})


def test_input_is_forwarded_to_the_tools_validators(transport: Transport) -> None:
    """And a valid one to the tool."""
    assert {"x": [1]} == transport.ask(call("echo", {"x": [1]}))["result"]["output"]
    assert "INVALID_INPUT" == code(transport.ask(call("search", {})))


@pytest.mark.parametrize(
    "message",
    [
        without("method"),
        without("jsonrpc"),
        without("params"),
        GOOD | {"params": []},
        GOOD | {"params": "text"},
        GOOD | {"method": 7},
        GOOD | {"id": None},
        GOOD | {"params": {}},
    ],
    ids=str,
)
def test_any_deviation_triggers_invalid_input(
    transport: Transport, message: dict[str, Any]
) -> None:
    """Once validation is enforced, which it always is."""
    answer = transport.ask(json.dumps(message).encode())

    assert ("INVALID_INPUT", -32602) == (code(answer), answer["error"]["code"])


# --- Tool Input / Output Schema Contract


def test_schema_bundle_descriptor() -> None:
    """``tool_io.schema.json``: the package's says what a bundle is, a folder's is one."""
    described = json.loads((PACKAGED / "tool_io.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(described)

    assert validator.is_valid({"tool": SEARCH, "input": {}, "output": {}})
    assert not validator.is_valid({"tool": SEARCH})
    assert SEARCH == SchemaRegistry(BUNDLE).load_tool_io(SEARCH).tool_id


def test_load_tool_io_returns_compiled_validators() -> None:
    """Of Draft 2020-12, for the input and for the output."""
    found = SchemaRegistry(BUNDLE).load_tool_io(SEARCH)

    assert found.input.is_valid({"query": "tea"})
    assert found.output.is_valid({"hits": [{"title": "Tea"}], "metadata": {"took_ms": 3}})
    assert "2020-12" in str(found.input.dialect)
    assert "2020-12" in str(found.output.dialect)
    with pytest.raises(UnknownTool):
        SchemaRegistry(BUNDLE).load_tool_io("mcp.tool:nothing")


def test_validators_are_cached_by_fingerprint() -> None:
    """Equal content is one object, for every registry, gate and transport."""
    first = SchemaRegistry(BUNDLE)
    schema = {"type": "object", "required": ["query"]}
    gates = [Gate([Tool(name="t", input_schema=dict(schema))]) for _ in range(2)]
    io = [gate.schemas.load_tool_io("mcp.tool:t") for gate in gates]

    assert first.load_tool_io(SEARCH).input is SchemaRegistry(BUNDLE).load_tool_io(SEARCH).input
    assert first.load_envelope() is first.load_envelope() is SchemaRegistry().load_envelope()
    assert io[0].input is io[1].input
    assert io[0].input is gates[0].check._compiler.compile(schema)
    assert io[0].input_fingerprint == io[1].input_fingerprint


def test_input_validators_reject_missing_mandatory_keys() -> None:
    """Such as ``query``."""
    (issue,) = SchemaRegistry(BUNDLE).load_tool_io(SEARCH).input.issues({})

    assert ("/query", "required") == (issue.pointer, issue.keyword)


@pytest.mark.parametrize(
    ("output", "pointer"),
    [
        ({"metadata": {"took_ms": 1}}, "/hits"),
        ({"hits": {}, "metadata": {"took_ms": 1}}, "/hits"),
        ({"hits": [{}], "metadata": {"took_ms": 1}}, "/hits/0/title"),
        ({"hits": [], "metadata": {}}, "/metadata/took_ms"),
        ({"hits": []}, "/metadata"),
    ],
)
def test_output_validators_guard_shape_and_metadata(output: object, pointer: str) -> None:
    """Such as the structure of ``hits``."""
    (issue,) = SchemaRegistry(BUNDLE).load_tool_io(SEARCH).output.issues(output)

    assert pointer == issue.pointer


def test_outputs_are_guarded_on_each_transport(transport: Transport) -> None:
    """What breaks the schema does not leave."""
    answer = transport.ask(call("search", {"query": "wrong hit"}))

    assert "INVALID_OUTPUT" == code(answer)
    assert "/result/output/hits/0/title" == answer["error"]["data"]["errors"][0]["path"]


# --- Canonical Errors


@pytest.mark.parametrize(("name", "status", "number", "message"), TABLE)
def test_the_table_of_errors(name: str, status: int, number: int, message: str) -> None:
    """Code, HTTP status, JSON-RPC code and message."""
    row = CanonicalError.of(name)

    assert (name, status, number, message) == (
        row.code,
        row.http_status,
        row.jsonrpc_code,
        row.message,
    )


def test_the_enum_is_intentionally_small() -> None:
    """These five and no more; an unknown code is a ``KeyError``."""
    assert [row[0] for row in TABLE] == list(CANONICAL_ERRORS)
    for function in (
        CanonicalError.of,
        CanonicalError.to_jsonrpc_error,
        CanonicalError.to_mcp_error,
    ):
        with pytest.raises(KeyError):
            function("BAD_GATEWAY")


@pytest.mark.parametrize(("name", "status", "number", "message"), TABLE)
def test_to_jsonrpc_error_wraps_the_mapping(
    name: str, status: int, number: int, message: str
) -> None:
    """With a data payload of the canonical code."""
    expected = {"code": number, "message": message, "data": {"canonical_code": name}}

    assert expected == CanonicalError.to_jsonrpc_error(name)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (call("search", {}), "INVALID_INPUT"),
        (call("search", {"query": "no hits"}), "INVALID_OUTPUT"),
        (call("nothing"), "NOT_FOUND"),
        (call("crash"), "INTERNAL_ERROR"),
    ],
)
def test_each_error_is_answered_as_the_table_says(
    transport: Transport, raw: bytes, name: str
) -> None:
    """On each transport; ``UNAUTHORIZED`` has a test of its own where HTTP is tested."""
    error = transport.ask(raw)["error"]
    expected = CanonicalError.to_jsonrpc_error(name)

    assert (expected["code"], expected["message"]) == (error["code"], error["message"])
    assert name == error["data"]["canonical_code"]


def test_on_an_mcp_wire_the_specifications_codes_are_sent() -> None:
    """With the same data (decisions E3 to E5)."""
    errors = {name: CanonicalError.to_mcp_error(name) for name in CANONICAL_ERRORS}

    assert {
        "INVALID_INPUT": -32602,
        "INVALID_OUTPUT": -32603,
        "NOT_FOUND": -32602,
        "UNAUTHORIZED": -32600,
        "INTERNAL_ERROR": -32603,
    } == {name: error["code"] for name, error in errors.items()}
    assert list(errors) == [error["data"]["canonical_code"] for error in errors.values()]
    method = CanonicalError.to_mcp_error("NOT_FOUND", jsonrpc_code=-32601)
    assert (-32601, "Method not found") == (method["code"], method["message"])
    assert "own words" == CanonicalError.to_mcp_error("NOT_FOUND", message="own words")["message"]


# --- Transport Parity & Logging (the golden file: test_golden.py)


def test_logs_are_stored_with_a_link_to_the_latest(http: Http, stdio: Stdio) -> None:
    """Under ``mcp_server/envelope_validation/``; the link is relative."""
    for transport in (http, stdio):
        transport.ask(call("echo"))
        folder = transport.log_folder / "mcp_server" / "envelope_validation"
        (latest,) = folder.glob("*.latest.jsonl")
        assert latest.is_symlink()
        assert not latest.readlink().is_absolute()
        assert "mcp.tool:echo" == records(transport.log_folder)[-1]["tool"]


# --- Deterministic IDs


def test_deterministic_ids_seed_uuid5() -> None:
    """Equal requests have equal ids under an equal seed, and no others."""
    first, again, other = DeterministicIds("7"), DeterministicIds("7"), DeterministicIds("8")
    ids = first.next(b"request")

    assert ids == again.next(b"request")
    assert ids != again.next(b"request")
    assert ids != other.next(b"request")
    assert "5" == ids.request_id[14]


def code(answer: Any) -> str:
    """Give the canonical code of an error answer."""
    found: str = answer["error"]["data"]["canonical_code"]
    return found
