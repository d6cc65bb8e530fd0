"""A short name for the content of a schema."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from toolgauge.contract.plain import as_definition_value

if TYPE_CHECKING:
    from collections.abc import Mapping

_BYTES = 16


def fingerprint(schema: Mapping[str, Any]) -> str:
    """Name a schema by its content.

    Two schemas that differ only in key order or whitespace have the same
    fingerprint. Any other difference, including a reworded description, changes
    it: the model reads descriptions, so a new one is a new contract.

    Args:
        schema: JSON Schema as parsed JSON: ``{"type": "object", ...}``.

    Returns:
        ``"tg1:"`` and 32 lowercase hex digits. ``tg1`` names this algorithm; a
        changed algorithm gets a new prefix, so stored fingerprints stay readable.

    Raises:
        TypeError: If the schema holds something that JSON has no form for.
        ValueError: If the schema holds NaN or infinity, which JSON cannot carry.

    Example:
        >>> fingerprint({"required": ["q"], "type": "object"})
        'tg1:479337efae32b4bcdf12ff537de6bcdf'

    Source: RFC 8785 section 3.2.3 sorts keys; we sort by code point, not by
    UTF-16 unit, and keep ``1`` and ``1.0`` apart.
    """
    return f"tg1:{hashlib.blake2b(canonical_text(schema), digest_size=_BYTES).hexdigest()}"


def canonical_text(value: object) -> bytes:
    """Write a value so that equal content gives equal bytes.

    Raises:
        TypeError: If the value holds something that JSON has no form for.
        ValueError: If it holds NaN or infinity, or itself.
    """
    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=_plain,
    )
    # A lone surrogate has no UTF-8; it still has a name of its own.
    return text.encode("utf-8", "surrogatepass")


def _plain(value: object) -> object:
    """Turn what the parser or a caller's model gave into what JSON can say."""
    if isinstance(value, Decimal) and value.is_finite():
        # Larger than a double. Python's writer cannot write its digits bare.
        return {"decimal": str(value)}
    if isinstance(value, Decimal):
        msg = f"{value} is not JSON"
        raise ValueError(msg)  # noqa: TRY004 - a number, but none that JSON has
    found = as_definition_value(value)
    if found is value:
        msg = f"{type(value).__name__} has no form in JSON"
        raise TypeError(msg)
    return found
