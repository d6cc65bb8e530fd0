"""Connections of a real server process: slow clients, large headers, too many, no descriptor."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING

import httpx2
import pytest

from tests.serve.bounded import Server, bounded_server, is_closed, read_all, until

if TYPE_CHECKING:
    from collections.abc import Iterator


MAX_HEADER = 4_096
GET = b"GET /tools HTTP/1.1\r\nhost: 127.0.0.1\r\n"
POST = (
    b"POST /tools/echo/validate HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
)
CALL = POST.replace(b"/validate", b"/call")
RPC = POST.replace(b"/tools/echo/validate", b"/rpc")
MCP = POST.replace(b"/tools/echo/validate", b"/mcp")
CLOSE = b"connection: close\r\n"


@pytest.fixture(scope="module", params=["httptools", "h11"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Run a server with short times, once for each parser."""
    with bounded_server(
        parser=request.param,
        max_header_bytes=MAX_HEADER,
        header_timeout_s=0.3,
        body_stall_s=0.3,
        body_timeout_s=0.6,
        send_stall_s=0.3,
        keep_alive_s=0.3,
        max_connections=8,
    ) as running:
        yield running


def status_of(answer: bytes) -> int:
    """Return the status of an answer, 0 where there is none."""
    return int(answer.split(b" ", 2)[1]) if answer else 0


def error_of(answer: bytes) -> str:
    """Return what an answer says was wrong."""
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["error"])


def is_well(server: Server) -> bool:
    """Tell whether an ordinary request is answered."""
    return 200 == status_of(server.exchange(GET + CLOSE + b"\r\n"))


@pytest.mark.parametrize("begun", [GET, b"G", POST + b"content-le"])
def test_a_header_that_is_not_completed_is_answered_408(server: Server, begun: bytes) -> None:
    """Whatever it has got to; the answer names the bound and the connection is closed."""
    answer = server.exchange(begun)

    assert 408 == status_of(answer)
    assert "header_timeout_s" in error_of(answer)
    assert b"connection: close" in answer
    assert is_well(server)


def test_a_header_that_arrives_by_the_byte_has_no_longer(server: Server) -> None:
    """Each byte is no reason to wait on: the time is that of the whole header."""
    with server.connect() as connection:
        began = time.monotonic()
        connection.settimeout(0.05)
        answer = b""
        for byte in GET * 100:
            try:
                connection.sendall(bytes([byte]))
                answer = connection.recv(4096)
            except TimeoutError:
                continue
            break
        taken_s = time.monotonic() - began

    assert 408 == status_of(answer)
    assert taken_s < 5


def test_the_next_header_of_a_connection_has_a_time_too(server: Server) -> None:
    """Not only the first one."""
    with server.connect() as connection:
        connection.sendall(GET + b"\r\n")
        first = connection.recv(65_536)
        connection.sendall(GET)
        second = read_all(connection)

    assert (200, 408) == (status_of(first), status_of(second[second.index(b"HTTP/1.1") :]))


@pytest.mark.parametrize("sent", [b"", GET + b"\r\n"])
def test_a_silent_connection_is_closed(server: Server, sent: bytes) -> None:
    """One that has sent nothing, and one whose request is answered: without another answer."""
    with server.connect() as connection:
        connection.sendall(sent)
        answer = read_all(connection)

    assert len(sent and b"1") == answer.count(b"HTTP/1.1")


@pytest.mark.parametrize("begun", [POST, CALL, RPC, MCP])
@pytest.mark.parametrize("part", [b"", b'{"a'])
def test_a_body_that_stalls_is_answered_408(server: Server, begun: bytes, part: bytes) -> None:
    """On every route that reads one."""
    answer = server.exchange(begun + b"content-length: 100\r\n\r\n" + part)

    assert 408 == status_of(answer)
    assert "body_stall_s" in error_of(answer)
    assert is_well(server)


def test_a_body_that_arrives_by_the_byte_is_answered_408(server: Server) -> None:
    """It never stalls, and it never ends."""
    with server.connect() as connection:
        connection.sendall(POST + b"content-length: 100000\r\n\r\n")
        connection.settimeout(0.1)
        answer = b""
        for _ in range(200):
            try:
                connection.sendall(b" ")
                answer = connection.recv(4096)
            except TimeoutError:
                continue
            connection.settimeout(20)
            answer += read_all(connection)
            break

    assert 408 == status_of(answer)
    assert "body_timeout_s" in error_of(answer)


