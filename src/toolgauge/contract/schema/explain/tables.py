"""Which function compiles which keyword, draft by draft."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolgauge.contract.schema.explain import arrays, evaluated, limits, logic, objects, scalars

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.explain.walk import Keyword

_KEYWORDS: dict[str, Keyword] = {
    "$ref": logic.ref,
    "$dynamicRef": logic.ref,
    "$recursiveRef": logic.recursive_ref,
    "additionalItems": arrays.additional_items,
    "additionalProperties": objects.additional_properties,
    "allOf": logic.all_of,
    "anyOf": logic.any_of,
    "const": scalars.const,
    "contains": arrays.contains,
    "dependencies": objects.dependencies,
    "dependentRequired": objects.dependent_required,
    "dependentSchemas": objects.dependent_schemas,
    "enum": scalars.enum,
    "exclusiveMaximum": limits.exclusive_maximum,
    "exclusiveMinimum": limits.exclusive_minimum,
    "format": scalars.format_,
    "if": logic.if_,
    "items": arrays.items,
    "maxItems": limits.max_items,
    "maxLength": limits.max_length,
    "maxProperties": limits.max_properties,
    "maximum": limits.maximum,
    "minItems": limits.min_items,
    "minLength": limits.min_length,
    "minProperties": limits.min_properties,
    "minimum": limits.minimum,
    "multipleOf": limits.multiple_of,
    "not": logic.not_,
    "oneOf": logic.one_of,
    "pattern": scalars.pattern,
    "patternProperties": objects.pattern_properties,
    "prefixItems": arrays.prefix_items,
    "properties": objects.properties,
    "propertyNames": objects.property_names,
    "required": objects.required,
    "type": scalars.type_,
    "unevaluatedItems": evaluated.unevaluated_items,
    "unevaluatedProperties": evaluated.unevaluated_properties,
    "uniqueItems": arrays.unique_items,
}

_BEFORE_2020: dict[str, Keyword] = {"items": arrays.items_before_2020}
_BEFORE_2019: dict[str, Keyword] = {"contains": arrays.contains_before_2019}

_SINCE = {
    "$dynamicRef": 2020,
    "$recursiveRef": 2019,
    "const": 6,
    "contains": 6,
    "dependentRequired": 2019,
    "dependentSchemas": 2019,
    "exclusiveMaximum": 6,
    "exclusiveMinimum": 6,
    "if": 7,
    "prefixItems": 2020,
    "propertyNames": 6,
    "unevaluatedItems": 2019,
    "unevaluatedProperties": 2019,
}
_UNTIL = {"$recursiveRef": 2019, "additionalItems": 2019}
"""``dependencies`` ended with draft-07, but the engine asserts it in every draft."""


@cache
def keywords_of(dialect: Dialect, *, formats: bool) -> Mapping[str, Keyword]:
    """Give the keywords of a dialect that can refuse a value, and what compiles them."""
    draft = dialect.number
    table = dict(_KEYWORDS)
    if draft < 2020:  # noqa: PLR2004 - a draft
        table |= _BEFORE_2020
    if draft < 2019:  # noqa: PLR2004 - a draft
        table |= _BEFORE_2019
    return {
        name: keyword
        for name, keyword in table.items()
        if _SINCE.get(name, 0) <= draft <= _UNTIL.get(name, draft) and (formats or name != "format")
    }
