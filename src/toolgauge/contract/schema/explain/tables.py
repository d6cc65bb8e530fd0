"""Which function compiles which keyword, draft by draft."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolgauge.contract.schema.explain import arrays, logic, objects, scalars
from toolgauge.contract.schema.keywords import is_asserted

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
    "exclusiveMaximum": scalars.exclusive_maximum,
    "exclusiveMinimum": scalars.exclusive_minimum,
    "format": scalars.format_,
    "if": logic.if_,
    "items": arrays.items,
    "maxItems": scalars.max_items,
    "maxLength": scalars.max_length,
    "maxProperties": scalars.max_properties,
    "maximum": scalars.maximum,
    "minItems": scalars.min_items,
    "minLength": scalars.min_length,
    "minProperties": scalars.min_properties,
    "minimum": scalars.minimum,
    "multipleOf": scalars.multiple_of,
    "not": logic.not_,
    "oneOf": logic.one_of,
    "pattern": scalars.pattern,
    "patternProperties": objects.pattern_properties,
    "prefixItems": arrays.prefix_items,
    "properties": objects.properties,
    "propertyNames": objects.property_names,
    "required": objects.required,
    "type": scalars.type_,
    "unevaluatedItems": logic.unevaluated_items,
    "unevaluatedProperties": logic.unevaluated_properties,
    "uniqueItems": arrays.unique_items,
}

_BEFORE_2020: dict[str, Keyword] = {"items": arrays.items_before_2020}
_BEFORE_2019: dict[str, Keyword] = {"contains": arrays.contains_before_2019}


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
        if is_asserted(name, draft) and (formats or name != "format")
    }
