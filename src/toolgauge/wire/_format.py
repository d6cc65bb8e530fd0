"""What a format is: one record of plain functions, and the values they pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Issue, Path, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class WireCall:
    """One tool call in a model's message.

    Attributes:
        name: The tool that the model called, ``""`` where it named none.
        arguments: An object. What the model sent, unread, where ``issues`` say
            that it is none.
        id: What the provider knows the call by; ``None`` where it gives none.
        issues: Why the call cannot be run as it stands: arguments that are no
            JSON text, or no object; no name.
        echo: Members of the call that the provider wants back on its result.
    """

    name: str
    arguments: Any
    id: str | None = None
    issues: tuple[Issue, ...] = ()
    echo: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WireResult:
    """The answer to one call, ready to be written for the provider.

    Attributes:
        call: The call.
        result: What the tool gave, as MCP content blocks.
    """

    call: WireCall
    result: CallResult


class Declared(NamedTuple):
    """One tool that an entry of a provider's list declares.

    Attributes:
        path: Where it stands in the entry; empty for the entry itself.
        raw: The definition as it stands there.
        wire: The definition as MCP writes it; what is no object is left as it is.
    """

    path: Path
    raw: Any
    wire: Any


WriteEntry: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any]]
"""A tool as MCP writes it (``name``, perhaps ``description``, ``inputSchema``) to one
entry of the provider's list."""

IsForeign: TypeAlias = Callable[[Mapping[str, Any]], bool]
"""Tells an entry of a provider's list that declares no function of the caller's: what the
provider runs itself, a mark for its cache, a tool that takes free text."""


def _is_never(entry: Mapping[str, Any]) -> bool:  # noqa: ARG001 - the signature is the type's
    return False


OpenEntry: TypeAlias = Callable[[Mapping[str, Any]], Sequence[Declared] | None]
"""One entry of a provider's list to the tools in it; ``None`` if it has another shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How one provider writes tools, calls and results.

    Attributes:
        name: ``"anthropic"``; the module's name with dashes.
        title: The provider's API, for people.
        modules: Packages whose objects are of this format: ``"anthropic"``.
        entries: How one tool is written, by the name of the shape. The first is
            the plain one; others are variants such as ``"anthropic-strict"``.
        to_tools: Tools as the provider's request wants them.
        opens: Reads one entry of the provider's list of tools.
        is_foreign: Tells entries that declare no function of the caller's.
        claims: Tells whether parsed JSON is a message of this format. More than
            one format may claim a message that holds no calls.
        read_calls: Every call in one message, in order. Takes parsed JSON.
            Raises ``UnreadableMessage``.
        to_results: Results in the order of the calls, as the provider's next
            request wants them. For no results it gives ``None`` where they
            would be one message, and an empty list where they are several.
    """

    name: str
    title: str
    modules: tuple[str, ...]
    entries: Mapping[str, WriteEntry]
    to_tools: Callable[[Sequence[Tool]], Any]
    opens: OpenEntry
    claims: Callable[[Any], bool]
    read_calls: Callable[[Any], tuple[WireCall, ...]]
    to_results: Callable[[Sequence[WireResult]], Any]
    is_foreign: IsForeign = _is_never
