"""Definitions as parsed JSON, and the bounds on them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from toolgauge.contract.plain import (
    MAX_PLACES,
    MAX_WRITTEN_DEPTH,
    NoJsonForm,
    PastBounds,
    as_plain,
    is_plain,
)


def nested(levels: int, leaf: Any) -> Any:
    """Nest a value in lists."""
    for _ in range(levels):
        leaf = [leaf]
    return leaf


@pytest.mark.parametrize("leaf", [1, SimpleNamespace(type="string")])
def test_depth_is_bounded_alike_for_json_and_for_objects(leaf: Any) -> None:
    """As deep as it can be written, and not a level more."""
    extra = 0 if leaf == 1 else 1
    within = as_plain(nested(MAX_WRITTEN_DEPTH - extra, leaf))

    assert is_plain(within)
    with pytest.raises(PastBounds):
        as_plain(nested(MAX_WRITTEN_DEPTH + 1, leaf))


def test_the_number_of_members_is_bounded() -> None:
    """Counted where they are written: what is shared counts as often."""
    assert is_plain([0] * MAX_PLACES)
    with pytest.raises(PastBounds):
        as_plain([0] * (MAX_PLACES + 1))

    shared: Any = {"type": "string"}
    for _ in range(40):
        shared = {"a": shared, "b": shared}
    assert not is_plain(shared)
    with pytest.raises(PastBounds):
        as_plain(shared)


def test_what_has_no_form_is_told_at_its_place() -> None:
    """Not the whole definition, and not only that something is wrong."""
    with pytest.raises(NoJsonForm) as error:
        as_plain({"properties": {"a": {"default": object()}}})

    assert ("properties", "a", "default") == error.value.path
