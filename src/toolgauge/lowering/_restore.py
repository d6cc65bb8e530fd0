"""Maps calls back: what a model sent under the lowered schema, as the tool knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, Issue, UnknownTool, dump_json, parse_json
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.lowering._back import Restored, StepBack, ToolBack
from toolgauge.lowering._registry import passes
from toolgauge.lowering.errors import InvalidMap

if TYPE_CHECKING:
    from collections.abc import Mapping

MAP_VERSION = 1
_MAX_DEPTH = 100


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
        return known.restored(value)

    def to_map(self) -> dict[str, Any]:
        """Give everything that ``restorer_from_map`` needs, as JSON."""
        return {
            "version": MAP_VERSION,
            "target": self.target,
            "tools": {lowered: each.to_json() for lowered, each in self._tools.items()},
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
        steps = [_step(each) for each in data["steps"]]
        return ToolBack(_text(data["name"]), steps, _schema(data.get("schema")))
    except (KeyError, TypeError) as error:
        raise InvalidMap(f"tool {lowered!r} is incomplete") from error


def _step(data: Any) -> StepBack:
    name, schema, marks = data["pass"], data["schema"], data["marks"]
    before, places = data.get("before"), data.get("places", {})
    if name not in passes() or passes()[name].restore is None:
        raise InvalidMap(f"there is no pass {name!r} that changes values")
    if not isinstance(schema, dict) or not isinstance(marks, dict):
        raise InvalidMap(f"pass {name!r} lacks its schema or marks")
    if not all(_is_mark(name, each) for each in marks.values()):
        raise InvalidMap(f"pass {name!r} has a mark that it cannot have made")
    if not isinstance(places, dict) or (places and not isinstance(before, dict)):
        raise InvalidMap(f"pass {name!r} lacks the schema that it found")
    return StepBack(name, _schema(schema), marks, _schema(before), places)


def _is_mark(name: str, mark: object) -> bool:
    """Tell whether a mark has what the pass writes into it, in the same types."""
    return isinstance(mark, dict) and all(
        isinstance(mark.get(key), kind) for key, kind in passes()[name].marks.items()
    )


def _schema(data: object) -> bytes:
    return dump_json(data) if isinstance(data, dict) else b""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value
