"""Issue point 4, take away: what the page gives runs, against the real server."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import TOOLS, desk
from toolgauge.wire import formats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

TEXT = '{"value": 3.0, "from": "mile", "to": "kilometer"}'


@pytest.fixture
def command(tmp_path: Path) -> Iterator[str]:
    """Run ``toolgauge serve`` with a token and with the log in the page; give its address."""
    words = ["serve", "toolgauge.demo:tools", "--allow-execute", "--port", "0", "--log-tab"]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", *words, "--format", "json", "--log-dir", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TOOLGAUGE_AUTH_TOKEN": "sesame"},
    )
    assert process.stdout is not None
    try:
        yield str(json.loads(process.stdout.readline())["url"])
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def take(visitor: Visitor, choice: str, name: str) -> str:
    """Choose a form and give its text."""
    visitor.page.get_by_role("button", name=choice, exact=True).click()
    region = visitor.page.get_by_role("region", name=name)
    expect(region).to_be_visible()
    return region.inner_text()


def test_each_form_of_a_call_runs(command: str, visit: Visit) -> None:
    """cURL, the two kinds of Python and both frames, with the token from the environment."""
    visitor = visit(f"{command}#/tools/convert_units")
    visitor.write(TEXT)
    visitor.has_verdict("Valid")
    visitor.execute.click()
    visitor.page.get_by_label("Token").fill("sesame")
    visitor.page.keyboard.press("Enter")
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    visitor.page.get_by_role("tab", name="Take away").click()
    env = {**os.environ, "TOOLGAUGE_TOKEN": "sesame"}

    curl = take(visitor, "cURL", "cURL command")
    told = subprocess.run(["sh", "-c", curl], capture_output=True, text=True, env=env, check=True)
    assert "4.828" in told.stdout
    for choice, name in (
        ("Python, toolgauge", "Python code with toolgauge"),
        ("Python, MCP SDK", "Python code with the MCP SDK"),
    ):
        code = take(visitor, choice, name)
        assert "sesame" not in code
        ran = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False
        )
        assert "4.828" in ran.stdout, ran.stderr

    canonical = json.loads(take(visitor, "JSON-RPC, /rpc", "canonical message"))
    answer = visitor.page.request.post(
        f"{command}rpc", data=canonical, headers={"Authorization": "Bearer sesame"}
    ).json()
    assert 4.828 == pytest.approx(answer["result"]["output"]["value"], abs=0.001)
    mcp = take(visitor, "JSON-RPC, MCP", "MCP message")
    assert '"value": 3.0' in mcp
    assert {"name": "convert_units", "arguments": json.loads(TEXT)} == json.loads(mcp)["params"]


def test_the_tool_is_given_as_each_provider_wants_it(serve: Serve, visit: Visit) -> None:
    """The same as the library writes, for every format."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_past")
    visitor.page.get_by_role("tab", name="Take away").click()
    for each in formats().values():
        shown = take(visitor, each.title, f"tool for {each.title}")
        assert json.loads(json.dumps(each.to_tools([TOOLS[1]]))) == json.loads(shown)


def test_what_is_taken_away_is_copied_exactly(serve: Serve, visit: Visit) -> None:
    """Also a body that a shell would take apart."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_past", permissions=["clipboard-read"])
    visitor.write('{"city": "it\'s `$HOME` \\"é\\""}')
    visitor.page.get_by_role("tab", name="Take away").click()
    visitor.page.get_by_role("button", name="Copy the cURL command").click()
    expect(visitor.page.get_by_text("Copied", exact=True)).to_be_visible()
    copied: str = visitor.page.evaluate("navigator.clipboard.readText()")
    words: list[Any] = shlex.split(copied.replace("\\\n", " "))

    assert visitor.written() == words[-1]
    assert re.match(r"http://127.0.0.1:\d+/tools/weather_past/call", words[2])