def test_a_body_that_is_not_read_keeps_no_connection_open(server: Server) -> None:
    """Where the answer needed no body, its rest is discarded, but not for ever."""
    head = POST.replace(b"echo", b"none") + b"content-length: 100000\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(head)
        answer = connection.recv(4096)
        connection.settimeout(0.1)
        is_open, parts = True, 0
        while is_open and parts < 200:
            parts += 1
            try:
                connection.sendall(b" ")
                is_open = bool(connection.recv(4096))
            except TimeoutError:
                continue
            except ConnectionError:
                is_open = False

    assert 404 == status_of(answer)
    assert not is_open


@pytest.mark.parametrize("path", [b"/tools/none/validate", b"/tools/echo/validate", b"/mcp"])
def test_a_large_body_that_is_not_read_does_not_end_the_connection(
    server: Server, path: bytes
) -> None:
    """Its client sends it to the end, and the next request after it."""
    head = POST.replace(b"/tools/echo/validate", path) + b"content-length: 3000000\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(head)
        answer = connection.recv(65_536)
        connection.sendall(b" " * 3_000_000 + GET + CLOSE + b"\r\n")
        after = read_all(connection)

    assert status_of(answer) in {404, 413}
    assert b"HTTP/1.1 200" in after


def test_a_body_of_parts_is_read_to_its_end(server: Server) -> None:
    """In time it may come in as many parts as it likes."""
    with server.connect() as connection:
        connection.sendall(POST + CLOSE + b"content-length: 8\r\n\r\n")
        for part in (b'{"a', b'":', b" 1", b"}"):
            connection.sendall(part)
            time.sleep(0.01)  # a packet of its own
        answer = read_all(connection)

    assert 200 == status_of(answer)


