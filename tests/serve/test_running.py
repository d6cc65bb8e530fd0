"""A server of its own: it says where it is, checks tokens, and keeps secrets."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest

from tests.serve.tools import TOOLS, Spy
from toolgauge.serve import AddressInUse, run

if TYPE_CHECKING:
    from collections.abc import Iterator

CALL = "tools/get_weather/call"
GOOD = {"city": "Oslo"}


@contextlib.contextmanager
def running(**options: Any) -> Iterator[str]:
    """Run a server in a thread and give its address."""
    ready: list[str] = []
    is_ready, scopes = threading.Event(), []

    def on_ready(url: str) -> None:
        ready.append(url)
        is_ready.set()

    async def main() -> None:
        with anyio.CancelScope() as scope:
            scopes.append((scope, anyio.lowlevel.current_token()))
            await run(TOOLS, Spy().handle_call, port=0, on_ready=on_ready, **options)

    thread = threading.Thread(target=anyio.run, args=(main,))
    thread.start()
    try:
        assert is_ready.wait(10)
        yield ready[0]
    finally:
        scope, token = scopes[0]
        anyio.from_thread.run_sync(scope.cancel, token=token)
        thread.join(10)


def test_it_listens_on_loopback_and_says_where() -> None:
    """A free port, and requests are answered once it has said so."""
    with running() as url:
        answer = httpx2.get(f"{url}tools")

        assert url.startswith("http://127.0.0.1:")
        assert 2 == len(answer.json())
        assert "server" not in answer.headers


def test_a_foreign_host_is_refused_and_an_allowed_one_is_not() -> None:
    """Other names have to be named."""
    with running(allow_hosts=["tools.test"]) as url:
        foreign = httpx2.get(f"{url}tools", headers={"host": "evil.example"})
        allowed = httpx2.get(f"{url}tools", headers={"host": "tools.test"})

        assert (403, 200) == (foreign.status_code, allowed.status_code)


@pytest.mark.parametrize(
    "value",
    [
        "sk-demo-1234567890abcdef",
        "Bearer wrong-token-abcdef123456",
        "Basic dXNlcjpodW50ZXIy",
        "Bearer  right-token",
        "Bearer rïght-token",
        "",
        None,
    ],
)
def test_c24_a_wrong_token_is_401_and_is_printed_nowhere(
    value: str | None, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in the answer, not in a log, not on a terminal, not even a part of it."""
    headers = [] if value is None else [(b"authorization", value.encode())]
    with (
        caplog.at_level(logging.DEBUG),
        running(allow_execute=True, auth_token="right-token") as url,
    ):
        answer = httpx2.post(f"{url}{CALL}", json=GOOD, headers=headers)
        good = httpx2.post(
            f"{url}{CALL}", json=GOOD, headers={"authorization": "Bearer right-token"}
        )
    own = "\n".join(each.getMessage() for each in caplog.records if "httpx" not in each.name)
    seen = own + answer.text + str(answer.headers) + "".join(capfd.readouterr())

    assert (401, 200) == (answer.status_code, good.status_code)
    assert "www-authenticate" in answer.headers
    for secret in ("sk-demo-12345678", "wrong-token", "dXNlcjpodW50ZXIy", "right-token"):
        assert secret not in seen


def test_a_taken_port_is_an_error_of_ours() -> None:
    """With the address in it, and nothing started."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(AddressInUse) as caught:
            anyio.run(lambda: run(TOOLS, Spy().handle_call, port=port))

    assert ("127.0.0.1", port) == (caught.value.host, caught.value.port)


@pytest.mark.parametrize(("host", "port"), [("no such host", 0), ("127.0.0.1", 99_999)])
def test_an_address_that_is_none_is_an_error_of_ours(host: str, port: int) -> None:
    """Not a traceback of the socket library."""
    with pytest.raises(AddressInUse):
        anyio.run(lambda: run(TOOLS, Spy().handle_call, host=host, port=port))
