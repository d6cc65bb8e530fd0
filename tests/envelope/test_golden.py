"""The same requests give the same log on both transports, and the one that is written down."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from deepdiff import DeepDiff

from tests.envelope.transports import open_http, open_stdio, records

if TYPE_CHECKING:
    from collections.abc import Iterable

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mcp"
GOLDEN = FIXTURES / "envelope_validation_golden.jsonl"
REQUESTS = (FIXTURES / "envelope_validation_requests.jsonl").read_bytes().splitlines()
UNANSWERED = (14, 15)

# Exactly these, as the specification names them.
VOLATILE = ("ts", "traceId", "spanId", "requestId", "durationMs")
ROUTING = ("transport", "route")

Log = list[dict[str, Any]]


def differences(one: Log, other: Log, ignored: Iterable[str]) -> DeepDiff:
    """Compare two logs, apart from some members of each record."""
    paths = [re.compile(rf"root\[\d+\]\['{name}'\]") for name in ignored]
    return DeepDiff(one, other, exclude_regex_paths=paths)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Log]:
    """Send the requests over both transports, one after the other, and read the logs."""
    words = ("--deterministic-ids", "--timeout", "0.2")
    folders = {name: tmp_path_factory.mktemp(name) for name in ("http", "stdio")}
    with open_http(folders["http"], *words) as http:
        for raw in REQUESTS:
            http.post(raw)
    with open_stdio(folders["stdio"], *words) as stdio:
        for number, raw in enumerate(REQUESTS):
            stdio.send(raw + b"\n")
            if number not in UNANSWERED:
                stdio.line()
        assert [] == stdio.rest()
    return {name: records(folder) for name, folder in folders.items()}


@pytest.fixture(scope="module")
def golden() -> Log:
    """Read the golden file."""
    return [json.loads(line) for line in GOLDEN.read_bytes().splitlines()]


@pytest.mark.parametrize("name", ["http", "stdio"])
def test_the_log_is_the_golden_one(name: str, logs: dict[str, Log], golden: Log) -> None:
    """Apart from the volatile and the routing members, and from nothing else."""
    assert {} == differences(golden, logs[name], (*VOLATILE, *ROUTING))
    assert len(golden) == len(REQUESTS) - len(UNANSWERED)


def test_both_transports_log_the_same(logs: dict[str, Log]) -> None:
    """With deterministic ids, the ids too: only times and routes differ."""
    http, stdio = logs["http"], logs["stdio"]

    assert {} == differences(http, stdio, ("ts", "durationMs", *ROUTING))
    assert {("http", "/rpc")} == {(each["transport"], each["route"]) for each in http}
    assert {("stdio", "stdio")} == {(each["transport"], each["route"]) for each in stdio}


def test_the_comparison_can_fail(golden: Log) -> None:
    """Any other member counts, in any record."""
    for name in golden[0].keys() - {*VOLATILE, *ROUTING}:
        changed = [*golden[:-1], golden[-1] | {name: "another"}]
        assert differences(golden, changed, (*VOLATILE, *ROUTING)), name
    assert differences(golden, golden[:-1], (*VOLATILE, *ROUTING))


def test_equal_requests_have_ids_of_their_own(logs: dict[str, Log]) -> None:
    """The first and the last request are equal: the occurrence tells them apart."""
    log = logs["http"]

    assert "mcp.tool:search" == log[0]["tool"] == log[-1]["tool"]
    assert len(log) == len({each["requestId"] for each in log})
    assert all(each["deterministic"] for each in log)


def test_a_callers_trace_goes_on(logs: dict[str, Log]) -> None:
    """As its ``traceparent`` names it."""
    assert "0af7651916cd43dd8448eb211c80319c" in {each["traceId"] for each in logs["stdio"]}


def test_the_golden_log_says_nothing_of_what_was_sent(golden: Log) -> None:
    """No argument values and no messages (decision E16)."""
    text = json.dumps(golden)

    assert not [word for word in ("tea", "wrong hit", "secret", "message") if word in text]
