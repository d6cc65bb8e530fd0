from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from typing import Any

import pytest

from toolgauge import CallResult, Gate, Tool
from toolgauge.contract import compile_schema
from toolgauge.demo import tools
from toolgauge.demo.query_cities import COLUMNS, open_cities

GATE = Gate(tools)

each_tool = pytest.mark.parametrize("tool", tools, ids=[tool.name for tool in tools])


def run(name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool through the gate and give its structured result."""
    result = asyncio.run(GATE.call(name, arguments))
    assert not result.is_error, result
    return dict(result.structured)


def refuse(name: str, **arguments: Any) -> str:
    """Call a tool with what its schema allows and it cannot do; give its words."""
    result = asyncio.run(GATE.call(name, arguments))
    assert result.is_error
    assert () == result.issues
    return str(result.content[0]["text"])


@each_tool
def test_every_example_runs_and_keeps_both_contracts(tool: Tool) -> None:
    """What the schemas show is true."""
    for example in tool.input_schema["examples"]:
        result = asyncio.run(GATE.call(tool.name, example))

        assert not result.is_error
        assert () == compile_schema(tool.output_schema, formats=True).issues(result.structured)


@each_tool
def test_every_tool_describes_itself(tool: Tool) -> None:
    """A description, a title, and annotations of a tool that changes nothing."""
    assert tool.description
    assert tool.extra["title"]
    assert tool.annotations["readOnlyHint"] is True
    assert tool.annotations["destructiveHint"] is False


@each_tool
def test_every_object_is_closed_and_every_property_described(tool: Tool) -> None:
    """A misspelled argument is refused, and a form has words for each field."""
    assert tool.input_schema["additionalProperties"] is False
    for name, schema in tool.input_schema["properties"].items():
        assert schema.get("description"), name


def test_the_demo_needs_the_contract_alone() -> None:
    """It runs wherever the package does."""
    code = (
        "import sys; before = set(sys.modules); import toolgauge.demo; "
        "print({'mcp', 'starlette', 'typer', 'pydantic'} & (set(sys.modules) - before))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "set()" == done.stdout.strip()


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (1, "mile", "kilometer", 1.609344),
        (26.2, "mile", "kilometer", 42.1648128),
        (1, "inch", "centimeter", 2.54),
        (100, "celsius", "fahrenheit", 212.0),
        (-40, "celsius", "fahrenheit", -40.0),
        (0, "kelvin", "celsius", -273.15),
        (32, "fahrenheit", "kelvin", 273.15),
        (1, "pound", "kilogram", 0.45359237),
        (1, "us_gallon", "liter", 3.785411784),
        (36, "kilometer_per_hour", "meter_per_second", 10.0),
        (1, "knot", "kilometer_per_hour", 1.852),
        (0.1, "meter", "meter", 0.1),
        (10**400, "millimeter", "millimeter", None),
    ],
)
def test_units_convert_exactly(
    value: float, source: str, target: str, expected: float | None
) -> None:
    """Definitions are exact, so results are; what no double holds is refused."""
    arguments = {"value": value, "from": source, "to": target}
    if expected is None:
        assert "too large" in refuse("convert_units", **arguments)
    else:
        assert expected == run("convert_units", **arguments)["value"]


def test_units_of_two_kinds_do_not_convert() -> None:
    """The answer says which units would."""
    text = refuse("convert_units", **{"value": 1, "from": "mile", "to": "kilogram"})

    assert "length" in text
    assert "mass" in text
    assert "kilometer" in text


def test_nothing_is_colder_than_absolute_zero() -> None:
    """A schema cannot know this bound, which differs by unit."""
    assert "absolute zero" in refuse(
        "convert_units", **{"value": -300, "from": "celsius", "to": "kelvin"}
    )


@pytest.mark.parametrize("digits", [3, 3.0])
def test_digits_round_the_result(digits: float) -> None:
    """3.0 is an integer to JSON Schema."""
    arguments = {"value": 1, "from": "mile", "to": "kilometer", "digits": digits}

    assert 1.61 == run("convert_units", **arguments)["value"]


def test_a_text_is_counted() -> None:
    """Words with apostrophes and hyphens are one word; top words fold case."""
    text = "Don't panic! The well-known answer is 42.\n\nThe end"

    counted = run("text_statistics", text=text, top=1)

    assert 9 == counted["words"]
    assert 8 == counted["unique_words"]
    assert 3 == counted["sentences"]
    assert 3 == counted["lines"]
    assert 2 == counted["paragraphs"]
    assert len(text) == counted["characters"]
    assert [{"word": "the", "count": 2}] == counted["top_words"]


@pytest.mark.parametrize(
    ("text", "words", "sentences", "paragraphs"),
    [
        ("", 0, 0, 0),
        (" \n\t\n ", 0, 0, 0),
        ("...", 0, 0, 1),
        ("one", 1, 1, 1),
        ("Pi is 3.14 and e.g. more", 8, 2, 1),
        ("Was? Nein! Ja…", 3, 3, 1),
        ("你好。再见。", 2, 2, 1),
        ("🎉 party", 1, 1, 1),
    ],
)
def test_odd_texts_are_counted(text: str, words: int, sentences: int, paragraphs: int) -> None:
    """Empty, without words, without an end, and in other scripts."""
    counted = run("text_statistics", text=text)

    assert (words, sentences, paragraphs) == (
        counted["words"],
        counted["sentences"],
        counted["paragraphs"],
    )


def test_case_may_matter() -> None:
    """Then two spellings are two words."""
    assert 2 == run("text_statistics", text="The the", case_sensitive=True)["unique_words"]


@pytest.mark.parametrize(
    ("start", "steps", "expected"),
    [
        ("2026-01-31", [(1, "months")], "2026-02-28"),
        ("2024-01-31", [(1, "months")], "2024-02-29"),
        ("2024-02-29", [(1, "years")], "2025-02-28"),
        ("2026-03-31", [(-1, "months"), (1, "days")], "2026-03-01"),
        ("2026-11-27", [(1, "workdays")], "2026-11-30"),
        ("2026-11-28", [(1, "workdays")], "2026-11-30"),
        ("2026-11-28", [(-1, "workdays")], "2026-11-27"),
        ("2026-11-27", [(5, "workdays")], "2026-12-04"),
        ("2026-11-28", [(5, "workdays")], "2026-12-04"),
        ("2026-11-27", [(10, "workdays")], "2026-12-11"),
        ("2026-11-27", [(0, "workdays")], "2026-11-27"),
        ("2026-11-27", [(2, "weeks"), (-3, "days")], "2026-12-08"),
        ("2026-11-27", [], "2026-11-27"),
    ],
)
def test_dates_move(start: str, steps: list[tuple[int, str]], expected: str) -> None:
    """Months end on their last day; workdays skip weekends both ways."""
    moves = [{"amount": amount, "unit": unit} for amount, unit in steps]

    assert expected == run("date_calculator", start=start, steps=moves)["date"]


def test_a_date_is_described() -> None:
    """Weekday, ISO week, day of the year; and the count until another date."""
    found = run("date_calculator", start="2024-12-31", compare={"until": "2025-01-14"})
    weeks = run(
        "date_calculator", start="2024-12-31", compare={"until": "2025-01-14", "in": "weeks"}
    )

    assert ("Tuesday", 1, 366, True) == (
        found["weekday"],
        found["iso_week"],
        found["day_of_year"],
        found["is_leap_year"],
    )
    assert {"days": 14} == found["until"]
    assert {"weeks": 2.0} == weeks["until"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": "2026-02-30"},
        {"start": "20260227"},
        {"start": "tomorrow"},
        {"start": "2026-W09-5"},
        {"start": "2026-01-01", "compare": {"until": "2026-13-01"}},
        {"start": "9999-01-01", "steps": [{"amount": 1, "unit": "years"}]},
        {"start": "0001-01-01", "steps": [{"amount": -1, "unit": "days"}]},
        {"start": "9999-01-01", "steps": [{"amount": 100_000, "unit": "workdays"}]},
    ],
)
def test_dates_that_do_not_exist_are_refused(arguments: dict[str, Any]) -> None:
    """``format`` is an annotation by default, so the tool must know."""
    assert refuse("date_calculator", **arguments)


def cities(*conditions: tuple[str, str, Any], **arguments: Any) -> list[str]:
    """Query names by conditions."""
    where = {
        "conditions": [{"column": c, "operator": o, "value": v} for c, o, v in conditions],
        "match": arguments.pop("match", "all"),
    }
    found = run("query_cities", where=where, columns=["name"], **arguments)
    return [row["name"] for row in found["rows"]]


def test_cities_are_filtered_sorted_and_limited() -> None:
    """Conditions join with all or any; values may be texts, numbers, booleans, lists."""
    high = [("elevation_m", ">", 2_000), ("is_capital", "=", True)]
    order = [{"column": "elevation_m", "direction": "descending"}]

    assert ["Quito", "Bogotá", "Addis Ababa", "Mexico City"] == cities(*high, order_by=order)
    assert ["Quito"] == cities(*high, order_by=order, limit=1)
    assert {"Paris", "Rome"} == set(cities(("name", "in", ["paris", "ROME"])))
    assert ["Rome"] == cities(("name", "=", "rome"))
    assert ["Santiago"] == cities(("name", "starts_with", "sant"))
    assert {"Casablanca", "Havana"} == set(
        cities(("name", "contains", "blanca"), ("name", "ends_with", "vana"), match="any")
    )


def test_a_query_without_arguments_gives_the_largest() -> None:
    """Defaults make sense, and the count tells how many there are."""
    found = run("query_cities")

    assert 10 == len(found["rows"])
    assert {"name", "country", "population"} == set(found["rows"][0])
    assert "Shanghai" == found["rows"][0]["name"]
    assert 60 <= found["matching"]


def test_booleans_come_back_as_booleans() -> None:
    """SQLite has none."""
    found = run("query_cities", columns=["is_capital"], limit=1)

    assert isinstance(found["rows"][0]["is_capital"], bool)


@pytest.mark.parametrize(
    "value",
    ["'; DROP TABLE cities; --", '" OR 1=1', "%", "_", "\\", "\\%"],
)
def test_no_text_is_ever_sql(value: str) -> None:
    """Quotes and wildcards are characters like any other."""
    assert [] == cities(("name", "=", value))
    assert [] == cities(("name", "contains", value))
    assert 60 <= run("query_cities")["matching"]


@pytest.mark.parametrize(
    "condition",
    [
        ("population", ">", "many"),
        ("name", "=", 5),
        ("name", "contains", 5),
        ("name", "contains", "a\0b"),
        ("name", "=", ["a", "b"]),
        ("population", "in", [1, "two"]),
        ("population", "<", 10**400),
    ],
)
def test_a_value_that_does_not_fit_its_column_is_refused(condition: tuple[str, str, Any]) -> None:
    """The schema allows each of these values somewhere."""
    column, operator, value = condition

    assert refuse(
        "query_cities",
        where={"conditions": [{"column": column, "operator": operator, "value": value}]},
    )


def test_the_database_cannot_be_written_to() -> None:
    """Even by our own code."""
    with open_cities() as database, pytest.raises(sqlite3.OperationalError):
        database.execute("DELETE FROM cities")


def test_handlers_run_in_any_thread() -> None:
    """The gate runs them in a pool."""
    found: list[CallResult] = []
    threads = [
        threading.Thread(target=lambda: found.append(asyncio.run(GATE.call("query_cities", {}))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [False] * 8 == [result.is_error for result in found]


def test_the_table_is_whole() -> None:
    """Types, ranges, and one row for each city."""
    with open_cities() as database:
        rows = [dict(row) for row in database.execute("SELECT * FROM cities")]

    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert set(COLUMNS) == set(row)
        assert -90 <= row["latitude"] <= 90
        assert -180 <= row["longitude"] <= 180
        assert row["is_capital"] in {0, 1}
        assert row["population"] > 100_000


@pytest.mark.parametrize(
    ("shape", "area", "perimeter"),
    [
        ({"kind": "circle", "radius": 1}, 3.14159265359, 6.28318530718),
        ({"kind": "rectangle", "width": 3, "height": 4}, 12.0, 14.0),
        ({"kind": "triangle", "sides": [3, 5, 4]}, 6.0, 12.0),
        (
            {
                "kind": "polygon",
                "corners": [{"x": 0, "y": 0}, {"x": 2, "y": 0}, {"x": 2, "y": 2}, {"x": 0, "y": 2}],
            },
            4.0,
            8.0,
        ),
    ],
)
def test_shapes_are_measured(shape: dict[str, Any], area: float, perimeter: float) -> None:
    """Each kind by its own formula."""
    measured = run("measure_shape", shape=shape, unit="cm")

    assert (area, "cm²", perimeter, "cm") == (
        measured["area"],
        measured["area_unit"],
        measured["perimeter"],
        measured["perimeter_unit"],
    )


@pytest.mark.parametrize(
    "shape",
    [
        {"kind": "triangle", "sides": [1, 2, 9]},
        {"kind": "circle", "radius": 1e300},
        {"kind": "circle", "radius": 10**400},
    ],
)
def test_impossible_shapes_are_refused(shape: dict[str, Any]) -> None:
    """No triangle closes, no double holds the area."""
    assert refuse("measure_shape", shape=shape)


def test_a_shape_of_the_wrong_kind_is_an_issue_of_the_contract() -> None:
    """The schema tells them apart before the tool runs."""
    issues = GATE.validate("measure_shape", {"shape": {"kind": "circle", "width": 3}})

    assert [("/shape", "anyOf")] == [(issue.pointer, issue.keyword) for issue in issues]
