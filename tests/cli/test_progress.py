"""What a person at a terminal sees of work that takes long, and nobody else."""

from __future__ import annotations

import importlib
import io
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.cli import progress

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal; no fixture, because pytest sets it anew after those."""
    stream = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """Two tools in a file with markup in its name."""
    path = tmp_path / "[red]tools.json"
    tools = [{"name": name, "description": "D", "inputSchema": {"type": "object"}} for name in "ab"]
    path.write_text(json.dumps(tools))
    return str(path)


#: Of a command: where its work is, what is shown of it, its sources and options.
SLOW = {
    "check": ("toolgauge.rules.check", "checking 2 tools of ", 1, ["-t", "mistral"]),
    "lower": ("toolgauge.lowering.lower", "lowering 2 tools of ", 1, ["-t", "mistral"]),
    "diff": ("toolgauge.changes.compare", "comparing 2 tools with 2", 2, []),
}


@pytest.mark.parametrize("command", SLOW)
@pytest.mark.parametrize("patience_s", [0.01, 100.0])
def test_slow_work_shows_that_it_goes_on(
    command: str, patience_s: float, run: Run, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, once it takes longer than a moment; a source's name is no markup."""
    place, words, sources, options = SLOW[command]
    room, name = place.rsplit(".", 1)
    module = importlib.import_module(room)
    work = getattr(module, name)
    terminal = watched(monkeypatch)

    def slow(*args: object, **options: object) -> Any:
        time.sleep(0.3)
        return work(*args, **options)

    monkeypatch.setattr(place, slow)
    monkeypatch.setattr(progress, "PATIENCE_S", patience_s)

    run(command, *[tools] * sources, *options)

    assert (words in terminal.getvalue()) == (patience_s < 1)
    if command != "diff" and patience_s < 1:
        assert "[red]tools.json" in terminal.getvalue()


@pytest.mark.parametrize("command", SLOW)
def test_nobody_watching_sees_nothing(
    command: str, run: Run, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe gets what is meant for it, however long it takes."""
    monkeypatch.setattr(progress, "PATIENCE_S", 0.0)
    ended = run(
        command,
        *([tools, tools] if command == "diff" else [tools]),
        *SLOW[command][3],
        "-f",
        "json",
    )

    assert "" == ended.err
    assert ended.document


@pytest.mark.parametrize(("patience_s", "shown"), [(0.0, True), (100.0, False)])
def test_reading_shows_how_far_it_is(
    patience_s: float, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only after a while."""
    terminal = watched(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE_S", patience_s)

    with progress.bytes_read(100) as tell:
        tell(10)
        tell(90)

    assert shown == ("reading" in terminal.getvalue())
