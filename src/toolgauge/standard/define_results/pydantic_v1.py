"""Results of ``pydantic.v1`` models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def dump_of(declared: Any) -> Callable[[Any], Any]:  # noqa: ARG001 - every module here is asked alike
    """Write a model under its aliases; anything else is left alone."""

    def dump(value: Any) -> Any:
        # Version 1 writes JSON only as text.
        return json.loads(value.json(by_alias=True)) if hasattr(value, "json") else value

    return dump
