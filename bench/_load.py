"""A load generator: a process of its own, keep-alive connections, nothing parsed twice.

Reads one JSON object a line, drives one server for that long, writes one JSON
object a line. Linux only: it waits with epoll and reads the server's CPU clock.
"""

from __future__ import annotations

import gc
import json
import select
import socket
import sys
import time
from typing import Any

_LENGTH = b"content-length:"
_CHUNK = 1 << 16


def request_bytes(path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


def ask(port: int, request: bytes) -> tuple[int, bytes]:
    """Send one request; give the status and the body."""
    with _connect(port) as connection:
        answer = _exchange(connection, request)
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body


def cpu_of(pid: int) -> float:
    """Give the CPU seconds, user and system, that a process of ours has used.

    This is ``clock_getcpuclockid(3)``: nanoseconds, where /proc/<pid>/stat has
    hundredths of a second.
    """
    return time.clock_gettime((~pid << 3) | 2)


def drive(port: int, pid: int, request: bytes, connections: int, seconds: float) -> dict[str, Any]:
    """Keep ``connections`` requests in flight for so long."""
    open_ones = {each.fileno(): each for each in (_connect(port) for _ in range(connections))}
    try:
        # One request each opens the connection and tells how long an answer is.
        sizes = {len(_exchange(each, request)) for each in open_ones.values()}
        size = sizes.pop()
        assert not sizes, "answers to the same request differ in length"
        poll = select.epoll()
        for number in open_ones:
            poll.register(number, select.EPOLLIN)
        return _timed(open_ones, poll, pid, request, size, seconds)
    finally:
        for each in open_ones.values():
            each.close()


def _timed(  # noqa: PLR0913, PLR0917 - all of it stays out of the loop
    open_ones: dict[int, socket.socket],
    poll: select.epoll,
    pid: int,
    request: bytes,
    size: int,
    seconds: float,
) -> dict[str, Any]:
    waiting = dict.fromkeys(open_ones, b"")
    count = 0
    gc.collect()
    gc.disable()
    cpu, own_cpu, began = cpu_of(pid), time.process_time(), time.perf_counter()
    end = began + seconds
    for each in open_ones.values():
        each.sendall(request)
    while time.perf_counter() < end:
        for number, _ in poll.poll(1):
            connection = open_ones[number]
            answer = connection.recv(_CHUNK)
            if len(answer) != size:
                answer = waiting[number] + answer
                waiting[number] = answer
                if len(answer) < size:
                    if not answer:
                        raise ConnectionError("the server hung up")
                    continue
                waiting[number] = b""
            if len(answer) != size or not answer.startswith(b"HTTP/1.1 200"):
                raise ConnectionError(f"unexpected answer: {answer[:200]!r}")
            count += 1
            connection.sendall(request)
    taken = time.perf_counter() - began
    cpu, own_cpu = cpu_of(pid) - cpu, time.process_time() - own_cpu
    gc.enable()
    return {
        "requests": count,
        "per_second": count / taken,
        "cpu_per_request": cpu / max(count, 1),
        "server_busy": cpu / taken,
        "client_busy": own_cpu / taken,
    }


def _connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.settimeout(None)
    return connection


def _exchange(connection: socket.socket, request: bytes) -> bytes:
    """Send a request and read its answer by ``Content-Length``."""
    connection.sendall(request)
    answer = b""
    while True:
        chunk = connection.recv(_CHUNK)
        if not chunk:
            raise ConnectionError("the server hung up")
        answer += chunk
        head, found, body = answer.partition(b"\r\n\r\n")
        if found:
            lower = head.lower()
            start = lower.index(_LENGTH) + len(_LENGTH)
            if len(body) == int(lower[start:].split(b"\r\n", 1)[0]):
                return answer


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        order["request"] = order["request"].encode("latin-1")
        print(json.dumps(drive(**order)), flush=True)


if __name__ == "__main__":
    main()
