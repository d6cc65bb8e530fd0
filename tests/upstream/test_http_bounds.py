"""What a server at a URL may send: one call fails with the bound, and the next is answered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.upstream.calling import Deaf
from tests.upstream.hostile import KINDS, hostile_server
from toolgauge.contract import Bounds
from toolgauge.contract.results import CallResult
from toolgauge.upstream import RequestRefused, ServerFailed, UrlSource, http, open_source
from toolgauge.upstream.peer import conversing
from toolgauge.upstream.streams import dial_url

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
BYTES = "33,554,432 bytes"
VALUES = "1,000,000 JSON values"
BOUNDS = {
    "body": BYTES,
    "packed": BYTES,
    "deflated": BYTES,
    "packed-twice": "more than once",
    "packed-and-trailing": "1,048,576 bytes",
    "dense": VALUES,
    "event": BYTES,
    "event-packed": BYTES,
    "event-packed-and-trailing": "1,048,576 bytes",
    "event-dense": VALUES,
    "lines": BYTES,
    "comments": VALUES,
    "error": BYTES,
    "error-packed": BYTES,
    "redirect": BYTES,
    "type": BYTES,
    "headers": "102,400 bytes",
}
MAX_MIB = 200
MAX_CPU_S = 15.0
"""For all of them together; the most is for four million lines."""

FINE = ["ok", "ok-packed", "ok-events"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve what is too much."""
    with hostile_server() as served:
        yield served


@pytest.fixture(scope="module")
def outcomes(url: str) -> dict[str, Any]:
    """Make every call in one process and one session, each followed by one that is fine."""
    names = [*FINE, *(name for kind in BOUNDS for name in (kind, "ok"))]
    done = subprocess.run(
        [sys.executable, "-m", "tests.upstream.calling", url, *names],
        capture_output=True,
        check=True,
        cwd=ROOT,
        timeout=300,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(names) == len(found)
    afterwards = [each for name, each in zip(names, found, strict=True) if name in FINE]
    return {**dict(zip(names, found, strict=True)), "afterwards": afterwards, "all": found}


def test_each_way_to_send_too_much_is_tried() -> None:
    """What the server can do, it is made to do."""
    assert {*KINDS, "headers"} == {*BOUNDS, *FINE, "slow", "slow-events"}


@pytest.mark.parametrize("kind", BOUNDS)
def test_an_answer_past_a_bound_fails_its_call(outcomes: dict[str, Any], kind: str) -> None:
    """The error names the bound."""
    assert BOUNDS[kind] in outcomes[kind][0]


def test_the_session_goes_on(outcomes: dict[str, Any]) -> None:
    """Every call after such an answer has its result."""
    assert [None] * (len(FINE) + len(BOUNDS)) == [each[0] for each in outcomes["afterwards"]]


def test_memory_stays_flat(outcomes: dict[str, Any]) -> None:
    """As does the time of the processor: no more is read or unpacked than is allowed."""
    assert sum(each[1] for each in outcomes["all"]) < MAX_MIB
    assert sum(each[2] for each in outcomes["all"]) < MAX_CPU_S


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["packed", "event-packed", "error", "headers"])
async def test_a_client_of_ours_hears_the_bound(
    url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And may call again."""
    monkeypatch.setattr(http, "MAX_ANSWER_BYTES", 100_000)
    async with open_source(UrlSource(url)) as upstream:
        assert upstream.handle_call is not None
        with pytest.raises(ServerFailed) as failed:
            await upstream.handle_call(kind, {})
        again = await upstream.handle_call("ok", {})

    assert ("100,000 bytes" if kind != "headers" else "102,400 bytes") in failed.value.reason
    assert CallResult(content=[]) == again


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["slow", "slow-events", "slow-headers"])
async def test_an_answer_that_never_ends_is_cut_off(url: str, kind: str) -> None:
    """Also where nobody waits for it any more."""
    bounds = Bounds(handler_timeout_s=1.0, max_call_s=1.0, max_question_s=1.0)
    async with (
        dial_url(UrlSource(url), bounds, {})() as wire,
        conversing(wire, Deaf()) as peer,
    ):
        await peer.request(peer.next_id(), "initialize", {})
        with pytest.raises(RequestRefused) as refused:
            await peer.request(peer.next_id(), "tools/call", {"name": kind})
        again = await peer.request(peer.next_id(), "tools/call", {"name": "ok"})

    assert "within 2 s" in refused.value.message
    assert {"content": []} == again
