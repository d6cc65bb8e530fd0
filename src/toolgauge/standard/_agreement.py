"""Do a validator and the JSON Schema that is published for it agree?

A bounded search, always in the same order: values that the schema names, values at
and beside its boundaries, and values of the wrong type in each of their places.
"""

from __future__ import annotations

import copy
import inspect
import json
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, cast

from toolgauge.contract import Failure, Issue, compile_schema
from toolgauge.standard._answers import checked
from toolgauge.standard._documents import rewritten
from toolgauge.standard._protocol import Adapted, Props
from toolgauge.standard.errors import InvalidAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

    from toolgauge.contract import Result, Tool
    from toolgauge.standard._protocol import Standard

    JsonSchema = Mapping[str, Any] | bool

MAX_VALUES = 2_000
"""Most values that the validator is asked about."""

_MAX_MEMBERS = 200_000
"""Most members and items of all values together."""

_MAX_BASES = 40
"""Of so many values each place is replaced."""

_MAX_DEPTH = 6

_BASE64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
_DECIMAL = r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"

_SAID: dict[tuple[str, str], str] = {
    ("contentEncoding", "base64"): _BASE64,
    ("format", "base64"): _BASE64,
    ("format", "decimal"): _DECIMAL,
}
"""What is said in words that no engine asserts, as a pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A value that a validator and its published schema judge differently.

    Attributes:
        value: The smallest such value that was found.
        accepted_by: ``"schema"``: the validator refuses what the schema promises,
            and the model cannot know why. ``"validator"``: it would take more than
            the schema says; such a call is refused by the schema first.
        issues: What the other of the two says against the value.
    """

    value: Any
    accepted_by: Literal["schema", "validator"]
    issues: tuple[Issue, ...] = ()


def iter_disagreements(tools: Iterable[Tool]) -> Iterator[tuple[int, Disagreement]]:
    """Find for each tool the values that its validator and its schema judge differently.

    Args:
        tools: Those without a validator have nothing to disagree with.

    Yields:
        The tool's index, and a disagreement; at most one of each kind for a tool.
    """
    for index, tool in enumerate(tools):
        if tool.validate is None or not isinstance(tool.input_schema, dict | bool):
            continue
        standard = Adapted(Props(vendor="validator", validate=tool.validate))
        for each in disagreements(standard, tool.input_schema):
            yield index, each


def disagreement(standard: Standard[Any], schema: JsonSchema) -> Disagreement | None:
    """Return the gravest disagreement that a bounded search finds; see ``disagreements``."""
    return next(iter(disagreements(standard, schema)), None)


def disagreements(standard: Standard[Any], schema: JsonSchema) -> tuple[Disagreement, ...]:
    """Look for values that a validator and a schema judge differently.

    A value counts as accepted by the schema only where it keeps the formats and
    encodings that the schema names too, for these say something to a model, and as
    refused only where no format is needed to refuse it.

    Args:
        standard: The validator, as ``standardize`` returns it; sync or async. One
            that raises on a value refuses it.
        schema: The JSON Schema that the tool publishes.

    Returns:
        At most one of each kind, ``accepted_by="schema"`` first. Empty where none
        was found, which proves nothing; and for a schema that is none.
    """
    written = dict(schema) if not isinstance(schema, bool) else schema
    loose = compile_schema(written)
    strict = compile_schema(rewritten(written, _as_read), formats=True)
    if loose.problem is not None or strict.problem is not None:
        return ()
    with ExitStack() as stack:
        ask = _asking(standard, stack)

        def kind_of(value: object) -> str:
            if strict.verdict(value) is True:
                return "schema" if ask(value) is not None else ""
            if loose.verdict(value) is False:
                return "validator" if ask(value) is None else ""
            return ""

        found = _search(written, kind_of)
        return tuple(
            Disagreement(
                value=found[kind],
                accepted_by=kind,
                issues=(ask(found[kind]) or ()) if kind == "schema" else loose.issues(found[kind]),
            )
            for kind in _KINDS
            if kind in found
        )


_KINDS: tuple[Literal["schema", "validator"], ...] = ("schema", "validator")


