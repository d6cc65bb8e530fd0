"""Which subschemas a limit is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgauge.rules._definition import Node


def is_where(node: Node, where: str) -> bool:
    """Tell whether a subschema is at the ``"root"``, ``"nested"``, or anywhere (``"all"``)."""
    return where == "all" or node.is_root == (where == "root")
