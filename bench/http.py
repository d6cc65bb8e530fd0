"""``POST /tools/{name}/validate``: requests per second and server CPU per request.

Against ``mcp-embedded-ui`` and against a bare ASGI application that only parses
and prints JSON. Linux only.

    python bench/http.py [--quick] [--rounds N] [--seconds S] [--json FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

# This file is called like a module of the standard library, and a script's own
# folder comes first on the path.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import importlib.util
import json
import statistics
import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from bench import _load, _table, _tools

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
APPS = ("ours", "peer", "echo")
CONNECTIONS = 16
CASES = [
    (size, count, is_valid)
    for size in ("small", "13 kB")
    for is_valid in (True, False)
    for count in (1, 200)
]


class Process:
    """One of our processes that is told things by line."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def tell(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a process of the benchmark died; its error is above")
        return json.loads(line)


class Server:
    """One application in a process of its own."""

    def __init__(self, process: Process, spec: dict[str, Any]) -> None:
        self.pid = process.pid
        self._process = process
        process.tell(spec)

    def wait(self) -> None:
        self.port: int = self._process.hear()


def server_options() -> dict[str, str]:
    """Use the faster parser and loop wherever they are installed, for every application."""
    return {
        "http": "httptools" if importlib.util.find_spec("httptools") else "h11",
        "loop": "uvloop" if importlib.util.find_spec("uvloop") else "asyncio",
    }


def measure_case(
    size: str, count: int, *, is_valid: bool, options: argparse.Namespace
) -> dict[str, Any]:
    """Start three servers, check that they agree, drive them in turn."""
    body = json.dumps(_tools.body(size, is_valid=is_valid), separators=(",", ":")).encode()
    request = _load.request_bytes(f"/tools/{_tools.asked_name(size)}/validate", body)
    spec = {"size": size, "tools": count, **server_options()}
    with ExitStack() as stack:

        def start(app: str) -> Server:
            process = stack.enter_context(Process("bench._server"))
            return Server(process, {**spec, "app": app})

        load = stack.enter_context(Process("bench._load"))
        servers = {app: start(app) for app in APPS}
        for each in servers.values():
            each.wait()
        check(servers, request, is_valid=is_valid)
        status, printed = _load.ask(servers["echo"].port, request)
        assert (status, printed) == (200, body), "the echo differs"

        def drive(app: str, seconds: float) -> dict[str, float]:
            load.tell(
                {
                    "port": servers[app].port,
                    "pid": servers[app].pid,
                    "request": request.decode("latin-1"),
                    "connections": CONNECTIONS,
                    "seconds": seconds,
                }
            )
            measured: dict[str, float] = load.hear()
            return measured

        for app in APPS:
            drive(app, options.seconds / 2)
        rounds = [
            {app: drive(app, options.seconds) for app in turn(number)}
            for number in range(options.rounds)
        ]
    return {
        "body": size,
        "body_bytes": len(body),
        "tools": count,
        "is_valid": is_valid,
        **summary(rounds),
    }


def check(servers: dict[str, Server], request: bytes, *, is_valid: bool) -> None:
    """Ask both validators: their verdicts must agree."""
    for app in ("ours", "peer"):
        status, body = _load.ask(servers[app].port, request)
        found = json.loads(body)
        assert status == 200, f"{app} answers {status}"
        assert found["valid"] is is_valid, f"{app} answers {found}"
        assert is_valid or found["errors"], f"{app} gives no reason"


def turn(number: int) -> Iterator[str]:
    """Rotate who comes first."""
    for place in range(len(APPS)):
        yield APPS[(number + place) % len(APPS)]


def summary(rounds: list[dict[str, dict[str, float]]]) -> dict[str, Any]:
    """Take medians, of each figure and of each round's ratios."""

    def median(app: str, figure: str) -> float:
        return statistics.median(each[app][figure] for each in rounds)

    def ratio(over: str, under: str, figure: str) -> float:
        return statistics.median(each[over][figure] / each[under][figure] for each in rounds)

    return {
        **{
            app: {figure: median(app, figure) for figure in rounds[0][app] if figure != "requests"}
            for app in APPS
        },
        "ratios": {
            "per_second": {
                "ours/peer": ratio("ours", "peer", "per_second"),
                "ours/echo": ratio("ours", "echo", "per_second"),
            },
            # The other way round, so that more is better here too.
            "cpu": {
                "peer/ours": ratio("peer", "ours", "cpu_per_request"),
                "echo/ours": ratio("echo", "ours", "cpu_per_request"),
            },
        },
    }


