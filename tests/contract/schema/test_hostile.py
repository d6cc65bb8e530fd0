from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.contract.schema.hostile import CASES
from tests.contract.schema.measuring import measure_all

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")

SMALL_BYTES, SMALL_S, LARGE_S = 100_000, 0.1, 0.25
FACTOR = 3
"""Other machines, and this one when it is busy."""

MAX_MORE_KB = 100_000


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, Any]]:
    """Measure all of them once."""
    return measure_all()


@pytest.mark.parametrize("name", CASES)
def test_no_schema_and_no_value_takes_long(name: str, measured: dict[str, dict[str, Any]]) -> None:
    """A tenth of a second up to 100 kB, a quarter up to the largest body; 100 MB of memory."""
    found = measured[name]

    assert "status" not in found, "it ended by a limit of the system"
    of_schema = SMALL_S if found["schema_bytes"] <= SMALL_BYTES else LARGE_S
    of_value = SMALL_S if found["value_bytes"] <= SMALL_BYTES else LARGE_S
    assert found["compile_s"] < FACTOR * of_schema
    assert found["issues_s"] < FACTOR * of_value
    assert found["parsed_s"] < FACTOR * of_value
    assert found["more_kb"] < MAX_MORE_KB


@pytest.mark.parametrize(
    "name",
    ["backtracking_under_not", "scanning_lookahead_under_not", "conditional_lookaheads"],
)
def test_a_search_that_is_too_costly_never_makes_a_value_valid(
    name: str, measured: dict[str, dict[str, Any]]
) -> None:
    """The engine would take it for no match, and ``not`` for a good sign."""
    assert [None] == measured[name]["issues"]


@pytest.mark.parametrize(
    "name",
    ["unicode_patterns", "unicode_names", "many_patterns", "dynamic_anchors", "shared_parts"],
)
def test_a_schema_that_is_too_costly_is_refused(
    name: str, measured: dict[str, dict[str, Any]]
) -> None:
    """Before it is compiled, and for every value."""
    assert ["schema"] == measured[name]["issues"]


@pytest.mark.parametrize(
    "name",
    [
        "enum_of_objects",
        "enum_of_all_kinds",
        "enum_of_fractions",
        "enum_of_arrays",
        "enum_in_a_member_called_enum",
    ],
)
def test_long_lists_are_looked_up(name: str, measured: dict[str, dict[str, Any]]) -> None:
    """A value that is listed is valid, or the bound says that it was not looked at."""
    assert measured[name]["issues"] in ([], [None])
