"""What a target file may say: defaults, named sources, a parent; and what is wrong with one."""

from __future__ import annotations

import datetime as dt
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from toolgauge.rules import InvalidTarget, Target, targets
from toolgauge.rules._target_file import parse_target, resolve_target
from toolgauge.rules._targets import target_from_toml

HEAD = """
title = "Acme"
summary = "A target of these tests."
groups = ["providers"]
"""

ROW = """
[[rules]]
id = "name"
rule = "overlong-tool-name"
limits.max_length = 64
effect = "the request is rejected"
sources = ["https://acme.example/docs"]
read = 2026-11-01
"""

OLD = """
[[rules]]
id = "acme/name"
rule = "overlong-tool-name"
severity = "error"
effect = "the request is rejected"
sources = ["https://acme.example/docs"]
read = 2026-11-01

[rules.limits]
max_length = 64

[[rules]]
id = "acme/name"
rule = "malformed-tool-name"
severity = "warning"
conservative = "error"
conflict = "The guide has no hyphen, the API takes it."
effect = "the name is changed"
sources = ["PyPI acme==1.0: acme/tools.py"]
read = 2026-10-01
"""

PARENT = """
title = "Parent"
summary = "A target to extend."
groups = ["runtimes"]
effect = "the request is rejected"
read = 2026-01-01
passes = ["modern", { name = "drop", keywords = ["not"] }]

[sources]
guide = "https://parent.example/guide"

[[rules]]
id = "name"
rule = "overlong-tool-name"
limits.max_length = 64
severity = "warning"
conservative = "error"
conflict = "The guide says 64, the API takes more."
sources = ["guide"]

[[rules]]
id = "count"
rule = "too-many-tools"
limits.max = 20
sources = ["guide"]
also = ["missing-tool-name", { rule = "too-few-tools", effect = "nothing happens" }]

[[rules]]
id = "base-valid"
rule = "invalid-schema"
sources = ["guide"]
"""


def resolved(**files: str) -> list[dict[str, Any]]:
    """Return the complete rows of the last file."""
    tables = {name: parse_target(name, text) for name, text in files.items()}
    rows: list[dict[str, Any]] = resolve_target(list(files)[-1], tables)["rules"]
    return rows


def outline(target: Target) -> list[tuple[str, str]]:
    """Return id and rule of each row."""
    return [(each.id, each.rule.name) for each in target.applied]


def test_a_file_that_writes_everything_out_is_read() -> None:
    """Full ids, one id in several rows, no default, no named source."""
    first, second = target_from_toml("acme", HEAD + OLD).applied

    assert ("acme/name", "overlong-tool-name", 64) == (
        first.id,
        first.rule.name,
        first.limits["max_length"],
    )
    assert ("error", "error", "") == (first.severity, first.conservative, first.conflict)
    assert ("acme/name", "malformed-tool-name") == (second.id, second.rule.name)
    assert ("warning", "error") == (second.severity, second.conservative)
    assert "The guide has no hyphen, the API takes it." == second.conflict
    assert ("PyPI acme==1.0: acme/tools.py",) == second.sources
    assert dt.date(2026, 10, 1) == second.read


def test_defaults_and_named_sources_are_written_once() -> None:
    """A row that gives its own keeps it; one name may stand for several sources."""
    text = """
effect = "the request is rejected"
read = 2026-11-01

[sources]
guide = "https://acme.example/docs"
both = ["guide", "PyPI acme==1.0: acme/tools.py"]

[[rules]]
id = "name"
rule = "overlong-tool-name"
sources = ["both", "https://acme.example/issues/1"]

[[rules]]
id = "count"
rule = "too-many-tools"
severity = "advice"
effect = "tools are left out"
sources = ["guide"]
read = 2026-10-01
"""
    name, count = target_from_toml("acme-cloud", HEAD + text).applied

    assert ("acme_cloud/name", "error", "the request is rejected") == (
        name.id,
        name.severity,
        name.effect,
    )
    assert (
        "https://acme.example/docs",
        "PyPI acme==1.0: acme/tools.py",
        "https://acme.example/issues/1",
    ) == name.sources
    assert dt.date(2026, 11, 1) == name.read
    assert ("advice", "tools are left out") == (count.severity, count.effect)
    assert dt.date(2026, 10, 1) == count.read


