"""Maps calls back: what a model sent under the lowered schema, as the tool knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, UnknownTool
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.lowering._back import Restored
from toolgauge.lowering._maps import MAP_VERSION, map_fingerprint, read_map
from toolgauge.wire import read_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.lowering._back import ToolBack

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
