from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import toolgauge.contract as room

MODULES = [
    room.__name__,
    *sorted(each.name for each in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")),
]
PACKAGES = [
    each
    for each in MODULES
    if hasattr(importlib.import_module(each), "__path__")
    or hasattr(importlib.import_module(each), "__all__")
]


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_sorted_and_there(name: str) -> None:
    """What ``__all__`` lists exists; constants first, as the linter sorts them."""
    module = importlib.import_module(name)
    listed: list[str] = module.__all__

    def order(each: str) -> tuple[int, str]:
        return (0 if each.isupper() else 1 if each[0].isupper() else 2, each)

    assert sorted(listed, key=order) == listed
    assert len(listed) == len(set(listed))
    assert all(hasattr(module, each) for each in listed)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    """And give what they say."""
    result = doctest.testmod(importlib.import_module(name))

    assert 0 == result.failed


def test_there_are_examples() -> None:
    """The test above is not idle."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [
        example
        for name in MODULES
        for each in finder.find(importlib.import_module(name))
        for example in each.examples
    ]

    assert len(found) >= 5


def test_importing_the_room_loads_no_other_library() -> None:
    """Nothing that is only needed for some jobs; neither does using it."""
    code = """if True:
        import sys
        import toolgauge.contract as room
        room.compile_schema({"type": "string"}).issues(1)
        room.read_tool({"name": "a"})
        unwanted = {"pydantic", "mcp", "mcp_types", "uvicorn", "starlette", "typer", "rich",
                    "httpx", "httpx2", "pyarrow"}
        print(sorted(unwanted & set(sys.modules)))
    """

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
