"""``toolgauge restore``: turn a model's calls back into calls of the tools as they were."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import reason_of
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.contract import DEFAULT_BOUNDS, InvalidJson, UnknownTool, dump_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import BinaryIO

    from toolgauge.lowering import Restorer
    from toolgauge.wire import CallMembers

_MAX_MAP_DEPTH = 254
_MAX_CALL_DEPTH = DEFAULT_BOUNDS.max_instance_depth + 8
"""The arguments may be as deep as everywhere; a whole response is around them."""


def restore(
    *,
    map_file: Annotated[
        Path,
        typer.Option(
            "--map", metavar="FILE", help="What toolgauge lower --map wrote, or its JSON."
        ),
    ],
) -> int:
    """Turn calls back, one JSON object a line, from stdin to stdout.

    A call is {"name": ..., "arguments": ...}, the arguments an object or JSON
    text; a call as OpenAI, Anthropic, Gemini and Bedrock write it, and a whole
    message with such calls, are read too. Each call gives one line, at once and
    in order: {"name": ..., "arguments": ...}, with "unmapped" where a value had
    no counterpart and is left as it was sent. A line that is not blank and holds
    no call, or arguments under no name that is known, gives {"error": ...,
    "line": ...}. The exit code is 1 when there was any of either.
    """
    restorer = _read_map(map_file)
    code = GOOD
    for number, line in _lines(sys.stdin.buffer):
        for answer in _answers(restorer, line, number):
            if "error" in answer or "unmapped" in answer:
                code = FINDINGS
            sys.stdout.write(dump_json(answer).decode() + "\n")
        sys.stdout.flush()
    return code


COMMAND = Command(
    run=restore,
    rank=80,
    examples="""\
  toolgauge restore --map calls.map.json < calls.jsonl
  echo '{"name": "search", "arguments": "{\\"q\\": null}"}' | \\
    toolgauge restore --map calls.map.json
""",
)


def _read_map(path: Path) -> Restorer:
    """Read a map, also from the document of ``lower --format json``."""
    from toolgauge.lowering import InvalidMap, restorer_from_map
    from toolgauge.upstream import SourceNotFound, SourceUnreadable
    from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

    within: tuple[str, ...] = ()
    try:
        document = parse_json(read_bounded(path, MAX_FILE_BYTES), max_depth=_MAX_MAP_DEPTH)
        if isinstance(document, dict) and "losses" in document:
            within, document = ("map",), document.get("map")
        return restorer_from_map(document)
    except FileNotFoundError as error:
        reason = "there is no such file; toolgauge lower --map writes it"
        raise SourceNotFound(str(path), reason) from error
    except (OSError, ValueError) as error:
        raise SourceUnreadable(str(path), f"cannot be read: {reason_of(error)}") from error
    except InvalidJson as error:
        raise SourceUnreadable(str(path), f"is not JSON: {error.reason}") from error
    except InvalidMap as error:
        whole = InvalidMap(error.reason, (*within, *error.path))
        raise SourceUnreadable(str(path), str(whole)) from error


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; one that is too long is cut."""
    limit = DEFAULT_BOUNDS.max_body_bytes
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        part = line
        while part and not part.endswith(b"\n"):
            part = stream.readline(limit)
        if line.strip():
            yield number, line.removesuffix(b"\n")


def _answers(restorer: Restorer, line: bytes, number: int) -> Iterator[dict[str, Any]]:
    """Turn one line into what is printed for it: one row for each call."""
    try:
        calls = _read_calls(line)
    except (InvalidJson, WrongUsage) as error:
        yield {"error": str(error), "line": number}
        return
    for name, arguments in calls:
        try:
            found = restorer.restore_report(name, arguments)
        except UnknownTool as error:
            yield {"error": str(error), "line": number}
            continue
        answer: dict[str, Any] = {"name": found.name, "arguments": found.arguments}
        if found.unmapped:
            answer["unmapped"] = [
                {"path": each.pointer, "message": each.message} for each in found.unmapped
            ]
        yield answer


def _read_calls(line: bytes) -> Sequence[tuple[str, object]]:
    """Find the names and the arguments in a call, or a message with calls, of any provider."""
    if len(line) > DEFAULT_BOUNDS.max_body_bytes:
        raise InvalidJson(f"the line has more than {DEFAULT_BOUNDS.max_body_bytes} bytes")
    read: object = parse_json(line, max_depth=_MAX_CALL_DEPTH)
    members = _call_members()
    call = _unwrapped(read, {name for each in members for name in each.wrappers})
    keys = dict.fromkeys(each.arguments for each in members)
    given = [] if call is None else [key for key in keys if call.get(key) is not None]
    if call is None or not given:
        calls = _calls_in(read)
        if calls:
            return calls
    if call is None:
        raise WrongUsage('the line is no call; write {"name": "...", "arguments": {...}}')
    if len(given) > 1:
        raise WrongUsage(f"the call has arguments twice; leave one of {', '.join(given)}")
    if given:
        return [(call["name"], call[given[0]])]
    _require_none(call, {name for each in members for name in (each.id, *each.others)})
    return [(call["name"], None)]


@cache
def _call_members() -> Sequence[CallMembers]:
    """Return the members of a call of each provider."""
    from toolgauge.wire import formats

    return [each.call for each in formats().values()]


def _unwrapped(read: object, wrappers: Collection[str]) -> Mapping[str, Any] | None:
    """Return the object that names the tool."""
    if isinstance(read, Mapping) and "name" not in read:
        inner = (read[key] for key in read if key in wrappers and isinstance(read[key], Mapping))
        read = next(inner, None)
    return read if isinstance(read, Mapping) and isinstance(read.get("name"), str) else None


def _require_none(call: Mapping[str, Any], others: Collection[str]) -> None:
    """Require that no member of a call could hold its arguments under another name."""
    for key, value in call.items():
        if key not in {"name", "type", *others} and isinstance(value, str | Mapping | list):
            raise WrongUsage(f"the call has no arguments, and {key!r} is no name for them")


def _calls_in(message: object) -> Sequence[tuple[str, object]]:
    """Return the calls of a whole message; none where it is no message."""
    from toolgauge.wire import UnknownMessage, UnreadableMessage, detect

    try:
        found = detect(message).read_calls(message)
    except (UnknownMessage, UnreadableMessage):
        return ()
    return [(each.name, each.arguments) for each in found]