@pytest.mark.parametrize(
    "head",
    [
        GET + b"x: " + b"a" * MAX_HEADER + b"\r\n\r\n",
        GET + b"a: b\r\n" * (MAX_HEADER // 6) + b"\r\n",
        b"GET /" + b"a" * MAX_HEADER + b" HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
        GET + b"a" * MAX_HEADER + b": b\r\n\r\n",
    ],
    ids=["value", "number", "target", "name"],
)
@pytest.mark.parametrize("size", [1_000_000, 1_000])
def test_a_large_header_is_answered_431(server: Server, head: bytes, size: int) -> None:
    """In one packet or in many, complete or not: the answer names the bound."""
    parts = [head[start : start + size] for start in range(0, len(head), size)]

    answer = server.exchange(*parts)

    assert 431 == status_of(answer)
    assert "max_header_bytes" in error_of(answer)
    assert is_well(server)


def test_empty_lines_are_no_way_around_the_bounds(server: Server) -> None:
    """They may stand before a request; h11 takes none of them."""
    many = status_of(server.exchange(b"\r\n" * MAX_HEADER))
    few = status_of(server.exchange(b"\r\n"))

    assert (many, few) in {(431, 408), (400, 400)}


def test_a_header_just_within_the_bound_is_read(server: Server) -> None:
    """Neither the body behind it nor the request after it counts."""
    head = POST + b"content-length: 6000\r\nx: "
    head += b"a" * (MAX_HEADER - len(head) - 4) + b"\r\n\r\n"
    assert len(head) == MAX_HEADER
    request = head + b" " * 5_998 + b"{}"

    answer = server.exchange(request + request + POST + CLOSE + b"content-length: 2\r\n\r\n{}")

    assert 3 == answer.count(b"HTTP/1.1 200")


def test_forty_megabytes_of_header_cost_nothing(server: Server) -> None:
    """The memory is that of the bound, and the processor's time that of one read."""
    line = b"x-%d: " + b"a" * 60_000 + b"\r\n"
    memory, cpu = server.memory_bytes(), server.cpu_s()

    for number in range(10):
        server.exchange(GET, *(line % number for _ in range(70)))

    assert server.memory_bytes() - memory < 20_000_000
    assert server.cpu_s() - cpu < 1
    assert is_well(server)


def test_trailers_and_chunk_extensions_are_bounded(server: Server) -> None:
    """What stands between the parts of a body is no body, and has its bound too."""
    memory = server.memory_bytes()
    head = POST + b"transfer-encoding: chunked\r\n\r\n"
    trailers = [b"0\r\n", *(b"x: " + b"a" * 60_000 + b"\r\n" for _ in range(300))]
    extension = [b"2;" + b"a" * 60_000, *(b"a" * 60_000 for _ in range(300))]

    found = [status_of(server.exchange(head, *each)) for each in (trailers, extension)]

    assert set(found) <= {0, 400, 408}
    assert server.memory_bytes() - memory < 20_000_000
    assert is_well(server)


def test_too_many_connections_are_answered_503(server: Server) -> None:
    """Those that are open are served; what comes beyond the bound hears of it at once."""
    kept = [server.connect() for _ in range(8)]
    try:
        for each in kept:
            each.sendall(GET + b"\r\n")
        found = [status_of(each.recv(65_536)) for each in kept]
        refused = [server.exchange(GET + b"\r\n") for _ in range(5)]
    finally:
        for each in kept:
            each.close()

    assert [200] * 8 == found
    assert {503} == {status_of(each) for each in refused}
    assert "max_connections" in error_of(refused[0])
    assert b"retry-after: 1" in refused[0]


def test_requests_that_wait_behind_one_another_are_bounded(server: Server) -> None:
    """A few are answered in turn; of thousands in one packet only those that were begun."""
    request = GET + b"\r\n"
    memory = server.memory_bytes()

    few = server.exchange(request * 20)
    for _ in range(5):
        server.exchange(b"GET /tools HTTP/1.1\r\nhost:127.0.0.1\r\n\r\n" * 5_000)

    assert 20 == few.count(b"HTTP/1.1 200")
    assert server.memory_bytes() - memory < 30_000_000
    assert is_well(server)


def test_a_client_that_reads_nothing_is_left() -> None:
    """Its answer would wait for ever."""
    request = CALL.replace(b"echo", b"big") + b"content-length: 2\r\n\r\n{}"
    with bounded_server(send_stall_s=0.3) as server, socket.socket() as connection:
        idle = server.descriptors()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(20)
        connection.connect(server.address)
        connection.sendall(request)

        assert until(lambda: server.descriptors() > idle)
        assert until(lambda: server.descriptors() == idle)


def test_a_client_that_reads_slowly_gets_all_of_it(server: Server) -> None:
    """As long as it reads at all."""
    request = CALL.replace(b"echo", b"big") + CLOSE + b"content-length: 2\r\n\r\n{}"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        connection.settimeout(20)
        connection.connect(server.address)
        connection.sendall(request)
        size = 0
        while part := connection.recv(1_000_000):
            size += len(part)
            time.sleep(0.005)

    assert size > 10_000_000


def test_without_descriptors_it_answers_503_and_goes_on() -> None:
    """Neither a busy core nor a log full of tracebacks; then all is as before."""
    with bounded_server(descriptors=40) as server:
        assert is_well(server)
        server.tell()
        cpu = server.cpu_s()
        refused = [server.exchange(GET + b"\r\n") for _ in range(20)]
        waiting = [server.connect() for _ in range(20)]
        closed = [is_closed(each) for each in waiting if not each.recv(65_536)[:0]]
        spent = server.cpu_s() - cpu
        for each in waiting:
            each.close()
        server.tell()

        assert is_well(server)
        assert httpx2.get(f"{server.url}tools").status_code == 200
        logged = server.stop()

    assert {503} == {status_of(each) for each in refused}
    assert "descriptor" in error_of(refused[0])
    assert all(closed)
    assert spent < 0.5
    assert 1 == len(logged.splitlines()), logged
    assert "Traceback" not in logged


def test_a_few_descriptors_are_a_bound_on_connections() -> None:
    """Half of them are left for everything else."""
    with bounded_server(descriptors=40) as server:
        kept = [server.connect() for _ in range(100)]
        try:
            time.sleep(0.1)  # all of them are accepted, or answered
            answered = [each for each in kept if _has_answer(each)]
        finally:
            for each in kept:
                each.close()

        assert 40 < len(answered) < 100
        assert until(lambda: is_well(server))  # once it has seen them leave
        assert "Traceback" not in server.stop()


def _has_answer(connection: socket.socket) -> bool:
    connection.settimeout(0.01)
    try:
        return 503 == status_of(connection.recv(4096))
    except TimeoutError:
        return False
