"""Every rule proves itself: its examples, its cases, and how it is written."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from toolgauge.rules import Definition, Finding, Rule, rules
from toolgauge.rules._check import reported
from toolgauge.rules._rule import ERROR

CASES = Path(__file__).parent / "cases"
LIBRARY = Path(importlib.import_module("toolgauge.rules.library").__path__[0])
RULES = list(rules().values())

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def report(rule: Rule, tools: Any, limits: Any) -> list[Finding]:
    """Run one rule over definitions."""
    definitions = [Definition(raw, index) for index, raw in enumerate(tools)]
    return list(reported(rule, {**rule.limits, **limits}, definitions, [("all", ERROR)]))


@each_rule
def test_a_rule_reports_what_its_examples_say(rule: Rule) -> None:
    """At least one example reports, and at least one does not."""
    for example in rule.examples:
        found = report(rule, example.definitions, example.limits)

        assert example.reports == tuple(each.rule for each in found), example
    assert any(each.reports for each in rule.examples)
    assert any(not each.reports for each in rule.examples)


@each_rule
def test_a_rule_is_in_the_file_of_its_name(rule: Rule) -> None:
    """File, code, name and cases agree; the docstring is its page."""
    module = importlib.import_module(f"toolgauge.rules.library.{rule.name.replace('-', '_')}")
    page = module.__doc__ or ""

    assert module.RULE is rule
    assert re.fullmatch(r"TG[1-5]\d\d", rule.code)
    assert (rule.check is None) != (rule.check_list is None)
    assert (CASES / f"{rule.name}.md").exists()
    for section in ("Why is this bad?", "Instead", "Sources"):
        assert f"\n{section}\n" in page, section


def test_a_code_is_used_once() -> None:
    """The next free one of each family follows the highest, for a code is never used again."""
    rules_of: dict[str, list[str]] = {}
    for rule in RULES:
        rules_of.setdefault(rule.code, []).append(rule.name)
    shared = {code: names for code, names in rules_of.items() if len(names) > 1}
    highest = {code[:3]: code for code in sorted(rules_of)}
    free = ", ".join(f"TG{int(code[2:]) + 1}" for code in highest.values())

    assert not shared, f"codes of several rules: {shared}; next free: {free}"


def test_a_name_is_used_once() -> None:
    """Every file in the library is a rule that is found."""
    assert len(RULES) == len(list(LIBRARY.glob("[!_]*.py")))


@each_rule
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"name": None, "description": 5, "inputSchema": None},
        {"name": "a", "inputSchema": []},
        {"name": "a", "inputSchema": True},
        {"name": "a", "inputSchema": {"type": 5, "properties": [], "required": True}},
        {"name": "a", "inputSchema": {"properties": {"p": None, "q": 5}, "required": [5, None]}},
        {"name": "a", "inputSchema": {"type": ["object", 5], "enum": "x", "anyOf": {}}},
        {"name": "a", "inputSchema": {"$ref": "#"}},
        {"name": "a", "inputSchema": {"$ref": 5, "items": 5, "allOf": 5, "format": 5}},
        {"name": "a", "inputSchema": {"minimum": "x", "maxItems": "y", "pattern": 5, "$id": 5}},
        {"name": "a\x00\u202e", "inputSchema": {"properties": {"\x1b[31m": {}}}},
        {"function": 5, "name": {}},
        {"function": {"name": "x", "parameters": {"type": "object"}}, "type": "function"},
        "text",
        5,
        None,
        [],
    ],
    ids=lambda raw: str(raw)[:40],
)
def test_no_rule_falls_over_a_broken_definition(rule: Rule, raw: Any) -> None:
    """Findings, never a traceback."""
    for found in report(rule, [raw, raw], {}):
        assert found.rule == rule.code
        assert found.message
        assert all(isinstance(step, str | int) for step in found.path)


def sections() -> list[Any]:
    """Read the cases: prose says why, headings are the tests."""
    found = []
    for page in sorted(CASES.glob("*.md")):
        for part in re.split(r"^## ", page.read_text(), flags=re.MULTILINE)[1:]:
            title, _, body = part.partition("\n")
            blocks = {
                kind: json.loads(text)
                for kind, text in re.findall(
                    r"^```json (\w+)\n(.*?)^```", body, re.MULTILINE | re.DOTALL
                )
            }
            found.append(pytest.param(page.stem, blocks, id=f"{page.stem}: {title}"))
    return found


@pytest.mark.parametrize(("name", "blocks"), sections())
def test_a_case_is_reported_as_its_page_says(name: str, blocks: dict[str, Any]) -> None:
    """Each finding matches in what the page gives of it."""
    tools = blocks.get("tools", [blocks.get("tool")])
    found = report(rules()[name], tools, blocks.get("limits", {}))
    expected = blocks["findings"]

    assert len(expected) == len(found), [(each.path, each.message) for each in found]
    for want, each in zip(expected, found, strict=True):
        for key, value in want.items():
            given = list(each.path) if key == "path" else getattr(each, key)
            assert value == given
