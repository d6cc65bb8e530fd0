"""Finding the tools in a JSON document, whichever provider's shape it has.

Every tool comes out as MCP writes it: ``name``, ``description``,
``inputSchema``. A definition that already is in that shape passes through
untouched. The shapes themselves are those of ``wire``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolgauge.upstream.problems import SourceProblem, kind_of, shown
from toolgauge.wire import TOOL_MEMBERS, WRAPPERS, Declared, declared, is_foreign

if TYPE_CHECKING:
    from toolgauge.contract.pointers import Path


def read_tools(document: object) -> list[Any]:
    """Give the tools in a document, in its order, as MCP writes them.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    return [entry.wire for entry in read_entries(document)]


def foreign_entries(document: object) -> tuple[SourceProblem, ...]:
    """Name the entries of a document that ``read_entries`` passes over.

    Raises:
        LookupError: As ``read_entries``.
    """
    return tuple(
        SourceProblem(message=f"{_called(each)} is no function to call; it is left out")
        for _, each in _find_rows(document, ())
        if isinstance(each, Mapping) and is_foreign(each)
    )


def _called(entry: Mapping[str, Any]) -> str:
    for member in ("name", "type"):
        if isinstance(entry.get(member), str):
            return f"the tool {shown(entry[member])}"
    return f"the entry {shown(next(iter(entry)))}"


def read_entries(document: object) -> list[Declared]:
    """Give the definitions in a document, in its order, with their places.

    What the provider runs itself is none, and passed over.

    Raises:
        LookupError: There are none; the text says what was found.
    """
    rows = _find_rows(document, ())
    entries = [each for _, each in rows]
    if entries and not any(
        is_foreign(each) or (isinstance(each, Mapping) and TOOL_MEMBERS & each.keys())
        for each in entries
    ):
        msg = (
            f"an array of {len(entries)}, none of which is a tool; the first is {shown(entries[0])}"
        )
        raise LookupError(msg)
    return [
        replace(entry, path=(*path, *entry.path))
        for path, each in rows
        if not is_foreign(each)
        for entry in declared(each)
    ]


def _find_rows(document: object, path: Path) -> Sequence[tuple[Path, object]]:
    """Open the wrappers that responses and requests put around the array."""
    if isinstance(document, list):
        return [((*path, index), each) for index, each in enumerate(document)]
    if not isinstance(document, Mapping):
        raise LookupError(f"{kind_of(document)}, not an array of tools or an object with 'tools'")  # noqa: TRY004 - one class for every document without tools
    if isinstance(document.get("error"), Mapping) and "result" not in document:
        raise LookupError(f"a JSON-RPC error: {shown(document['error'].get('message'))}")
    for wrapper in WRAPPERS:
        if isinstance(document.get(wrapper), (list, Mapping)):
            return _find_rows(document[wrapper], (*path, wrapper))
    if TOOL_MEMBERS & document.keys():
        return ((path, document),)  # one tool, not in an array
    members = ", ".join(list(document)[:8]) or "none"
    raise LookupError(f"an object without 'tools'; its members: {members[:200]}")
