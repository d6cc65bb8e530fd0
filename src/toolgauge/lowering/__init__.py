"""Make tools acceptable to a provider, and map the model's calls back.

An ordered list of small passes, each with its inverse on calls and a statement
of what it loses; the target's TOML names them.
"""

from __future__ import annotations

from toolgauge.contract import UnknownTool
from toolgauge.lowering._lower import lower
from toolgauge.lowering._lowered import SHAPES, Lowered, Restorer, restorer_from_map
from toolgauge.lowering._pass import Pass, passes
from toolgauge.lowering._report import Loss, Refusal
from toolgauge.lowering._steps import Restored
from toolgauge.lowering.errors import InvalidMap, NoPasses, UnknownPass

__all__ = [
    "SHAPES",
    "InvalidMap",
    "Loss",
    "Lowered",
    "NoPasses",
    "Pass",
    "Refusal",
    "Restored",
    "Restorer",
    "UnknownPass",
    "UnknownTool",
    "lower",
    "passes",
    "restorer_from_map",
]
