"""Formats as the compiled engine checks them, so that verdict and words agree."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.schema.dialects import Dialect


@lru_cache(maxsize=256)
def format_check(name: str, dialect: Dialect) -> Callable[[object], bool]:
    """Give the check of a format; unknown ones accept everything, as all do other types."""
    return dialect.accepts({"format": name}, validate_formats=True, offline=True).is_valid
