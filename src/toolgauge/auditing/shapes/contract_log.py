"""Our own contract log: the verdict stands in it, the arguments do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.auditing.verdicts import Recorded, Verdict
from toolgauge.contract import Issue, from_pointer
from toolgauge.wire import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PREFIX = "mcp.tool:"
_VERDICTS = {
    None: Verdict.VALID,
    "INVALID_INPUT": Verdict.INVALID,
    "NOT_FOUND": Verdict.UNKNOWN_TOOL,
}
_ARGUMENTS = (("params", "arguments"), ("params", "input"))


def _read_row(row: Any) -> Sequence[Recorded] | None:
    """Read one line of a log.

    A call that failed for another reason than its arguments (a time-out, an output
    that broke its contract) kept the contract that an audit asks about.
    """
    if not isinstance(row, dict) or "canonicalCode" not in row or "schemaVersion" not in row:
        return None
    tool = row.get("tool")
    if not isinstance(tool, str):
        return ()
    code = row["canonicalCode"]
    verdict = _VERDICTS.get(code, Verdict.VALID) if isinstance(code, str) else Verdict.VALID
    issues = () if verdict is Verdict.VALID else tuple(_issues(row.get("errors")))
    return (Recorded(tool.removeprefix(_PREFIX), verdict, issues),)


def _issues(errors: Any) -> Iterator[Issue]:
    for each in errors if isinstance(errors, list) else ():
        if not isinstance(each, dict) or not isinstance(each.get("path"), str):
            continue
        try:
            path = from_pointer(each["path"])
        except ValueError:
            continue
        if path[:2] in _ARGUMENTS:
            path = path[2:]
        keyword = each.get("keyword")
        yield Issue(
            path=path,
            message="recorded without its words",
            keyword=keyword if isinstance(keyword, str) else None,
        )


SHAPE = Shape(
    name="log",
    title="toolgauge's own contract log",
    read=_read_row,
    members=frozenset({"canonicalCode"}),
    rank=0,
)
