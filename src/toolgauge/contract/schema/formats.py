"""Formats as the compiled engine checks them, so that verdict and words agree."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jsonschema_rs

    from toolgauge.contract.schema.dialects import Dialect


def has_format(name: str, value: object, dialect: Dialect) -> bool:
    """Tell whether a value keeps a format; unknown formats and other types do."""
    return _checker(name, dialect).is_valid(value)


@lru_cache(maxsize=256)
def _checker(name: str, dialect: Dialect) -> jsonschema_rs.Validator:
    return dialect.accepts({"format": name}, validate_formats=True, offline=True)
