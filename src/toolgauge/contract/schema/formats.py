"""Formats as the compiled engine checks them, so that verdict and words agree."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.schema.dialects import Dialect


@lru_cache(maxsize=256)
def format_check(name: str, dialect: Dialect) -> Callable[[object], bool]:
    """Give the check of a format; unknown ones accept everything, as all do other types."""
    return dialect.accepts({"format": name}, validate_formats=True, offline=True).is_valid


@lru_cache(maxsize=256)
def is_checked(name: str, dialect: Dialect) -> bool:
    """Tell whether the engine checks a format at all: each draft has its own."""
    try:
        dialect.accepts(
            {"format": name}, validate_formats=True, offline=True, ignore_unknown_formats=False
        )
    except jsonschema_rs.ValidationError:
        return False
    return True