def _search(schema: Any, kind_of: Callable[[object], str]) -> dict[str, Any]:
    from toolgauge.contract.schema.containing.containment import shrunk  # noqa: PLC0415 - the engine

    found: dict[str, Any] = {}
    left = _MAX_MEMBERS
    for value in islice(_candidates(schema), MAX_VALUES):
        left -= _members(value)
        if left < 0 or len(found) == len(_KINDS):
            break
        kind = kind_of(value)
        if kind and kind not in found:
            found[kind] = value
    return {
        kind: shrunk(value, lambda each, kind=kind: kind_of(each) == kind)  # type: ignore[misc]
        for kind, value in found.items()
    }


def _asking(
    standard: Standard[Any], stack: ExitStack
) -> Callable[[object], tuple[Issue, ...] | None]:
    """Make the question: ``None`` for accepted, else the issues.

    A validator that is async gets an event loop in a thread, for as long as the
    search lasts.
    """
    props = standard.__standard_schema__
    validate = checked(props.vendor, props.validate)
    call: list[Any] = []

    def ask(value: object) -> tuple[Issue, ...] | None:
        try:
            # It may change what it is given.
            answer = validate(copy.deepcopy(value))
            if inspect.isawaitable(answer):
                if not call:
                    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 - seldom

                    call.append(stack.enter_context(start_blocking_portal()).call)
                answer = cast("Result[Any]", call[0](_awaiting, answer))
        except InvalidAnswer as error:
            return (Issue(message=str(error)),)
        return answer.issues if isinstance(answer, Failure) else None

    return ask


async def _awaiting(answer: Awaitable[Any]) -> Any:
    return await answer


def _candidates(schema: Any) -> Iterator[Any]:
    """Yield values, each once: those of the schema, then those near them."""
    from toolgauge.contract.schema.containing.probes import Probes  # noqa: PLC0415 - the engine

    seen: set[str] = set()
    bases: list[Any] = []
    # Between a schema and itself, read as if it were two, lies all of it.
    for value in Probes(schema, schema, is_alike=False).between(schema, schema):
        text = _text(value)
        if text in seen:
            continue
        seen.add(text)
        bases.append(value)
        yield value
        if len(bases) % 10 == 1 and len(bases) <= _MAX_BASES * 10:
            for near in _near(value, 0):
                text = _text(near)
                if text not in seen:
                    seen.add(text)
                    yield near


def _text(value: Any) -> str:
    """Distinguish values by their JSON: 1, 1.0 and true are three."""
    return json.dumps(value, sort_keys=True, default=str)


def _members(value: Any) -> int:
    return len(value) if isinstance(value, dict | list) else 1


def _near(value: Any, depth: int) -> Iterator[Any]:
    """Yield copies in which one place holds something else."""
    yield from _instead(value)
    if depth >= _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key in value:
            yield {name: each for name, each in value.items() if name != key}
            for near in _near(value[key], depth + 1):
                yield {**value, key: near}
        yield {**value, "surprise": 1}
    elif isinstance(value, list):
        for index in range(min(len(value), 4)):
            for near in _near(value[index], depth + 1):
                yield [*value[:index], near, *value[index + 1 :]]
        yield [*value, *value[:1]]


def _instead(value: Any) -> Iterator[Any]:
    """Yield what a model may write in place of a value, or a validator convert to it."""
    if isinstance(value, bool):
        yield from ("true", "yes", 1, 0)
    elif isinstance(value, int | float):
        yield from (str(value), float(value), value + 0.5, True, [value])
    elif isinstance(value, str):
        yield from (1, 1.5, True, [value], f" {value}", f"{value}\n", value.upper(), "é")
        if value.isdigit():
            yield int(value)
    elif isinstance(value, dict):
        yield from (
            [],
            [[key, each] for key, each in value.items()],
            json.dumps(value, default=str),
        )
    elif isinstance(value, list):
        yield from ({}, *value[:1], json.dumps(value, default=str), ",".join(map(str, value)))
    yield from (None, "a", 7, {}, [])


def _as_read(schema: dict[str, Any]) -> dict[str, Any]:
    """Assert what a schema says in annotations that a model reads and no engine holds to."""
    patterns = [
        {"pattern": pattern}
        for (keyword, word), pattern in _SAID.items()
        if schema.get(keyword) == word
    ]
    return {**schema, "allOf": [*schema.get("allOf", ()), *patterns]} if patterns else schema
