"""``toolgauge restore``: turn a model's calls back into calls of the tools as they were."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.writing import reason_of
from toolgauge.contract import DEFAULT_BOUNDS, InvalidJson, UnknownTool, dump_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from toolgauge.lowering import Restorer

_MAX_MAP_DEPTH = 254
_MAX_CALL_DEPTH = DEFAULT_BOUNDS.max_instance_depth + 2
"""The arguments may be as deep as everywhere; a call and its wrapper are around them."""

_WRAPPERS = ("function", "functionCall", "toolUse", "params")
_ARGUMENTS = ("arguments", "input", "args")

MapFile = Annotated[
    Path,
    typer.Option("--map", metavar="FILE", help="What toolgauge lower --map wrote, or its JSON."),
]

EXAMPLES = """\b
Examples:
  toolgauge restore --map calls.map.json < calls.jsonl
  echo '{"name": "search", "arguments": "{\\"q\\": null}"}' | \\
    toolgauge restore --map calls.map.json
"""


def restore(*, map_file: MapFile) -> None:
    """Turn calls back, one JSON object a line, from stdin to stdout.

    A call is {"name": ..., "arguments": ...}, the arguments an object or JSON
    text; the calls in messages of OpenAI, Anthropic, Gemini and Bedrock are read
    too. Each line that is not blank gives one line, at once and in order:
    {"name": ..., "arguments": ...}, with "unmapped" where a value had no
    counterpart and is left as it was sent, or {"error": ..., "line": ...}. The
    exit code is 1 when there was any of either.
    """

    def work() -> int:
        restorer = _read_map(map_file)
        code = GOOD
        for number, line in _lines(sys.stdin.buffer):
            answer = _answer(restorer, line, number)
            if "error" in answer or "unmapped" in answer:
                code = FINDINGS
            sys.stdout.write(dump_json(answer).decode() + "\n")
            sys.stdout.flush()
        return code

    finish(work, Format.TEXT)


def _read_map(path: Path) -> Restorer:
    """Read a map, also from the document of ``lower --format json``.

    Raises:
        SourceNotFound: There is no such file.
        SourceUnreadable: It cannot be read, is not JSON, or no map.
    """
    from toolgauge.lowering import InvalidMap, restorer_from_map
    from toolgauge.upstream import SourceNotFound, SourceUnreadable

    try:
        document = parse_json(path.read_bytes(), max_depth=_MAX_MAP_DEPTH)
        if isinstance(document, dict) and "losses" in document:
            document = document.get("map")
        return restorer_from_map(document)
    except FileNotFoundError as error:
        reason = "there is no such file; toolgauge lower --map writes it"
        raise SourceNotFound(str(path), reason) from error
    except (OSError, ValueError) as error:
        raise SourceUnreadable(str(path), f"cannot be read: {reason_of(error)}") from error
    except InvalidJson as error:
        raise SourceUnreadable(str(path), f"is not JSON: {error.reason}") from error
    except InvalidMap as error:
        raise SourceUnreadable(str(path), str(error)) from error


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Give the lines that say something, with their numbers; one that is too long, cut."""
    limit = DEFAULT_BOUNDS.max_body_bytes
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        part = line
        while part and not part.endswith(b"\n"):
            part = stream.readline(limit)
        if line.strip():
            yield number, line.removesuffix(b"\n")


def _answer(restorer: Restorer, line: bytes, number: int) -> dict[str, Any]:
    """Turn one line into what is printed for it."""
    try:
        name, arguments = _read_call(line)
        found = restorer.restore_report(name, arguments)
    except (InvalidJson, UnknownTool, WrongUsage) as error:
        return {"error": str(error), "line": number}
    answer: dict[str, Any] = {"name": found.name, "arguments": found.arguments}
    if found.unmapped:
        answer["unmapped"] = [
            {"path": each.pointer, "message": each.message} for each in found.unmapped
        ]
    return answer


def _read_call(line: bytes) -> tuple[str, object]:
    """Find the name and the arguments in a call of any provider.

    Raises:
        InvalidJson: The line is not JSON, or too long.
        WrongUsage: It is JSON and no call.
    """
    if len(line) > DEFAULT_BOUNDS.max_body_bytes:
        raise InvalidJson(f"the line has more than {DEFAULT_BOUNDS.max_body_bytes} bytes")
    call: object = parse_json(line, max_depth=_MAX_CALL_DEPTH)
    if isinstance(call, Mapping):
        for wrapper in _WRAPPERS:
            if isinstance(call.get(wrapper), Mapping):
                call = call[wrapper]
                break
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        raise WrongUsage('the line is no call; write {"name": "...", "arguments": {...}}')
    return call["name"], next((call[key] for key in _ARGUMENTS if key in call), None)
