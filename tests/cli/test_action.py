"""The GitHub action."""

from __future__ import annotations

import re
from pathlib import Path

ACTION = Path(__file__).parents[2] / "action.yml"


def test_other_actions_are_pinned_by_commit() -> None:
    """A tag can be moved to other code; the version stands beside the commit."""
    used = re.findall(r"uses:\s*(.+)", ACTION.read_text(encoding="utf-8"))

    assert used
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v[\d.]+", each) for each in used)
