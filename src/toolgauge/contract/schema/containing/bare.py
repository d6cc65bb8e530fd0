"""A schema without its annotations, and equality as JSON Schema means it."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from toolgauge.contract.schema.dialects import Dialect, dialect_of, is_checked
from toolgauge.contract.schema.document import REFERENCES
from toolgauge.contract.schema.keywords import ANNOTATIONS
from toolgauge.contract.schema.subschemas import iter_places


def bare(schema: Any, *, formats: bool) -> Any:
    """Give a schema without what refuses no value.

    A property that is called ``title`` is no annotation and stays. So does an
    annotation that some reference leads into: somebody keeps a schema there.

    Args:
        schema: Parsed JSON that the engine could compile.
        formats: Whether ``format`` is asserted; else it is an annotation too, as is
            one that the engine does not check anyway.
    """
    quiet = ANNOTATIONS if formats else ANNOTATIONS | {"format"}
    # A URI may spell any letter as an escape, and only the engine knows each base.
    steps = [unquote(each).split("/") for each in _references(schema)]
    return _bare(schema, quiet.difference(*steps), frozenset({dialect_of(schema)}))


def _bare(schema: Any, dropped: frozenset[str], dialects: frozenset[Dialect | None]) -> Any:
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in dropped}
    if "$schema" in schema:
        dialects |= {dialect_of(schema)}
    if not _may_check(kept.get("format"), dialects):
        kept.pop("format", None)
    for (keyword, *steps), below, _, _ in iter_places(kept):
        if not steps:
            kept[str(keyword)] = _bare(below, dropped, dialects)
            continue
        if kept[str(keyword)] is schema[str(keyword)]:
            holder = schema[str(keyword)]
            kept[str(keyword)] = dict(holder) if isinstance(holder, dict) else list(holder)
        kept[str(keyword)][steps[0]] = _bare(below, dropped, dialects)
    return kept


def _may_check(form: object, dialects: frozenset[Dialect | None]) -> bool:
    """Tell whether the engine checks a format in any of the dialects that it may be read in."""
    return not isinstance(form, str) or any(
        each is None or is_checked(form, each) for each in dialects
    )


def _references(value: Any) -> list[str]:
    """Find the text of every reference, wherever one may stand."""
    found: list[str] = []
    row = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            found += [here[each] for each in REFERENCES if isinstance(here.get(each), str)]
            row += here.values()
        elif isinstance(here, list):
            row += here
    return found
