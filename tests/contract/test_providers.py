from __future__ import annotations

import functools
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from toolgauge.contract import Catalog, InvalidProvider, Tool, UnknownTool
from toolgauge.contract.catalog import Provider

pytestmark = pytest.mark.anyio

TOOLS = [Tool(name="a"), Tool(name="b")]


def sync() -> list[Tool]:
    """Give the tools."""
    return list(TOOLS)


async def asynchronous() -> list[Tool]:
    """Give the tools, later."""
    return list(TOOLS)


def generate() -> Iterator[Tool]:
    """Give the tools, one by one."""
    yield from TOOLS


class Holder:
    def __call__(self) -> list[Tool]:
        return list(TOOLS)

    def bound(self) -> tuple[Tool, ...]:
        return tuple(TOOLS)

    async def later(self) -> list[Tool]:
        return list(TOOLS)


def pick(count: int) -> list[Tool]:
    """Give so many tools."""
    return TOOLS[:count]


STATIC: dict[str, Callable[[], Any]] = {
    "list": lambda: list(TOOLS),
    "tuple": lambda: tuple(TOOLS),
    "generator": generate,
    "dictionary view": {tool.name: tool for tool in TOOLS}.values,
    "map": lambda: map(Tool.with_name, TOOLS, "ab"),
}
CALLED: dict[str, Any] = {
    "function": sync,
    "generator function": generate,
    "lambda": lambda: tuple(TOOLS),
    "optional parameter": lambda request=None: TOOLS,
    "any parameters": lambda *args, **kwargs: TOOLS,
    "callable object": Holder(),
    "bound method": Holder().bound,
    "partial": functools.partial(pick, 2),
    "partial by name": functools.partial(pick, count=2),
}
AWAITED: dict[str, Any] = {
    "async function": asynchronous,
    "async method": Holder().later,
    "partial": functools.partial(asynchronous),
    "function that gives a coroutine": lambda: asynchronous(),  # noqa: PLW0108 - the specimen
}


@pytest.mark.parametrize("name", STATIC)
async def test_any_iterable_of_tools_is_a_static_provider(name: str) -> None:
    """Read once, given as often as asked for (decision D6)."""
    provider = Provider(STATIC[name]())

    assert provider.is_static
    for _ in range(2):
        assert TOOLS == list(await provider.resolve())
        assert TOOLS == list(provider.resolve_now())


@pytest.mark.parametrize("name", CALLED)
async def test_any_callable_is_a_provider(name: str) -> None:
    """Whatever kind of callable."""
    provider = Provider(CALLED[name])

    assert not provider.is_static
    assert TOOLS == list(await provider.resolve())
    assert TOOLS == list(provider.resolve_now())


@pytest.mark.parametrize("name", AWAITED)
async def test_what_a_callable_gives_is_awaited(name: str) -> None:
    """The result decides, not how the function is written."""
    assert TOOLS == list(await Provider(AWAITED[name]).resolve())


@pytest.mark.parametrize("name", AWAITED)
def test_an_async_provider_cannot_be_asked_without_waiting(name: str) -> None:
    """An error of ours, and no coroutine is left behind unawaited."""
    provider = Provider(AWAITED[name])

    with pytest.raises(InvalidProvider) as caught:
        provider.resolve_now()
    gc.collect()

    assert "tools()" == caught.value.where


async def test_an_awaitable_that_is_no_coroutine_is_awaited_too() -> None:
    """Such as a future, or an object of the user's own."""

    class Later:
        def __await__(self) -> Any:
            yield from ()
            return TOOLS

    provider = Provider(Later)

    assert TOOLS == list(await provider.resolve())
    with pytest.raises(InvalidProvider):
        provider.resolve_now()


async def test_a_callable_is_called_for_every_request() -> None:
    """Nothing it gave is kept."""
    calls: list[int] = []

    def count() -> list[Tool]:
        calls.append(1)
        return [Tool(name=f"t{len(calls)}")]

    catalog = Catalog(count)

    assert ["t1"] == [tool.name for tool in await catalog.tools()]
    assert ["t2"] == [tool.name for tool in catalog.tools_now()]
    assert "t3" == (await catalog.find("t3")).name
    with pytest.raises(UnknownTool):
        catalog.find_now("t3")


async def test_a_callable_with_one_parameter_gets_the_request() -> None:
    """``None`` where there is no request (decision V24)."""
    seen: list[object] = []

    def allowed(request: object) -> list[Tool]:
        seen.append(request)
        return TOOLS

    async def allowed_later(request: object) -> list[Tool]:
        return allowed(request)

    def by_name(*, request: object) -> list[Tool]:
        raise AssertionError

    assert Catalog(allowed).takes_request
    await Catalog(allowed).tools("one")
    await Catalog(allowed_later).find("a", "two")
    Catalog(allowed).find_now("a")
    Provider(functools.partial(allowed)).resolve_now()
    await Provider(functools.partial(pick, 1)).resolve("not asked for")

    assert ["one", "two", None, None] == seen
    assert not Catalog(sync).takes_request
    assert not Catalog(TOOLS).takes_request
    with pytest.raises(TypeError):
        Provider(by_name).resolve_now()


def test_a_builtin_without_a_signature_is_called_without_arguments() -> None:
    """There is nothing to read."""
    assert [] == list(Provider(list).resolve_now())
    assert ["a"] == list(Provider(dict.fromkeys("a").keys).resolve_now())


@pytest.mark.parametrize("tools", ["a", b"a", {"a": 1}, 5, None, 1.5, object()])
def test_what_cannot_provide_tools_is_refused_at_once(tools: Any) -> None:
    """When it is given, not when it is asked (decision D6)."""
    with pytest.raises(InvalidProvider) as caught:
        Catalog(tools)

    assert "tools" == caught.value.where
    assert type(tools).__name__ in caught.value.found


async def _async_generator() -> AsyncIterator[Tool]:
    yield TOOLS[0]


@pytest.mark.parametrize("given", ["a", b"a", {"a": 1}, 5, None, object(), _async_generator()])
async def test_garbage_from_a_callable_is_an_error(given: Any) -> None:
    """Sync or async; whoever carries the call answers 500 (decision D7)."""

    async def later() -> Any:
        return given

    for provider in (Provider(lambda: given), Provider(later)):
        with pytest.raises(InvalidProvider) as caught:
            await provider.resolve()
        assert "tools()" == caught.value.where
    with pytest.raises(InvalidProvider):
        Provider(lambda: given).resolve_now()


async def test_what_a_provider_raises_is_not_hidden() -> None:
    """Neither by the provider nor by the catalogue."""

    def broken() -> list[Tool]:
        raise ZeroDivisionError

    async def broken_later() -> list[Tool]:
        raise ZeroDivisionError

    for each in (broken, broken_later):
        with pytest.raises(ZeroDivisionError):
            await Catalog(each).tools()
        with pytest.raises(ZeroDivisionError):
            await Catalog(each).find("a")


@pytest.mark.parametrize("specimen", [sync, Holder().bound, Holder, len, functools.partial])
def test_a_function_in_a_list_is_no_tool_yet(specimen: Any) -> None:
    """A list of nothing else is refused with its name and the way to make a tool of it."""
    with pytest.raises(InvalidProvider) as caught:
        Provider([specimen, sync])

    assert "tools[0]" == caught.value.where
    assert specimen.__name__ in caught.value.found


async def test_a_function_that_a_provider_gives_is_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """With a warning that says the same, and hides no other."""
    assert TOOLS == await Catalog(lambda: [sync, *TOOLS]).tools()
    assert "'sync', not a tool (@toolgauge.tool" in caplog.text
