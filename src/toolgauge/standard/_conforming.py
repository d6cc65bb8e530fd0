"""Reads objects that say themselves what they accept.

Ours is the attribute ``__standard_schema__``; Standard Schema's own is ``~standard``,
an attribute or a mapping's key. Under it lies a ``Props``, an object with the same
attributes, or a mapping with the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.standard._answers import checked, member
from toolgauge.standard._protocol import VERSION, Adapted, JsonSchemas, Props
from toolgauge.standard.errors import InvalidStandard

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.standard._protocol import Standard, ToJsonSchema

ATTRIBUTE = "__standard_schema__"
FOREIGN = "~standard"


def conforming(obj: Any) -> Standard[Any] | None:
    """Return an object that has the reserved attribute or key, ``None`` for any other.

    Returns:
        The object itself where a ``Props`` lies under ``__standard_schema__``;
        elsewhere a wrapper that has one.

    Raises:
        InvalidStandard: If what lies there is something else.
    """
    # An attribute of ours first; the key of a mapping last, for a mapping that
    # has it is nothing else.
    for name in (ATTRIBUTE, FOREIGN):
        try:
            held = getattr(obj, name, None)
        except Exception as error:
            raise InvalidStandard("", f"`{name}` raised {type(error).__name__}") from error
        if held is not None:
            break
    else:
        if not isinstance(obj, Mapping) or FOREIGN not in obj:
            return None
        held = obj[FOREIGN]
    props = read_props(held)
    if props is held and name == ATTRIBUTE:
        return obj  # type: ignore[no-any-return]  # it has the attribute
    return Adapted(props, source=obj)


def read_props(held: Any) -> Props[Any]:
    """Read what lies under the reserved attribute.

    Raises:
        InvalidStandard: If it is nothing of the kind.
    """
    vendor = member(held, "vendor")
    if not isinstance(vendor, str) or not vendor:
        found = f"{type(held).__name__} has no vendor"
        raise InvalidStandard("", found)
    version = member(held, "version")
    if version != VERSION or isinstance(version, bool):
        found = "has no version" if version is None else f"has version {version!r}"
        raise InvalidStandard(vendor, found)
    validate = member(held, "validate")
    if not callable(validate):
        raise InvalidStandard(vendor, "has no validate that can be called")
    schemas = _schemas(vendor, held)
    if isinstance(held, Props):
        return held
    return Props(vendor=vendor, validate=checked(vendor, validate), json_schema=schemas)


def _schemas(vendor: str, held: object) -> JsonSchemas | None:
    """Read how the validator is written as JSON Schema.

    ``json_schema`` is asked in our way, ``input("draft-2020-12")``; ``jsonSchema``
    in that of Standard Schema, ``input({"target": "draft-2020-12"})``.
    """
    ours, theirs = member(held, "json_schema"), member(held, "jsonSchema")
    found = theirs if ours is None else ours
    if found is None or isinstance(found, JsonSchemas):
        return found
    ways: list[Callable[[Any], Any]] = []
    for direction in ("input", "output"):
        way = member(found, direction)
        if not callable(way):
            raise InvalidStandard(vendor, f"its JSON Schema has no {direction} to call")
        ways.append(_with_options(way) if found is theirs else way)
    return JsonSchemas(input=ways[0], output=ways[1])


def _with_options(way: Callable[[Any], Any]) -> ToJsonSchema:
    def ask(target: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = way({"target": target})
        return found

    return ask
