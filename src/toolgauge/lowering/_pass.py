"""What a pass is: a record of functions, found by its file's name.

The files of ``passes`` import from here what they are written with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from toolgauge.contract.records import records_in
from toolgauge.lowering import passes as folder
from toolgauge.lowering._draft import Draft
from toolgauge.lowering.errors import NoPasses, UnknownPass

if TYPE_CHECKING:
    from toolgauge.rules import Target

__all__ = ["Draft", "Mark", "Options", "Pass", "Refit", "Step", "passes", "steps_of"]

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
        others: Other readings of a lowered value, tried where ``restore`` gives
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
    others: tuple[Refit, ...] = ()
    loses: str = ""
    options: Options = field(default_factory=dict)
    triggers: tuple[str, ...] = ()
    repairs: bool = False


class Step(NamedTuple):
    """One pass with the options that a target gives it."""

    apply: Pass
    options: Options


@cache
def passes() -> Mapping[str, Pass]:
    """Give every pass by its name, sorted."""
    found: list[Pass] = records_in(folder.__name__, "PASS")
    return MappingProxyType({each.name: each for each in sorted(found, key=lambda one: one.name)})


def steps_of(target: Target) -> tuple[Step, ...]:
    """Give a target's passes in its order, options complete.

    Raises:
        NoPasses: If the target names none.
        UnknownPass: If a pass or an option does not exist.
    """
    if not target.passes:
        raise NoPasses(target.name)
    return tuple(_step(target, each.name, each.options) for each in target.passes)


def _step(target: Target, name: str, given: Options) -> Step:
    known = passes().get(name)
    if known is None:
        raise UnknownPass(target.name, name)
    for option in given:
        if option not in known.options:
            raise UnknownPass(target.name, name, option)
    return Step(known, MappingProxyType({**known.options, **given}))
