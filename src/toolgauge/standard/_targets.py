"""The dialects in which a schema is published.

Libraries write 2020-12. A schema that uses only what means the same in draft-07
is published as that too; any other is not.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.standard._protocol import TARGET, JsonSchemas
from toolgauge.standard.errors import UnsupportedTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.standard._protocol import Direction

DRAFT_07 = "draft-07"
DRAFT_07_URI = "http://json-schema.org/draft-07/schema#"

_NOT_IN_DRAFT_07 = frozenset(
    {
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary"),
        *("dependentRequired", "dependentSchemas", "maxContains", "minContains"),
        *("prefixItems", "unevaluatedItems", "unevaluatedProperties"),
    }
)
_BESIDE_REFERENCES = frozenset(
    {
        *("$comment", "$defs", "$ref", "$schema", "default", "definitions", "deprecated"),
        *("description", "examples", "readOnly", "title", "writeOnly"),
    }
)
"""Keywords whose meaning does not change where draft-07 ignores them."""


def json_schemas(vendor: str, make: Callable[[Direction], Mapping[str, Any]]) -> JsonSchemas:
    """Publish the schemas of both directions, built when they are asked for, in each dialect."""

    def of(direction: Direction, target: str) -> Mapping[str, Any]:
        if target == TARGET:
            return make(direction)
        if target == DRAFT_07:
            return as_draft_07(vendor, make(direction))
        raise UnsupportedTarget(vendor, target)

    return JsonSchemas(input=partial(of, "input"), output=partial(of, "output"))


def as_draft_07(vendor: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a schema of 2020-12 to draft-07, where it means the same there.

    One that declares draft-07 itself is returned as it is.

    Raises:
        UnsupportedTarget: If it uses what draft-07 has no word for.
    """
    from toolgauge.contract.schema.subschemas import iter_subschemas  # noqa: PLC0415 - at the last

    if str(schema.get("$schema")).rstrip("#") == DRAFT_07_URI.rstrip("#"):
        return dict(schema)
    for here in iter_subschemas(dict(schema)):
        for keyword in here:
            if keyword in _NOT_IN_DRAFT_07:
                raise UnsupportedTarget(vendor, DRAFT_07, f"it uses {keyword!r}")
        # Draft-07 ignores every keyword beside a reference.
        beside = here.keys() - _BESIDE_REFERENCES
        if "$ref" in here and beside:
            raise UnsupportedTarget(vendor, DRAFT_07, f"it has {min(beside)!r} beside a '$ref'")
    return {"$schema": DRAFT_07_URI} | {key: schema[key] for key in schema if key != "$schema"}
