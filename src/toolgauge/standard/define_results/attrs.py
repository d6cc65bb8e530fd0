"""Results of attrs classes, by cattrs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cattrs.preconf.json import make_converter

if TYPE_CHECKING:
    from collections.abc import Callable


def dump_of(declared: Any) -> Callable[[Any], Any]:
    """Write results as the declared type says."""
    converter = make_converter()

    def dump(value: Any) -> Any:
        return converter.unstructure(value, unstructure_as=declared)

    return dump
