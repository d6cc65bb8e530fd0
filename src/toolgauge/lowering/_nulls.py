"""Does a schema admit null?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

_MAX_HOPS = 64


def admits_null(  # noqa: PLR0911 - one line for each keyword
    draft: Draft, schema: Any, hops: int = 0
) -> bool:
    """Tell whether null is valid, as far as the keywords that name types and values say."""
    draft.charge(1)
    if not isinstance(schema, dict):
        return schema is True
    if hops > _MAX_HOPS:
        return False
    kind = schema.get("type")
    if kind is not None and kind != "null" and (isinstance(kind, str) or "null" not in kind):
        return False
    if "enum" in schema and None not in schema["enum"]:
        return False
    if "const" in schema and schema["const"] is not None:
        return False
    if "$ref" in schema and not admits_null(draft, draft.follow(schema["$ref"]), hops + 1):
        return False
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema and not any(
            admits_null(draft, each, hops + 1) for each in schema[keyword]
        ):
            return False
    return all(admits_null(draft, each, hops + 1) for each in schema.get("allOf", ()))
