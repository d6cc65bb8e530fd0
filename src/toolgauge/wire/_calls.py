"""Messages as parsed JSON, from whatever an SDK gives, and the calls in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidJson, Issue, parse_json

if TYPE_CHECKING:
    from toolgauge.contract import Path

MISSING: Any = object()
"""Stands for a member that a row does not have."""

_LEVELS = 8
"""A call lies this deep in the longest response: ``choices``, its entry, ``message``,
``tool_calls``, its entry, ``function``. Arguments are left as they are."""

_KINDS = {
    str: "a string",
    list: "an array",
    bool: "a boolean",
    int: "a number",
    float: "a number",
}


def as_json(message: object, levels: int = _LEVELS) -> Any:
    """Return a message as parsed JSON.

    Takes parsed JSON, pydantic 2 and 1 models, objects with ``to_dict``, and
    lists of them; mappings may hold such objects too. Members of an SDK's object
    that are ``None`` are left out, nulls in a call's arguments are kept.

    Args:
        message: The message.
        levels: How deep in lists and mappings objects are looked for.
    """
    if message is None or isinstance(message, str | int | float | bytes) or levels < 0:
        return message
    if isinstance(message, Mapping):
        return {key: as_json(value, levels - 1) for key, value in message.items()}
    if isinstance(message, Sequence):
        return [as_json(each, levels - 1) for each in message]
    if callable(dump := getattr(message, "model_dump", None)):
        # SDKs build objects without validating what the server sent; that is no
        # news for the user of a loop.
        return dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    for name in ("to_dict", "dict"):
        if callable(dump := getattr(message, name, None)) and not isinstance(message, type):
            return as_json(dump(), levels - 1)
    return message


def module_of(message: object) -> str:
    """Return the module of an SDK's object, of the first one in a list; ``""`` for JSON."""
    if isinstance(message, Sequence) and not isinstance(message, str | bytes):
        return module_of(message[0]) if message else ""
    module = type(message).__module__
    return "" if module == "builtins" else module


def rows(found: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a list; other values hold none."""
    if isinstance(found, list):
        yield from (each for each in found if isinstance(each, Mapping))


def described(message: object) -> str:
    """Describe a message in a few words."""
    if isinstance(message, Mapping):
        members = ", ".join(str(key) for key in list(message)[:8]) or "none"
        return f"an object with the members {members[:200]}" if message else "an empty object"
    if isinstance(message, list):
        return f"a list of {len(message)}"
    return f"a {type(message).__name__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WireCall:
    """One tool call in a model's message.

    Attributes:
        name: The tool that the model called, ``""`` where it named none.
        arguments: An object. Where ``issues`` report that it is none, the value
            that the model sent.
        id: The provider's id of the call; ``None`` where it has none.
        namespace: The namespace that the model called the tool in, ``""`` for none.
        issues: Why the call cannot be run as it is: arguments that are not JSON
            text, or no object; no name.
        echo: Members of the call that the provider wants back on its result.
    """

    name: str
    arguments: Any
    id: str | None = None
    namespace: str = ""
    issues: tuple[Issue, ...] = ()
    echo: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call in a recorded row, not validated in any way.

    Attributes:
        tool: The name that was called; any value, since rows may hold any.
        arguments: An object, JSON text of one, or any other value of the row;
            ``MISSING`` where there is none.
        path: Where the arguments are in the row.
        notes: Oddities in how the row holds the call.
        namespace: The namespace that the tool was called in, ``""`` for none.
    """

    tool: object
    arguments: object
    path: Path = ()
    notes: tuple[Issue, ...] = ()
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A value in the place of a recorded call that is no call."""

    issue: Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMembers:
    """The members of a provider's call.

    Attributes:
        arguments: Holds the arguments: an object or JSON text.
        id: Holds the id.
        namespace: Holds the namespace of the tool, ``""`` where there are none.
        wrappers: Members that hold the call itself where it is not flat:
            ``{"functionCall": {"name": ..., "args": ...}}``.
        echo: Members that go back on the result.
        others: Further members that never hold arguments.
    """

    arguments: str = "arguments"
    id: str = "id"
    namespace: str = ""
    wrappers: tuple[str, ...] = ()
    echo: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def read(self, call: Mapping[str, Any]) -> WireCall:
        """Read one call of a message; its issues are kept with it."""
        name, call_id = call.get("name"), call.get(self.id)
        arguments, issue = read_arguments(call.get(self.arguments))
        issues = () if issue is None else (issue,)
        if not isinstance(name, str) or not name:
            issues = (Issue(message="the call names no tool"), *issues)
        return WireCall(
            name=name if isinstance(name, str) else "",
            arguments=arguments,
            id=call_id if isinstance(call_id, str) else None,
            namespace=self._namespace_of(call),
            issues=issues,
            echo={key: call[key] for key in self.echo if call.get(key) is not None},
        )

    def recorded(self, call: Any, path: Path) -> RecordedCall | Malformed:
        """Read one call of a recorded row.

        Args:
            call: The value that should be a call.
            path: Where it is in the row.
        """
        if not isinstance(call, dict):
            return malformed(path, "is no object", call)
        name = call.get("name", MISSING)
        if name is MISSING:
            return Malformed(Issue(path=path, message="has no member 'name'", keyword="required"))
        if not isinstance(name, str):
            return malformed((*path, "name"), "is no text", name)
        if not name:
            message = "is empty: a call names a tool"
            return Malformed(Issue(path=(*path, "name"), message=message, keyword="minLength"))
        return RecordedCall(
            name,
            call.get(self.arguments, MISSING),
            (*path, self.arguments),
            namespace=self._namespace_of(call),
        )

    def _namespace_of(self, call: Mapping[str, Any]) -> str:
        found = call.get(self.namespace) if self.namespace else None
        return found if isinstance(found, str) else ""


def qualified(namespace: str, name: str) -> str:
    """Return the name that a tool of a namespace has here: ``"crm.get_customer"``.

    A function's own name is unique in its namespace alone.
    """
    return f"{namespace}.{name}" if namespace else name


def malformed(path: Path, message: str, found: object) -> Malformed:
    """Report a value of the wrong type in the place of a call or a part of one."""
    kind = "null" if found is None else type(found).__name__
    return Malformed(Issue(path=path, message=f"{message}, but {kind}", keyword="type"))


def read_arguments(arguments: object) -> tuple[Any, Issue | None]:
    """Read the arguments of a call: an object, or JSON text of one.

    ``None`` and blank text stand for none: that is how models call a tool without
    parameters.

    Returns:
        The object; for other values the value itself, with the reason.
    """
    value: Any = arguments
    if isinstance(arguments, str | bytes | bytearray):
        if not arguments.strip():
            return {}, None
        try:
            value = parse_json(bytes(arguments) if isinstance(arguments, bytearray) else arguments)
        except InvalidJson as error:
            return arguments, Issue(message=f"arguments are no JSON text: {error.reason}")
    if value is None:
        return {}, None
    if not isinstance(value, Mapping):
        found = _KINDS.get(type(value), type(value).__name__)
        return value, Issue(message=f"arguments are {found}, not an object", keyword="type")
    return dict(value), None
