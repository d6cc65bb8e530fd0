"""pydantic-ai's ``Tool``."""

from __future__ import annotations

from typing import Any

import pydantic
from pydantic_ai import ModelRetry

from toolgauge.contract import CallResult, Failure, Result, Success, Tool, dump_json
from toolgauge.standard._answers import make_issue
from toolgauge.standard.frameworks._guards import refuse_guarded
from toolgauge.standard.functions.errors import ContextUnavailable


def convert(tool: Any) -> Tool:
    """Give the tool as ours.

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
            found = error.errors(include_url=False, include_context=False, include_input=False)
            return Failure(tuple(make_issue(each["msg"], each["loc"]) for each in found))

    async def run(values: Any) -> object:
        refuse_guarded(tool, "requires_approval", "prepare", "args_validator")
        if schema.takes_ctx:
            raise ContextUnavailable(tool.name, "ctx", "RunContext")
        try:
            found: object = await schema.call(values, None)
        except ModelRetry as error:
            return CallResult(content=({"type": "text", "text": error.message},), is_error=True)
        return found

    return Tool(
        name=tool.name,
        description=tool.description or "",
        input_schema=schema.json_schema,
        handler=run,
        validate=validate,
    )