def name_of(case: dict[str, Any]) -> str:
    verdict = "valid" if case["is_valid"] else "invalid"
    return f"{case['body']}, {verdict}, {case['tools']} tool{'s' * (case['tools'] > 1)}"


def print_case_tables(cases: list[dict[str, Any]]) -> None:
    _table.print_table(
        "Requests per second (medians; more is better)",
        ("case", "ours", "peer", "echo", "ours/peer", "ours/echo", "client busy"),
        [
            (
                name_of(case),
                *(f"{case[app]['per_second']:,.0f}" for app in APPS),
                *(_table.ratio(each) for each in case["ratios"]["per_second"].values()),
                f"{max(case[app]['client_busy'] for app in APPS):.0%}",
            )
            for case in cases
        ],
    )
    _table.print_table(
        "Server CPU per request in µs (medians; less is better)",
        ("case", "ours", "peer", "echo", "peer/ours", "echo/ours", "server busy"),
        [
            (
                name_of(case),
                *(f"{case[app]['cpu_per_request'] * 1e6:,.1f}" for app in APPS),
                *(_table.ratio(each) for each in case["ratios"]["cpu"].values()),
                f"{min(case[app]['server_busy'] for app in APPS):.0%}",
            )
            for case in cases
        ],
    )


def targets_of(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Hold the worst case of each target against it, by both measures."""

    def worst(kind: str, name: str, size: str | None = None) -> float:
        return min(
            case["ratios"][kind][name] for case in cases if size is None or case["body"] == size
        )

    return [
        _table.target(
            "small body, requests/s, ours/peer",
            worst("per_second", "ours/peer", "small"),
            5,
            at_least=True,
        ),
        _table.target(
            "small body, CPU, peer/ours", worst("cpu", "peer/ours", "small"), 5, at_least=True
        ),
        _table.target(
            "13 kB body, requests/s, ours/peer",
            worst("per_second", "ours/peer", "13 kB"),
            20,
            at_least=True,
        ),
        _table.target(
            "13 kB body, CPU, peer/ours", worst("cpu", "peer/ours", "13 kB"), 20, at_least=True
        ),
        _table.target(
            "requests/s, ours/echo", worst("per_second", "ours/echo"), 0.7, at_least=True
        ),
        _table.target("CPU, echo/ours", worst("cpu", "echo/ours"), 0.7, at_least=True),
        _table.target(
            "CPU, 200 tools/1 tool (median of four)",
            statistics.median(many_to_one(cases)),
            1.1,
            at_least=False,
        ),
    ]


def many_to_one(cases: list[dict[str, Any]]) -> Iterator[float]:
    """Compare 200 tools with 1, each in terms of the echo of its own minutes."""
    relative = {
        (case["body"], case["is_valid"], case["tools"]): 1 / case["ratios"]["cpu"]["echo/ours"]
        for case in cases
    }
    for (body, is_valid, count), value in relative.items():
        if count > 1:
            yield value / relative[body, is_valid, 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="per application and round")
    parser.add_argument("--quick", action="store_true", help="one short round: does it run?")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure here")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 1, 0.1
    if not sys.platform.startswith("linux"):
        raise SystemExit("bench/http.py needs Linux: it reads another process's CPU clock")
    used = server_options()
    libraries = ("toolgauge", "mcp-embedded-ui", "uvicorn", "httptools", "uvloop", "starlette")
    machine = _table.machine((*libraries, "orjson", "jsonschema", "jsonschema-rs"))
    print(machine)
    print(
        f"uvicorn with {used['http']} and {used['loop']}, one worker each; {CONNECTIONS} "
        f"connections; {options.rounds} rounds of {options.seconds:g} s; "
        f"load average {_table.load_average()}"
    )
    cases = []
    for size, count, is_valid in CASES:
        cases.append(measure_case(size, count, is_valid=is_valid, options=options))
        print(f"measured: {name_of(cases[-1])}", file=sys.stderr)
    targets = targets_of(cases)
    print_case_tables(cases)
    _table.print_targets(targets)
    print(f"\nload average at the end: {_table.load_average()}")
    report = {"machine": machine, "server": used, "cases": cases, "targets": targets}
    _table.write_json(options.json, report)


if __name__ == "__main__":
    main()
