"""The ledger of what is known of providers: nothing lost, nothing without a source.

``provider_rules.json`` of the research names 243 limits, each by an id that
begins with a target of the research; ``tests/suites/provider_rule_ids.txt``
keeps the ids. Each lies in one file of ``rules/targets``:

- ``mcp_clients/…`` in the file of the client, a target of the group ``clients``;
- ``others/…`` in any file;
- every other one in the file named like the target, with hyphens.

Ids that contain ``/base-`` are ours: what every provider asks for, and what a
target takes over from another.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from toolgauge.rules import Target, rules, targets
from toolgauge.rules._rule import SEVERITIES

SUITES = Path(__file__).parents[1] / "suites"
RESEARCH = (SUITES / "provider_rule_ids.txt").read_text(encoding="utf-8").split()
TARGETS = list(targets().values())

each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


def ids_of(target: Target) -> set[str]:
    """Give the research ids that a target file accounts for."""
    ids = {each.id for each in target.applied} | set(target.unchecked)
    return {each for each in ids if "/base-" not in each}


def may_hold(target: Target, research_id: str) -> bool:
    """Tell whether this is the file where one looks for that id."""
    owner = research_id.split("/", maxsplit=1)[0]
    if owner == "mcp_clients":
        return "clients" in target.groups
    return owner == "others" or target.name == owner.replace("_", "-")


def test_the_ledger_is_whole() -> None:
    """243 limits, each once."""
    assert len(RESEARCH) == 243
    assert len(set(RESEARCH)) == 243


@pytest.mark.parametrize("research_id", RESEARCH)
def test_a_known_limit_lies_in_the_file_of_its_target(research_id: str) -> None:
    """It is checked there, or the file says why it cannot be; never both."""
    holders = [each for each in TARGETS if research_id in ids_of(each)]

    assert len(holders) == 1, [each.name for each in holders]
    assert may_hold(holders[0], research_id)
    checked = any(each.id == research_id for each in holders[0].applied)
    assert checked != (research_id in holders[0].unchecked)


@each_target
def test_a_target_holds_nothing_that_nobody_knows(target: Target) -> None:
    """An id is one of the research, or says that it is ours."""
    assert ids_of(target) <= set(RESEARCH)


@each_target
def test_every_limit_has_its_source_and_date(target: Target) -> None:
    """Somebody can look it up, and sees how old it is."""
    for each in target.applied:
        assert each.sources, each.id
        assert each.read <= dt.date(2026, 12, 31), each.id
        assert each.effect.strip(), each.id
        for source in each.sources:
            assert source == source.strip() != "", each.id
            assert not re.search(r"(^|[\s(:])(/\w+/|~/|file:)|find_string", source), source
            if source.startswith("http"):
                host = urlsplit(source.split()[0]).hostname or ""
                assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]+", host), source
    assert all(reason.strip() for reason in target.unchecked.values())


@each_target
def test_every_severity_is_one_of_three(target: Target) -> None:
    """And where sources disagree, the file says what counts to be safe."""
    for each in target.applied:
        severities = (each.severity, each.conservative)

        assert set(severities) <= set(SEVERITIES), each.id
        assert SEVERITIES.index(each.conservative) <= SEVERITIES.index(each.severity), each.id
        if each.conservative != each.severity:
            assert each.conflict, each.id


@each_target
def test_every_conflict_says_what_counts_to_be_safe(target: Target) -> None:
    """``conservative`` is written beside ``conflict``, never left to a default."""
    file = files("toolgauge.rules").joinpath("targets", f"{target.name}.toml")
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("rules", [])

    for each in entries:
        assert ("conflict" in each) == ("conservative" in each), each["id"]


@each_target
def test_a_target_says_nothing_twice(target: Target) -> None:
    """One rule with the same limits would report each place twice."""
    keys = [
        (each.rule.name, json.dumps(dict(each.limits), sort_keys=True)) for each in target.applied
    ]

    assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)


@each_target
def test_a_target_introduces_itself(target: Target) -> None:
    """It has a title, a paragraph, and groups that exist."""
    assert target.title
    assert len(target.summary) > 40
    assert "\n" not in target.summary
    assert target.groups
    assert set(target.groups) <= {"providers", "runtimes", "clients", "specifications", "strict"}


def test_there_are_enough_targets() -> None:
    """The research has 22, and clients have one each."""
    assert len(TARGETS) >= 22


def test_every_rule_is_applied_somewhere() -> None:
    """A rule that no target applies is dead; that its examples prove it is test_library's."""
    applied = {each.rule.name for target in TARGETS for each in target.applied}

    assert applied == set(rules())
