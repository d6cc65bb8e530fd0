"""What keywords are about: the types that they look at, the drafts that have them.

Where their subschemas lie is in ``subschemas``; what they assert in ``explain.tables``.

Source: JSON Schema core 2020-12 sections 6.1.1 and 7.6, and the change logs of the drafts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ALL_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

LIMITS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

_BY_TYPES: Final = {
    ("integer", "number"): (*LIMITS, "multipleOf"),
    ("string",): ("minLength", "maxLength", "pattern"),
    ("array",): (
        *("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"),
        *("contains", "minContains", "maxContains", "unevaluatedItems"),
    ),
    ("object",): (
        *("properties", "patternProperties", "additionalProperties", "propertyNames"),
        *("required", "minProperties", "maxProperties", "unevaluatedProperties"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
    ),
}

TYPES_OF: Final[Mapping[str, frozenset[str]]] = {
    keyword: frozenset(types) for types, keywords in _BY_TYPES.items() for keyword in keywords
}
"""The types that a keyword can refuse values of; it says nothing about others. A keyword that
is not here may refuse any value."""

ANNOTATIONS: Final = frozenset(
    {
        *("$comment", "default", "deprecated", "description", "example", "examples"),
        *("readOnly", "title", "writeOnly"),
    }
)
"""Keywords that say something and refuse nothing."""

_SINCE: Final = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum"), 6),
    "if": 7,
    **dict.fromkeys(("$recursiveRef", "dependentRequired", "dependentSchemas"), 2019),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), 2019),
    **dict.fromkeys(("$dynamicRef", "prefixItems"), 2020),
}
_UNTIL: Final = {"$recursiveRef": 2019, "additionalItems": 2019}


def is_asserted(keyword: str, draft: int) -> bool:
    """Tell whether a draft has a keyword that can refuse a value, by its number.

    In draft-04 ``exclusiveMinimum`` is a flag of ``minimum``. ``dependencies`` ended with
    draft-07, but the engine asserts it in every draft.
    """
    return _SINCE.get(keyword, 0) <= draft <= _UNTIL.get(keyword, draft)
