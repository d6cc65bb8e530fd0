"""Values that travel as JSON text because the provider has no schema for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, dump_json, parse_json
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from toolgauge.lowering._pass import Mark

WORDS = "Written as JSON text."


def from_text(value: Any, mark: Mark) -> Any:
    """Read JSON text. A value that is no text is what it is: the model ignored the schema."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except InvalidJson as error:
        raise CannotRefit(f"no JSON text: {error.reason}") from error


def to_text(value: Any, mark: Mark) -> Any:
    """Write JSON text."""
    return dump_json(value).decode()
