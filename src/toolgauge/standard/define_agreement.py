"""Do the tools that carry a validator publish what it checks?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.standard._agreement import disagreements
from toolgauge.standard._protocol import Adapted, Props

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract import Tool
    from toolgauge.standard._agreement import Disagreement


def iter_disagreements(tools: Iterable[Tool]) -> Iterator[tuple[int, Disagreement]]:
    """Give for each tool the values that its validator and its schema judge differently.

    Args:
        tools: Those without a validator have nothing to disagree with.

    Yields:
        The tool's place, and a disagreement; at most one of each kind for a tool.
    """
    for index, tool in enumerate(tools):
        if tool.validate is None or not isinstance(tool.input_schema, dict | bool):
            continue
        standard = Adapted(Props(vendor="validator", validate=tool.validate))
        for each in disagreements(standard, tool.input_schema):
            yield index, each
