from __future__ import annotations

import inspect
import subprocess
import sys

import toolgauge.changes as room
from toolgauge.changes import errors
from toolgauge.contract import ToolgaugeError


def test_what_the_room_offers_is_there_and_sorted() -> None:
    """Constants first, then classes, then functions."""

    def order(each: str) -> tuple[int, str]:
        return (0 if each.isupper() else 1 if each[0].isupper() else 2, each)

    assert sorted(room.__all__, key=order) == room.__all__
    assert all(hasattr(room, each) for each in room.__all__)


def test_every_exception_of_the_room_has_the_one_root() -> None:
    """And is public."""
    ours = {
        each
        for name, each in inspect.getmembers(errors, inspect.isclass)
        if issubclass(each, ToolgaugeError) and each is not ToolgaugeError
    }

    assert ours
    assert {each.__name__ for each in ours} <= set(room.__all__)


def test_importing_the_room_loads_no_heavy_library() -> None:
    """Nothing that is only needed for some jobs."""
    code = """if True:
        import sys, toolgauge.changes
        print(sorted({"jsonschema", "mcp", "pydantic", "rich", "starlette"} & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
