"""Real clients through the gateway in front of real servers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

Npm = Callable[[str], tuple[str, Path]]
EVERYTHING = "@modelcontextprotocol/server-everything"
FILES = "@modelcontextprotocol/server-filesystem"
GATEWAY = ("-m", "toolgauge", "stdio", "--no-log", "--connect-timeout", "60", "--")


def behind(name: str, npm: Npm, folder: Path) -> tuple[list[str], str, dict[str, Any], str]:
    """Give a server's command, one of its tools, arguments, and what the answer holds."""
    if name == "time":
        command = [sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"]
        return command, "get_current_time", {"timezone": "UTC"}, "timezone"
    if name == "everything":
        node, package = npm(EVERYTHING)
        command = [node, str(package / "dist" / "index.js"), "stdio"]
        return command, "echo", {"message": "héllo ★"}, "héllo ★"
    node, package = npm(FILES)
    (folder / "note.txt").write_text("written here", encoding="utf-8")
    command = [node, str(package / "dist" / "index.js"), str(folder)]
    return command, "read_text_file", {"path": str(folder / "note.txt")}, "written here"


@pytest.fixture(params=["everything", "files", "time"])
def server(
    request: pytest.FixtureRequest, npm: Npm, tmp_path: Path
) -> tuple[list[str], str, dict[str, Any], str]:
    """Give each server in turn."""
    return behind(request.param, npm, tmp_path)


@pytest.mark.anyio
async def test_the_official_client_lists_and_calls_over_stdio(
    server: tuple[list[str], str, dict[str, Any], str],
) -> None:
    """Good calls arrive; bad ones come back with the reason."""
    command, tool, arguments, words = server
    params = StdioServerParameters(command=sys.executable, args=[*GATEWAY, *command])
    async with stdio_client(params) as streams, ClientSession(*streams) as session:
        await session.initialize()
        listed = await session.list_tools()
        good = await session.call_tool(tool, arguments)
        bad = await session.call_tool(tool, dict.fromkeys(arguments, 5))

    assert tool in {each.name for each in listed.tools}
    assert words in "".join(each.text for each in good.content if isinstance(each, TextContent))
    assert bad.is_error
    assert "is not of type 'string'" in str(bad.content[0])


@pytest.mark.anyio
async def test_the_official_client_lists_and_calls_over_http(
    server: tuple[list[str], str, dict[str, Any], str], serving: Callable[..., Any]
) -> None:
    """The same over Streamable HTTP, with a session."""
    command, tool, arguments, words = server
    with serving("--connect-timeout", "60", "--", *command) as url:
        async with streamable_http_client(url) as streams, ClientSession(*streams) as session:
            await session.initialize()
            listed = await session.list_tools()
            good = await session.call_tool(tool, arguments)

    assert tool in {each.name for each in listed.tools}
    assert words in "".join(each.text for each in good.content if isinstance(each, TextContent))


def test_the_inspector_lists_and_calls(
    server: tuple[list[str], str, dict[str, Any], str], npm: Npm, tmp_path: Path
) -> None:
    """Its command line takes the gateway as any other server."""
    command, tool, arguments, words = server
    node, inspector = npm("@modelcontextprotocol/inspector")
    entry = json.loads((inspector / "package.json").read_text("utf-8"))["bin"]
    script = inspector / (entry if isinstance(entry, str) else next(iter(entry.values())))
    config = tmp_path / "clients.json"
    started = {"command": sys.executable, "args": [*GATEWAY, *command]}
    config.write_text(json.dumps({"mcpServers": {"gateway": started}}), encoding="utf-8")
    target = ["--config", str(config), "--server", "gateway"]

    def inspect(*words: str) -> Any:
        done = subprocess.run(
            [node, str(script), "--cli", *target, *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            timeout=120,
        )
        assert 0 == done.returncode, done.stderr + done.stdout
        return json.loads(done.stdout)

    listed = inspect("--method", "tools/list")
    given = [word for pair in arguments.items() for word in ("--tool-arg", "=".join(pair))]
    good = inspect("--method", "tools/call", "--tool-name", tool, *given)

    assert tool in {each["name"] for each in listed["tools"]}
    assert words in json.dumps(good, ensure_ascii=False)
