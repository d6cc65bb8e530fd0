"""The steps of one tool's lowering, applied to its values and undone again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, compile_schema, parse_json
from toolgauge.lowering._along import Along
from toolgauge.lowering._branches import Choices, Origins, best_run
from toolgauge.lowering._pass import passes
from toolgauge.lowering.errors import InvalidMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolgauge.contract import CompiledSchema
    from toolgauge.lowering._pass import Mark

_MAX_DEPTH = 254
_NOWHERE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """One call in the other shape.

    Attributes:
        name: The tool's name there.
        arguments: The arguments there. What could not be mapped is left as it
            was sent, so that validation against the original schema refuses it.
        unmapped: What that is and where, in the arguments as they were sent;
            empty when all went well.
    """

    name: str
    arguments: Any
    unmapped: tuple[Issue, ...] = ()


class StepBack:
    """What one pass did to one tool's values, ready to be undone.

    Args:
        name: The pass.
        schema: JSON text of the schema that the pass left.
        marks: Where values change, by pointers into that schema.
        before: JSON text of the schema that the pass found; ``b""`` if unknown.
        places: Pointers into ``before``, by those of the branches of unions that
            the pass left.
    """

    def __init__(
        self,
        name: str,
        schema: bytes,
        marks: Mapping[str, Mark],
        before: bytes = b"",
        places: Mapping[str, str] = _NOWHERE,
    ) -> None:
        self.name: str = name
        self.marks: dict[str, Mark] = dict(marks)
        self.places: dict[str, str] = dict(places)
        self._schema: bytes = schema
        self._before: bytes = before

    @cached_property
    def along(self) -> Along:
        """The walk along the schema that the pass left."""
        found = passes()[self.name]
        if found.restore is None:
            raise InvalidMap(f"pass {self.name!r} changes no values")
        origins = Origins(parsed(self._before), self.places) if self.places else None
        return Along(parsed(self._schema), self.marks, found.restore, origins, found.others)

    @cached_property
    def is_ambiguous(self) -> bool:
        """Whether a value may be read in more than one way."""
        return bool(self._before) and self.along.is_ambiguous

    def to_json(self) -> dict[str, Any]:
        """Give the step as it stands in a map."""
        made = {"pass": self.name, "schema": parsed(self._schema), "marks": self.marks}
        if self.is_ambiguous:
            made |= {"before": parsed(self._before), "places": self.places}
        return made


class ToolBack:
    """One tool's way back.

    Args:
        name: Its own name.
        steps: In the order of lowering.
        schema: JSON text of its own input schema; ``b""`` where no step needs it.
    """

    def __init__(self, name: str, steps: Sequence[StepBack], schema: bytes = b"") -> None:
        self.name: str = name
        self.steps: tuple[StepBack, ...] = tuple(steps)
        self._schema: bytes = schema

    def restored(self, value: Any) -> Restored:
        """Undo the steps, the last one first.

        Where a step could take several branches, the tool's own schema decides.
        """
        return best_run(
            lambda choices: _walked(self.name, reversed(self.steps), value, choices), self._faults
        )

    def _faults(self, found: Restored) -> int:
        if not self._schema:
            return 0
        return len(found.unmapped) + len(self._own.issues(found.arguments))

    @cached_property
    def _own(self) -> CompiledSchema:
        return compile_schema(parsed(self._schema))

    def to_json(self) -> dict[str, Any]:
        """Give the way as it stands in a map."""
        made: dict[str, Any] = {"name": self.name, "steps": [each.to_json() for each in self.steps]}
        if self._schema and any(each.is_ambiguous for each in self.steps):
            made["schema"] = parsed(self._schema)
        return made


class StepForth:
    """What one pass does to one tool's values, from the original shape."""

    def __init__(self, name: str, schema: bytes, marks: Mapping[str, Mark]) -> None:
        self.name: str = name
        self._schema: bytes = schema
        self._marks: Mapping[str, Mark] = marks

    @cached_property
    def along(self) -> Along:
        """The walk along the schema that the pass found."""
        image = passes()[self.name].image
        if image is None:
            return Along(parsed(self._schema), {}, lambda value, _: value)
        return Along(parsed(self._schema), self._marks, image)


class ToolForth:
    """One tool's way to the provider: its name there, and the steps in order."""

    def __init__(self, name: str, steps: Sequence[StepForth]) -> None:
        self.name: str = name
        self.steps: tuple[StepForth, ...] = tuple(steps)

    def image(self, value: Any) -> Restored:
        """Take the steps."""
        return _walked(self.name, self.steps, value)


def _walked(
    name: str,
    steps: Iterable[StepBack | StepForth],
    value: Any,
    choices: Choices | None = None,
) -> Restored:
    """Change a value along each step."""
    issues: list[Issue] = []
    for step in steps:
        value, more = step.along.change(value, choices)
        issues += more
    return Restored(name=name, arguments=value, unmapped=tuple(issues))


def parsed(text: bytes) -> Any:
    """Read a schema of ours, which may nest as deep as ``dump_json`` writes."""
    return parse_json(text, max_depth=_MAX_DEPTH)
