"""``POST /tools/{name}/validate``: would this call keep the contract?

Nothing in this module, and nothing that it is given, can run a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import InvalidJson, Issue, parse_json
from toolgauge.serve.answers import (
    JSON_HEADERS,
    TOO_LARGE,
    Answer,
    issues_answer,
    issues_body,
    json_answer,
)
from toolgauge.serve.bodies import BodyTooLarge, read_body

if TYPE_CHECKING:
    from starlette.types import Receive

    from toolgauge.contract import Bounds
    from toolgauge.gate import ContractCheck

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
