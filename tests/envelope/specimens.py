"""Tools that keep their contracts, and tools that do not, for every transport's tests."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

import anyio

from toolgauge import CallResult, Tool

sys.stdout.write("server started\n")  # as a careless library would (case C23)

QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["query"],
}
HITS = {
    "type": "object",
    "properties": {
        "hits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"title": {"type": "string"}},
                "required": ["title"],
            },
        }
    },
    "required": ["hits"],
}


def search(args: dict[str, Any]) -> dict[str, Any]:
    """Find one thing, or break the contract in the way that the query names."""
    answers: dict[str, dict[str, Any]] = {
        "no hits": {},
        "wrong hit": {"hits": [{"title": 7}]},
        "not json": {"hits": [{"title": object()}]},
    }
    return answers.get(args["query"], {"hits": [{"title": args["query"]}]})


def say_nothing(args: dict[str, Any]) -> str:
    """Give text where structured content was promised."""
    return "nothing"


def fail_politely(args: dict[str, Any]) -> CallResult:
    """Say that it failed: that keeps every output schema (decision E14)."""
    return CallResult(content=({"type": "text", "text": "no"},), is_error=True)


async def echo(args: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments back."""
    return args


def crash(args: dict[str, Any]) -> None:
    """Raise, with a secret in the message."""
    raise RuntimeError(f"secret-of-the-handler {args}")


STARTED: list[str] = []


def started(args: dict[str, Any]) -> dict[str, Any]:
    """Tell how many slow calls have begun."""
    return {"started": len(STARTED)}


async def hang(args: dict[str, Any]) -> None:
    """Never end."""
    STARTED.append("hang")
    await anyio.sleep_forever()


def hang_in_a_thread(args: dict[str, Any]) -> None:
    """Never end, where nothing can be cancelled."""
    STARTED.append("hang_in_a_thread")
    threading.Event().wait()


def nap(args: dict[str, Any]) -> str:
    """Take a while."""
    STARTED.append("nap")
    time.sleep(args["seconds"])
    return "rested"


def chatter(args: dict[str, Any]) -> str:
    """Print while it runs, and read what is not its own."""
    print("loaded 3 rows")  # noqa: T201 - what is tested
    sys.stdout.write("and more\n")
    sys.stdout.flush()
    return f"read {sys.stdin.read()!r}"


ANYTHING: dict[str, Any] = {"type": "object"}

tools = [
    Tool(name="search", input_schema=QUERY, output_schema=HITS, handler=search),
    Tool(name="say_nothing", output_schema=HITS, handler=say_nothing),
    Tool(name="fail_politely", output_schema=HITS, handler=fail_politely),
    Tool(name="echo", input_schema=ANYTHING, handler=echo),
    Tool(name="crash", input_schema=ANYTHING, handler=crash),
    Tool(name="hang", input_schema=ANYTHING, handler=hang),
    Tool(name="hang_in_a_thread", input_schema=ANYTHING, handler=hang_in_a_thread),
    Tool(name="nap", input_schema=ANYTHING, handler=nap),
    Tool(name="started", handler=started),
    Tool(name="chatter", input_schema=ANYTHING, handler=chatter),
    Tool(name="described_only", input_schema=ANYTHING),
    Tool(
        name="note_add",
        input_schema={
            "type": "object",
            "properties": {"author": {"type": "string"}, "text": {"type": "string"}},
            "required": ["author", "text"],
        },
        handler=echo,
    ),
]
