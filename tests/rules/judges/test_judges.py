"""Our verdicts over the corpus, held against independent judges.

A judge is code that others wrote and publish on PyPI: a client's own validation, a
compiler, a meta-schema, a converter. Each difference is a line of
``tests/suites/judge_differences.tsv``; one that is not listed fails, and so does a
line that no longer differs. ``python -m tests.rules.judges --write`` writes the list
anew. Only errors about the tool itself count, none about how tools go together.

The reason of a line is one or more of these words (``judges.REASONS``):

- ``free-document``: the judge passes the schema on unread.
- ``not-asked``: the judge does not ask this; the target's service or specification does.
- ``other-service``: the judge's model has a field that only another service takes.
- ``kept-as-given``: the converter leaves this as it was, and the target refuses it.
- ``ignored-part``: the engine skips a look-ahead, and all that stands in it.
- ``beyond-its-walk``: the converter does not walk there.
"""

from __future__ import annotations

import os

import pytest

from tests.rules.judges.differences import (
    CORPUS,
    corpus,
    differences,
    heard,
    is_there,
    kept,
    own_errors,
    unexplained,
)
from tests.rules.judges.judges import JUDGES, Judge, google_errors, is_in_map

pytestmark = [
    pytest.mark.no_cover,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies beside the project, not in it"),
]


def _need(judge: Judge) -> None:
    if is_there(judge):
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{judge.name} is not installed, and CI hears every judge")
    pytest.skip(f"{judge.name} is not installed here")


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_we_differ_from_a_judge_only_as_listed(judge: Judge) -> None:
    """A difference is a fault of ours, or a line with its reason."""
    _need(judge)
    said = heard(judge)
    now = differences(judge)
    listed = [line for line in kept() if line.judge == judge.name]

    # A converter that raised everywhere would agree with anything.
    assert len(said) > 0.9 * len(corpus())
    assert [] == sorted(set(now) - set(listed)), "not listed"
    assert [] == sorted(set(listed) - set(now)), "listed, and no longer so"
    assert listed == now


def test_every_listed_difference_has_a_reason() -> None:
    """And it is one of the fixed ones, of a judge that there is."""
    lines = kept()

    assert [] == unexplained(lines)
    assert {line.judge for line in lines} <= {judge.name for judge in JUDGES}


def test_unknown_keywords_are_the_fields_that_google_forbids_place_by_place() -> None:
    """Not only the same tools: the same places, maps apart (``other-service``)."""
    judge = next(each for each in JUDGES if each.name == "google-genai")
    _need(judge)
    tools = [tool for _, tool in corpus()]
    errors = own_errors(judge.target, tools)
    compared = 0
    for index, tool in enumerate(tools):
        said = google_errors(tool)
        if said is None:
            continue
        compared += 1
        theirs = {each["loc"][1:] for each in said if each["type"] == "extra_forbidden"}
        ours = {
            each.path[1:]
            for each in errors.get(index, ())
            if each.name == "unknown-keyword" and not is_in_map(each.path)
        }
        # It does not look below a field that it forbids.
        ours -= {path for path in ours if any(path[:cut] in ours for cut in range(1, len(path)))}

        assert theirs == ours, tool["name"]

    assert compared > 0.9 * len(tools)
