"""pydantic-ai's ``Tool``."""

from __future__ import annotations

from typing import Any

import pydantic
from pydantic_ai import ModelRetry

from toolgauge.contract import Failure, Result, Success, Tool, dump_json
from toolgauge.standard.adapters.pydantic import issues_of
from toolgauge.standard.errors import ContextUnavailable
from toolgauge.standard.frameworks import error_result, reject_guarded


def convert(tool: Any) -> Tool:
    """Return the tool as ours.

    One that asks for ``RunContext`` can be listed and validated, not run: the context
    holds the model and the dependencies of an agent's run, and here is none.
    Nor is one run that asks for approval, or has a ``prepare`` or ``args_validator``:
    these want the context too. ``ModelRetry`` becomes an error result that says what the
    tool says.
    """
    schema = tool.function_schema

    def validate(arguments: object) -> Result[Any]:
        try:
            return Success(schema.validator.validate_json(dump_json(arguments)))
        except pydantic.ValidationError as error:
            return Failure(issues_of(error, arguments))

    async def run(values: Any) -> object:
        reject_guarded(tool, "requires_approval", "prepare", "args_validator")
        if schema.takes_ctx:
            raise ContextUnavailable(tool.name, "ctx", "RunContext")
        try:
            found: object = await schema.call(values, None)
        except ModelRetry as error:
            return error_result(error.message)
        return found

    return Tool(
        name=tool.name,
        description=tool.description or "",
        input_schema=schema.json_schema,
        handler=run,
        validate=validate,
    )
