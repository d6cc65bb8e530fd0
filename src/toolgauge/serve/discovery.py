"""``GET /tools`` and ``GET /tools/{name}``: what there is, and what it promises."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json
from toolgauge.serve.answers import Answer, json_answer

if TYPE_CHECKING:
    from toolgauge.contract import Catalog, Tool

_LOG = logging.getLogger(__name__)


async def list_tools(catalog: Catalog, request: object) -> Answer:
    """Answer with the summaries of all tools, in the provider's order."""
    summaries = [tool.to_summary() for tool in await catalog.tools(request)]
    try:
        return json_answer(200, summaries)
    except TypeError:
        return json_answer(200, [each for each in summaries if _is_json(each)])


async def show_tool(catalog: Catalog, name: str, request: object) -> Answer:
    """Answer with one whole tool.

    Raises:
        UnknownTool: If there is none of this name.
    """
    return json_answer(200, detail_of(await catalog.find(name, request)))


def detail_of(tool: Tool) -> dict[str, Any]:
    """Give a tool's detail, without the further members that JSON has no form for."""
    detail = tool.to_detail()
    return {
        key: value
        for key, value in detail.items()
        if key not in tool.extra or _is_json({"name": tool.name, key: value})
    }


def _is_json(member: dict[str, Any]) -> bool:
    """Tell whether JSON can say something, and log whose it is where it cannot."""
    try:
        dump_json(member)
    except TypeError as error:
        _LOG.warning("tool %r is left out of an answer: %s", member["name"], error)
        return False
    return True
