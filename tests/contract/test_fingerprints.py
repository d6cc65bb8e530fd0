from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from toolgauge.contract import fingerprint


def test_key_order_does_not_count() -> None:
    """Two texts, one content."""
    assert fingerprint({"a": 1, "b": {"c": 2, "d": 3}}) == fingerprint(
        {"b": {"d": 3, "c": 2}, "a": 1}
    )


def test_any_other_difference_counts() -> None:
    """Order of items, a reworded description, ``1`` and ``1.0`` and ``true``."""
    schemas: list[dict[str, Any]] = [
        {"enum": ["a", "b"]},
        {"enum": ["b", "a"]},
        {"const": 1},
        {"const": 1.0},
        {"const": True},
        {"const": "1"},
        {"const": Decimal("1e400")},
        {"const": 2**70},
        {"description": "x"},
        {"description": "x "},
        {"description": "\ud800"},
        {},
    ]

    assert len(schemas) == len({fingerprint(each) for each in schemas})


def test_a_fingerprint_names_its_algorithm() -> None:
    """A stored one stays readable when the algorithm changes."""
    name, _, digits = fingerprint({}).partition(":")

    assert "tg1" == name
    assert 32 == len(digits)
    assert set(digits) <= set("0123456789abcdef")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), Decimal("NaN")])
def test_what_json_cannot_carry_has_no_fingerprint(number: object) -> None:
    """Whichever class it has."""
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        fingerprint({"const": number})


def test_what_is_not_json_has_none() -> None:
    """Neither has an object of somebody's own; a tuple is an array."""
    with pytest.raises(TypeError):
        fingerprint({"const": object()})

    assert fingerprint({"enum": ["a"]}) == fingerprint({"enum": ("a",)})
    assert fingerprint({"enum": ["a"]}) == fingerprint({"enum": {"a"}})
