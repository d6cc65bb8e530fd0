"""Targets: who has to accept a tool, as data in ``targets/*.toml``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.rules._errors import InvalidTarget, UnknownTarget
from toolgauge.rules._rule import rules
from toolgauge.rules._target_file import parse_target, resolve_target

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping

    from toolgauge.rules._rule import Limits, Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """One rule as a target applies it.

    Attributes:
        id: The limit's name in the target's own terms: ``"openai/name"``.
        rule: The rule.
        limits: Its limits there, complete.
        severity: What a finding counts for.
        conservative: What it counts for with ``--conservative``; the same
            unless sources are in conflict.
        effect: What happens to the tool or request, in a few words.
        sources: Where the limit is written, or who measured it.
        read: When that was read.
        conflict: How sources contradict each other, ``""`` where they do not.
    """

    id: str
    rule: Rule
    limits: Limits
    severity: str
    conservative: str
    effect: str
    sources: tuple[str, ...]
    read: dt.date
    conflict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassNamed:
    """A pass of lowering as a target names it; the lowering room knows what it does.

    Attributes:
        name: The pass: ``"one-of"``.
        options: What differs from its own options.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A provider, runtime, client or specification that takes tools.

    Attributes:
        name: ``"openai-strict"``.
        title: For people.
        summary: What to know of it, one paragraph.
        groups: Which groups it is in: ``"providers"``, ``"runtimes"``,
            ``"clients"``, ``"specifications"``, ``"strict"``.
        applied: Its rules.
        unchecked: What is known of it and cannot be seen in a definition: id to
            reason.
        passes: How tools are made acceptable to it, in order; empty where
            nobody lowers for it.
    """

    name: str
    title: str
    summary: str
    groups: tuple[str, ...]
    applied: tuple[Applied, ...]
    unchecked: Mapping[str, str] = field(default_factory=dict)
    passes: tuple[PassNamed, ...] = ()


@cache
def targets() -> Mapping[str, Target]:
    """Give every target by its name, sorted."""
    tables = _tables()
    return MappingProxyType(
        {
            name: _target(name, resolve_target(name, tables))
            for name in sorted(tables)
            if not name.startswith("_")
        }
    )


def target_from_toml(name: str, text: str) -> Target:
    """Read one target from its file, which may extend those that come with toolgauge.

    Raises:
        InvalidTarget: If the file is not a target's.
    """
    tables = {**_tables(), name: parse_target(name, text)}
    return _target(name, resolve_target(name, tables))


@cache
def _tables() -> Mapping[str, dict[str, Any]]:
    """Parse every file in ``targets``; names that begin with ``_`` are only extended."""
    texts = {
        each.name.removesuffix(".toml"): each.read_text(encoding="utf-8")
        for each in files(__package__).joinpath("targets").iterdir()
        if each.name.endswith(".toml")
    }
    return {name: parse_target(name, text) for name, text in texts.items()}


def _target(name: str, data: Mapping[str, Any]) -> Target:
    return Target(
        name=name,
        title=data["title"],
        summary=data["summary"],
        groups=tuple(data["groups"]),
        applied=tuple(_applied(name, each) for each in data["rules"]),
        unchecked=data["unchecked"],
        passes=tuple(_pass_named(name, each) for each in data.get("passes", ())),
    )


def _pass_named(target: str, data: Any) -> PassNamed:
    """Read ``"one-of"``, or ``{ name = "drop", keywords = ["not"] }``."""
    if isinstance(data, str):
        return PassNamed(name=data)
    if not isinstance(data, dict) or "name" not in data:
        raise InvalidTarget(target, "passes", f"expected a name or a table with one: {data!r}")
    return PassNamed(
        name=data["name"],
        options=MappingProxyType({key: each for key, each in data.items() if key != "name"}),
    )


def _applied(target: str, data: Mapping[str, Any]) -> Applied:
    rule = rules().get(data["rule"])
    if rule is None:
        raise InvalidTarget(target, data["id"], f"unknown rule {data['rule']!r}")
    limits = data.get("limits", {})
    for key in limits:
        if key not in rule.limits:
            raise InvalidTarget(target, data["id"], f"rule {rule.name} has no limit {key!r}")
    return Applied(
        id=data["id"],
        rule=rule,
        limits=MappingProxyType({**rule.limits, **limits}),
        severity=data["severity"],
        conservative=data["conservative"],
        effect=data["effect"],
        sources=tuple(data["sources"]),
        read=data["read"],
        conflict=data.get("conflict", ""),
    )


def select(names: Iterable[str]) -> tuple[Target, ...]:
    """Give the targets that names and groups stand for, each once, in order.

    ``all`` stands for every target.

    Raises:
        UnknownTarget: If a name is neither a target nor a group.
    """
    known = targets()
    chosen: dict[str, Target] = {}
    for name in names:
        wanted = name.strip().lower().replace("_", "-")
        found = [
            target
            for target in known.values()
            if wanted in {"all", target.name} or wanted in target.groups
        ]
        if not found:
            raise UnknownTarget(name, tuple(known))
        chosen |= {target.name: target for target in found}
    return tuple(chosen.values())
