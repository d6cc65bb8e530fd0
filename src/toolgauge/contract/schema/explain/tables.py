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

_ARRAYS, _OBJECTS, _TEXTS = (list, tuple), (dict,), (str,)

_KEYWORDS: dict[str, Keyword] = {
    "$dynamicRef": logic.ref,
    "$recursiveRef": logic.recursive_ref,
    "$ref": logic.ref,
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
    "exclusiveMaximum": scalars.limit("exclusiveMaximum", "maximum"),
    "exclusiveMinimum": scalars.limit("exclusiveMinimum", "minimum"),
    "format": scalars.format_,
    "if": logic.if_,
    "items": arrays.items,
    "maxItems": scalars.at_most("maxItems", _ARRAYS, "is too long"),
    "maxLength": scalars.at_most("maxLength", _TEXTS, "is too long"),
    "maxProperties": scalars.at_most("maxProperties", _OBJECTS, "has too many properties"),
    "maximum": scalars.limit("maximum", "maximum"),
    "minItems": scalars.at_least("minItems", _ARRAYS, "is too short"),
    "minLength": scalars.at_least("minLength", _TEXTS, "is too short"),
    "minProperties": scalars.at_least("minProperties", _OBJECTS, "does not have enough properties"),
    "minimum": scalars.limit("minimum", "minimum"),
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
