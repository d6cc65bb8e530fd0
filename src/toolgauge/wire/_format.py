"""What a format is: one record of everything that is known of a provider's API.

Tools pass through it as MCP writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.wire._calls import as_json, described
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Path, Tool
    from toolgauge.wire._calls import CallMembers, Malformed, RecordedCall, WireCall
    from toolgauge.wire._recorded import Shape


SCHEMA_MEMBERS = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
"""Names of the input schema, first one wins: MCP, Anthropic, Gemini, OpenAI."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One tool as somebody declared it, broken ones too.

    Attributes:
        raw: The definition in its own shape: every path in it is a path in the
            document. Gemini's ``"OBJECT"`` reads ``"object"``.
        path: Its location in the document; empty for the document itself.
        namespace: The namespace that holds it, ``""`` for none.
        wire: The definition as MCP writes it; a value that is no object is unchanged.
    """

    raw: Any
    path: Path = ()
    namespace: str = ""
    wire: Any

    @property
    def standalone(self) -> Any:
        """The definition in its own shape, named so that it can leave its namespace."""
        return {**self.raw, "name": self.wire["name"]} if self.namespace else self.raw


@dataclass(frozen=True, slots=True, kw_only=True)
class WireResult:
    """The answer to one call, ready to be written for the provider.

    Attributes:
        call: The call.
        result: The tool's result, as MCP content blocks.
    """

    call: WireCall
    result: CallResult


WriteEntry: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any]]
"""A tool as MCP writes it (``name``, perhaps ``description``, ``inputSchema``) to one
entry of the provider's list."""

OpenEntry: TypeAlias = Callable[[Mapping[str, Any]], Sequence[Declared] | None]
"""One entry of a provider's list to the tools in it; ``None`` if it has another shape."""


WriteResult: TypeAlias = Callable[[WireResult], dict[str, Any]]
"""One result to a block, a message or an item of the provider's next request."""


def as_definition(tool: Tool) -> dict[str, Any]:
    """Return the members that every provider takes: name, description if any, schema."""
    made: dict[str, Any] = {"name": tool.name}
    if tool.description:
        made["description"] = tool.description
    made["inputSchema"] = tool.input_schema
    return made


def in_one_message(member: str, write: WriteResult) -> Callable[[Sequence[WireResult]], Any]:
    """Return the ``to_results`` of an API that wants all results in one ``user`` message."""

    def to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
        return {"role": "user", member: [write(each) for each in results]} if results else None

    return to_results


def one_by_one(write: WriteResult) -> Callable[[Sequence[WireResult]], Any]:
    """Return the ``to_results`` of an API that takes a list."""
    return lambda results: [write(each) for each in results]


def flat(key: str, tool: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Write name, description and, under another key, the schema of a definition."""
    made = {each: tool[each] for each in ("name", "description") if each in tool}
    made[key] = tool["inputSchema"]
    made.update(more)
    return made


def in_mcp_shape(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rename the member that holds the schema, where it has another name."""
    if "inputSchema" in tool:
        return tool
    wire = dict(tool)
    for member in SCHEMA_MEMBERS:
        if member in wire:
            wire["inputSchema"] = wire.pop(member)
            break
    if "output_schema" in wire:
        wire["outputSchema"] = wire.pop("output_schema")
    if wire.get("type") == "function":
        del wire["type"]  # the kind of the entry; no part of the contract
    return wire


def _opens_none(entry: Mapping[str, Any]) -> None:
    """Leave an entry that has no wrapper to the reader of flat definitions."""


def _is_never(found: Any) -> bool:  # noqa: ARG001 - the signature is the type's
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How one provider writes tools, calls and results.

    Attributes:
        name: ``"anthropic"``; the module's name with dashes.
        title: The provider's API, for people.
        modules: Packages whose objects are of this format: ``"anthropic"``.
        entries: How one tool is written, by the name of the shape. The first is
            the plain one; others are variants such as ``"anthropic-strict"``.
        targets: The targets whose requests take this provider's entries, and the
            name of the entry of each.
        definition: The members of a tool that its entry is written from.
        wrap: The list of entries to the value that the request holds.
        wrappers: Members other than ``tools`` that hold the list in a request.
        members: Members of an entry that hold its definition.
        opens: Reads one entry whose definition is in such a member; flat definitions
            need no reader.
        is_foreign: Whether an entry declares no function of the caller's: a tool that
            the provider runs itself, a mark for its cache, a tool that takes free text.
        claims: Whether parsed JSON is a message of this format. More than one format
            may claim a message that holds no calls.
        answers: The member of a response that holds its answers, where there may be
            several; each has calls of its own.
        call: The members of one call.
        calls: The calls in a parsed message, in order; ``None`` if it is no message.
        expects: What ``calls`` reads, for the error.
        to_results: Results in the order of the calls, as the provider's next request
            wants them. No results are ``None`` where they would be one message, and
            an empty list where they are several.
        recorded: How rows of recorded conversations hold calls, ``None`` where that is
            the shape of another provider.
    """

    name: str
    title: str
    modules: tuple[str, ...] = ()
    entries: Mapping[str, WriteEntry]
    targets: Mapping[str, str] = field(default_factory=dict)
    definition: Callable[[Tool], Mapping[str, Any]] = as_definition
    wrap: Callable[[list[dict[str, Any]]], Any] = list
    wrappers: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    opens: OpenEntry = _opens_none
    is_foreign: Callable[[Mapping[str, Any]], bool] = _is_never
    claims: Callable[[Any], bool] = _is_never
    answers: str = ""
    call: CallMembers
    calls: Callable[[Any], Sequence[WireCall] | None]
    expects: str = "an assistant message"
    to_results: Callable[[Sequence[WireResult]], Any]
    recorded: Shape[RecordedCall | Malformed] | None = None

    def to_tools(self, tools: Sequence[Tool]) -> Any:
        """Write tools as the provider's request wants them."""
        write = next(iter(self.entries.values()))
        return self.wrap([write(self.definition(each)) for each in tools])

    def read_calls(self, message: object) -> tuple[WireCall, ...]:
        """Read every call in one message or response, in order.

        Args:
            message: Parsed JSON, or the SDK's object.

        Raises:
            UnreadableMessage: If it is no message of this format, or holds several.
        """
        found = as_json(message)
        answers = found.get(self.answers) if isinstance(found, Mapping) else None
        if isinstance(answers, list) and answers:
            if len(answers) > 1:
                several = f"{len(answers)} {self.answers}, each with calls of its own"
                raise UnreadableMessage(self.name, f"{several}; pass the message of one")
            found = answers[0]
        calls = self.calls(found)
        if calls is None:
            raise UnreadableMessage(self.name, f"{described(found)}; expected {self.expects}")
        return tuple(calls)
