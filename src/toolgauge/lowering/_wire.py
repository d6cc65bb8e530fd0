"""Writes lowered tools in the shape that each provider's request wants."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.wire import formats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolgauge.wire import WriteEntry

SHAPES: Mapping[str, WriteEntry] = MappingProxyType(
    {name: write for each in formats().values() for name, write in each.entries.items()}
)
"""Every shape by its name; each gives one entry of the request's list: for Gemini of
one ``functionDeclarations``, for Bedrock of ``toolConfig.tools``."""

_OF_TARGET = {target: name for each in formats().values() for target, name in each.targets.items()}


def to_wire(
    tools: Iterable[Mapping[str, Any]], target: str, shape: str = ""
) -> list[dict[str, Any]]:
    """Write tools in a shape, or in that of a target; ``openai-chat`` where none is known."""
    write = SHAPES[shape or _OF_TARGET.get(target, "openai-chat")]
    return [write(each) for each in tools]
