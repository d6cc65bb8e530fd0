"""The seed's test criteria for tool validation (F7), and what its decisions add."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.serve.tools import DELETE, TOOLS, WEATHER, Spy, client
from toolgauge.contract import Bounds
from toolgauge.gate import contract_check
from toolgauge.serve import create_app, discovery

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Iterator
    from types import FrameType

URL = "/tools/get_weather/validate"


def test_f7_1_valid_input_is_200_and_valid() -> None:
    """The verdict is in the body."""
    answer = client().post(URL, json={"city": "Oslo", "count": 2})

    assert 200 == answer.status_code
    assert {"valid": True} == answer.json()


def test_f7_2_a_missing_field_is_reported_at_the_field() -> None:
    """The path names the missing field, not its parent (decision V1)."""
    answer = client().post(URL, json={})

    assert 200 == answer.status_code
    assert [("/city", "required")] == places(answer.json())


def test_f7_3_a_wrong_type_is_reported() -> None:
    """With the place and the keyword."""
    answer = client().post(URL, json={"city": "Oslo", "count": "three"})

    assert 200 == answer.status_code
    assert [("/count", "type")] == places(answer.json())


def test_f7_4_all_violations_are_reported_in_natural_order() -> None:
    """The schema's own order of keywords and properties."""
    answer = client().post(URL, json={"count": "three"})

    assert [("/count", "type"), ("/city", "required")] == places(answer.json())


@pytest.mark.parametrize("body", [b"{}", b"not json", b"", b"\xff"])
def test_f7_5_an_unknown_tool_is_404_whatever_the_body(body: bytes) -> None:
    """The tool is looked up first (decision V7)."""
    answer = client().post("/tools/nope/validate", content=body)

    assert 404 == answer.status_code
    assert {"error": "Tool not found: nope"} == answer.json()


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"",
        b"{",
        b'{"city": NaN}',
        b'{"city": -Infinity}',
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b'{"city": "\xff"}',
        b'{"city": "\\ud800"}',
        '{"city": "Oslo"}'.encode("utf-16"),
        b"{} {}",
        b"[" * 101 + b"]" * 101,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
    ],
)
def test_f7_6_a_body_that_is_not_json_is_400(body: bytes) -> None:
    """In the shape of the seed, for everything that is not strict JSON (V13)."""
    answer = client().post(URL, content=body)

    assert 400 == answer.status_code
    assert {"valid", "errors"} == set(answer.json())
    assert answer.json()["valid"] is False
    assert [("", "format")] == places(answer.json())
    assert answer.json()["errors"][0]["message"].startswith("Invalid JSON: ")


@pytest.mark.parametrize("schema", ["absent", None, {}, True])
@pytest.mark.parametrize("body", [b"{}", b"5", b"null", b'["any"]', b'{"x": {"y": 1}}'])
def test_f7_7_a_tool_without_schema_accepts_any_json(schema: object, body: bytes) -> None:
    """But not what is not JSON (decision V10)."""
    tool = {"name": "t"} if schema == "absent" else {"name": "t", "inputSchema": schema}
    served = client([tool])

    assert {"valid": True} == served.post("/tools/t/validate", content=body).json()
    assert 400 == served.post("/tools/t/validate", content=b"{").status_code


@pytest.mark.parametrize("allow", [True, False])
def test_f7_8_allow_execute_is_not_consulted(allow: bool) -> None:
    """Validation runs nothing."""
    answer = client(allow_execute=allow).post(URL, json={})

    assert 200 == answer.status_code


def test_f7_9_the_auth_hook_is_not_invoked() -> None:
    """Not even when it would refuse."""
    asked: list[Any] = []

    def refuse(request: Any) -> contextlib.AbstractContextManager[None]:
        asked.append(request)
        raise PermissionError

    answer = client(allow_execute=True, auth_hook=refuse).post(URL, json={})

    assert 200 == answer.status_code
    assert not asked


@pytest.mark.parametrize("allow", [True, False])
def test_f7_10_the_handler_is_never_invoked(allow: bool) -> None:
    """For none of the above."""
    spy = Spy()
    served = client(handle_call=spy.handle_call, allow_execute=allow)
    for name in ("get_weather", "delete_record", "nope"):
        for body in (b'{"city": "Oslo"}', b"{}", b"5", b"not json", b""):
            served.post(f"/tools/{name}/validate", content=body)

    assert not spy.calls


def test_f7_10_the_validating_modules_have_no_way_to_a_handler() -> None:
    """Neither names one, nor imports what runs one (decision V23)."""
    for module in (discovery, contract_check):
        source = inspect.getsource(module)

        assert "handle_call" not in source
        assert "Runner" not in source
        assert "running" not in source


def test_f7_11_a_valid_answer_is_exactly_valid_true() -> None:
    """No ``errors`` key, byte for byte."""
    answer = client().post(URL, json={"city": "Oslo"})

    assert b'{"valid":true}' == answer.content


def test_the_answer_says_whether_formats_were_asserted() -> None:
    """The verdict depends on it, so the caller must know (case B10)."""
    tool = {"name": "t", "inputSchema": {"format": "uuid"}}
    for formats, mode in ((False, "annotation"), (True, "assertion")):
        answer = client([tool], formats=formats).post("/tools/t/validate", json="7")

        assert mode == answer.headers["toolgauge-formats"]
        assert answer.json()["valid"] is not formats


