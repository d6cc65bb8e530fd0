"""Finds the rules: one file each in ``library``, by its name."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolgauge.contract.records import records_in
from toolgauge.rules import library

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.rules._rule import Rule


@cache
def rules() -> Mapping[str, Rule]:
    """Give every rule by its name, in the order of their codes."""
    found: list[Rule] = records_in(library.__name__, "RULE")
    found.sort(key=lambda rule: rule.code)
    return MappingProxyType({rule.name: rule for rule in found})


def rule_of(code_or_name: str) -> Rule | None:
    """Give a rule by its code or name, ``None`` for none."""
    wanted = code_or_name.strip().lower()
    for rule in rules().values():
        if wanted in {rule.code.lower(), rule.name}:
            return rule
    return None
