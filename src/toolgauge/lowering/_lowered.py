"""The result of lowering: tools for the provider, and the way back for its calls."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, UnknownTool
from toolgauge.lowering._along import Along
from toolgauge.lowering._back import Restored, ToolBack, parsed
from toolgauge.lowering._registry import passes
from toolgauge.lowering._restore import Restorer, read_bounded
from toolgauge.lowering._wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.lowering._pass import Mark
    from toolgauge.lowering._report import Loss, Refusal


class StepForth:
    """What one pass does to one tool's values, from the original shape."""

    def __init__(self, name: str, schema: bytes, marks: Mapping[str, Mark]) -> None:
        self.name: str = name
        self._schema: bytes = schema
        self._marks: Mapping[str, Mark] = marks

    @cached_property
    def along(self) -> Along:
        """The walk along the schema that the pass found."""
        refit = passes()[self.name].image
        return Along(
            parsed(self._schema),
            self._marks if refit is not None else {},
            refit or (lambda value, _: value),
        )


class ToolForth:
    """One tool's way to the provider: its name there, and the steps in order."""

    def __init__(self, name: str, steps: Sequence[StepForth]) -> None:
        self.name: str = name
        self.steps: tuple[StepForth, ...] = tuple(steps)


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
        issues: list[Issue] = []
        for step in known.steps:
            value, more = step.along.change(value)
            issues += more
        return Restored(name=known.name, arguments=value, unmapped=tuple(issues))
