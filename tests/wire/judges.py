"""The providers' own types, asked whether they take what we write."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import anthropic.types
import mcp_types
import mcp_types._v2025_11_25
import mcp_types._v2026_07_28
import openai.types.chat
import openai.types.responses
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator
from cohere.types.chat_message_v2 import ToolChatMessageV2
from cohere.types.tool_v2 import ToolV2
from google.genai import interactions
from google.genai import types as gemini
from mistralai.client import models as mistral
from pydantic import BaseModel, TypeAdapter


def typed(kind: Any, value: Any) -> None:
    """Hold a value against a TypedDict, whose unknown keys pydantic would drop."""
    adapter = TypeAdapter[Any](kind)
    found = adapter.dump_python(adapter.validate_python(value), mode="json", warnings=False)

    assert value == found


def modelled(model: type[BaseModel], value: Any) -> None:
    """Hold a value against a model, whose unknown keys pydantic would keep or drop."""
    parsed = model.model_validate(value)
    found = parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)

    assert value == found
    _hold_no_extra(parsed)


def _hold_no_extra(found: Any) -> None:
    if isinstance(found, BaseModel):
        assert not found.model_extra
        for each in vars(found).values():
            _hold_no_extra(each)
    elif isinstance(found, list):
        for each in found:
            _hold_no_extra(each)


@cache
def _converse() -> ServiceModel:
    data = Loader().load_service_model("bedrock-runtime", "service-2")
    return ServiceModel(data, "bedrock-runtime")


def converse(**members: Any) -> None:
    """Hold a request against the service model of Converse."""
    shape = _converse().operation_model("Converse").input_shape
    report = ParamValidator().validate({"modelId": "m", **members}, shape)

    assert not report.has_errors(), report.generate_report()


def is_converse_response(value: Any) -> None:
    """Hold a response against the service model of Converse."""
    shape = _converse().operation_model("Converse").output_shape
    report = ParamValidator().validate(value, shape)

    assert not report.has_errors(), report.generate_report()


def takes_tools(name: str, made: Any) -> None:
    """Hold tools against the provider's request types."""
    _TOOLS[name](made)


def takes_results(name: str, made: Any) -> None:
    """Hold results against the provider's request types."""
    _RESULTS[name](made)


def _each(model: type[BaseModel]) -> Callable[[Any], None]:
    def judge(made: Any) -> None:
        for each in made:
            modelled(model, each)

    return judge


def _mcp_tools(made: Any) -> None:
    modelled(mcp_types.ListToolsResult, made)
    mcp_types._v2025_11_25.ListToolsResult.model_validate(made)


def _anthropic_message(made: Any) -> None:
    assert {"role": "user"} == {key: made[key] for key in made if key != "content"}
    typed(list[anthropic.types.ToolResultBlockParam], made["content"])


def _chat_messages(made: Any) -> None:
    for each in made:
        typed(_CHAT_MESSAGES[each["role"]], each)


def _mistral_messages(made: Any) -> None:
    for each in made:
        modelled(mistral.ToolMessage, each)
        assert "UNKNOWN" not in repr(mistral.ToolMessage.model_validate(each))


def _mcp_result(made: Any) -> None:
    modelled(mcp_types.CallToolResult, made)
    mcp_types._v2025_11_25.CallToolResult.model_validate(made)
    mcp_types._v2026_07_28.CallToolResult.model_validate(made)


_CHAT_MESSAGES: dict[str, Any] = {
    "tool": openai.types.chat.ChatCompletionToolMessageParam,
    "user": openai.types.chat.ChatCompletionUserMessageParam,
}
_OUTPUTS = list[openai.types.responses.response_input_item_param.FunctionCallOutput]

_TOOLS: dict[str, Callable[[Any], None]] = {
    "anthropic": partial(typed, list[anthropic.types.ToolParam]),
    "bedrock": lambda made: converse(toolConfig=made),
    "cohere": _each(ToolV2),
    "gemini": _each(gemini.Tool),
    "gemini-interactions": _each(interactions.Function),
    "mcp": _mcp_tools,
    "mistral": _each(mistral.Tool),
    "openai-chat": partial(typed, list[openai.types.chat.ChatCompletionFunctionToolParam]),
    "openai-responses": partial(typed, list[openai.types.responses.FunctionToolParam]),
}
_RESULTS: dict[str, Callable[[Any], None]] = {
    "anthropic": _anthropic_message,
    "bedrock": lambda made: converse(messages=[made]),
    "cohere": _each(ToolChatMessageV2),
    "gemini": partial(modelled, gemini.Content),
    "gemini-interactions": _each(interactions.FunctionResultStep),
    "mcp": _mcp_result,
    "mistral": _mistral_messages,
    "openai-chat": _chat_messages,
    "openai-responses": partial(typed, _OUTPUTS),
}
