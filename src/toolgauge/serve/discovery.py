"""What tools there are, what each promises, and whether a call would conform to it.

``GET /tools``, ``GET /tools/{name}`` and ``POST /tools/{name}/validate``. Nothing in this
module, and nothing that it is given, can run a tool.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, Issue, dump_json, parse_json
from toolgauge.serve.messages import (
    JSON_HEADERS,
    TOO_LARGE,
    Answer,
    BodyTooLarge,
    issues_answer,
    issues_body,
    json_answer,
    read_body,
)

if TYPE_CHECKING:
    from starlette.types import Receive

    from toolgauge.contract import Bounds, Catalog, Tool
    from toolgauge.gate import ContractCheck

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
    """Return a tool's detail, without the further members that JSON has no form for."""
    detail = tool.to_detail()
    return {
        key: value
        for key, value in detail.items()
        if key not in tool.extra or _is_json({"name": tool.name, key: value})
    }


def _is_json(member: dict[str, Any]) -> bool:
    """Check whether JSON can say something, and log whose it is where it cannot."""
    try:
        dump_json(member)
    except TypeError as error:
        _LOG.warning("tool %r is left out of an answer: %s", member["name"], error)
        return False
    return True


_FORMATS = b"toolgauge-formats"


class Validation:
    """Answers validation requests.

    Args:
        check: Validates arguments.
        bounds: The largest body and the deepest value.
    """

    def __init__(self, check: ContractCheck, bounds: Bounds) -> None:
        self._check = check
        self._bounds = bounds
        # The verdict depends on whether formats are asserted, so it says so.
        mode = b"assertion" if check.formats else b"annotation"
        self._headers = (*JSON_HEADERS, (_FORMATS, mode))
        self._valid = json_answer(200, {"valid": True}, (_FORMATS, mode))

    async def answer(self, name: str, receive: Receive, request: object) -> Answer:
        """Answer with the verdict on the request's body.

        Raises:
            UnknownTool: If there is no tool of this name.
        """
        if self._check.is_static:
            schema = self._check.schema_now(name)
        else:
            schema = await self._check.schema(name, request)
        try:
            body = await read_body(receive, self._bounds.max_body_bytes)
        except BodyTooLarge:
            return TOO_LARGE
        try:
            arguments = parse_json(body, max_depth=self._bounds.max_instance_depth)
        except InvalidJson as error:
            return invalid_json(error)
        issues = schema.issues_of_parsed(arguments, len(body))
        return issues_answer(issues, self._headers) if issues else self._valid


def invalid_json(error: InvalidJson) -> Answer:
    """Answer a body that is not JSON, in the seed's shape."""
    issue = Issue(message=f"Invalid JSON: {error.reason}", keyword="format")
    return json_answer(400, issues_body([issue]))