@pytest.mark.parametrize("body", [b"[]", b"null", b"5", b'"x"'])
def test_a_body_that_is_no_object_is_the_schemas_business(body: bytes) -> None:
    """200, and ``type`` at the root (decision V11)."""
    answer = client().post(URL, content=body)

    assert 200 == answer.status_code
    assert [("", "type")] == places(answer.json())


def test_a_body_without_content_type_is_validated() -> None:
    """Validation reveals and changes nothing, so it is not strict about it."""
    answer = client().post(URL, content=b'{"city": "Oslo"}')

    assert {"valid": True} == answer.json()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strng"},
        {"properties": {"a": {"minimum": "x"}}},
        {"pattern": "["},
        {"pattern": "(a{1,1000}){1,1000}"},
        {"$ref": "https://example.invalid/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/$defs/nope"},
        {"$schema": "https://example.invalid/dialect"},
        [1],
        "text",
    ],
)
def test_a_broken_schema_is_invalid_and_never_an_error_of_ours(schema: object) -> None:
    """200 with the keyword ``schema`` (decision V8)."""
    served = client([{"name": "t", "inputSchema": schema}])
    answer = served.post("/tools/t/validate", json={})

    assert 200 == answer.status_code
    assert [("", "schema")] == places(answer.json())


def test_a_pattern_that_explodes_on_a_value_is_the_schemas_fault() -> None:
    """It is said so, and in no time."""
    served = client([{"name": "t", "inputSchema": {"pattern": r"(a*)*\1b"}}])
    answer = served.post("/tools/t/validate", json="a" * 40 + "!")

    assert [("", "schema")] == places(answer.json())


def test_a_body_over_the_bound_is_413_before_anything_else() -> None:
    """By its header, also for a tool that does not exist (decision V14)."""
    served = client(bounds=Bounds(max_body_bytes=100))
    for path in (URL, "/tools/nope/validate"):
        answer = served.post(path, content=b" " * 101)

        assert 413 == answer.status_code
        assert {"error": "Request body too large"} == answer.json()
    assert 200 == served.post(URL, content=b"{}" + b" " * 98).status_code


def test_a_body_that_grows_over_the_bound_is_413() -> None:
    """Without a length header the bytes are counted as they come (case C20)."""

    def chunks() -> Iterator[bytes]:
        for _ in range(11):
            yield b" " * 10

    answer = client(bounds=Bounds(max_body_bytes=100)).post(URL, content=chunks())

    assert 413 == answer.status_code


@pytest.mark.parametrize("size", [1, 7, 64, 1_000_000])
def test_the_verdict_does_not_depend_on_how_a_body_is_cut(size: int) -> None:
    """The same bytes in other chunks (case C20)."""
    body = b'{"city": "' + "Øslo".encode() * 50 + b'", "count": "x"}'

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    answer = client().post(URL, content=chunks())

    assert [("/count", "type")] == places(answer.json())


def test_messages_are_cut_and_places_kept() -> None:
    """A message holds at most 2,048 characters (decision V15)."""
    answer = client().post(URL, json={"city": ["x" * 100_000]})
    (error,) = answer.json()["errors"]

    assert ("/city", "type") == (error["path"], error["keyword"])
    assert 2048 == len(error["message"])


def test_a_static_list_that_grows_is_seen() -> None:
    """The list stays the host's own."""
    tools = list(TOOLS)
    served = client(tools)
    before = served.post("/tools/new/validate", json={}).status_code
    tools.append({"name": "new"})

    assert 404 == before
    assert 200 == served.post("/tools/new/validate", json={}).status_code


def test_a_schema_that_changes_in_place_is_seen() -> None:
    """Nothing is kept by identity."""
    tool = {**DELETE, "inputSchema": {"type": "object"}}
    served = client([WEATHER, tool])
    before = served.post("/tools/delete_record/validate", json={}).json()
    tool["inputSchema"] = {"type": "array"}

    assert {"valid": True} == before
    assert not served.post("/tools/delete_record/validate", json={}).json()["valid"]


def places(body: Any) -> list[tuple[str, str]]:
    """Give what the contract of an error is: its path and keyword."""
    return [(each["path"], each["keyword"]) for each in body["errors"]]


def test_a_valid_request_enters_at_most_10_modules() -> None:
    """From the ASGI application to the answer, once the schema is compiled and the path known."""
    app = create_app(TOOLS)
    path = f"/tools/{WEATHER['name']}/validate"
    body = b'{"city": "Oslo", "days": 3}'
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))],
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    def request() -> None:
        with pytest.raises(StopIteration):
            app(dict(scope), receive, send).send(None)

    request()
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        module = str(frame.f_globals.get("__name__"))
        if event == "call" and module.partition(".")[0] == "toolgauge":
            entered.add(module)

    sys.setprofile(note)
    try:
        request()
    finally:
        sys.setprofile(None)

    assert b'{"valid":true}' == sent[-1]["body"]
    assert len(entered) <= 10, sorted(entered)
