"""``toolgauge serve --log-tab``: the log's newest lines, in the page as in the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from toolgauge.cli.recording import feed_of, recorder_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("no_log", [True, False])
def test_the_page_is_told_with_and_without_a_file(tmp_path: Path, no_log: bool) -> None:
    """The switch is for the page alone; ``--no-log`` is for the file."""
    feed = feed_of(True)
    assert feed is not None
    with (
        recorder_of(tmp_path, 4_096, "0", no_log=no_log, feed=feed) as recorder,
        recorder.request(b"{}", transport="http", route="/call") as recording,
    ):
        recording.fail("NOT_FOUND")
    written = [
        json.loads(line)
        for path in tmp_path.rglob("*.jsonl")
        if not path.is_symlink()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    shown = feed.since(0)["records"]

    assert ["NOT_FOUND"] == [each["canonicalCode"] for each in shown]
    assert ([] if no_log else [{k: v for k, v in shown[0].items() if k != "number"}]) == written


def test_without_the_switch_nothing_is_kept_for_the_page(tmp_path: Path) -> None:
    """And with no log at all, nothing is recorded."""
    assert None is feed_of(False)
    with recorder_of(tmp_path, 4_096, None, no_log=True) as recorder:
        assert not list(tmp_path.iterdir())
        assert recorder is not None
