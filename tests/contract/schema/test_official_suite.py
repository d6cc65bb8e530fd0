from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.schema.official_suite import (
    BY_NAME,
    KEPT,
    Suite,
    differences,
    read_kept,
    write_kept,
)

if TYPE_CHECKING:
    from pathlib import Path

each_draft = pytest.mark.parametrize("draft", BY_NAME)
each_mode = pytest.mark.parametrize("formats", [False, True], ids=["formats-off", "formats-on"])

_SHOWN = 10


@each_draft
@each_mode
def test_our_verdict_is_that_of_the_official_suite(
    official: Suite, draft: str, formats: bool
) -> None:
    """What differs is in the kept list, and what is in the kept list differs."""
    switch = "on" if formats else "off"

    found = set(differences(official, BY_NAME[draft], formats=formats))
    kept = {line for line in read_kept() if (line.draft, line.formats) == (draft, switch)}

    news, gone = sorted(found - kept), sorted(kept - found)
    assert not news, f"{len(news)} new differences: {news[:_SHOWN]}"
    assert not gone, f"{len(gone)} kept lines no longer differ: {gone[:_SHOWN]}"


def test_no_required_test_differs_with_formats_off() -> None:
    """The kept list is about the optional part, and about formats switched on."""
    required = [
        line
        for line in read_kept()
        if line.formats == "off" and not line.file.startswith("optional/")
    ]

    assert [] == required


def test_every_kept_difference_has_a_reason() -> None:
    """A difference that nobody can explain is a fault."""
    unexplained = [line for line in read_kept() if line.reason == "?"]

    assert [] == unexplained


def test_the_kept_list_is_as_its_writer_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sorted, each line once: a review shows only what changed."""
    before = KEPT.read_bytes()
    lines = read_kept()
    monkeypatch.setattr("tests.contract.schema.official_suite.KEPT", tmp_path / "kept.tsv")
    write_kept(lines)

    assert len(lines) == len(set(lines))
    assert before == (tmp_path / "kept.tsv").read_bytes()


@each_draft
def test_the_suite_is_there_in_full(official: Suite, draft: str) -> None:
    """Every draft has hundreds of values, valid and invalid ones."""
    verdicts = [test.is_valid for case in official.cases(BY_NAME[draft]) for test in case.tests]

    assert len(verdicts) > 850
    assert 0.3 < sum(verdicts) / len(verdicts) < 0.7
