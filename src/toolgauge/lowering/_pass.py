"""What a pass is: a record of functions, found by its file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

Options: TypeAlias = Mapping[str, Any]
"""What a target gives a pass: lists of keywords, limits."""

Mark: TypeAlias = Mapping[str, Any]
"""What a pass did at one subschema, as JSON. Only marked places change values."""

Refit: TypeAlias = Callable[[Any, Mark], Any]
"""Changes one value at a marked place; everything below it is already changed.

Raises ``CannotRefit`` where the value has no counterpart; it is then left alone
and reported. Must not change the value in place.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One step of lowering, and its inverse on calls.

    Attributes:
        name: Its file's name with hyphens.
        since: The version that brought it.
        lower: Changes the draft of one tool, reports losses to it and marks the
            places where values change.
        restore: Turns a value of the lowered shape back; ``None`` where values
            keep their shape.
        image: Turns a value of the original shape into the lowered one.
        marks: What ``restore`` reads of each mark, with its type.
        other: A second reading of a lowered value, taken where ``restore`` gives
            what the tool refuses. Only for marks with ``either``.
        loses: What can be lost by it, one sentence; ``""`` for nothing.
        options: Its options where a target gives none; a target may give only
            these.
        triggers: Keywords of which one has to be there for it to do anything;
            empty where it always runs.
        repairs: Whether it takes schemas that are not valid yet. Such passes
            come first in a target's list.
    """

    name: str
    since: str
    lower: Callable[[Draft, Options], None]
    restore: Refit | None = None
    image: Refit | None = None
    marks: Mapping[str, type] = field(default_factory=dict)
    other: Refit | None = None
    loses: str = ""
    options: Options = field(default_factory=dict)
    triggers: tuple[str, ...] = ()
    repairs: bool = False
