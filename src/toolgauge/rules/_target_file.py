"""Target files: TOML with defaults, named sources and a parent.

```toml
extends = "openai"                  # a target, or a file whose name begins with "_"
drop = ["base-openai-id-uri"]       # inherited rows that do not apply here
title = "Acme"
summary = "What to know about it."
groups = ["providers"]
effect = "the request is rejected"  # default of its rows, like `read`
read = 2026-11-27

[sources]                           # name a source once, cite it by that name
guide = "https://acme.example/docs/tools"

[[rules]]
id = "name"                         # in full: "acme/name"
rule = "overlong-tool-name"
limits.max_length = 64
sources = ["guide", "PyPI acme==1.0: acme/tools.py"]
also = ["malformed-tool-name"]      # further rules for the same limit; a table, or
                                    # `[[rules.also]]`, has what differs from the row
```

A row whose id is inherited changes that row where it stands. A row of ``openai`` with
the id ``name`` is inherited as ``base-openai-name``; ids that begin with ``base-``, and
those of ``_`` files, stay as they are. Children inherit every row, and the groups,
passes, namespace (the part of an id before the slash) and sources that they do not
give. A ``_`` file may leave defaults and sources to the file that extends it.
"""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.rules._errors import InvalidTarget
from toolgauge.rules._rule import ERROR, SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Table: TypeAlias = dict[str, Any]

_INHERITED = ("groups", "namespace", "passes")

_DEFAULTS = {"effect": str, "read": dt.date}
_ROW = {
    **_DEFAULTS,
    "id": str,
    "severity": str,
    "rule": str,
    "limits": dict,
    "conservative": str,
    "conflict": str,
    "sources": list[str],
    "also": list,
}
_FILE = {
    **_DEFAULTS,
    "extends": str,
    "drop": list[str],
    "title": str,
    "summary": str,
    "groups": list[str],
    "namespace": str,
    "passes": list,
    "sources": dict,
    "rules": list,
    "unchecked": list,
}
_UNCHECKED = {"id": str, "reason": str}
_SHAPES = {str: "a string", dict: "a table", dt.date: "a date", list: "an array"}
_SHAPES[list[str]] = "an array of strings"

_GOES_WITH = {"rule": ("limits",), "severity": ("conservative", "conflict"), "sources": ("read",)}
"""What no longer holds of a row once its rule, severity or sources are replaced."""

_SOURCE_NAME = re.compile(r"[A-Za-z0-9-]+")
"""A name from ``[sources]``. A source itself has other characters too."""


def parse_target(name: str, text: str) -> Table:
    """Parse one file; rows that share an id become one.

    Raises:
        InvalidTarget: If it is not TOML, or its keys are not those of a target file.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidTarget(name, "", str(error)) from error
    _check_shape(name, "", table, _FILE)
    for key, source in table.get("sources", {}).items():
        if not (_has_shape(source, str) or _has_shape(source, list[str])):
            raise InvalidTarget(name, f"sources.{key}", "expected a string or an array of strings")
    for number, each in enumerate(table.get("unchecked", ()), start=1):
        _check_shape(
            name, f"unchecked, entry {number}", each, _UNCHECKED, required=("id", "reason")
        )
    return {**table, "rules": list(_parsed_rows(name, table).values())}


def _parsed_rows(name: str, table: Table) -> dict[str, Table]:
    """Return the rows of a file by id."""
    rows: dict[str, Table] = {}
    for number, row in enumerate(table.get("rules", ()), start=1):
        _check_shape(name, f"rules, row {number}", row, _ROW, required=("id",))
        if "also" in row:
            row["also"] = [{"rule": it} if isinstance(it, str) else it for it in row["also"]]
        for each in row.get("also", ()):
            _check_shape(name, row["id"], each, _ROW, required=("rule",))
        for each in (row, *row.get("also", ())):
            if "sources" in each and "read" in table:
                each.setdefault("read", table["read"])
        if row["id"] in rows:
            rows[row["id"]].setdefault("also", []).extend([row, *row.pop("also", ())])
        else:
            rows[row["id"]] = row
    return rows


def resolve_target(name: str, tables: Mapping[str, Table]) -> Table:
    """Complete a file: inherited rows, defaults, full ids, sources written out.

    Args:
        name: The target: ``"openai-strict"``.
        tables: Its parsed file and those that it may extend, by name.

    Raises:
        InvalidTarget: If something is missing, unknown or circular.
    """
    table = _merged(name, tables, ())
    for key in ("title", "summary", "groups"):
        if key not in table:
            raise InvalidTarget(name, "", f"missing {key!r}")
    prefix = table.get("namespace", name.replace("-", "_"))
    rows = [each for row in table["rules"] for each in _expanded(row)]
    return {
        **table,
        "rules": [_checked(name, {**row, "id": _full(prefix, row["id"])}) for row in rows],
        "unchecked": {
            _full(prefix, each["id"]): each["reason"] for each in table.get("unchecked", ())
        },
    }


def _merged(name: str, tables: Mapping[str, Table], children: tuple[str, ...]) -> Table:
    """Combine a file with its parents; names of sources that it does not know stay."""
    own, chain = tables[name], (*children, name)
    parent = own.get("extends")
    inherited: Table = {}
    if parent in chain:
        raise InvalidTarget(name, "extends", f"circular: {' -> '.join((*chain, parent))}")
    if parent is not None:
        if parent not in tables:
            raise InvalidTarget(name, "extends", _unknown("target", parent, tables))
        inherited = _merged(parent, tables, chain)
    sources = {**inherited.get("sources", {}), **own.get("sources", {})}
    defaults = {key: own[key] for key in _DEFAULTS if key in own}
    rows = _combined(name, own, {row["id"]: row for row in _inherited(parent, inherited)})
    return {
        **{key: inherited[key] for key in _INHERITED if key in inherited},
        **own,
        "sources": sources,
        "rules": [_cited({**defaults, **row}, sources) for row in rows],
    }


def _inherited(parent: str | None, table: Table) -> Iterator[Table]:
    """Yield a parent's rows under the ids that they have in a child."""
    for row in table.get("rules", ()):
        own_id = _short(row["id"])
        if parent is not None and parent[0] != "_" and not own_id.startswith("base-"):
            own_id = f"base-{parent}-{own_id}"
        yield {**row, "id": own_id}


