"""Results that a marshmallow schema writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def dump_of(declared: Any) -> Callable[[Any], Any]:
    """Write results with the schema's ``dump``; a class is used with its own settings."""
    schema = declared() if isinstance(declared, type) else declared
    dump: Callable[[Any], Any] = schema.dump
    return dump
