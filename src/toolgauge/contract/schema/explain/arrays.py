"""Keywords that look at an array and its items."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.explain.objects import listed

if TYPE_CHECKING:
    from collections.abc import Hashable

    from toolgauge.contract.schema.explain.walk import At, Walk


_FEW_ITEMS = 4
"""Up to here, walking the items costs less than asking the engine about them."""


def items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Look into the items, past those that ``prefixItems`` names (2020-12)."""
    if not isinstance(value, list | tuple):
        return
    prefix = len(at.schema.get("prefixItems", ()))
    extra = len(value) - prefix
    if extra <= 0:
        return
    if want is False:
        rest = value[prefix] if extra == 1 else value[prefix:]
        noun = "item" if prefix == 1 else "items"
        words = f"Expected at most {prefix} {noun} but found {extra} extra: {rest!r}"
        walk.add(at.path, words, "items")
        return
    _each(walk, want, value, at, prefix)


def _each(walk: Walk, schema: Any, value: Any, at: At, start: int) -> None:
    """Hold each item from ``start`` on against one schema."""
    accepts = walk.engine(schema) if len(value) - start > _FEW_ITEMS else None
    for index in range(start, len(value)):
        if accepts is None:
            walk.member(value[index], schema, (*at.path, index), at.scope)
        elif not accepts(value[index]):
            walk.descend(value[index], schema, (*at.path, index), at.scope)


def prefix_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Hold the first items against one schema each."""
    if isinstance(value, list | tuple):
        for index, (item, schema) in enumerate(zip(value, want, strict=False)):
            walk.member(item, schema, (*at.path, index), at.scope)


def items_before_2020(walk: Walk, want: Any, value: Any, at: At) -> None:
    """One schema for each item, or a list of schemas for the first ones."""
    if isinstance(want, list):
        prefix_items(walk, want, value, at)
    elif isinstance(value, list | tuple):
        _each(walk, want, value, at, 0)


def additional_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Look into the items past a list of schemas, or note that there are any."""
    named = at.schema.get("items")
    if not isinstance(value, list | tuple) or not isinstance(named, list):
        return
    if isinstance(want, dict):
        _each(walk, want, value, at, len(named))
    elif want is False and len(value) > len(named):
        words = f"Additional items are not allowed ({listed(value[len(named) :])} unexpected)"
        walk.add(at.path, words, "additionalItems")


def contains(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Count the items that match; from 2019-09 on with limits of their own."""
    if not isinstance(value, list | tuple):
        return
    least = at.schema.get("minContains", 1)
    most = at.schema.get("maxContains", len(value))
    found = 0
    for item in value:
        found += walk.is_valid(item, want, at.scope)
        if found > most:
            words = f"Too many items match the given schema (expected at most {most})"
            walk.add(at.path, words, "maxContains")
            return
    if found >= least:
        return
    if found:
        words = (
            "Too few items match the given schema "
            f"(expected at least {least} but only {found} matched)"
        )
        walk.add(at.path, words, "minContains")
    else:
        words = f"{value!r} does not contain items matching the given schema"
        walk.add(at.path, words, "contains")


def contains_before_2019(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an array in which no item matches."""
    if isinstance(value, list | tuple) and not any(
        walk.is_valid(item, want, at.scope) for item in value
    ):
        walk.add(at.path, f"None of {value!r} are valid under the given schema", "contains")


def min_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an array with too few items."""
    if isinstance(value, list | tuple) and len(value) < want:
        words = "should be non-empty" if want == 1 else "is too short"
        walk.add(at.path, f"{value!r} {words}", "minItems")


def max_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an array with too many items."""
    if isinstance(value, list | tuple) and len(value) > want:
        words = "is expected to be empty" if want == 0 else "is too long"
        walk.add(at.path, f"{value!r} {words}", "maxItems")


def unique_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an array with equal items, found in one pass over it."""
    if not want or not isinstance(value, list | tuple):
        return
    seen: set[Hashable] = set()
    for item in value:
        key = _identity(item)
        if key in seen:
            walk.add(at.path, f"{value!r} has non-unique elements", "uniqueItems")
            return
        seen.add(key)


def _identity(value: Any) -> Hashable:
    """Give a key that two values share exactly when JSON calls them equal."""
    if isinstance(value, dict):
        return ("o", frozenset((name, _identity(each)) for name, each in value.items()))
    if isinstance(value, list | tuple):
        return ("a", tuple(_identity(each) for each in value))
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, int | float | Decimal):
        return ("n", value)
    return value  # type: ignore[no-any-return]  # a string or null
