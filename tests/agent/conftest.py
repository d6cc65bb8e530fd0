from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from tests.agent.messages_server import Script, serving


@pytest.fixture
def script() -> Iterator[Script]:
    """Serve whatever answers the test puts into it."""
    with serving(Script()) as found:
        yield found


@pytest.fixture
async def client(script: Script) -> AsyncIterator[Any]:
    """Give the real client of the SDK, at the server on loopback."""
    async with AsyncAnthropic(api_key="k", base_url=script.url, max_retries=0) as found:
        yield found
