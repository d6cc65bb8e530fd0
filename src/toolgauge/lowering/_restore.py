"""Maps calls back: what a model sent under the lowered schema, as the tool knows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, Issue, UnknownTool, parse_json
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.lowering._along import Along
from toolgauge.lowering._registry import passes
from toolgauge.lowering.errors import InvalidMap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.lowering._pass import Mark

MAP_VERSION = 1
_MAX_DEPTH = 100


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
    """What one pass did to one tool's values, ready to be undone."""

    def __init__(self, name: str, schema: dict[str, Any], marks: Mapping[str, Mark]) -> None:
        self.name: str = name
        self.schema: dict[str, Any] = schema
        self.marks: dict[str, Mark] = dict(marks)

    @cached_property
    def along(self) -> Along:
        """The walk along the schema that the pass left."""
        refit = passes()[self.name].restore
        if refit is None:
            raise InvalidMap(f"pass {self.name!r} changes no values")
        return Along(self.schema, self.marks, refit)

    def to_json(self) -> dict[str, Any]:
        """Give the step as it stands in a map."""
        return {"pass": self.name, "schema": self.schema, "marks": self.marks}


class ToolBack:
    """One tool's way back: its own name, and the steps in the order of lowering."""

    def __init__(self, name: str, steps: Sequence[StepBack]) -> None:
        self.name: str = name
        self.steps: tuple[StepBack, ...] = tuple(steps)


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
        value, fault = read_arguments(arguments)
        if fault is not None:
            return Restored(name=known.name, arguments=value, unmapped=(fault,))
        issues: list[Issue] = []
        for step in reversed(known.steps):
            value, more = step.along.change(value)
            issues += more
        return Restored(name=known.name, arguments=value, unmapped=tuple(issues))

    def to_map(self) -> dict[str, Any]:
        """Give everything that ``restorer_from_map`` needs, as JSON."""
        return {
            "version": MAP_VERSION,
            "target": self.target,
            "tools": {
                lowered: {"name": each.name, "steps": [step.to_json() for step in each.steps]}
                for lowered, each in self._tools.items()
            },
        }


def read_arguments(arguments: object) -> tuple[Any, Issue | None]:
    """Give the arguments as an object, or as they are with what is wrong."""
    value: Any = arguments
    if isinstance(arguments, str | bytes | bytearray):
        if not arguments.strip():
            return {}, None
        try:
            value = parse_json(bytes(arguments) if isinstance(arguments, bytearray) else arguments)
        except InvalidJson as error:
            return arguments, Issue(message=f"arguments are no JSON text: {error.reason}")
    if value is None:
        return {}, None
    if not isinstance(value, dict):
        return value, Issue(message=f"arguments are an object, not {type(value).__name__}")
    if is_deeper_than(value, _MAX_DEPTH):
        return value, Issue(message=f"arguments nest deeper than {_MAX_DEPTH} levels")
    return value, None


def restorer_from_map(document: object) -> Restorer:
    """Read what ``to_map`` gave.

    Raises:
        InvalidMap: If it is no such document, or of a later version.
    """
    if not isinstance(document, dict) or document.get("version") != MAP_VERSION:
        raise InvalidMap(f"expected an object with version {MAP_VERSION}")
    tools, target = document.get("tools"), document.get("target")
    if not isinstance(tools, dict) or not isinstance(target, str):
        raise InvalidMap("expected the members tools and target")
    return Restorer(target, {name: _tool(name, each) for name, each in tools.items()})


def _tool(lowered: str, data: Any) -> ToolBack:
    try:
        return ToolBack(_text(data["name"]), [_step(each) for each in data["steps"]])
    except (KeyError, TypeError) as error:
        raise InvalidMap(f"tool {lowered!r} is incomplete") from error


def _step(data: Any) -> StepBack:
    name, schema, marks = data["pass"], data["schema"], data["marks"]
    if name not in passes() or passes()[name].restore is None:
        raise InvalidMap(f"there is no pass {name!r} that changes values")
    if not isinstance(schema, dict) or not isinstance(marks, dict):
        raise InvalidMap(f"pass {name!r} lacks its schema or marks")
    return StepBack(name, schema, marks)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value
