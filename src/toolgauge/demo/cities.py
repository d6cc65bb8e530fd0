"""The table behind ``query_cities``, and the database that holds it."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing, contextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
