"""Finds the passes: one file each in ``passes``, by its name."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from toolgauge.contract.records import records_in
from toolgauge.lowering import passes as folder
from toolgauge.lowering.errors import NoPasses, UnknownPass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.lowering._pass import Options, Pass
    from toolgauge.rules import Target


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