def _combined(name: str, own: Table, inherited: Mapping[str, Table]) -> Iterator[Table]:
    """Yield a file's own rows, then those inherited, changed where it says so."""
    changes: dict[str, Table] = {}
    for row in own["rules"]:
        if _short(row["id"]) in inherited:
            changes[_short(row["id"])] = row
        else:
            yield row
    dropped = own.get("drop", ())
    for each in dropped:
        if each not in inherited:
            raise InvalidTarget(name, "drop", _unknown("inherited row", each, inherited))
    for row_id, row in inherited.items():
        if row_id not in dropped:
            yield _changed(row, changes.get(row_id, {}))


def _expanded(row: Table) -> Iterator[Table]:
    """Yield a row, then the further rules that it names under ``also``."""
    first = {key: value for key, value in row.items() if key != "also"}
    yield first
    for each in row.get("also", ()):
        yield _changed(first, each)


def _changed(row: Table, changes: Table) -> Table:
    """Copy a row with changes, without what belongs to the values that they replace."""
    outdated = {each for key in changes for each in _GOES_WITH.get(key, ())}
    return {key: value for key, value in row.items() if key not in outdated} | changes


def _cited(row: Table, sources: Mapping[str, Any]) -> Table:
    """Copy a row with its sources written out."""
    cited = dict(row)
    if "sources" in row:
        cited["sources"] = list(_written_out(row["sources"], sources))
    if "also" in row:
        cited["also"] = [_cited(each, sources) for each in row["also"]]
    return cited


def _written_out(cited: Iterable[str], sources: Mapping[str, Any]) -> Iterator[str]:
    """Replace names of sources; one name may stand for several."""
    for each in cited:
        if each in sources:
            named = sources[each]
            others = {key: value for key, value in sources.items() if key != each}
            yield from _written_out([named] if isinstance(named, str) else named, others)
        else:
            yield each


def _checked(name: str, row: Table) -> Table:
    """Require what every row has; without a severity it is an error."""
    for key in ("rule", "effect", "sources", "read"):
        if not row.get(key):
            raise InvalidTarget(name, row["id"], f"missing {key!r}")
    for each in row["sources"]:
        if not each.strip():
            raise InvalidTarget(name, row["id"], "a source is empty")
        if _SOURCE_NAME.fullmatch(each):
            raise InvalidTarget(name, row["id"], f"source {each!r} is not in [sources]")
    severity = row.get("severity", ERROR)
    conservative = row.get("conservative", severity)
    for each in (severity, conservative):
        if each not in SEVERITIES:
            raise InvalidTarget(name, row["id"], _unknown("severity", each, SEVERITIES))
    return {**row, "severity": severity, "conservative": conservative}


def _check_shape(
    name: str, place: str, table: object, shape: Mapping[str, Any], required: Iterable[str] = ()
) -> None:
    """Reject what is no table, lacks a key, or has one that is unknown or of another type."""
    if not isinstance(table, dict):
        raise InvalidTarget(name, place, "expected a table")
    for key in required:
        if key not in table:
            raise InvalidTarget(name, place, f"missing {key!r}")
    place = table["id"] if isinstance(table.get("id"), str) else place
    for key, value in table.items():
        if key not in shape:
            raise InvalidTarget(name, place, _unknown("key", key, shape))
        if not _has_shape(value, shape[key]):
            raise InvalidTarget(name, place, f"{key!r} is not {_SHAPES[shape[key]]}")


def _has_shape(value: object, shape: Any) -> bool:
    """Check a value's type; a date is not a date and time."""
    if shape == list[str]:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is shape


def _short(row_id: str) -> str:
    """Return an id without its prefix."""
    return row_id.rpartition("/")[2]


def _full(prefix: str, row_id: str) -> str:
    """Return an id with its prefix: ``"openai/name"``."""
    return row_id if "/" in row_id else f"{prefix}/{row_id}"


def _unknown(kind: str, found: object, known: Iterable[str]) -> str:
    """Say that a name is not known, and which ones are close."""
    close = get_close_matches(str(found), sorted(known), n=3) or sorted(known)
    return f"unknown {kind} {found!r}; try {', '.join(close)}"
