"""How many real tools become acceptable, for every target that names passes."""

from __future__ import annotations

import pytest

from tests.lowering.corpus import EVERY, needs_corpus, tool_lists
from toolgauge.lowering import lower
from toolgauge.rules import check, targets

TARGETS = [name for name, target in targets().items() if target.passes]
SHARES = {"openai": 1.0, "mcp-spec": 1.0}
LEAST = 0.97


@needs_corpus
@pytest.mark.no_cover
@pytest.mark.parametrize("target", TARGETS)
def test_real_tools_are_accepted_or_refused_with_a_reason(target: str) -> None:
    """What is left passes ``check``, lowering it again changes nothing, and little is refused."""
    total = kept = 0
    for tools in tool_lists(EVERY):
        lowered = lower(tools, target)
        report = check(lowered.wire(), [target])
        total += len(tools)
        kept += len(lowered.tools)

        assert len(tools) == len(lowered.tools) + len(lowered.refused)
        assert all(each.reason and each.fix for each in lowered.refused)
        assert not [
            each for each in report.findings if each.severity == "error" and each.index is not None
        ]
        assert lowered.tools == lower(lowered.tools, target).tools

    assert kept >= total * SHARES.get(target, LEAST)
