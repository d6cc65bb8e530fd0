"""No schema keeps a command of the desk busy, or costs the other tools their judgment."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile_schemas import MAX_CPU_S, MAX_MEMORY_MIB, SCHEMAS, run
from toolgauge.changes import compare, compare_schemas, dump_lock, lock_of
from toolgauge.contract import contains
from toolgauge.contract.schema.containing.budget import MAX_COMPARISON_WORK, Budget, TooCostly

SLOW_MACHINE = 1.5
"""How much more CPU another machine may take."""


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("command", ["check", "lower", "diff"])
def test_a_hostile_tool_is_bounded_and_costs_the_others_nothing(command: str, name: str) -> None:
    """Two seconds of CPU and 300 MiB, and a good tool beside it is judged as ever."""
    cpu_s, memory_mib, good = run(command, name)

    assert cpu_s < MAX_CPU_S * SLOW_MACHINE
    assert memory_mib < MAX_MEMORY_MIB
    if command == "check":
        assert [] == good
    elif command == "lower":
        assert "good" in good
    else:
        assert ("input-narrowed", "good") in [(each["kind"], each["tool"]) for each in good]
        hostile = [each["severity"] for each in good if each["tool"] == "hostile"]
        assert "compatible" not in hostile


def _tool(schema: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": schema}


def test_what_passes_the_budget_is_unproven_and_says_why() -> None:
    """It is never compatible."""
    parts = [{"properties": {f"p{i}": {"minimum": i}}} for i in range(4_000)]
    old = {"type": "object", "allOf": parts}
    found = compare_schemas(old, {"type": "object", "allOf": [*parts[1:], {"minProperties": 0}]})

    change = found.changes[0]
    assert ("input-unproven", "unproven") == (change.kind, change.severity)
    assert f"too costly to compare: it needs more than {MAX_COMPARISON_WORK} units" in (
        change.message
    )


def test_a_spent_budget_answers_unknown() -> None:
    """Whatever the schemas are."""
    found = contains({"type": "number"}, {"type": "integer"}, budget=Budget(0))

    assert "unknown" == found.answer
    assert found.reason.startswith("too costly to compare")


def test_a_budget_is_charged_before_the_work() -> None:
    """A pattern that is too large is not compiled, and one schema is charged once."""
    budget = Budget()
    schema = {"pattern": "\\p{L}{0,100}"}
    budget.compile(schema, formats=False)
    left = budget.left
    budget.compile(schema, formats=False)

    assert left == budget.left < MAX_COMPARISON_WORK - 10_000
    with pytest.raises(TooCostly):
        Budget(10_000).compile(schema, formats=False)


def _shared(levels: int) -> list[Any]:
    value: list[Any] = [1]
    for _ in range(levels):
        value = [value, value]
    return value


def test_a_definition_that_grows_when_it_is_written_is_not_compared() -> None:
    """It is unproven, and a lock of it is refused."""
    tools = [_tool({"type": "object", "default": _shared(levels)}) for levels in (40, 41)]
    (change,) = compare([tools[0]], [tools[1]]).changes

    assert ("input-unproven", "t") == (change.kind, change.tool)
    assert "bytes of memory" in change.message
    with pytest.raises(ValueError, match="bytes of memory"):
        dump_lock(lock_of(tools))


def test_many_renamed_tools_find_their_new_names() -> None:
    """Each new name is taken once, in the order of the list."""
    olds = [{"name": f"old{i}", "inputSchema": {"type": "object"}} for i in range(3)]
    news = [{"name": f"new{i}", "inputSchema": {"type": "object"}} for i in range(2)]
    found = compare(olds, news).changes

    assert [
        ("tool-removed", "old2"),
        ("tool-renamed", "old0"),
        ("tool-renamed", "old1"),
    ] == sorted((each.kind, each.tool) for each in found)
    assert "'new1'" in next(each.message for each in found if each.tool == "old1")
