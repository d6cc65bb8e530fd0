"""What a frame is read as; the damaged ones are in ``tests/suites/envelopes.jsonl``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolgauge.contract import Bounds
from toolgauge.envelope import (
    Malformed,
    Notification,
    Request,
    Response,
    error_message,
    read_frame,
    result_message,
    to_tool_id,
    to_tool_name,
    too_long,
)
from toolgauge.envelope.messages import INTERNAL_ERROR, INVALID_REQUEST

USUAL: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1}}


def read(message: object) -> Any:
    """Read a message that is JSON."""
    return read_frame(json.dumps(message).encode())


def without(*members: str, **others: Any) -> dict[str, Any]:
    """Give the usual message without some members and with others."""
    return {key: value for key, value in USUAL.items() if key not in members} | others


def test_a_request_is_read_with_its_id() -> None:
    """And can be forwarded as it is."""
    frame = read(USUAL)

    assert isinstance(frame, Request)
    assert (1, "m", {"a": 1}) == (frame.id, frame.method, frame.params)
    assert USUAL == frame.message


def test_params_that_were_left_out_are_not_null() -> None:
    """They are missing, and are not forwarded as anything."""
    frame = read(without("params"))

    assert isinstance(frame, Request)
    assert frame.params is None
    assert "params" not in frame.message


def test_what_the_protocol_does_not_know_is_not_forwarded() -> None:
    """Duplicate members neither: the last one counts (decisions V13, E15)."""
    frame = read_frame(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"m","extra":1,"result":2}')

    assert isinstance(frame, Request)
    assert {"jsonrpc": "2.0", "id": 2, "method": "m"} == frame.message


def test_a_notification_has_no_id() -> None:
    """Anything else about it is that of a request."""
    frame = read(without("id", method="notifications/m", more=1))

    assert isinstance(frame, Notification)
    assert ("notifications/m", {"a": 1}) == (frame.method, frame.params)
    assert without("id", method="notifications/m") == frame.message


@pytest.mark.parametrize("method", ["tools/call", "ping", "notification/m", "", "notifications"])
def test_a_request_without_an_id_is_dropped(method: str) -> None:
    """It is neither answered nor readable as something that may be forwarded."""
    frame = read(without("id", method=method))

    assert isinstance(frame, Malformed)
    assert (INVALID_REQUEST, method, False) == (frame.code, frame.method, frame.is_answered)


def test_a_notification_with_an_id_is_rejected() -> None:
    """Forwarded as a request it could cancel another client's call."""
    frame = read(without(method="notifications/cancelled"))

    assert isinstance(frame, Malformed)
    assert (INVALID_REQUEST, 1, True) == (frame.code, frame.id, frame.is_answered)


@pytest.mark.parametrize(
    ("members", "ident"),
    [
        ({"id": 1, "result": {"a": 1}}, 1),
        ({"id": 1, "error": {"code": 1, "message": "m"}}, 1),
        ({"id": None, "error": {"code": 1, "message": "m"}}, None),
        ({"error": {"code": 1, "message": "m"}}, None),
    ],
)
def test_a_response_has_a_result_or_an_error(members: dict[str, Any], ident: object) -> None:
    """And says what it answers to, if it could tell."""
    frame = read({"jsonrpc": "2.0", **members, "extra": 1})

    assert isinstance(frame, Response)
    assert ident == frame.id
    assert {"jsonrpc": "2.0", "id": None, **members} == frame.message


@pytest.mark.parametrize(
    "members",
    [
        {"result": None},
        {"result": [1]},
        {"error": None},
        {"error": "text"},
        {"error": {}},
        {"error": {"code": True, "message": 7}},
        {"error": {"code": "1"}},
    ],
)
def test_a_response_that_cannot_be_used_is_an_error(members: dict[str, Any]) -> None:
    """Whoever waits for it learns that there is no answer."""
    frame = read({"jsonrpc": "2.0", "id": "a", **members})

    assert isinstance(frame, Response)
    assert {"jsonrpc", "id", "error"} == frame.message.keys()
    assert INTERNAL_ERROR == frame.message["error"]["code"]
    assert isinstance(frame.message["error"]["message"], str)


@pytest.mark.parametrize(
    "members",
    [
        {"id": 1, "result": 1, "error": {"code": 1, "message": "m"}},
        {"id": 1.5, "result": 1},
        {"id": 1, "result": 1, "jsonrpc": "1.0"},
    ],
)
def test_a_broken_response_is_not_answered(members: dict[str, Any]) -> None:
    """There is nobody to tell it to."""
    frame = read({"jsonrpc": "2.0", **members})

    assert isinstance(frame, Malformed)
    assert not frame.is_answered


@pytest.mark.parametrize(
    ("message", "ident", "answered"),
    [
        (without("method"), 1, True),
        (without(method=5), 1, True),
        (without("jsonrpc"), 1, True),
        (without("jsonrpc", "id"), None, False),
        (without("id", method=5), None, True),
        (without(id=True), None, True),
        (without(params=5), 1, True),
        (without("id", params=5), None, False),
    ],
)
def test_what_is_wrong_is_told_to_who_can_be_told(
    message: object, ident: object, answered: bool
) -> None:
    """To the id that was sent if it is one, and not at all to a notification (E8)."""
    frame = read(message)

    assert isinstance(frame, Malformed)
    assert (ident, answered) == (frame.id, frame.is_answered)
    assert message == frame.found


def test_depth_is_counted_from_the_arguments() -> None:
    """They lie two levels deep, and may be as deep as anywhere else."""
    for levels, kind in ((3, Request), (4, Malformed)):
        nested = "[" * (levels - 1) + "]" * (levels - 1)
        raw = f'{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"input":{{"x":{nested}}}}}}}'
        frame = read_frame(raw.encode(), bounds=Bounds(max_instance_depth=3))
        assert isinstance(frame, kind)


def test_a_frame_that_nobody_read_is_no_request() -> None:
    """And has no id (decision E9)."""
    frame = too_long(Bounds(max_body_bytes=7))

    assert (-32600, None, True) == (frame.code, frame.id, frame.is_answered)
    assert "7" in frame.reason


def test_answers_are_whole_messages() -> None:
    """Of either kind."""
    assert {"jsonrpc": "2.0", "id": "a", "result": {}} == result_message("a", {})
    assert {"jsonrpc": "2.0", "id": None, "error": {}} == error_message(None, {})


def test_a_tool_has_two_names() -> None:
    """Its own, and the canonical dialect's (decision E1)."""
    assert "mcp.tool:a/b" == to_tool_id("a/b")
    assert "a/b" == to_tool_name("mcp.tool:a/b")
    for broken in ("a", "mcp.tool:", "MCP.tool:a", ""):
        with pytest.raises(ValueError, match=r"mcp\.tool:"):
            to_tool_name(broken)
