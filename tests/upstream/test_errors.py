from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import toolgauge.upstream as room
from toolgauge.upstream import (
    InvalidSource,
    MissingExtra,
    RequestRefused,
    ServerFailed,
    SourceError,
    SourceNotFound,
    SourceNotTools,
    SourceUnreadable,
    UrlSource,
    open_source,
)
from toolgauge.upstream.opening import missing_for

if TYPE_CHECKING:
    from toolgauge.contract import ToolgaugeError


@pytest.mark.parametrize(
    "error",
    [
        SourceError("a", "b"),
        InvalidSource("a", "b"),
        SourceNotFound("a", "b"),
        SourceUnreadable("a", "b"),
        SourceNotTools("a", "b"),
        MissingExtra("a", "b"),
        ServerFailed("a", "b"),
        ServerFailed("a", "b", ("line 1", "line 2")),
        RequestRefused(-32602, "a"),
        RequestRefused(-32602, "a", {"b": [1]}),
    ],
)
def test_every_exception_survives_pickle(error: ToolgaugeError) -> None:
    """Ours cross processes with all their fields."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_a_server_failure_quotes_stderr() -> None:
    """The sentence comes first, then the last lines, marked as not ours."""
    text = str(ServerFailed("node", "ended with exit code 1", ("no such file",)))

    assert text.startswith("node: ended with exit code 1")
    assert "| no such file" in text


def test_the_public_names_are_sorted_and_there() -> None:
    """What ``__all__`` lists exists."""
    assert sorted(room.__all__) == room.__all__
    assert all(hasattr(room, name) for name in room.__all__)


def test_importing_the_room_loads_no_sdk() -> None:
    """A file can be opened where the extra is not installed."""
    code = (
        "import sys, toolgauge.upstream; "
        "print(sorted({'mcp', 'pydantic', 'httpx2', 'uvicorn'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()


@pytest.mark.anyio
async def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent."""
    monkeypatch.delitem(sys.modules, "toolgauge.upstream.streams", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.shared.message", None)

    with pytest.raises(MissingExtra) as caught:
        async with open_source(UrlSource("http://host.test/mcp")):
            pytest.fail("it was opened")

    assert "toolgauge[mcp]" in str(caught.value)


def test_a_server_over_stdio_needs_no_sdk(tmp_path: Path) -> None:
    """It is listed and called by a process that loads neither the SDK nor pydantic."""
    server = Path(__file__).parents[1] / "serve" / "mcp" / "counting.py"
    code = f"""
import asyncio, sys
from toolgauge.upstream import CommandSource, open_source

async def main():
    for era in ("older", "newer"):
        command = (sys.executable, {str(server)!r}, {str(tmp_path / "runs")!r}, era)
        async with open_source(CommandSource(command)) as upstream:
            found = await upstream.handle_call("pay", {{"key": "k", "amount": 1}})
            print([each["name"] for each in upstream.tools], found.content[0]["text"])

asyncio.run(main())
print(sorted({{"mcp", "mcp_types", "pydantic", "httpx2", "starlette"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ["['pay'] paid", "['pay'] paid", "[]"] == done.stdout.splitlines()


def test_what_is_missing_of_our_own_is_no_missing_extra() -> None:
    """Nobody is told to install what would not help."""
    with pytest.raises(ImportError):
        missing_for("toolgauge.no_such_room")
