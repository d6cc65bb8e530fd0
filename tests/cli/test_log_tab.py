"""``toolgauge serve --log-tab``: the log's newest lines, in the page as in the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from toolgauge.cli.options import Recording
from toolgauge.serve import LogFeed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("no_log", [True, False])
def test_the_page_is_told_with_and_without_a_file(tmp_path: Path, no_log: bool) -> None:
    """The switch is for the page alone; ``--no-log`` is for the file."""
    feed = LogFeed()
    options = Recording(log_dir=tmp_path, log_max_bytes=4_096, deterministic_ids="0", no_log=no_log)
    with (
        options.recorder(feed) as recorder,
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


def test_without_a_log_and_a_page_nothing_is_recorded(tmp_path: Path) -> None:
    """And no file is written."""
    with Recording(log_dir=tmp_path, no_log=True).recorder() as recorder:
        assert not list(tmp_path.iterdir())
        assert recorder is not None
