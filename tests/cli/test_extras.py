"""Libraries that can be found and cannot be used: of another version, in parts, by name alone."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_serve import serving

if TYPE_CHECKING:
    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
CALL = {"name": "add", "arguments": {}}

Hollow = Callable[[str], str]


@pytest.fixture
def hollow(tmp_path: Path) -> Hollow:
    """Put an empty package of a name before the real one; give the path to import from."""

    def make(name: str) -> str:
        package = tmp_path / "path" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        return os.pathsep.join([str(package.parent), os.environ.get("PYTHONPATH", "")])

    return make


@pytest.mark.parametrize("library", ["mcp", "httpx2", "mcp_types"])
@pytest.mark.parametrize("words", [["http://127.0.0.1:1/"], ["shop:server"]])
def test_a_server_at_a_url_or_in_a_module_needs_the_whole_sdk(
    words: list[str], library: str, process: Run, hollow: Hollow, tmp_path: Path
) -> None:
    """The command that installs it is named."""
    path = hollow(library)
    # As the object of another version of the SDK is.
    shop = "class Server:\n    __module__ = 'mcp.server'\nserver = Server()"
    (tmp_path / "path" / "shop.py").write_text(shop)
    ended = process("list", *words, PYTHONPATH=path)

    assert 3 == ended.code
    assert "toolgauge[mcp]" in ended.err
    assert "Traceback" not in ended.err


def test_a_server_over_stdio_is_listed_without_the_sdk(process: Run, hollow: Hollow) -> None:
    """Nothing of it is loaded."""
    path = hollow("mcp")
    hollow("httpx2")
    server = str(Path(__file__).parents[1] / "serve" / "mcp" / "counting.py")
    ended = process("list", "--", sys.executable, server, os.devnull, "older", PYTHONPATH=path)

    assert (0, "") == (ended.code, ended.err)
    assert "pay" in ended.out


@pytest.mark.parametrize("library", ["mcp", "sse_starlette"])
def test_mcp_over_stdio_needs_the_whole_sdk(library: str, process: Run, hollow: Hollow) -> None:
    """Whatever the source is. The other dialect does without."""
    path = hollow(library)
    mcp = process("stdio", DEMO, "--no-log", PYTHONPATH=path)
    canonical = process("stdio", DEMO, "--no-log", "--dialect", "canonical", PYTHONPATH=path)

    assert 3 == mcp.code
    assert "toolgauge[mcp]" in mcp.err
    assert "Traceback" not in mcp.err
    assert 0 == canonical.code


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("library", ["mcp", "sse_starlette"])
def test_a_page_without_the_whole_sdk_has_no_mcp(library: str, hollow: Hollow) -> None:
    """The rest of it is served."""
    words = [DEMO, "--no-log", "--format", "json"]
    with serving(*words, PYTHONPATH=hollow(library)) as served:
        document = json.loads(served.line)
        served.end(signal.SIGTERM)

    assert document["mcp"] is None
    assert document["url"]


def test_an_audit_needs_all_of_its_libraries(process: Run, hollow: Hollow, tmp_path: Path) -> None:
    """As where there is none of them."""
    calls = tmp_path / "calls.jsonl"
    calls.write_text(json.dumps(CALL))
    ended = process("audit", str(calls), "--tools", DEMO, PYTHONPATH=hollow("msgspec"))

    assert 2 == ended.code
    assert "toolgauge[audit]" in ended.err
    assert "Traceback" not in ended.err
