"""The object that holds a tool's name: the definition, or what its wrapper holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract import Path
    from toolgauge.rules._definition import Definition


def body_of(tool: Definition) -> tuple[Mapping[str, Any], Path]:
    """Give the object that holds name, description and schema, and where it lies."""
    way = tool.name_path[:-1]
    here: Any = tool.raw
    for step in way:
        here = here[step]
    return (here if isinstance(here, Mapping) else {}), way
