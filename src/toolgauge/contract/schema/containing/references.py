"""Where references of one document lead, as far as that can be told by hand."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from toolgauge.contract.pointers import resolve
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract.schema.containing.budget import Budget

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
RELATIVE = frozenset({*REFERENCES, "$id", "id"})


def pointed(document: Any, reference: object) -> Any:
    """Give what a reference points at in its own document.

    Raises:
        LookupError: If it is no JSON Pointer in a text, leads nowhere, or hides a
            ``/``, ``~`` or ``%`` in an escape: only the engine knows when it decodes these.
    """
    if isinstance(reference, str) and reference.startswith("#"):
        with suppress(ValueError):
            pointer = unquote(reference, errors="strict")
            is_plain = all(pointer.count(each) == reference.count(each) for each in "/~")
            if is_plain and "%" not in pointer:
                return resolve(document, pointer[1:])
    raise LookupError(reference)


def has_references(schema: Any, budget: Budget) -> bool:
    """Tell whether what a schema means may depend on where it lies.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    for each in iter_subschemas(schema):
        budget.spend_on(len(each))
        if not RELATIVE.isdisjoint(each):
            return True
    return False


def iter_reached(document: Any, budget: Budget | None = None) -> Iterator[dict[str, Any]]:
    """Yield every subschema of a document, also data that a reference makes one.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    seen: set[int] = set()
    row = [document]
    while row:
        here = row.pop()
        if not isinstance(here, dict) or id(here) in seen:
            continue
        seen.add(id(here))
        if budget is not None:
            budget.spend_on(len(here))
        yield here
        row += [place.schema for place in iter_places(here)]
        for each in REFERENCES:
            if each in here:
                if budget is not None:
                    budget.spend_on(len(here[each]) if isinstance(here[each], str) else 0)
                with suppress(LookupError):
                    row.append(pointed(document, here[each]))
