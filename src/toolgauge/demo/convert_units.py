"""Convert a value from one unit to another of the same kind."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Tool
from toolgauge.demo.answers import PURE, cannot

if TYPE_CHECKING:
    from toolgauge.contract import CallResult

_UNITS: dict[str, dict[str, tuple[str, str]]] = {
    # kind -> unit -> (factor, offset) to the kind's first unit: first = (x + offset) * factor.
    # Every factor is exact by definition: the international yard and pound of
    # 1959, the US gallon of 231 cubic inches, the nautical mile of 1929.
    "length": {
        "meter": ("1", "0"),
        "kilometer": ("1000", "0"),
        "centimeter": ("0.01", "0"),
        "millimeter": ("0.001", "0"),
        "inch": ("0.0254", "0"),
        "foot": ("0.3048", "0"),
        "yard": ("0.9144", "0"),
        "mile": ("1609.344", "0"),
        "nautical_mile": ("1852", "0"),
    },
    "mass": {
        "kilogram": ("1", "0"),
        "gram": ("0.001", "0"),
        "tonne": ("1000", "0"),
        "ounce": ("0.028349523125", "0"),
        "pound": ("0.45359237", "0"),
        "stone": ("6.35029318", "0"),
    },
    "temperature": {
        "kelvin": ("1", "0"),
        "celsius": ("1", "273.15"),
        "fahrenheit": ("5/9", "459.67"),
    },
    "volume": {
        "liter": ("1", "0"),
        "milliliter": ("0.001", "0"),
        "cubic_meter": ("1000", "0"),
        "us_gallon": ("3.785411784", "0"),
        "us_pint": ("0.473176473", "0"),
        "us_fluid_ounce": ("0.0295735295625", "0"),
    },
    "speed": {
        "meter_per_second": ("1", "0"),
        "kilometer_per_hour": ("5/18", "0"),
        "mile_per_hour": ("0.44704", "0"),
        "knot": ("463/900", "0"),
    },
}
_KIND_OF = {unit: kind for kind, units in _UNITS.items() for unit in units}


def convert(arguments: dict[str, Any]) -> dict[str, Any] | CallResult:
    """Convert exactly, and round once, at the end."""
    source, target = arguments["from"], arguments["to"]
    kind = _KIND_OF[source]
    if kind != _KIND_OF[target]:
        others = ", ".join(_UNITS[kind])
        return cannot(
            f"{source} is a unit of {kind}, {target} of {_KIND_OF[target]}; use: {others}"
        )
    first = _to_first(kind, source, Fraction(arguments["value"]))
    if kind == "temperature" and first < 0:
        return cannot(f"{arguments['value']} {source} is below absolute zero")
    factor, offset = map(Fraction, _UNITS[kind][target])
    digits = int(arguments.get("digits", 12))  # JSON Schema takes 3.0 for an integer
    try:
        value = float(f"{float(first / factor - offset):.{digits}g}")
    except OverflowError:
        return cannot("the result is too large for a number of 64 bits")
    return {"value": value, "unit": target, "kind": kind}


def _to_first(kind: str, unit: str, value: Fraction) -> Fraction:
    """Express a value in the first unit of its kind."""
    factor, offset = map(Fraction, _UNITS[kind][unit])
    return (value + offset) * factor


CONVERT_UNITS = Tool(
    name="convert_units",
    description=(
        "Convert a value between units of length, mass, temperature, volume or speed. "
        "Both units must be of the same kind."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "value": {
                "type": "number",
                "description": "The amount to convert.",
                "examples": [26.2, -40],
            },
            "from": {
                "type": "string",
                "enum": list(_KIND_OF),
                "description": "The unit that the value is in.",
                "examples": ["mile"],
            },
            "to": {
                "type": "string",
                "enum": list(_KIND_OF),
                "description": "The unit to convert it to.",
                "examples": ["kilometer"],
            },
            "digits": {
                "type": "integer",
                "minimum": 1,
                "maximum": 15,
                "default": 12,
                "description": "Significant digits of the result.",
            },
        },
        "required": ["value", "from", "to"],
        "additionalProperties": False,
        "examples": [{"value": 26.2, "from": "mile", "to": "kilometer"}],
    },
    output_schema={
        "type": "object",
        "properties": {
            "value": {"type": "number"},
            "unit": {"type": "string"},
            "kind": {"enum": list(_UNITS)},
        },
        "required": ["value", "unit", "kind"],
    },
    annotations=PURE,
    extra={"title": "Convert units"},
    handler=convert,
)
