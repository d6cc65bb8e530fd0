"""The result of lowering: tools for the provider, and the maps between its calls and ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, UnknownTool
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.lowering._maps import MAP_VERSION, map_fingerprint, read_map
from toolgauge.lowering._steps import Restored, ToolBack, ToolForth
from toolgauge.wire import WriteEntry, formats, read_arguments

if TYPE_CHECKING:
    from toolgauge.lowering._report import Loss, Refusal

_MAX_DEPTH = 100

SHAPES: Mapping[str, WriteEntry] = MappingProxyType(
    {name: write for each in formats().values() for name, write in each.entries.items()}
)
"""Every shape by its name; each gives one entry of the request's list: for Gemini of
one ``functionDeclarations``, for Bedrock of ``toolConfig.tools``."""

_OF_TARGET = {target: name for each in formats().values() for target, name in each.targets.items()}


class Restorer:
    """Maps calls of lowered tools back to the tools as they were given."""

    def __init__(self, target: str, tools: Mapping[str, ToolBack]) -> None:
        self.target: str = target
        self._tools: dict[str, ToolBack] = dict(tools)

    def restore(self, name: str, arguments: object) -> tuple[str, Any]:
        """Map one call back: ``restore_report`` without what could not be mapped.

        Raises:
            UnknownTool: If no lowered tool has this name.
        """
        found = self.restore_report(name, arguments)
        return found.name, found.arguments

    def restore_report(self, name: str, arguments: object) -> Restored:
        """Map one call back, and say what could not be mapped.

        Args:
            name: The name that the model used.
            arguments: An object, or its JSON text (``str`` or ``bytes``). ``None``
                and empty text stand for no arguments. The object is not changed.

        Raises:
            UnknownTool: If no lowered tool has this name.
        """
        known = self._tools.get(name)
        if known is None:
            raise UnknownTool(name)
        value, fault = read_bounded(arguments)
        if fault is not None:
            return Restored(name=known.name, arguments=value, unmapped=(fault,))
        return known.restored(value)

    def to_map(self) -> dict[str, Any]:
        """Return everything that ``restorer_from_map`` needs, as JSON."""
        content = {
            "target": self.target,
            "tools": {lowered: each.to_json() for lowered, each in self._tools.items()},
        }
        return {"version": MAP_VERSION, "fingerprint": map_fingerprint(content), **content}


class Lowered(Restorer):
    """Tools for one target, and the maps between its calls and the tools' own.

    Attributes:
        target: The target's name.
        tools: The tools that it accepts, each ``{"name", "description",
            "inputSchema"}``; see ``wire`` for the provider's own shape.
        losses: What is no longer enforced, visible or possible.
        refused: The tools that cannot be lowered.
    """

    def __init__(  # noqa: PLR0913 - the result has these parts
        self,
        *,
        target: str,
        tools: tuple[dict[str, Any], ...],
        losses: tuple[Loss, ...],
        refused: tuple[Refusal, ...],
        back: Mapping[str, ToolBack],
        forth: Mapping[str, ToolForth],
    ) -> None:
        super().__init__(target, back)
        self.tools: tuple[dict[str, Any], ...] = tools
        self.losses: tuple[Loss, ...] = losses
        self.refused: tuple[Refusal, ...] = refused
        self._forth: dict[str, ToolForth] = dict(forth)

    def wire(self, shape: str = "") -> list[dict[str, Any]]:
        """Give the tools in a provider's own shape, one entry for each.

        Args:
            shape: A name from ``SHAPES``; ``""`` for that of the target.

        Raises:
            KeyError: If there is no such shape.
        """
        return to_wire(self.tools, self.target, shape)

    def image(self, name: str, arguments: object) -> tuple[str, Any]:
        """Map a call of the original tool to the lowered one: the other direction.

        For recorded calls, few-shot examples and tests. See ``image_report``.
        """
        found = self.image_report(name, arguments)
        return found.name, found.arguments

    def image_report(self, name: str, arguments: object) -> Restored:
        """Map a call of the original tool forwards, and say what could not be mapped.

        Raises:
            UnknownTool: If no tool of this name was lowered.
        """
        known = self._forth.get(name)
        if known is None:
            raise UnknownTool(name)
        value, fault = read_bounded(arguments)
        if fault is not None:
            return Restored(name=known.name, arguments=value, unmapped=(fault,))
        return known.image(value)


def to_wire(
    tools: Iterable[Mapping[str, Any]], target: str, shape: str = ""
) -> list[dict[str, Any]]:
    """Write tools in a shape, or in that of a target; ``openai-chat`` where none is known."""
    write = SHAPES[shape or _OF_TARGET.get(target, "openai-chat")]
    return [write(each) for each in tools]


def read_bounded(arguments: object) -> tuple[Any, Issue | None]:
    """Read arguments that are JSON text or an object, up to a depth."""
    value, issue = read_arguments(arguments)
    if issue is None and is_deeper_than(value, _MAX_DEPTH):
        issue = Issue(message=f"arguments nest deeper than {_MAX_DEPTH} levels")
    return value, issue


def restorer_from_map(document: object) -> Restorer:
    """Read what ``to_map`` returned.

    Raises:
        InvalidMap: If the document is not such a map, was changed, or has another version.
    """
    return Restorer(*read_map(document))