def test_further_rules_of_a_row_take_the_rest_from_it() -> None:
    """Not its limits; and its conflict only while the severity is its own."""
    text = (
        ROW
        + """
severity = "warning"
conservative = "error"
conflict = "The guide says 64, the API takes more."
also = [
    "malformed-tool-name",
    { rule = "overlong-tool-name", limits.max_length = 128, severity = "error" },
]
"""
    )
    first, second, third = target_from_toml("acme", HEAD + text).applied

    assert {"acme/name"} == {each.id for each in (first, second, third)}
    assert first.conflict == second.conflict != third.conflict == ""
    assert ("warning", "error") == (second.severity, second.conservative)
    assert ("error", "error", 128) == (
        third.severity,
        third.conservative,
        third.limits["max_length"],
    )
    assert first.sources == third.sources


def test_a_child_inherits_rows_after_its_own_with_groups_and_passes() -> None:
    """Ids say whose the rows are; what only one target knows of itself stays there."""
    child = target_from_toml(
        "acme", 'extends = "openai"\ntitle = "Acme"\nsummary = "Like OpenAI."\n' + ROW
    )
    parent = targets()["openai"]
    ids = [
        each.id.replace("openai/", "acme/base-openai-").replace("base-openai-base-", "base-")
        for each in parent.applied
    ]

    assert ["acme/name", *ids] == [each.id for each in child.applied]
    assert (parent.groups, parent.passes) == (child.groups, child.passes)
    assert parent.unchecked
    assert not child.unchecked
    for inherited, each in zip(child.applied[1:], parent.applied, strict=True):
        assert (each.rule, each.limits) == (inherited.rule, inherited.limits)
        assert (each.severity, each.conflict) == (inherited.severity, inherited.conflict)
        assert (each.effect, each.sources, each.read) == (
            inherited.effect,
            inherited.sources,
            inherited.read,
        )


def test_a_child_changes_an_inherited_row_where_it_stands() -> None:
    """The rest of the row stays; a full id changes it too."""
    child = """
extends = "parent"
title = "Child"
summary = "Extends the parent."
effect = "the child's default"
read = 2026-06-01

[[rules]]
id = "child/base-parent-name"
limits.max_length = 32

[[rules]]
id = "base-valid"
severity = "warning"
sources = ["guide", "https://child.example"]
"""
    name, count, missing, few, valid = resolved(parent=PARENT, child=child)

    assert ["child/base-parent-name", "child/base-parent-count"] == [name["id"], count["id"]]
    assert {"max_length": 32} == name["limits"]
    assert ("warning", "error") == (name["severity"], name["conservative"])
    assert dt.date(2026, 1, 1) == name["read"]
    assert ("missing-tool-name", "too-few-tools") == (missing["rule"], few["rule"])
    assert {"the request is rejected"} == {each["effect"] for each in (name, count, valid)}
    assert "warning" == valid["severity"]
    assert ["https://parent.example/guide", "https://child.example"] == valid["sources"]
    assert dt.date(2026, 6, 1) == valid["read"]


def test_a_child_drops_inherited_rows() -> None:
    """By the id that they have in the child."""
    child = 'extends = "parent"\ndrop = ["base-parent-count", "base-valid"]\n' + HEAD

    assert ["child/base-parent-name"] == [
        each["id"] for each in resolved(parent=PARENT, child=child)
    ]


def test_a_name_that_the_child_gives_another_source_leaves_inherited_rows_alone() -> None:
    """A row cites what its own file meant."""
    child = """
extends = "parent"
drop = ["base-parent-count", "base-valid"]
effect = "the request is rejected"
read = 2026-06-01

[sources]
guide = "https://child.example/guide"

[[rules]]
id = "count"
rule = "too-many-tools"
sources = ["guide"]
"""
    count, name = resolved(parent=PARENT, child=HEAD + child)

    assert ["https://child.example/guide"] == count["sources"]
    assert ["https://parent.example/guide"] == name["sources"]


