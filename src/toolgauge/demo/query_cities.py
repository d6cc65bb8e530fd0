"""Query a table of cities. What the model sends never becomes SQL text."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing, contextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Tool
from toolgauge.demo.answers import PURE, cannot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.contract import CallResult

COLUMNS: Mapping[str, str] = {
    "name": "TEXT",
    "country": "TEXT",
    "continent": "TEXT",
    "population": "INTEGER",
    "latitude": "REAL",
    "longitude": "REAL",
    "elevation_m": "INTEGER",
    "timezone": "TEXT",
    "is_capital": "INTEGER",
}
"""The columns and their SQLite types. Populations are rounded figures of the city proper."""

_COMPARISONS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_PATTERNS = {"contains": "%{}%", "starts_with": "{}%", "ends_with": "%{}"}
_OPERATORS = [*_COMPARISONS, *_PATTERNS, "in"]
_DEFAULT_COLUMNS = ["name", "country", "population"]
_DEFAULT_LIMIT = 10


def query(arguments: dict[str, Any]) -> dict[str, Any] | CallResult:
    """Build the statement from names of our own, and bind every value."""
    try:
        where, values = _where(arguments.get("where"))
    except ValueError as error:
        return cannot(str(error))
    except OverflowError:
        return cannot("a value is too large for a number of 64 bits")
    columns: list[str] = arguments.get("columns") or _DEFAULT_COLUMNS
    limit = int(arguments.get("limit", _DEFAULT_LIMIT))
    # Column names, operators and directions come from the schema's enums, so
    # each is one of ours; all values are bound.
    statement = (
        f"SELECT {', '.join(columns)} FROM cities{where}"  # noqa: S608
        f" ORDER BY {_order(arguments.get('order_by', []))} LIMIT ?"
    )
    with open_cities() as database:
        rows = [dict(row) for row in database.execute(statement, [*values, limit])]
        (matching,) = database.execute(f"SELECT count(*) FROM cities{where}", values).fetchone()  # noqa: S608
    for row in rows:
        if "is_capital" in row:  # SQLite has 0 and 1 for a boolean
            row["is_capital"] = bool(row["is_capital"])
    return {"rows": rows, "matching": matching}


def _where(clause: dict[str, Any] | None) -> tuple[str, list[Any]]:
    """Write the WHERE clause with one ``?`` for each value."""
    if not clause or not clause["conditions"]:
        return "", []
    parts: list[str] = []
    values: list[Any] = []
    for condition in clause["conditions"]:
        part, bound = _condition(condition["column"], condition["operator"], condition["value"])
        parts.append(part)
        values += bound
    glue = " AND " if clause.get("match", "all") == "all" else " OR "
    return f" WHERE {glue.join(parts)}", values


def _condition(column: str, operator: str, value: Any) -> tuple[str, list[Any]]:
    """Write one condition; the value must fit the column and the operator."""
    if operator == "in":
        options = value if isinstance(value, list) else [value]
        slots = ", ".join("?" for _ in options)
        return f"{column} COLLATE NOCASE IN ({slots})", [_bound(column, each) for each in options]
    if isinstance(value, list):
        raise ValueError(f"a list of values needs the operator 'in', not {operator!r}")  # noqa: TRY004 - one class for what does not fit
    if operator in _PATTERNS:
        if not isinstance(value, str):
            raise ValueError(f"{operator!r} needs a text, and {value!r} is none")
        if "\0" in value:
            raise ValueError("a text with a NUL character is in no row")  # LIKE would stop there
        escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return f"{column} LIKE ? ESCAPE '\\'", [_PATTERNS[operator].format(escaped)]
    # Text compares without regard to case in ASCII; numbers are not touched by it.
    return f"{column} {_COMPARISONS[operator]} ? COLLATE NOCASE", [_bound(column, value)]


def _bound(column: str, value: Any) -> Any:
    """Convert a value to what SQLite compares with the column."""
    if COLUMNS[column] == "TEXT":
        if not isinstance(value, str):
            raise ValueError(f"{column} holds text; {value!r} is none")
        return value
    if isinstance(value, str):
        raise ValueError(f"{column} holds numbers; {value!r} is a text")  # noqa: TRY004 - the same
    return float(value) if isinstance(value, float) or abs(value) >= 2**63 else int(value)


def _order(keys: list[dict[str, str]]) -> str:
    """Write the ORDER BY clause; names settle ties, so that answers repeat."""
    parts = [f"{each['column']} {each.get('direction', 'ascending')[:-6].upper()}" for each in keys]
    return ", ".join([*parts, "population DESC" if not parts else "name", "rowid"])


@contextmanager
def open_cities() -> Iterator[sqlite3.Connection]:
    """Open a database of one table, ``cities``, that nobody can write to.

    Every caller gets its own: SQLite connections stay in one thread, handlers
    run in many, and filling it takes less than a millisecond.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        declared = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        database.execute(f"CREATE TABLE cities ({declared}) STRICT")
        slots = ", ".join("?" for _ in COLUMNS)
        database.executemany(f"INSERT INTO cities VALUES ({slots})", _rows())  # noqa: S608 - our own
        database.execute("PRAGMA query_only = ON")
        database.row_factory = sqlite3.Row
        yield database


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    """Read the bundled table once."""
    text = resources.files(__package__).joinpath("cities.csv").read_text(encoding="utf-8")
    rows = csv.reader(text.splitlines())
    header = next(rows)
    if header != list(COLUMNS):
        raise ValueError(f"cities.csv has the columns {header}")
    return tuple(tuple(row) for row in rows)


