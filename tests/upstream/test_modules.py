from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.contract.results import CallResult
from toolgauge.upstream import (
    MissingExtra,
    ModuleSource,
    ServerFailed,
    SourceNotFound,
    SourceNotTools,
    SourceUnreadable,
    Upstream,
    open_source,
)
from toolgauge.upstream import modules as modules_module

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

CODE = '''
print("imported")
GOOD = {"name": "good", "inputSchema": {"type": "object"}}

class Duck:
    name = "duck"
    description = "An object."
    inputSchema = {"type": "object"}

class Box:
    tools = [GOOD]
    async def handle_call(self, name, args):
        return [{"type": "text", "text": name}], False, None

class Nested:
    box = Box()
    tools = [Duck()]
    handle_call = "not callable"

tools = [GOOD, {"inputSchema": {}}]
ducks = (Duck(),)
openai = [{"type": "function", "function": {"name": "good", "parameters": {"type": "object"}}}]
listing = {"tools": [GOOD]}
wrong = {"paths": {}}
box = Box()
nested = Nested()
number = 5
text = "tools"

class Lazy:
    @property
    def tools(self):
        print("reading")
        raise KeyError("no database")

class Endless(list):
    def __iter__(self):
        raise OSError("no database")

lazy = Lazy()
endless = Endless([GOOD])

def __getattr__(name):
    if name == "imports":
        import no_such_library
    if name == "exits":
        raise SystemExit(0)
    if name == "ends":
        raise BaseException("the end")
    if name == "interrupted":
        raise KeyboardInterrupt
    raise AttributeError(name)

def provider():
    return [GOOD]

async def provider_later():
    return [GOOD]

from contextlib import asynccontextmanager
from mcp.server import MCPServer, Server

server = MCPServer("demo")

@asynccontextmanager
async def failing(_):
    raise OSError("no database")
    yield

broken_server = MCPServer("broken", lifespan=failing)

@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the working directory, which is not on the path."""
    (tmp_path / "specimen_tools.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in {"", str(tmp_path)}])
    monkeypatch.delitem(sys.modules, "specimen_tools", raising=False)
    return "specimen_tools"


@pytest.fixture(params=["1 / 0", "import no_such_library", "raise SystemExit(3)", "def broken(:"])
def broken(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A module beside the other one whose import fails."""
    (tmp_path / "specimen_broken.py").write_text(request.param, encoding="utf-8")
    return "specimen_broken"


async def opened(module: str, attribute: str) -> Upstream:
    """Open an attribute and give what it holds."""
    async with open_source(ModuleSource(module, attribute)) as upstream:
        return upstream


@pytest.mark.parametrize("attribute", ["tools", "openai", "listing", "box", "nested.box"])
async def test_lists_and_boxes_give_their_tools(module: str, attribute: str) -> None:
    """A list, a provider's shape, and an object with ``.tools``."""
    upstream = await opened(module, attribute)

    assert [{"name": "good", "inputSchema": {"type": "object"}}] == list(upstream.tools)
    assert f"{module}:{attribute}" == upstream.label


async def test_objects_and_providers_pass_through(module: str) -> None:
    """``contract`` knows how to read them."""
    assert ["duck"] == [tool.name for tool in (await opened(module, "ducks")).tools]
    assert callable((await opened(module, "provider")).tools)
    assert callable((await opened(module, "provider_later")).tools)


async def test_a_box_brings_its_own_way_to_call(module: str) -> None:
    """``handle_call`` is used where it can be called."""
    box = await opened(module, "box")
    nested = await opened(module, "nested")

    assert box.handle_call is not None
    assert ([{"type": "text", "text": "x"}], False, None) == await box.handle_call("x", {})
    assert nested.handle_call is None


async def test_what_a_module_prints_does_not_reach_stdout(
    module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program may be reading a JSON document there."""
    await opened(module, "tools")

    streams = capsys.readouterr()
    assert "" == streams.out
    assert "imported\n" == streams.err


async def test_a_server_object_is_spoken_to_in_memory(module: str) -> None:
    """List and call go through the SDK's server, without a process."""
    async with open_source(ModuleSource(module, "server")) as upstream:
        assert upstream.handle_call is not None
        result = await upstream.handle_call("add", {"a": 2, "b": 3})

        assert ["add"] == [tool["name"] for tool in upstream.tools]
        assert "inputSchema" in upstream.tools[0]
        assert isinstance(result, CallResult)
        assert {"result": 5} == result.structured


async def test_the_low_level_server_is_spoken_to_as_well(
    module: str,
) -> None:
    """``MCPServer`` is a shell around it."""
    upstream = await opened(module, "server._lowlevel_server")

    assert ["add"] == [tool["name"] for tool in upstream.tools]


async def test_a_server_object_that_cannot_start_is_one_sentence(module: str) -> None:
    """What its lifespan raised is told."""
    with pytest.raises(ServerFailed) as caught:
        await opened(module, "broken_server")

    assert "no database" in caught.value.reason


async def test_a_body_that_raises_is_not_wrapped(module: str) -> None:
    """The task groups inside do not leak an ExceptionGroup."""
    with pytest.raises(KeyError):
        async with open_source(ModuleSource(module, "server")):
            raise KeyError("mine")


@pytest.mark.parametrize("attribute", ["number", "text", "wrong"])
async def test_what_provides_no_tools_says_so(module: str, attribute: str) -> None:
    """A value of the wrong kind is named."""
    with pytest.raises(SourceNotTools):
        await opened(module, attribute)


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("no_such_module", "tools"), ("specimen_tools.deeper", "tools"), ("specimen_tools", "absent")],
)
async def test_missing_modules_and_attributes_are_not_found(
    module: str, name: str, attribute: str
) -> None:
    """Which step of the dotted name is missing is told."""
    with pytest.raises(SourceNotFound):
        await opened(name, attribute)


async def test_a_module_that_fails_is_unreadable(module: str, broken: str) -> None:
    """Whatever the user's code raises, it is one sentence."""
    with pytest.raises(SourceUnreadable):
        await opened(broken, "tools")


@pytest.mark.parametrize("attribute", ["imports", "exits", "ends", "lazy.tools", "lazy", "endless"])
async def test_an_attribute_that_fails_is_unreadable(module: str, attribute: str) -> None:
    """On the way to it, and while its tools are read."""
    with pytest.raises(SourceUnreadable):
        await opened(module, attribute)


async def test_ctrl_c_in_a_modules_code_stays_one(module: str) -> None:
    """It is for the program."""
    with pytest.raises(KeyboardInterrupt):
        await opened(module, "interrupted")


async def test_a_server_of_another_sdk_is_named(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its class has the right name and no server inside."""
    fake: Any = type("MCPServer", (), {"__module__": "mcp.server.old"})
    monkeypatch.setattr(modules_module, "_import", lambda _: type("M", (), {"server": fake()}))

    with pytest.raises(MissingExtra):
        await opened("anything", "server")
