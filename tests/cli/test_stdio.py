"""``toolgauge stdio``: the options around the loop; what it speaks is tested elsewhere."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING

import pytest
import typer

from tests.envelope.transports import SOURCE, call
from toolgauge.cli import running
from toolgauge.cli.options import Recording, with_seed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

CANONICAL = ("stdio", SOURCE, "--dialect", "canonical")


def test_messages_may_come_from_a_file(process: Run, tmp_path: Path) -> None:
    """Each is answered, and the exit code is 0."""
    stdin = call("echo", {"a": 1}, 1) + b"\n" + call("search", {}, 2)
    ended = process(*CANONICAL, "--log-dir", str(tmp_path), stdin=stdin)

    assert 0 == ended.code
    assert {1, 2} == {json.loads(line)["id"] for line in ended.out.splitlines()}


def test_there_need_not_be_a_log(process: Run, tmp_path: Path) -> None:
    """Nothing is written then."""
    ended = process(*CANONICAL, "--no-log", "--log-dir", str(tmp_path), stdin=call("echo"))

    assert 0 == ended.code
    assert [] == list(tmp_path.iterdir())


def test_formats_and_time_outs_are_those_of_the_command(process: Run, tmp_path: Path) -> None:
    """As for every other command."""
    stdin = call("hang", {}, 1)
    ended = process(*CANONICAL, "--log-dir", str(tmp_path), "--timeout", "0.05", stdin=stdin)

    assert "0.05 s" in json.loads(ended.out)["error"]["data"]["errors"][0]["message"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("stdio",), 2),
        (("stdio", "no/such/file.json", "--dialect", "canonical"), 3),
        (("stdio", "tests.envelope.specimens:nothing", "--dialect", "canonical"), 3),
        ((*CANONICAL, "--dialect", "latin"), 2),
        ((*CANONICAL, "--log-max-bytes", "1"), 2),
    ],
)
def test_what_cannot_be_served_is_said_on_stderr(
    process: Run, words: tuple[str, ...], code: int
) -> None:
    """Nothing but messages is ever on standard output."""
    ended = process(*words)

    assert code == ended.code
    assert "" == ended.out
    assert ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--deterministic-ids"], ["--deterministic-ids=0"]),
        (["--deterministic-ids", "7", "x"], ["--deterministic-ids=7", "x"]),
        (["--deterministic-ids", "x"], ["--deterministic-ids=0", "x"]),
        (["--deterministic-ids=a", "7"], ["--deterministic-ids=a", "7"]),
        (["x", "--deterministic-ids", "--no-log"], ["x", "--deterministic-ids=0", "--no-log"]),
        (["x"], ["x"]),
    ],
)
def test_the_seed_may_be_left_out(given: list[str], expected: list[str]) -> None:
    """A word after the option is the seed only if it can be no source."""
    assert expected == with_seed(given)


def test_the_same_seed_gives_the_same_ids(process: Run, tmp_path: Path) -> None:
    """And another seed others."""
    ids = []
    for number, seed in enumerate(("1", "1", "2")):
        folder = tmp_path / str(number)
        words = ("--log-dir", str(folder), "--deterministic-ids", seed)
        process(*CANONICAL, *words, stdin=call("echo"))
        (log,) = folder.rglob("*Z-*.jsonl")
        ids.append(json.loads(log.read_text("utf-8"))["requestId"])

    assert ids[0] == ids[1] != ids[2]


def test_the_log_is_closed_at_the_end(tmp_path: Path) -> None:
    """Whatever ends the command."""
    made = Recording(log_dir=tmp_path).recorder()
    with made as recorder, recorder.request(b"", transport="http", route="/rpc"):
        pass

    assert 1 == len(list(tmp_path.rglob("*Z-*.jsonl")))
    assert recorder.is_on


@pytest.mark.parametrize("code", [0, 143])
def test_a_process_without_stuck_threads_leaves_as_always(code: int) -> None:
    """Through Python's own end, which runs what is registered for it."""
    with pytest.raises(typer.Exit) as ended:
        running.finish(lambda: code, as_json=False)
    assert code == ended.value.exit_code


@pytest.mark.parametrize("grace_s", [0.01, 30.0])
def test_a_process_with_a_stuck_thread_leaves_all_the_same(
    monkeypatch: pytest.MonkeyPatch, grace_s: float
) -> None:
    """At once, with its exit code; a thread that ends by itself is waited for."""
    left: list[int] = []
    release = threading.Event()
    monkeypatch.setattr(os, "_exit", left.append)
    monkeypatch.setattr(running, "_GRACE_S", grace_s)

    def command() -> int:
        for name in ("AnyIO worker thread", "another"):
            threading.Thread(target=release.wait, name=name, daemon=True).start()
        if grace_s > 1:
            release.set()
        return 143

    with pytest.raises(typer.Exit):
        running.finish(command, as_json=False)
    release.set()

    assert [143] * (grace_s < 1) == left
