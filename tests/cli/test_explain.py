from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.specimens import TARGETS
from toolgauge.cli.reports.pages import page_of
from toolgauge.rules import rule_of, rules

if TYPE_CHECKING:
    from tests.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("specimens")


@pytest.mark.parametrize("word", ["TG103", "tg103", "overlong-tool-name"])
def test_a_rule_is_explained_by_code_or_name(run: Run, word: str) -> None:
    """Its page, then who applies it, with limits and sources."""
    ended = run("explain", word)

    assert 0 == ended.code
    for part in ("TG103", "Why is this bad?", "Instead", "narrow", "max_length=8", "example.com"):
        assert part in ended.out
    assert "roomy" not in ended.out


def test_the_json_of_a_rule_is_complete(run: Run) -> None:
    """For programs, the same."""
    document = run("explain", "missing-description", "-f", "json").document

    (applied,) = document["targets"]
    assert ("TG201", "missing-description") == (document["rule"], document["name"])
    assert ("narrow", "warning", "error") == (
        applied["target"],
        applied["severity"],
        applied["conservative"],
    )
    assert "2026-11-01" == applied["read"]
    assert ["https://example.com/limits"] == applied["sources"]


def test_an_unknown_rule_is_wrong_usage(run: Run) -> None:
    """With the nearest names."""
    ended = run("explain", "overlong-name")

    assert 2 == ended.code
    assert "overlong-tool-name" in ended.err
    assert 2 == run("explain", "zzzzzz").code


def test_a_rule_that_nobody_applies_says_so(run: Run) -> None:
    """It is kept for its code."""
    assert "Applied by no target" in run("explain", "TG104").out


def test_every_page_has_a_summary_and_its_sections() -> None:
    """One sentence, and the three headings."""
    for rule in rules().values():
        page = page_of(rule)

        assert page.summary, rule.name
        assert "\n" not in page.summary
        assert ["Why is this bad?", "Instead", "Sources"] == list(page.sections)[:3], rule.name
        assert rule_of(rule.code) is rule


def test_targets_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, groups and how many limits there are; within the terminal."""
    monkeypatch.setenv("COLUMNS", "60")

    ended = run("targets")

    assert 0 == ended.code
    assert all(name in ended.out for name in TARGETS)
    assert "4 targets" in ended.out
    assert ["target", "groups"] == ended.out.split()[:2]
    assert max(map(len, ended.out.splitlines())) <= 60


def test_one_target_is_shown_whole(run: Run) -> None:
    """Each limit with its severity, sources, date and conflict."""
    ended = run("targets", "narrow")

    for part in ("TG103", "max_length=8", "example.com/limits", "2026-11-01", "A says, B not"):
        assert part in ended.out
    assert "warning (error with --conservative)" in ended.out


def test_the_json_of_targets_has_their_rules(run: Run) -> None:
    """A group too."""
    document = run("targets", "strict", "-f", "json").document

    assert ["narrow", "stern"] == [each["name"] for each in document["targets"]]
    assert "TG103" == document["targets"][0]["rules"][0]["rule"]


def test_an_unknown_target_is_wrong_usage(run: Run) -> None:
    """With the nearest names."""
    ended = run("targets", "narow")

    assert 2 == ended.code
    assert "narrow" in ended.err
