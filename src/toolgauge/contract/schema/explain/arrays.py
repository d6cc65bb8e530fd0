"""Keywords that look at an array and its items."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.equality import identity, identity_steps
from toolgauge.contract.schema.explain.glance import FEW_ITEMS, never
from toolgauge.contract.schema.explain.objects import MEMBERS_PER_STEP
from toolgauge.contract.schema.explain.wording import UNQUOTED

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Check, Terms, Walk
    from toolgauge.contract.schema.explain.wording import Writer


def items(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:
    """Look into the items, past those that ``prefixItems`` names (2020-12)."""
    prefix = len(schema.get("prefixItems", ()))
    if want is not False:
        return _each(want, terms, prefix)
    most = f"Expected at most {prefix} {'item' if prefix == 1 else 'items'} but found"

    def words(writer: Writer, rest: Sequence[Any]) -> str:
        shown = rest[0] if len(rest) == 1 else rest
        return f"{most} {len(rest)} extra: {writer.quote(shown)}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, list | tuple) and len(value) > prefix:
            walk.note(path, "items", value[prefix:], words)

    return check


def _each(want: Any, terms: Terms, start: int) -> Check | None:
    """Hold each item from ``start`` on against one schema."""
    if want is True:
        return None
    node = terms.node(want)
    glance = node.glance

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, list | tuple):
            return
        walk.steps -= len(value) // MEMBERS_PER_STEP
        # Not of a whole array: its items will be asked about, one by one.
        otherwise = node.engine() if len(value) - start > FEW_ITEMS else never
        for index, item in islice(enumerate(value), start, None) if start else enumerate(value):
            test = glance.get(type(item), otherwise)
            if test is not None and not test(item):
                node.check(walk, item, (*path, index))

    return check


def prefix_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Hold the first items against one schema each."""
    nodes = tuple(map(terms.node, want))

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, list | tuple):
            for index, (item, node) in enumerate(zip(value, nodes, strict=False)):
                node.look(walk, item, (*path, index))

    return check


def items_before_2020(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:
    """One schema for each item, or a list of schemas for the first ones."""
    return prefix_items(want, schema, terms) if isinstance(want, list) else _each(want, terms, 0)


def additional_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:
    """Look into the items past a list of schemas, or note that there are any."""
    named = schema.get("items")
    if not isinstance(named, list):
        return None
    if want is not False:
        return _each(want, terms, len(named))
    start = len(named)

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, list | tuple) and len(value) > start:
            walk.note(path, "additionalItems", value[start:], _not_allowed)

    return check


def _not_allowed(writer: Writer, extras: Sequence[Any]) -> str:
    return f"Additional items are not allowed ({writer.listed(extras)} unexpected)"


def contains(want: Any, schema: dict[str, Any], terms: Terms) -> Check:
    """Count the items that match; from 2019-09 on with limits of their own."""
    node = terms.node(want)
    least = schema.get("minContains", 1)
    most = schema.get("maxContains")
    none = " does not contain items matching the given schema"
    many = f"Too many items match the given schema (expected at most {most})"
    few = f"Too few items match the given schema (expected at least {least} but only"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not isinstance(value, list | tuple):
            return
        found = 0
        for item in value:
            found += not walk.notes_of(node, item)
            if most is not None and found > most:
                walk.note(path, "maxContains", UNQUOTED, many)
                return
        if found >= least:
            return
        if found:
            walk.note(path, "minContains", UNQUOTED, f"{few} {found} matched)")
        else:
            walk.note(path, "contains", value, none)

    return check


def contains_before_2019(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note an array in which no item matches."""
    node = terms.node(want)

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, list | tuple) and all(walk.notes_of(node, item) for item in value):
            walk.note(path, "contains", value, _none_of)

    return check


def _none_of(writer: Writer, value: Any) -> str:
    return f"None of {writer.quote(value)} are valid under the given schema"


def unique_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:  # noqa: ARG001 - as every keyword
    """Note an array with equal items, found in one pass over it."""
    if not want:
        return None

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, list | tuple):
            walk.spend(identity_steps(value))
            if not _is_unique(value):
                walk.note(path, "uniqueItems", value, " has non-unique elements")

    return check


def _is_unique(items: Sequence[Any]) -> bool:
    seen: set[Hashable] = set()
    for item in items:
        key = identity(item)
        if key in seen:
            return False
        seen.add(key)
    return True
