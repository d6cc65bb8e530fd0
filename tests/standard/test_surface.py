from __future__ import annotations

import subprocess
import sys

import pytest

import toolgauge.standard as room

LIBRARIES = (
    "attr",
    "attrs",
    "cattr",
    "cattrs",
    "marshmallow",
    "msgspec",
    "pydantic",
    "pydantic_core",
)


def _loaded(code: str) -> str:
    code = f"import sys\n{code}\nprint([name for name in {LIBRARIES} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_public_names_are_sorted_and_there() -> None:
    """What ``__all__`` lists exists; constants first, then classes, as the linter sorts them."""

    def order(each: str) -> tuple[int, str]:
        return (0 if each.isupper() else 1 if each[0].isupper() else 2, each)

    assert sorted(room.__all__, key=order) == room.__all__
    assert all(hasattr(room, each) for each in room.__all__)


@pytest.mark.parametrize("name", ["toolgauge", "toolgauge.standard"])
def test_importing_loads_no_validator_library(name: str) -> None:
    """Acceptance criterion: each is reached only when an object of it turns up."""
    assert "[]" == _loaded(f"import {name}")


@pytest.mark.parametrize("obj", ["{'type': 'string'}", "True", "{'~standard': Own}"])
def test_what_needs_no_library_loads_none(obj: str) -> None:
    """Plain JSON Schema and conforming objects."""
    code = (
        "from toolgauge.standard import standardize\n"
        "class Own:\n    version, vendor = 1, 'own'\n"
        "    validate = staticmethod(lambda value: {'value': value})\n"
        f"standardize({obj}).__standard_schema__.validate(1)"
    )

    assert "[]" == _loaded(code)


def test_a_struct_loads_its_own_library_alone() -> None:
    """And not those of the other rows of the table."""
    code = (
        "import msgspec\n"
        "from toolgauge.standard import standardize\n"
        "class Point(msgspec.Struct):\n    x: int\n"
        "standardize(Point).__standard_schema__.validate({'x': 1})"
    )

    assert "['msgspec']" == _loaded(code)
