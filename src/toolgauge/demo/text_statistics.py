"""Count what is in a text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from toolgauge.contract import Tool
from toolgauge.demo.answers import PURE

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?…。！？]+(?=[\s\"'”’)]|$)|[。！？]+")  # noqa: RUF001
_PARAGRAPH = re.compile(r"\n\s*\n")
_WORDS_PER_MINUTE = 230


def describe(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count characters, words, sentences, lines and paragraphs."""
    text: str = arguments["text"]
    words = _WORD.findall(text)
    counted = words if arguments.get("case_sensitive", False) else [w.casefold() for w in words]
    frequencies = Counter(counted)
    return {
        "characters": len(text),
        "characters_without_spaces": sum(not each.isspace() for each in text),
        "words": len(words),
        "unique_words": len(frequencies),
        "sentences": _sentences(text, has_words=bool(words)),
        "lines": len(text.splitlines()),
        "paragraphs": sum(bool(each.strip()) for each in _PARAGRAPH.split(text)),
        "average_word_length": round(sum(map(len, words)) / len(words), 2) if words else 0,
        "reading_time_s": round(len(words) / _WORDS_PER_MINUTE * 60, 1),
        "top_words": [
            {"word": word, "count": count}
            for word, count in frequencies.most_common(int(arguments.get("top", 5)))
        ],
    }


def _sentences(text: str, *, has_words: bool) -> int:
    """Count ends of sentences; words without any are one sentence."""
    ends = len(_SENTENCE_END.findall(text))
    trailing = text[max((m.end() for m in _SENTENCE_END.finditer(text)), default=0) :]
    return ends + bool(_WORD.search(trailing)) if has_words else 0


TEXT_STATISTICS = Tool(
    name="text_statistics",
    description=(
        "Count the characters, words, sentences, lines and paragraphs of a text, "
        "and list its most frequent words."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "maxLength": 200_000,
                "description": "The text to look at, in any language that separates words.",
                "examples": ["To be, or not to be: that is the question."],
            },
            "top": {
                "type": "integer",
                "minimum": 0,
                "maximum": 100,
                "default": 5,
                "description": "How many of the most frequent words to list.",
            },
            "case_sensitive": {
                "type": "boolean",
                "default": False,
                "description": "Whether 'The' and 'the' are two words.",
            },
        },
        "required": ["text"],
        "additionalProperties": False,
        "examples": [{"text": "To be, or not to be.", "top": 2}],
    },
    output_schema={
        "type": "object",
        "properties": {
            "characters": {"type": "integer"},
            "characters_without_spaces": {"type": "integer"},
            "words": {"type": "integer"},
            "unique_words": {"type": "integer"},
            "sentences": {"type": "integer"},
            "lines": {"type": "integer"},
            "paragraphs": {"type": "integer"},
            "average_word_length": {"type": "number"},
            "reading_time_s": {"type": "number"},
            "top_words": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"word": {"type": "string"}, "count": {"type": "integer"}},
                    "required": ["word", "count"],
                },
            },
        },
        "required": ["characters", "words", "sentences", "lines", "paragraphs", "top_words"],
    },
    annotations=PURE,
    extra={"title": "Text statistics"},
    handler=describe,
)
