"""Five tools that do something, without a network: to try the gate on.

    toolgauge serve toolgauge.demo:tools --allow-execute

One file per tool. Handlers take arguments that keep the schema; what a schema
cannot say (there is no 30th of February) they answer as an error of the tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.demo.convert_units import CONVERT_UNITS
from toolgauge.demo.date_calculator import DATE_CALCULATOR
from toolgauge.demo.measure_shape import MEASURE_SHAPE
from toolgauge.demo.query_cities import QUERY_CITIES
from toolgauge.demo.text_statistics import TEXT_STATISTICS

if TYPE_CHECKING:
    from toolgauge.contract import Tool

tools: tuple[Tool, ...] = (
    CONVERT_UNITS,
    TEXT_STATISTICS,
    DATE_CALCULATOR,
    QUERY_CITIES,
    MEASURE_SHAPE,
)
"""Every demo tool, each with its handler."""

__all__ = ["tools"]
