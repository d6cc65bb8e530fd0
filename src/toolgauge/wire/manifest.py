"""The tools section of AGENTS.md and CLAUDE.md: what models are told of the tools.

Names and descriptions come from servers that nobody here wrote, and the file is
read by models and people. So a description is a quotation, a schema a code block
whose fence it cannot close, and what a page would hide is shown.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json, read_tool
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.wire._registry import format_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE = re.compile(r"\r\n|\r|\n")
_RUN = re.compile(r"`+")
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_BRACKET_FIRST = re.compile(r"(?:[ \t>*+-]|\d{1,9}[.)])*\[")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_FENCE = 3


def render_manifest(tools: Iterable[object]) -> str:
    r"""Write the tools as a section of Markdown: name, description, input schema.

    The schema is the one that goes to the model on Anthropic's wire: parsed, the
    two are equal. The same tools give the same text in whatever order they come;
    of tools that share a name, the first is written.

    Args:
        tools: ``Tool`` objects, or what ``read_tool`` reads as such.

    Returns:
        Markdown with ``\n`` as line end, which starts at a heading of level 2.

    Raises:
        InvalidTool: If something in the list has no name.
        TypeError: If a schema holds what JSON has no form for.
        ValueError: If it holds NaN, infinity or itself.
    """
    by_name: dict[str, dict[str, Any]] = {}
    anthropic = format_of("anthropic")
    for each in tools:
        tool = read_tool(each)
        (entry,) = anthropic.to_tools([tool])
        by_name.setdefault(tool.name, entry)
    parts = ["## Tools"]
    if not by_name:
        parts.append("There are none.")
    for name in sorted(by_name):
        parts += _section(by_name[name])
    return "\n\n".join(parts) + "\n"


def _section(entry: dict[str, Any]) -> list[str]:
    parts = [f"### {_code_span(entry['name'])}"]
    if entry.get("description", "").strip():
        parts.append(_quotation(entry["description"]))
    parts.append(_fenced(_pretty(entry["input_schema"])))
    return parts


def _code_span(text: str) -> str:
    """Write text as a code span, whatever backticks are in it."""
    shown = _visible(text) or "(no name)"
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _quotation(text: str) -> str:
    """Write text as a quotation: nothing in it reaches past its last line.

    Markup in it would be hidden from people and not from models, and a link that it
    defines would hold in the whole file.
    """
    lines = [_visible(each, keep="\t").rstrip() for each in _LINE.split(text.strip())]
    spans = [_code_spans(each) for each in lines]
    # A row that its line does not close may pair with one of another line.
    is_paired = None not in spans and "\\`" not in text
    shown = [
        _untagged(each, (found or []) if is_paired else [])
        for each, found in zip(lines, spans, strict=True)
    ]
    if "]:" in text:
        shown = [_undefining(each) for each in shown]
    return "\n".join(f"> {each}" if each else ">" for each in shown)


def _code_spans(line: str) -> list[tuple[int, int]] | None:
    """Give where a line's code spans begin and end, ``None`` where one does not end."""
    rows = [each.span() for each in _RUN.finditer(line)]
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(rows):
        start, end = rows[at]
        closing = (
            number
            for number in range(at + 1, len(rows))
            if rows[number][1] - rows[number][0] == end - start
        )
        close = next(closing, None)
        if close is None:
            return None
        # A table is cut into its cells before code is looked for.
        if "|" not in line[start : rows[close][1]]:
            found.append((start, rows[close][1]))
        at = close + 1
    return found


def _untagged(line: str, spans: list[tuple[int, int]]) -> str:
    """Show what begins HTML as text, but for code, which is text anyway."""
    made, at = "", 0
    for start, end in spans:
        made += _TAG.sub("&lt;", line[at:start]) + line[start:end]
        at = end
    return made + _TAG.sub("&lt;", line[at:])


def _undefining(line: str) -> str:
    """Let no line begin with a bracket that could define a link."""
    found = _BRACKET_FIRST.match(line)
    return line if found is None else f"{found[0][:-1]}\\[{line[found.end() :]}"


def _fenced(text: str) -> str:
    fence = "`" * max(_FENCE, _longest_run(text) + 1)
    return f"{fence}json\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    """Count the backticks of the longest row of them."""
    return max((len(run) for run in _RUN.findall(text)), default=0)


def _pretty(schema: object) -> str:
    """Write JSON with one member a line; hidden characters as escapes, which mean the same."""
    canonical_text(schema)  # rejects NaN and infinity, which the writer makes null of
    text = dump_json(schema, is_indented=True).decode()
    # Within strings JSON has no raw line ends.
    return "".join(
        _json_escape(each) if each != "\n" and _is_hidden(each) else each for each in text
    )


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _visible(text: str, keep: str = "") -> str:
    """Show control, bidi and invisible characters as escapes."""
    return "".join(
        each if each in keep or not _is_hidden(each) else f"\\U{ord(each):08x}" for each in text
    )


def _is_hidden(character: str) -> bool:
    if character.isascii():
        return not character.isprintable()
    return character not in _JOINERS and unicodedata.category(character) in _HIDDEN
