"""Area and perimeter of a plane shape."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Tool
from toolgauge.demo.answers import PURE, cannot

if TYPE_CHECKING:
    from toolgauge.contract import CallResult


def measure(arguments: dict[str, Any]) -> dict[str, Any] | CallResult:
    """Compute both measures; the schema has already told the shapes apart."""
    shape: dict[str, Any] = arguments["shape"]
    try:
        area, perimeter = _MEASURES[shape["kind"]](shape)
    except (ValueError, OverflowError) as error:
        return cannot(str(error) if isinstance(error, ValueError) else "a length is too large")
    if not math.isfinite(area) or not math.isfinite(perimeter):
        return cannot("a length is too large")
    unit = arguments.get("unit", "m")
    return {
        "area": float(f"{area:.12g}"),
        "area_unit": f"{unit}²",
        "perimeter": float(f"{perimeter:.12g}"),
        "perimeter_unit": unit,
    }


def _circle(shape: dict[str, Any]) -> tuple[float, float]:
    radius = float(shape["radius"])
    return math.pi * radius * radius, 2 * math.pi * radius


def _rectangle(shape: dict[str, Any]) -> tuple[float, float]:
    width, height = float(shape["width"]), float(shape["height"])
    return width * height, 2 * (width + height)


def _triangle(shape: dict[str, Any]) -> tuple[float, float]:
    """Heron's formula in Kahan's order, which keeps needle-like triangles exact."""
    short, middle, long = sorted(float(each) for each in shape["sides"])
    if long >= short + middle:
        raise ValueError(f"no triangle has the sides {short:g}, {middle:g}, {long:g}")
    product = (
        (long + (middle + short))
        * (short - (long - middle))
        * (short + (long - middle))
        * (long + (middle - short))
    )
    return math.sqrt(product) / 4, short + middle + long


def _polygon(shape: dict[str, Any]) -> tuple[float, float]:
    """Shoelace formula; where edges cross, areas cancel, which the schema cannot forbid."""
    corners = [(float(each["x"]), float(each["y"])) for each in shape["corners"]]
    edges = list(pairwise([*corners, corners[0]]))
    doubled = sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges)
    return abs(doubled) / 2, sum(math.dist(a, b) for a, b in edges)


_MEASURES = {
    "circle": _circle,
    "rectangle": _rectangle,
    "triangle": _triangle,
    "polygon": _polygon,
}


def _shape(kind: str, description: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """Write the schema of one kind of shape; all its members are required."""
    return {
        "type": "object",
        "description": description,
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *properties],
        "additionalProperties": False,
    }


_LENGTH = {"$ref": "#/$defs/length"}

MEASURE_SHAPE = Tool(
    name="measure_shape",
    description="Compute the area and the perimeter of a circle, rectangle, triangle or polygon.",
    input_schema={
        "type": "object",
        "properties": {
            "shape": {
                "description": "The shape; its kind decides which measures it needs.",
                "anyOf": [
                    {"$ref": "#/$defs/circle"},
                    {"$ref": "#/$defs/rectangle"},
                    {"$ref": "#/$defs/triangle"},
                    {"$ref": "#/$defs/polygon"},
                ],
            },
            "unit": {
                "type": "string",
                "enum": ["mm", "cm", "m", "km", "in", "ft", "mi"],
                "default": "m",
                "description": "The unit of every length.",
            },
        },
        "required": ["shape"],
        "additionalProperties": False,
        "examples": [{"shape": {"kind": "rectangle", "width": 3, "height": 4}, "unit": "cm"}],
        "$defs": {
            "length": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "A length, greater than zero.",
                "examples": [2.5],
            },
            "point": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                "required": ["x", "y"],
                "additionalProperties": False,
            },
            "circle": _shape("circle", "A circle by its radius.", radius=_LENGTH),
            "rectangle": _shape(
                "rectangle", "A rectangle by its two sides.", width=_LENGTH, height=_LENGTH
            ),
            "triangle": _shape(
                "triangle",
                "A triangle by its three sides.",
                sides={"type": "array", "items": _LENGTH, "minItems": 3, "maxItems": 3},
            ),
            "polygon": _shape(
                "polygon",
                "A polygon by its corners, in order, without crossing edges.",
                corners={
                    "type": "array",
                    "items": {"$ref": "#/$defs/point"},
                    "minItems": 3,
                    "maxItems": 1_000,
                },
            ),
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "area": {"type": "number"},
            "area_unit": {"type": "string"},
            "perimeter": {"type": "number"},
            "perimeter_unit": {"type": "string"},
        },
        "required": ["area", "area_unit", "perimeter", "perimeter_unit"],
    },
    annotations=PURE,
    extra={"title": "Measure a shape"},
    handler=measure,
)
