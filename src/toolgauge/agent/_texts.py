"""What a model is told of a call that did not go well: what to change, and nothing else."""

from __future__ import annotations

import json
from collections import deque
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json, resolve
from toolgauge.contract.schema.document import pointed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.contract import Issue, Path

_MAX_ISSUES = 20
_MAX_FOUND_CHARS = 200
_MAX_WANTED_CHARS = 500
_MAX_MESSAGE_CHARS = 300
_MAX_NAMES = 20
_NEAREST = 5
_EXTRAS = frozenset({"additionalProperties", "unevaluatedProperties"})

_BRANCHES = ("allOf", "anyOf", "oneOf")
_MAX_STEPS = 200
"""References and branches that are followed for one location."""

INTERNAL_ERROR = "Internal error"
NOT_RUN = "Not run: the conversation ended before this call."
INVALID_OUTPUT = "The tool ran, but its answer broke its own contract and was withheld."


def refusal(tool: str, issues: Sequence[Issue], arguments: object, schema: object) -> str:
    """Word why a call was refused, so that a model can send a better one.

    Each line names the argument, what was found there and what is wanted, as far
    as the schema says it.

    Args:
        tool: The name that the model used.
        issues: What is wrong; may be empty.
        arguments: What the model sent.
        schema: The tool's input schema; ``None`` where it is not known.
    """
    lines = [_line(issue, arguments, schema) for issue in issues[:_MAX_ISSUES]]
    if len(issues) > _MAX_ISSUES:
        lines.append(f"- and {len(issues) - _MAX_ISSUES} more")
    return "\n".join(
        [
            f"The call of {_quoted(tool)} was refused before the tool ran; its input is invalid:",
            *(lines or ["- the tool's own validator refused it and named no reason"]),
            "Correct the input and call the tool again.",
        ]
    )


def unknown_tool(name: str, known: Sequence[str]) -> str:
    """Word that there is no such tool, and which there are."""
    if not known:
        return f"There is no tool {_quoted(name)}. There are no tools."
    near = get_close_matches(name, known, n=_NEAREST, cutoff=0.5)
    listed = near or known[:_MAX_NAMES]
    hint = "Did you mean" if near else "There are" if len(known) <= _MAX_NAMES else "Some are"
    names = ", ".join(map(_quoted, listed))
    return f"There is no tool {_quoted(name)}. {hint}: {names}."


def too_many(limit: int) -> str:
    """Word that a message held more calls than are run."""
    return f"Not run: at most {limit} calls are run at once. Send this call again on its own."


def _line(issue: Issue, arguments: object, schema: object) -> str:
    place = issue.pointer or "the arguments"
    message = _cut(issue.message, _MAX_MESSAGE_CHARS)
    parts = [_found(issue, arguments), _wanted(issue, schema), message, issue.hint or ""]
    return f"- {place}: " + "; ".join(part for part in parts if part)


def _wanted(issue: Issue, schema: object) -> str:
    """Show the schema of the place; of an object with members too many, their names."""
    wanted = wanted_at(schema, issue.path)
    if wanted is None:
        return ""
    if issue.keyword in _EXTRAS:
        names = ", ".join(map(_quoted, wanted.get("properties", {}))) or "none"
        return f"allowed {_cut(names, _MAX_WANTED_CHARS)}"
    return f"wanted {_cut(dump_json(wanted).decode(), _MAX_WANTED_CHARS)}" if issue.path else ""


def _found(issue: Issue, arguments: object) -> str:
    """Show what stands at the place; the whole of the arguments is known to the model."""
    if not issue.path:
        return ""
    try:
        found = resolve(arguments, issue.pointer)
    except LookupError:
        return "missing"
    return f"found {_cut(dump_json(found).decode(), _MAX_FOUND_CHARS)}"


def _quoted(name: str) -> str:
    return json.dumps(_cut(name, _MAX_FOUND_CHARS), ensure_ascii=False)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def wanted_at(schema: object, path: Path) -> Any:
    """Give the subschema for a place, ``None`` where the schema has no single one.

    Follows ``properties``, ``items``, ``prefixItems``, ``additionalProperties``,
    references within the schema, and the branches of unions: of those, the first
    that speaks of the place.
    """
    here: Any = schema
    for segment in path:
        here = next(_below(schema, here, segment), None)
        if here is None:
            return None
    return here if isinstance(here, dict) and here else None


def _below(root: object, schema: object, segment: str | int) -> Iterator[Any]:
    """Find subschemas for a member or an item, the nearest first."""
    row = deque([schema])
    for _ in range(_MAX_STEPS):
        here = row.popleft() if row else None
        if isinstance(here, dict):
            yield from _direct(here, segment)
            row.extend(each for name in _BRANCHES for each in _listed(here.get(name)))
            with suppress(LookupError):  # a reference out of the schema leads nowhere here
                row.append(pointed(root, here.get("$ref")))


def _direct(schema: dict[str, Any], segment: str | int) -> Iterator[Any]:
    """Find what a schema itself says of a member or an item."""
    if isinstance(segment, int):
        prefix = _listed(schema.get("prefixItems"))
        if segment < len(prefix):
            yield prefix[segment]
        elif isinstance(schema.get("items"), dict):
            yield schema["items"]
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) and segment in properties:
        yield properties[segment]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _listed(found: object) -> list[Any]:
    return found if isinstance(found, list) else []
