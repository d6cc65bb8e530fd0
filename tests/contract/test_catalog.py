from __future__ import annotations

import logging
from typing import Any

import pytest

from toolgauge.contract import Catalog, Tool, UnknownTool

pytestmark = pytest.mark.anyio


def described(name: str, description: str) -> dict[str, Any]:
    """Build a tool that can be told from another of the same name."""
    return {"name": name, "description": description}


async def test_tools_are_listed_in_the_providers_order() -> None:
    """With and without waiting (decision D16)."""
    catalog = Catalog([{"name": "z"}, Tool(name="a"), {"name": "m"}])

    assert ["z", "a", "m"] == [tool.name for tool in await catalog.tools()]
    assert ["z", "a", "m"] == [tool.name for tool in catalog.tools_now()]


async def test_the_first_of_equal_names_wins_everywhere(caplog: pytest.LogCaptureFixture) -> None:
    """In the list and in every look-up; the others are logged once (decision D8)."""
    tools = [described("a", "1"), described("b", "2"), described("a", "3"), described("a", "4")]
    for catalog in (Catalog(tools), Catalog(lambda: tools)):
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                assert ["1", "2"] == [tool.description for tool in await catalog.tools()]

        assert 1 == len(caplog.records)
        assert "1" == (await catalog.find("a")).description
        assert "1" == catalog.find_now("a").description
        assert tools[0] is await catalog.find_source("a")
        assert tools[0] is catalog.find_source_now("a")


async def test_a_tool_that_is_none_hides_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """It is left out and logged once (decision D5)."""
    catalog = Catalog([{"description": "no name"}, None, 5, {"name": 5}, {"name": "a"}])

    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert ["a"] == [tool.name for tool in await catalog.tools()]

    assert 4 == len(caplog.records)
    assert "a" == catalog.find_now("a").name


async def test_names_that_no_url_holds_are_listed_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A client makes nothing of ``..`` in a path; in process they are found (decision D13)."""
    names = ["", ".", "..", "...", "a/b"]
    catalog = Catalog([{"name": name} for name in names])

    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert names == [tool.name for tool in await catalog.tools()]

    assert 3 == len(caplog.records)
    assert [*names] == [catalog.find_now(name).name for name in names]


async def test_an_unknown_name_is_an_error_with_the_name() -> None:
    """Names are compared exactly."""
    catalog = Catalog([{"name": "a"}])

    for name in ("b", "A", "a ", ""):
        with pytest.raises(UnknownTool) as caught:
            await catalog.find(name)
        assert name == caught.value.name
        with pytest.raises(UnknownTool):
            catalog.find_now(name)


def test_a_static_list_that_changes_is_seen() -> None:
    """It stays the caller's: what is added, moved, renamed or removed counts at once."""
    one, two = described("a", "1"), described("b", "2")
    tools: list[Any] = [one, two]
    catalog = Catalog(tools)
    assert "2" == catalog.find_now("b").description

    tools.append(described("c", "3"))
    assert "3" == catalog.find_now("c").description
    tools.reverse()
    assert "1" == catalog.find_now("a").description
    assert "3" == catalog.find_now("c").description
    one["name"] = "renamed"
    assert "1" == catalog.find_now("renamed").description
    with pytest.raises(UnknownTool):
        catalog.find_now("a")
    tools.clear()
    with pytest.raises(UnknownTool):
        catalog.find_now("b")
    tools.append(described("b", "new"))
    assert "new" == catalog.find_now("b").description


def test_a_tuple_and_a_generator_are_kept_as_they_were() -> None:
    """A generator is read once."""
    catalog = Catalog({"name": name} for name in "ab")

    assert ["a", "b"] == [tool.name for tool in catalog.tools_now()]
    assert "b" == catalog.find_now("b").name


def test_warnings_end_somewhere(caplog: pytest.LogCaptureFixture) -> None:
    """A provider that invents names does not fill the log, nor our memory."""
    turn = 0

    def invent() -> list[Any]:
        nonlocal turn
        turn += 1
        return [{"name": f"{turn}-{n}"} for n in range(300) for _ in range(2)]

    catalog = Catalog(invent)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            assert 300 == len(catalog.tools_now())

    assert 1_000 == len(caplog.records)
