"""Every limit of every target has a source that can be looked up, and a date.

Every source is one of four: an address (the row says when it was read), a package with
its version and a file, a repository with a commit or the date of its snapshot, or a
section of a named specification.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest

from toolgauge.rules import Target, rules, targets
from toolgauge.rules._rule import SEVERITIES

TARGETS = list(targets().values())
FIRST_READ = dt.date(2026, 1, 1)

HOST = r"([a-z0-9-]+\.)+[a-z]{2,}"
TRACEABLE = {
    "an address": rf"(?!\S*github\.com/[^/]+/[^/ ]+( |$))(https://)?{HOST}(/\S+( .+)?| \S+/\S+.*)",
    "a package with version and file": (
        r"(local run of )?(PyPI [\w.-]+==\d[^\s:]*:?|npm \S+@\d\S*) \S.*"
    ),
    "a repository with commit and file": (
        rf"(https://)?{HOST}/[\w.-]+/[\w.-]+\b.*((@|\bat )[0-9a-f]{{7,}}|20\d\d-\d\d-\d\d).*"
    ),
    "a section of a specification": (
        r"\"Tools JSON validation rules\", section \".+\"|modelcontextprotocol SEP-\d+ .+"
        r"|JSON Schema \S+, validation section [\d.]+"
    ),
}

each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


def is_traceable(source: str) -> bool:
    """Tell whether somebody else can look this up."""
    return any(re.fullmatch(each, source) for each in TRACEABLE.values())


def rows_of(target: Target) -> list[dict[str, Any]]:
    """Read the rows that a target's own file has, as they are written."""
    file = files("toolgauge.rules").joinpath("targets", f"{target.name}.toml")
    rows: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")).get("rules", [])
    return rows


@each_target
def test_every_source_can_be_looked_up(target: Target) -> None:
    """By a reader who has nothing but the target's page."""
    others = {
        each.id: source
        for each in target.applied
        for source in each.sources
        if not is_traceable(source)
    }

    assert not others, f"a source is {', or '.join(TRACEABLE)}"


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        ("https://acme.example/docs/tools", True),
        ("docs.acme.example/tools", True),
        ("https://github.com/acme/cli/issues/12", True),
        ("https://github.com/acme/cli at 0e805ec7: src/tools.py", True),
        ("github.com/acme/cli src/tools.py@0e805ec7", True),
        ("PyPI acme==1.2.0: acme/tools.py", True),
        ("npm @acme/sdk@1.2.0 dist/index.mjs", True),
        ("modelcontextprotocol SEP-986 (tool names)", True),
        ("https://acme.example/docs (as of February 2026)", True),
        ("https://github.com/acme/cli src/tools.py", False),
        ("https://github.com/acme/cli", False),
        ("https://acme.example", False),
        ("acme.example", False),
        ("PyPI acme: acme/tools.py", False),
        ("PyPI acme==1.2.0", False),
        ("npm @acme/sdk@1.2.0", False),
        ("npm @acme/sdk dist/index.mjs", False),
        ('"Tools JSON validation rules", section "Tool list limits"', True),
        ('"Tools JSON validation rules"', False),
        ("decision T8 of this project", False),
        ("third-party catalogue of MCP client profiles, September 2026", False),
        ("reports of 400 answers in strict mode, 2026", False),
        ("a public file; its repository is not recorded", False),
        ("a blog post", False),
        ("issue threads, read in 2026", False),
    ],
)
def test_a_source_is_an_address_a_package_a_repository_or_a_section(
    source: str, is_one: bool
) -> None:
    """Words about a source are none."""
    assert is_one == is_traceable(source)


@each_target
def test_every_limit_has_an_effect_and_a_date(target: Target) -> None:
    """Dates are not in the future, however late these tests run."""
    tomorrow = dt.datetime.now(tz=dt.UTC).date() + dt.timedelta(days=1)
    for each in target.applied:
        assert FIRST_READ <= each.read <= tomorrow, each.id
        assert each.effect.strip(), each.id
        for source in each.sources:
            assert source == source.strip() != "", each.id
            assert not re.search(r"(^|[\s(:])(/\w+/|~/|file:)|find_string", source), source
            if source.startswith("http"):
                host = urlsplit(source.split()[0]).hostname or ""
                assert re.fullmatch(HOST, host), source
    assert all(reason.strip() for reason in target.unchecked.values())


@each_target
def test_an_id_is_used_once(target: Target) -> None:
    """A limit that several rules check is one row, with ``also``; what is unchecked has no row."""
    ids = [each["id"] for each in rows_of(target)]
    checked = {each.id for each in target.applied}

    assert not [each for each, count in Counter(ids).items() if count > 1]
    assert not checked & set(target.unchecked)


def test_inherited_ids_do_not_meet_own_ones() -> None:
    """An id stands for the rows of one limit: they follow one another in the target."""
    for target in TARGETS:
        ids = [each.id for each in target.applied]
        starts = [each for each, before in zip(ids, ["", *ids], strict=False) if each != before]

        assert len(starts) == len(set(starts)), target.name


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
    for row in rows_of(target):
        for each in (row, *row.get("also", ())):
            assert ("conflict" in each) == ("conservative" in each), row["id"]


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
    """Providers, runtimes, clients and a specification."""
    assert len(TARGETS) >= 33


def test_every_rule_is_applied_somewhere() -> None:
    """A rule that no target applies is dead; that its examples prove it is test_library's."""
    applied = {each.rule.name for target in TARGETS for each in target.applied}

    assert applied == set(rules())
