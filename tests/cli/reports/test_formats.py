from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.specimens import EVIL, GOOD, TARGETS, TOOLS, checked
from toolgauge.cli.reports import github, junit, markdown, sarif
from toolgauge.cli.reports.markdown import code, prose
from toolgauge.cli.reports.matrix import columns_of
from toolgauge.cli.reports.text import to_text

if TYPE_CHECKING:
    from pathlib import Path

    from toolgauge.cli.reports.evidence import Checked

pytestmark = pytest.mark.usefixtures("specimens")

URI = "tools, 100%:old.json"


def of_file(folder: Path, **changes: Any) -> Checked:
    """Check the specimens as a file with a name that wants escaping."""
    return checked(folder, uri=URI, text=json.dumps(TOOLS, indent=2), **changes)


def test_findings_of_several_targets_are_one(tmp_path: Path) -> None:
    """Those that differ in nothing but the target."""
    groups = of_file(tmp_path).groups

    both = [each for each in groups if each.finding.rule == "TG103"]
    assert [("narrow", "stern")] * 2 == [each.targets for each in both]


def test_sarif_has_what_the_schema_requires(tmp_path: Path) -> None:
    """Required properties of SARIF 2.1.0, and only levels and kinds that it knows."""
    document = json.loads(sarif.render([of_file(tmp_path)]))

    assert "2.1.0" == document["version"]
    assert document["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert "toolgauge" == driver["name"]
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    for rule in driver["rules"]:
        assert rule["id"]
        assert rule["help"]["text"]
        assert rule["shortDescription"]["text"]
    assert len(driver["rules"]) == len({rule["id"] for rule in driver["rules"]})
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["ruleId"] == driver["rules"][result["ruleIndex"]]["id"]
        (location,) = result["locations"]
        assert location["logicalLocations"][0]["name"]
        physical = location["physicalLocation"]
        assert "tools%2C%20100%25%3Aold.json" == physical["artifactLocation"]["uri"]
        assert physical["region"]["startLine"] >= 1
        assert physical["region"]["startColumn"] >= 1
        assert all(isinstance(each, str) for each in result["partialFingerprints"].values())


def test_sarif_points_to_the_line(tmp_path: Path) -> None:
    """Of the member that a finding is about."""
    lines = json.dumps(TOOLS, indent=2).splitlines()
    results = json.loads(sarif.render([of_file(tmp_path)]))["runs"][0]["results"]

    (found,) = [each for each in results if each["ruleId"] == "TG303"]
    region = found["locations"][0]["physicalLocation"]["region"]
    assert '"type": "array"' == lines[region["startLine"] - 1][region["startColumn"] - 1 :]
    assert ["stern"] == found["properties"]["targets"]
    assert "/2/inputSchema/type" == found["properties"]["pointer"]


def test_sarif_fingerprints_tell_flaws_apart(tmp_path: Path) -> None:
    """And do not change with the lines."""
    first = json.loads(sarif.render([of_file(tmp_path)]))["runs"][0]["results"]
    other = json.loads(sarif.render([checked()]))["runs"][0]["results"]

    names = [each["partialFingerprints"]["toolgauge/v1"] for each in first]
    assert len(names) == len(set(names))
    assert names == [each["partialFingerprints"]["toolgauge/v1"] for each in other]


def test_junit_has_a_suite_for_each_target_and_a_case_for_each_tool() -> None:
    """It is XML whatever tools are called; the counts are true."""
    root = ET.fromstring(junit.render([checked()]))  # noqa: S314 - our own text

    assert list(TARGETS) == [suite.get("name") for suite in root]
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases) >= len(TOOLS)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    assert 2 == len(root[0].findall("testcase/failure"))
    assert "\\x1b" in (root[0][2].get("name") or "")


def test_junit_fails_what_fails_the_check() -> None:
    """Below the bar it is output of the case."""
    tools = [{"name": "a", "inputSchema": {"type": "object"}}]
    errors = ET.fromstring(junit.render([checked(tools=tools)]))  # noqa: S314 - our own text
    warnings = ET.fromstring(  # noqa: S314 - our own text
        junit.render([checked(tools=tools, fail_on="warning")])
    )

    assert "0" == errors[0].get("failures")
    assert "TG201" in (errors[0].findtext("testcase/system-out") or "")
    assert "1" == warnings[0].get("failures")


