from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.envelope.transports import Http, Stdio, Transport, open_http, open_stdio

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    """Serve the specimens over HTTP."""
    with open_http(tmp_path_factory.mktemp("http")) as opened:
        yield opened


@pytest.fixture(scope="module")
def stdio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stdio]:
    """Serve the specimens over a pipe."""
    with open_stdio(tmp_path_factory.mktemp("stdio")) as opened:
        yield opened


@pytest.fixture(scope="module", params=["http", "stdio"])
def transport(request: pytest.FixtureRequest) -> Transport:
    """Give each transport in turn: a real server, a real pipe."""
    opened: Transport = request.getfixturevalue(request.param)
    return opened