_COLUMN = {"type": "string", "enum": list(COLUMNS)}

QUERY_CITIES = Tool(
    name="query_cities",
    description=(
        "Look up large cities of the world: country, continent, population, coordinates, "
        "elevation, time zone. Filter with conditions, sort, and limit the rows."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "columns": {
                "type": "array",
                "items": _COLUMN,
                "minItems": 1,
                "uniqueItems": True,
                "default": _DEFAULT_COLUMNS,
                "description": "The columns to give back.",
                "examples": [["name", "elevation_m"]],
            },
            "where": {
                "type": "object",
                "description": "Which rows to give back; all of them where it is left out.",
                "properties": {
                    "match": {
                        "type": "string",
                        "enum": ["all", "any"],
                        "default": "all",
                        "description": "Whether every condition must hold, or one of them.",
                    },
                    "conditions": {
                        "type": "array",
                        "maxItems": 20,
                        "description": "The conditions.",
                        "items": {"$ref": "#/$defs/condition"},
                    },
                },
                "required": ["conditions"],
                "additionalProperties": False,
            },
            "order_by": {
                "type": "array",
                "maxItems": 5,
                "description": "What to sort by, most important first; by population otherwise.",
                "items": {
                    "type": "object",
                    "properties": {
                        "column": _COLUMN,
                        "direction": {
                            "type": "string",
                            "enum": ["ascending", "descending"],
                            "default": "ascending",
                        },
                    },
                    "required": ["column"],
                    "additionalProperties": False,
                },
                "examples": [[{"column": "elevation_m", "direction": "descending"}]],
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": _DEFAULT_LIMIT,
                "description": "Most rows to give back.",
            },
        },
        "additionalProperties": False,
        "examples": [
            {
                "where": {
                    "conditions": [{"column": "continent", "operator": "=", "value": "Africa"}]
                },
                "limit": 3,
            }
        ],
        "$defs": {
            "condition": {
                "type": "object",
                "properties": {
                    "column": _COLUMN,
                    "operator": {
                        "type": "string",
                        "enum": _OPERATORS,
                        "description": "How to compare; text ignores case.",
                    },
                    "value": {
                        "description": "What to compare with; a list for 'in'.",
                        "anyOf": [
                            {"$ref": "#/$defs/scalar"},
                            {
                                "type": "array",
                                "items": {"$ref": "#/$defs/scalar"},
                                "minItems": 1,
                                "maxItems": 50,
                            },
                        ],
                        "examples": ["Japan", 5_000_000, ["Asia", "Africa"], True],
                    },
                },
                "required": ["column", "operator", "value"],
                "additionalProperties": False,
            },
            "scalar": {"type": ["string", "number", "boolean"]},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"type": "object"}},
            "matching": {"type": "integer", "description": "Rows that match, without the limit."},
        },
        "required": ["rows", "matching"],
    },
    annotations=PURE,
    extra={"title": "Query cities"},
    handler=query,
)
