"""Sequences of frames that a client may send, good and bad, and what must become of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
DISGUISES = ("Tools/Call", "tools/call ", " tools/call", "tools_call", "notifications/tools/call")
ODD_PARAMS: tuple[Any, ...] = (None, [], "x", 5, True)
SHARE_OF_RESTARTS = 0.002


@dataclass(slots=True)
class Expected:
    """What must become of the frames of one id.

    Attributes:
        keys: The keys of its calls.
        answers: The most answers that are due.
        may_be_silent: Whether a cancellation may have taken an answer away.
    """

    keys: list[str] = field(default_factory=list)
    answers: int = 0
    may_be_silent: bool = False


class Sequences:
    """Writes frames of one dialect and era, and remembers what they were.

    Args:
        random: Chooses.
        dialect: ``"mcp"`` or ``"canonical"``.
        is_newer: Whether the client speaks 2026-07-28.
    """

    def __init__(self, random: random.Random, dialect: str, *, is_newer: bool = False) -> None:
        self._random = random
        self._dialect = dialect
        self._is_newer = is_newer
        self._count = 0
        self.expected: dict[int, Expected] = defaultdict(Expected)
        self.never: list[str] = []
        kinds: dict[Callable[[], bytes], int] = {
            self.valid: 8,
            self.invalid: 3,
            self.without_id: 3,
            self.disguised: 2,
            self.damaged: 2,
            self.batch: 1,
            self.odd_id: 1,
            self.repeated: 2,
            self.cancel: 4,
            self.notification: 2,
            self.response: 1,
            self.task_or_state: 1,
            self.blank: 1,
        }
        self._kinds, self._weights = list(kinds), list(kinds.values())

    def sequence(self) -> list[bytes]:
        """Write a few frames; the last is a good call, which must be served."""
        frames = [
            self._random.choices(self._kinds, self._weights)[0]()
            for _ in range(self._random.randint(1, 6))
        ]
        if self._dialect == "mcp" and self._random.random() < SHARE_OF_RESTARTS:
            frames.insert(0, self.handshake())
        return [*frames, self.valid()]

    def key(self) -> str:
        """Give a key that no other call has."""
        self._count += 1
        return f"k{self._count}"

    def call(self, key: str, amount: object = 1) -> dict[str, Any]:
        """Write a call without an id."""
        given = {"key": key, "amount": amount}
        params: dict[str, Any] = {"name": "pay", "arguments": given}
        if self._dialect == "canonical":
            params = {"tool": "mcp.tool:pay", "input": given}
        elif self._is_newer:
            params["_meta"] = ENVELOPE
        return {"jsonrpc": "2.0", "method": "tools/call", "params": params}

    def due(self, message: dict[str, Any]) -> bytes:
        """Give a request an id of its own, whose answer is due."""
        self._count += 1
        self.expected[self._count].answers += 1
        return dumped({**message, "id": self._count})

    def valid(self) -> bytes:
        """A call that must run once."""
        key = self.key()
        raw = self.due(self.call(key))
        self.expected[self._count].keys.append(key)
        return raw

    def invalid(self) -> bytes:
        """A call whose arguments violate the schema."""
        return self.due(self.call(self._never(), self._random.choice([0, "1", None, 1.5, []])))

    def without_id(self) -> bytes:
        """A call that nobody could be answered about."""
        return dumped(self.call(self._never(), self._random.choice([1, 0])))

    def disguised(self) -> bytes:
        """A call under another method's name, with or without an id."""
        method = self._random.choice(DISGUISES)
        message = {**self.call(self._never()), "method": method}
        if self._random.random() < 0.5 or method.startswith("notifications/"):
            return dumped(message)
        return self.due(message)

    def damaged(self) -> bytes:
        """A call that is no JSON, or is cut short."""
        raw = dumped({**self.call(self._never()), "id": 0})
        choice = self._random.randrange(3)
        if choice == 0:
            return raw[: self._random.randrange(1, len(raw))]
        if choice == 1:
            return raw.replace(b"2.0", b"1.0")
        return raw + b"\x00"

    def batch(self) -> bytes:
        """Several calls in one frame."""
        calls = [{**self.call(self._never()), "id": 0}, self.call(self._never())]
        return dumped(calls)

    def odd_id(self) -> bytes:
        """A call whose id is none."""
        return dumped({**self.call(self._never()), "id": self._random.choice([None, 1.5, [], {}])})

    def repeated(self) -> bytes:
        """Two calls of one id: the second may be rejected, or run once."""
        first = self.valid()
        key, ident = self.key(), json.loads(first)["id"]
        self.expected[ident].keys.append(key)
        self.expected[ident].answers += 1
        return first + b"\n" + dumped({**self.call(key), "id": ident})

    def cancel(self) -> bytes:
        """A cancellation of something, of nothing, or without saying of what."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
        choice = self._random.randrange(4)
        if choice == 0:
            return dumped(message)
        if choice == 1:
            return dumped({**message, "params": self._random.choice(ODD_PARAMS)})
        if choice == 2:
            odd: Any = self._random.choice([None, "x", 1.5, [], {}, True, -1])
            return dumped({**message, "params": {"requestId": odd}})
        raw = self.valid()
        ident = json.loads(raw)["id"]
        self.expected[ident].may_be_silent = True
        return raw + b"\n" + dumped({**message, "params": {"requestId": ident, "reason": "x"}})

    def notification(self) -> bytes:
        """A notification, some of them odd."""
        method = self._random.choice(["initialized", "progress", "roots/list_changed", "x/y", ""])
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": f"notifications/{method}"}
        if self._random.random() < 0.5:
            message["params"] = self._random.choice([{}, {"progressToken": []}, *ODD_PARAMS])
        return dumped(message)

    def response(self) -> bytes:
        """An answer that nobody waits for."""
        ident: Any = self._random.choice([None, 1, "toolgauge-1", []])
        members: Any = self._random.choice(
            [{"result": {}}, {"error": {}}, {"result": 1, "error": 2}]
        )
        return dumped({"jsonrpc": "2.0", "id": ident, **members})

    def task_or_state(self) -> bytes:
        """A call with members that other calls do not have."""
        message = self.call(self._never(), 0)
        more: Any = self._random.choice([{"task": {"ttl": 5}}, {"requestState": "x"}])
        message["params"] = {**message["params"], **more}
        return self.due(message)

    def blank(self) -> bytes:
        """Nothing."""
        return self._random.choice([b"", b"  ", b"\r"])

    def handshake(self) -> bytes:
        """A handshake, also where there was one."""
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        return self.due({"jsonrpc": "2.0", "method": "initialize", "params": params})

    def _never(self) -> str:
        key = self.key()
        self.never.append(key)
        return key

    def judge(self, answers: Iterable[Any], runs: Counter[str]) -> list[str]:
        """Return what went wrong; empty if nothing did."""
        wrong = [f"{key} ran" for key in self.never if runs[key]]
        wrong += [f"{key} ran {count} times" for key, count in runs.items() if count > 1]
        by_id: dict[object, list[Any]] = defaultdict(list)
        for answer in answers:
            by_id[answer.get("id")].append(answer)
        for ident, due in self.expected.items():
            given = by_id[ident]
            if len(given) > due.answers or (len(given) < due.answers and not due.may_be_silent):
                wrong.append(f"{ident}: {len(given)} answers, {due.answers} due")
            ran = sum(runs[key] for key in due.keys)
            succeeded = sum(1 for each in given if due.keys and is_success(each))
            # A call that was taken back may have run, whatever is said of it.
            unknown = due.answers - succeeded if due.may_be_silent else 0
            if not succeeded <= ran <= succeeded + unknown:
                wrong.append(f"{ident}: {succeeded} successes, {ran} runs, {given}")
        return wrong


def is_success(answer: Any) -> bool:
    """Tell a result of a call from a rejection of it."""
    return "result" in answer and not answer["result"].get("isError")


def dumped(message: object) -> bytes:
    """Write JSON on one line."""
    return json.dumps(message).encode()


def cut(raw: bytes, random: random.Random) -> list[bytes]:
    """Cut bytes into writes of any size, some of them joined."""
    places = sorted(random.sample(range(len(raw) + 1), min(random.randint(0, 4), len(raw))))
    edges = [0, *places, len(raw)]
    return [raw[a:b] for a, b in pairwise(edges) if a < b]
