"""What a server writes to stdout: messages, answers that cannot be used, and other lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

from toolgauge.contract import CallResult
from toolgauge.upstream import CommandSource, RequestRefused, open_source, pipes
from toolgauge.upstream.messages import Messages, read_message
from toolgauge.upstream.peer import conversing

pytestmark = pytest.mark.anyio

PATIENCE_S = 20.0
"""Less than what a call may take: an answer that has to be waited for is late."""

UNUSABLE = {
    "null": '{"jsonrpc":"2.0","id":ID,"result":null}',
    "array": '{"jsonrpc":"2.0","id":ID,"result":[1]}',
    "string": '{"jsonrpc":"2.0","id":ID,"result":"hello"}',
    "no result": '{"jsonrpc":"2.0","id":ID}',
    "odd error": '{"jsonrpc":"2.0","id":ID,"error":"boom"}',
    "nan": '{"jsonrpc":"2.0","id":ID,"result":{"structuredContent":{"x":NaN}}}',
    "surrogate": '{"jsonrpc":"2.0","id":ID,"result":{"x":"\\ud83d"}}',
    "deep": '{"jsonrpc":"2.0","id":ID,"result":{"x":' + "[" * 300 + "]" * 300 + "}}",
    "digits": '{"jsonrpc":"2.0","id":ID,"result":{"x":' + "9" * 5000 + "}}",
    "all digits": '{"jsonrpc":"2.0","id":ID,"result":' + "9" * 5000 + "}",
    "latin": '{"jsonrpc":"2.0","id":ID,"result":{"x":"caf\xe9"}}',
    "id last": '{"result":{"id":9,"x":NaN},"jsonrpc":"2.0","id":ID}',
}
each_unusable = pytest.mark.parametrize("line", UNUSABLE.values(), ids=UNUSABLE)

Misbehaving = Callable[..., CommandSource]


class Deaf:
    """Hears nothing."""

    async def asked(self, method: str, params: Any) -> Any:
        raise RequestRefused(-32601, method)

    async def told(self, method: str, params: Any) -> None:
        return


@each_unusable
def test_an_answer_that_cannot_be_used_is_an_error_of_its_request(line: str) -> None:
    """Under the same id, whatever else has one in it; numbers and text."""
    for ident, written in ((7, "7"), ("a", '"a"')):
        found = read_message(line.replace("ID", written).encode("latin-1"))

        assert found is not None
        assert (ident, -32603) == (found["id"], found["error"]["code"])
        assert "INTERNAL_ERROR" == found["error"]["data"]["canonical_code"]


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[1]",
        b"7",
        b'{"level": "info", "id": 3}',
        b'{"jsonrpc": "2.0", "id": true, "result": 5}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": NaN}}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "result": {}}',
        b'{"jsonrpc": "2.0", "id": 3, "result": {',
        b'{"' + b'\\"' * 100_000,
        b"[" * 100_000,
    ],
)
def test_a_line_that_answers_nothing_is_noise(line: bytes) -> None:
    """It is counted, and told where something goes wrong."""
    output = Messages()

    assert [] == output.feed(line + b"\n")
    assert 1 == output.noise
    assert "is late; on stdout it wrote" in output.noted("is late")


def test_messages_are_given_as_they_are() -> None:
    """Refusals, refusals of nothing, and what a broken server calls an error beside a result."""
    lines = [
        b'{"jsonrpc": "2.0", "id": 1, "result": {"x": 1}}',
        b'{"jsonrpc": "2.0", "id": null, "error": {"code": 1}}',
        b'{"jsonrpc": "2.0", "id": 1, "error": null, "result": {}}',
        b'{"jsonrpc": "2.0", "method": "x"}',
    ]
    output = Messages()

    assert [1, None, 1, None] == [
        each.get("id") for each in output.feed(b"\n".join(lines) + b"\n\n")
    ]
    assert 0 == output.noise
    assert "is late" == output.noted("is late")


@pytest.mark.parametrize("has_pipes", [True, False], ids=["pipes", "streams"])
async def test_whoever_waits_hears_of_it_at_once(
    misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch, has_pipes: bool
) -> None:
    """And the next call is served."""
    monkeypatch.setattr(pipes, "HAS_PIPES", has_pipes)
    dial = pipes.dial_command(misbehaving("says"), {})
    with anyio.fail_after(PATIENCE_S):
        async with dial() as wire, conversing(wire, Deaf()) as peer:
            for line in UNUSABLE.values():
                params = {"name": "good", "arguments": {"text": line}}
                with pytest.raises(RequestRefused) as refused:
                    await peer.request(peer.next_id(), "tools/call", params)

                assert "cannot be used" in refused.value.message


async def test_a_call_of_a_source_hears_of_it_at_once(misbehaving: Misbehaving) -> None:
    """As a result that is an error; nothing of it is a value."""
    odd = '{"jsonrpc":"2.0","id":ID,"error":{"code":"x","message":5}}'
    with anyio.fail_after(PATIENCE_S):
        async with open_source(misbehaving("says")) as upstream:
            assert upstream.handle_call is not None
            for line in (*UNUSABLE.values(), odd):
                found = await upstream.handle_call("good", {"text": line})

                assert isinstance(found, CallResult)
                assert found.is_error
                assert "cannot be used" in found.content[0]["text"]
