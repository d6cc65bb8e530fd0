from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from toolgauge.cli import main

if TYPE_CHECKING:
    from tests.cli.conftest import Ended, Run

DEMO = "toolgauge.demo:tools"
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


class Served:
    """A ``toolgauge serve`` that runs, and its address."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.line = _readline(process.stdout)

    @property
    def url(self) -> str:
        """The address that it printed."""
        return self.line.split(" at ")[1].strip()

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Send a request, with a body as JSON where there is one."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)  # noqa: S310 - its own address
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - the same
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def page(self) -> str:
        """Fetch the page itself."""
        with urllib.request.urlopen(self.url, timeout=30) as response:  # noqa: S310 - the same
            return str(response.read().decode())

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; give the exit code and what was on stderr."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


def _readline(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


@contextmanager
def serving(*words: str, **env: str) -> Iterator[Served]:
    """Run ``toolgauge serve`` on a free port until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", "serve", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | env,
    )
    with process:
        try:
            yield Served(process)
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)]
)
def test_a_module_is_served_until_a_signal(number: signal.Signals, code: int) -> None:
    """The address is one line, the endpoints the next; requests are answered; the end is quiet."""
    with serving(DEMO) as served:
        assert served.line.startswith(
            "toolgauge: 5 tools of toolgauge.demo:tools at http://127.0.0.1:"
        )
        endpoints = f"toolgauge: MCP at {served.url}mcp, the canonical dialect at {served.url}rpc\n"
        assert endpoints == _readline(served.process.stdout)
        listed = served.ask("tools")
        refused = served.ask("tools/query_cities/call", {})
        invalid = served.ask("tools/convert_units/validate", {"value": 1})
        ended = served.end(number)

    assert 5 == len(listed[1])
    assert 403 == refused[0]
    assert (200, False) == (invalid[0], invalid[1]["valid"])
    assert code == ended[0]
    assert "--allow-execute" in ended[1]
    assert "Traceback" not in ended[1]


def test_a_server_is_served_and_ends_with_us(misbehaving: Callable[..., list[str]]) -> None:
    """C25: its environment and arguments are nowhere to be seen."""
    words = misbehaving("environment", "argsecret999")
    with serving("--allow-execute", "--env", "API_KEY=envsecret999", *words) as served:
        called = served.ask("tools/good/call", {})
        shown = json.dumps(served.ask("tools")) + served.line
        page = served.page()
        children = _children(served.process.pid)
        code, err = served.end(signal.SIGTERM)

    assert 200 == called[0]
    assert "envsecret999" == json.loads(called[1]["content"][0]["text"])["API_KEY"]
    assert "secret999" not in shown + page + err
    assert 143 == code
    assert children
    assert not any(Path(f"/proc/{pid}").exists() for pid in children)


def _children(pid: int) -> list[int]:
    """Give the child processes of a process, where the system tells."""
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    if not listing.exists():
        pytest.skip("/proc does not list children here")
    return [int(each) for each in listing.read_text().split()]


def test_a_server_that_died_fails_calls_cleanly(misbehaving: Callable[..., list[str]]) -> None:
    """The page stays up, and the client learns nothing of the server's insides."""
    with serving("--allow-execute", *misbehaving("die-in-call")) as served:
        answers = [served.ask("tools/good/call", {}) for _ in range(2)]
        listed = served.ask("tools")
        served.end(signal.SIGTERM)

    assert [500, 500] == [status for status, _ in answers]
    assert "boom" not in json.dumps(answers)
    assert 200 == listed[0]


def test_a_token_guards_calls_and_is_never_echoed() -> None:
    """From the environment or the option."""
    with serving(DEMO, "--allow-execute", TOOLGAUGE_AUTH_TOKEN="toksecret999") as served:
        without = served.ask("tools/query_cities/call", {})
        within = served.ask("tools/query_cities/call", {}, Authorization="Bearer toksecret999")
        code, err = served.end(signal.SIGTERM)

    assert 401 == without[0]
    assert 200 == within[0]
    assert 143 == code
    assert "toksecret999" not in served.line + err


def test_a_program_reads_the_address_as_json(tmp_path: Path) -> None:
    """One document; a file has nothing to execute; its problems are named."""
    path = tmp_path / "tools.json"
    path.write_text('[{"name": "a"}, {"inputSchema": {}}]', encoding="utf-8")
    with serving(str(path), "--format", "json", "--allow-execute") as served:
        document = json.loads(served.line)
        _, err = served.end(signal.SIGTERM)

    assert {"url", "mcp", "rpc", "source", "tools", "executes", "problems"} == set(document)
    assert [document["url"] + each for each in ("mcp", "rpc")] == [document["mcp"], document["rpc"]]
    assert (1, False) == (document["tools"], document["executes"])
    assert 1 == len(document["problems"])
    assert "tool 1" in err
    assert "nothing to execute" in err


def test_an_occupied_port_is_one_sentence(run: Run) -> None:
    """Exit code 2: another port is the cure."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended: Ended = run("serve", DEMO, "--port", str(taken.getsockname()[1]))

    assert 2 == ended.code
    assert 1 == len(ended.err.splitlines())


def test_an_empty_token_is_wrong_usage(run: Run) -> None:
    """It would guard nothing."""
    assert 2 == run("serve", DEMO, "--auth-token", " ").code


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_token_in_the_environment_is_wrong_usage(
    run: Run, monkeypatch: pytest.MonkeyPatch, empty: str
) -> None:
    """As a compose file gives it whose own variable is not set."""
    monkeypatch.setenv("TOOLGAUGE_AUTH_TOKEN", empty)

    ended = run("serve", DEMO)

    assert 2 == ended.code
    assert "is empty" in ended.err
    assert "" == ended.out


def test_strangers_with_execution_are_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Listening on every address without a token; the page can be opened at once."""
    opened: list[str] = []

    async def run_nothing(*_: object, **options: Any) -> None:
        options["on_ready"]("http://0.0.0.0:1/")

    monkeypatch.setattr("toolgauge.serve.run", run_nothing)
    monkeypatch.setattr("typer.launch", opened.append)
    with pytest.raises(SystemExit) as left:
        main(["serve", DEMO, "--host", "0.0.0.0", "--allow-execute", "--open"])

    assert 0 == left.value.code
    assert "--auth-token" in capsys.readouterr().err
    assert ["http://0.0.0.0:1/"] == opened
