"""The same two calls and the same results, as each provider writes them."""

from __future__ import annotations

import base64
from typing import Any

from toolgauge import CallResult, Tool
from toolgauge.wire import WireCall, WireResult

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": ["integer", "null"]}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = Tool(name="weather", description="The weather of a city.", input_schema=SCHEMA)
BARE = Tool(name="now", input_schema={"type": "object"})

FIRST = {"city": "Bergen", "days": None}
SECOND = {"city": "Oslo – Ås", "days": 3}
FIRST_TEXT = '{"city": "Bergen", "days": null}'
SECOND_TEXT = '{"city":"Oslo \\u2013 Ås","days":3}'

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(8)).decode()
PDF = base64.b64encode(b"%PDF-1.7").decode()

_CHAT_CALLS = [
    {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": FIRST_TEXT}},
    {"id": "c2", "type": "function", "function": {"name": "weather", "arguments": SECOND_TEXT}},
]

RESPONSES: dict[str, dict[str, Any]] = {
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "c1", "name": "weather", "input": FIRST},
            {"type": "tool_use", "id": "c2", "name": "weather", "input": SECOND},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "openai-chat": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "logprobs": None,
                "message": {
                    "role": "assistant",
                    "content": None,
                    "refusal": None,
                    "tool_calls": _CHAT_CALLS,
                },
            }
        ],
    },
    "openai-responses": {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "c1",
                "name": "weather",
                "arguments": FIRST_TEXT,
                "status": "completed",
            },
            {
                "type": "function_call",
                "id": "fc_2",
                "call_id": "c2",
                "name": "weather",
                "arguments": SECOND_TEXT,
                "status": "completed",
            },
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "Let me look."},
                        {
                            "functionCall": {"id": "c1", "name": "weather", "args": FIRST},
                            "thoughtSignature": "AAEC",
                        },
                        {"functionCall": {"id": "c2", "name": "weather", "args": SECOND}},
                    ],
                },
                "finishReason": "STOP",
                "index": 0,
            }
        ],
    },
    "gemini-interactions": {
        "id": "int_1",
        "created": "2026-11-29T12:00:00Z",
        "updated": "2026-11-29T12:00:00Z",
        "model": "gemini",
        "status": "requires_action",
        "steps": [
            {"type": "model_output", "content": [{"type": "text", "text": "Let me look."}]},
            {"type": "function_call", "id": "c1", "name": "weather", "arguments": FIRST},
            {"type": "function_call", "id": "c2", "name": "weather", "arguments": SECOND},
        ],
    },
    "bedrock": {
        "output": {
            "message": {
                "role": "assistant",
                "content": [
                    {"text": "Let me look."},
                    {"toolUse": {"toolUseId": "c1", "name": "weather", "input": FIRST}},
                    {"toolUse": {"toolUseId": "c2", "name": "weather", "input": SECOND}},
                ],
            }
        },
        "stopReason": "tool_use",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    },
    "mistral": {
        "id": "cmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "mistral",
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"id": "c1", "function": {"name": "weather", "arguments": FIRST}},
                        {"id": "c2", "function": {"name": "weather", "arguments": SECOND_TEXT}},
                    ],
                },
            }
        ],
    },
    "cohere": {
        "id": "1",
        "finish_reason": "TOOL_CALL",
        "message": {
            "role": "assistant",
            "tool_plan": "I will look.",
            "tool_calls": _CHAT_CALLS,
        },
    },
    "mcp": {
        "jsonrpc": "2.0",
        "id": "c1",
        "method": "tools/call",
        "params": {"name": "weather", "arguments": FIRST},
    },
}

CALLS = (
    WireCall(name="weather", arguments=FIRST, id="c1"),
    WireCall(name="weather", arguments=SECOND, id="c2"),
)


def text(value: str) -> dict[str, str]:
    """Give a block of text."""
    return {"type": "text", "text": value}


IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}
DOCUMENT = {
    "type": "resource",
    "resource": {"uri": "file:///a/report.pdf", "mimeType": "application/pdf", "blob": PDF},
}

RESULTS: dict[str, CallResult] = {
    "text": CallResult(content=(text("rain"),)),
    "two texts": CallResult(content=(text("rain"), text("wind"))),
    "error": CallResult(content=(text("no such city"),), is_error=True),
    "error without words": CallResult(is_error=True),
    "error with an image": CallResult(content=(IMAGE,), is_error=True),
    "nothing": CallResult(),
    "blank": CallResult(content=(text("  "),)),
    "image": CallResult(content=(text("a map"), IMAGE)),
    "only an image": CallResult(content=(IMAGE,)),
    "odd image": CallResult(content=({**IMAGE, "mimeType": "image/tiff"},)),
    "image that is no base64": CallResult(content=({**IMAGE, "data": "%%"},)),
    "audio": CallResult(content=(AUDIO,)),
    "document": CallResult(content=(DOCUMENT,)),
    "text resource": CallResult(
        content=({"type": "resource", "resource": {"uri": "a:b", "text": "rain"}},)
    ),
    "blank resource": CallResult(
        content=({"type": "resource", "resource": {"uri": "a:b", "text": ""}},)
    ),
    "link": CallResult(content=({"type": "resource_link", "uri": "a:b", "name": "b"},)),
    "unknown block": CallResult(content=({"type": "novel", "x": 1},)),
    "bare text": CallResult(content=("rain",)),
    "structured": CallResult(content=(text('{"mm":3}'),), structured={"mm": 3}),
    "only structured": CallResult(structured={"mm": 3}),
    "structured list": CallResult(structured=[1, 2]),
    "structured error": CallResult(structured={"why": "x"}, is_error=True),
    "empty object": CallResult(structured={}),
    "structured with an image": CallResult(content=(IMAGE,), structured={"mm": 3}),
}


def answered(result: CallResult, call: WireCall = CALLS[0]) -> WireResult:
    """Give a result to a call."""
    return WireResult(call=call, result=result)