def test_junit_has_a_case_for_the_whole_list() -> None:
    """Where something is about no single tool."""
    tools = [GOOD | {"name": f"t{number}"} for number in range(5)]
    root = ET.fromstring(junit.render([checked(tools=tools)]))  # noqa: S314 - our own text

    suite = next(each for each in root if each.get("name") == "stern")
    assert "(the whole list)" == suite[0].get("name")
    assert "6" == suite.get("tests")


def test_github_annotations_are_escaped(tmp_path: Path) -> None:
    """A name cannot end a property or begin a command of its own."""
    evil = [{"name": "a\n::error::x, y%", "inputSchema": {"type": "object"}}]
    lines = github.render([of_file(tmp_path)]).splitlines()
    foreign = github.render([checked(tools=evil)]).splitlines()

    pattern = re.compile(r"::(error|warning|notice) (\w+=[^,:\r\n]*(,\w+=[^,:\r\n]*)*)::.+")
    assert all(pattern.fullmatch(each) for each in [*lines[:-1], *foreign[:-1]])
    assert "file=tools%2C 100%25%3Aold.json,line=" in lines[0]
    assert "%0A::error::x, y%25" in foreign[0]
    assert lines[-1].startswith("toolgauge: 3 tools of tools.json")


def test_markdown_shows_foreign_text_as_text() -> None:
    """No tag, no table cell, no mention comes from a tool."""
    text = markdown.render([checked()])

    table = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(TARGETS) == len(table)
    assert "<b>" not in text
    assert "<details>" in text
    rows = [line for line in text.splitlines() if line.startswith("| error")]
    assert all(5 == len(re.split(r"(?<!\\)\|", row)) - 2 for row in rows)


def test_markdown_code_and_prose_are_escaped() -> None:
    """Whatever is in them."""
    assert "``` a``b ```" == code("a``b")
    assert "`a\\|b`" == code("a|b")
    assert "` `" == code("").replace("  ", " ")
    assert r"\*a\* \<b\> &#64;x" == prose("*a* <b> @x")


def test_text_tells_who_refuses_what_and_what_to_do() -> None:
    """Verdicts first, then findings by tool, then the repairs that reach most."""
    text = to_text([checked(severity="warning")], width=80)

    first = text.splitlines()[0]
    assert "3 tools of tools.json, 4 targets: 2 refuse, 2 accept" == first
    assert text.index("stern") < text.index("accepted by 2 targets")
    assert text.index("accepted by") < text.index("overlong_name\n") < text.index("What to do")
    assert "error TG103 overlong-tool-name  narrow, stern" in text
    assert "TG103 overlong-tool-name: 2 tools, 2 targets" in text
    assert "not shown: 1 piece of advice" in text


def test_text_of_few_targets_has_their_names_above_the_columns() -> None:
    """Where they fit."""
    assert re.search(r"^tool +narrow +stern$", to_text([checked()], width=80), re.MULTILINE)


@pytest.mark.parametrize("width", [40, 80])
def test_text_of_many_targets_has_keys_instead(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Each line of the list has the letter of its column; what does not fit goes below."""
    many = {f"stern-{n:02}": replace(TARGETS["stern"], name=f"stern-{n:02}") for n in range(30)}
    monkeypatch.setattr("toolgauge.rules._targets.targets", lambda: many)

    text = to_text([checked()], width=width)

    assert re.search(r"^tool +a b c d", text, re.MULTILINE)
    assert re.search(r"^B +stern-27 +2", text, re.MULTILINE)
    assert (3 if width == 80 else 4) == len(re.findall(r"^over", text, re.MULTILINE))
    assert max(map(len, text.splitlines())) <= width


def test_text_has_escapes_only_with_colour() -> None:
    """And never those of a tool."""
    plain = to_text([checked()], width=80)
    coloured = to_text([checked()], width=80, color=True)

    assert "\x1b" not in plain
    assert EVIL not in coloured
    assert "\x1b[2J" not in coloured
    assert "[red]" in plain


def test_what_nearly_every_tool_has_is_told_once() -> None:
    """A long list is not a long text."""
    tools = [{"name": f"overlong_name_{number}", "inputSchema": {}} for number in range(60)]
    text = to_text([checked(tools=tools)], width=80)

    assert 1 == text.count("error TG103")
    assert "60 of 60 tools" in text
    assert "overlong_name_0 and 59 more" in re.sub(r"\s+", " ", text)
    assert len(text.splitlines()) < 60
    assert "in nearly every tool" in markdown.render([checked(tools=tools)])


def test_columns_begin_with_who_refuses_most() -> None:
    """Then who warns."""
    columns = columns_of(checked().report)

    assert {"narrow", "stern"} == {each.name for each in columns[:2]}