def test_an_underscored_file_leaves_sources_and_defaults_to_its_children() -> None:
    """Its ids stay as they are, and it is no target itself."""
    template = '[[rules]]\nid = "valid"\nrule = "invalid-schema"\nsources = ["interface"]\n'
    child = """
extends = "_template"
effect = "the tool is dropped"
read = 2026-06-01

[sources]
interface = "https://child.example"
"""
    grandchild = 'extends = "child"\ntitle = "G"\nsummary = "S"\n'
    (row,) = resolved(_template=template, child=HEAD + child)
    (further,) = resolved(_template=template, child=HEAD + child, grandchild=grandchild)

    assert ("child/valid", "the tool is dropped") == (row["id"], row["effect"])
    assert ["https://child.example"] == row["sources"] == further["sources"]
    assert "grandchild/base-child-valid" == further["id"]
    assert not [each for each in targets() if each.startswith("_")]


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("title = \n", "", "line 1"),
        (ROW, "", "title"),
        (HEAD + 'extend = "openai"', "", "extend"),
        (HEAD + 'extends = "opnai"', "extends", "openai"),
        (HEAD + 'extends = "acme"', "extends", "acme -> acme"),
        (HEAD + 'extends = "openai"\ndrop = ["base-openai-nmae"]', "drop", "base-openai-name"),
        (HEAD + ROW.replace("https://acme.example/docs", "guide"), "acme/name", "guide"),
        (HEAD + ROW.replace("https://acme.example/docs", ""), "acme/name", "empty"),
        (HEAD + ROW.replace('sources = ["https://acme.example/docs"]', ""), "acme/name", "sources"),
        (HEAD + ROW.replace('["https://acme.example/docs"]', "[]"), "acme/name", "sources"),
        (HEAD + ROW.replace('["https://acme.example/docs"]', '"guide"'), "name", "sources"),
        (HEAD + ROW.replace("read = 2026-11-01", ""), "acme/name", "read"),
        (HEAD + ROW.replace("2026-11-01", '"2026-11-01"'), "name", "read"),
        (HEAD + ROW.replace("2026-11-01", "2026-11-01T08:00:00"), "name", "read"),
        (HEAD + ROW.replace('effect = "the request is rejected"', ""), "acme/name", "effect"),
        (HEAD + ROW.replace('id = "name"', ""), "rules, row 1", "id"),
        (HEAD + ROW.replace('rule = "overlong-tool-name"', ""), "acme/name", "rule"),
        (HEAD + ROW.replace("overlong-tool-name", "overlong"), "acme/name", "overlong"),
        (HEAD + ROW.replace("max_length", "longest"), "acme/name", "longest"),
        (HEAD + ROW + 'severty = "error"', "name", "severity"),
        (HEAD + ROW + 'severity = "fatal"', "acme/name", "fatal"),
        (HEAD + ROW + 'conservative = "worse"', "acme/name", "worse"),
        (HEAD + ROW + 'also = ["overlong"]', "acme/name", "overlong"),
        (HEAD + ROW + 'also = [{ severity = "error" }]', "name", "rule"),
        (HEAD + ROW + "also = [5]", "name", "table"),
        (HEAD + "rules = 5", "", "rules"),
        (HEAD + "rules = [5]", "rules, row 1", "table"),
        (HEAD + "passes = [{ max = 1 }]", "passes", "name"),
        (HEAD + '[[unchecked]]\nid = "x"', "unchecked, entry 1", "reason"),
        (HEAD + "[sources]\nguide = 5", "sources.guide", "string"),
        (HEAD.replace('["providers"]', '"providers"'), "", "groups"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_one_line(text: str, place: str, problem: str) -> None:
    """It names the file, the place in it and what is wrong there."""
    with pytest.raises(InvalidTarget) as caught:
        target_from_toml("acme", text)
    message = str(caught.value)

    assert message.startswith("acme.toml: ")
    assert "\n" not in message
    assert place == caught.value.place
    assert problem in message
    assert message == str(pickle.loads(pickle.dumps(caught.value)))  # noqa: S301 - it is our own


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a": "b", "b": "a"}, "circular: b -> a -> b"),
        ({"a": "b", "b": "c", "c": "a"}, "circular: c -> a -> b -> c"),
        ({"b": "b", "a": "b"}, "circular: a -> b -> b"),
        ({"b": "nobody", "a": "b"}, "nobody"),
    ],
)
def test_a_fault_of_a_parent_is_reported(files: dict[str, str], problem: str) -> None:
    """In the file where it stands, whoever extends that."""
    texts = {name: f'extends = "{parent}"\n{HEAD}' for name, parent in files.items()}
    with pytest.raises(InvalidTarget) as caught:
        resolved(**texts)

    assert "extends" == caught.value.place
    assert problem in str(caught.value)


def test_the_example_for_contributors_is_a_target() -> None:
    """The guide on adding a target has one that can be copied."""
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    target = target_from_toml("acme", example)

    assert ("acme/count", "acme/base-openai-name") == tuple(each.id for each in target.applied[:2])
    assert "acme/base-openai-id-uri" not in {each.id for each in target.applied}
