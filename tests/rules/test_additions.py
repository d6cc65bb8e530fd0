"""What it takes to add a rule or a target: one file, tried in a copy of the package.

The copy has the files of the package, and of the tests and scripts that judge it; what
is added is found by its place, and no file that is there already is changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolgauge.rules import rules

ROOT = Path(__file__).parents[2]

RULE = '''"""A tool name is written in capitals.

Why is this bad?
    Models copy the names of tools, and capitals cost more tokens.

Instead
    Write the name in lower case.

Sources
    None; this rule is a test's.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a name that is longer than ``limits["allowed"]`` and has capitals only."""
    if len(tool.full_name) > limits["allowed"] and tool.full_name.isupper():
        yield Finding(message="name is in capitals", path=tool.name_path)


RULE = Rule(
    code="%CODE%",
    name="shouted-tool-name",
    since="0.1.0",
    check=check,
    limits={"allowed": 0},
    examples=(
        Example(tool={"name": "SEARCH"}, reports=("%CODE%",)),
        Example(tool={"name": "search"}),
    ),
)
'''

CASES = """## Short names may be in capitals

```json limits
{"allowed": 2}
```

```json tools
[{"name": "GO"}, {"name": "STOP"}]
```

```json findings
[{"rule": "%CODE%", "path": ["name"], "message": "name is in capitals"}]
```
"""

TARGET = """extends = "openai"
drop = ["base-openai-duplicate-names"]
title = "Acme"
summary = "Acme takes tools in the shape of OpenAI, with shorter names and fewer tools."
groups = ["providers"]
effect = "the request is rejected"
read = 2026-11-29

[sources]
guide = "https://acme.example/docs/tools"

[[rules]]
id = "count"
rule = "too-many-tools"
limits.max = 2
sources = ["guide"]

[[rules]]
id = "base-openai-name"
limits.pattern = "^[a-z_]+$"
sources = ["guide", "PyPI acme==1.0.0: acme/tools.py"]
also = [{ rule = "overlong-tool-name", limits.max_length = 16 }]
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the package, the tests that judge rules and targets, and the generator of docs."""
    for folder in ("src/toolgauge", "scripts"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    (tmp_path / "tests" / "rules" / "cases").mkdir(parents=True)
    for name in ("test_library.py", "test_targets_ledger.py"):
        shutil.copy(ROOT / "tests" / "rules" / name, tmp_path / "tests" / "rules" / name)
    return tmp_path


def run(copy: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the copied package."""
    return subprocess.run(
        [sys.executable, *args],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_tests(copy: Path, file: str, chosen: str) -> subprocess.CompletedProcess[str]:
    """Run chosen tests of a copied file, without this project's settings."""
    options = ("-c", os.devnull, "-q", "-p", "no:cacheprovider", "-k", chosen)
    return run(copy, "-m", "pytest", *options, str(copy / "tests" / "rules" / file))


def add_rule(copy: Path, code: str) -> None:
    """Add a rule and its cases, two files."""
    library = copy / "src" / "toolgauge" / "rules" / "library"
    (library / "shouted_tool_name.py").write_text(RULE.replace("%CODE%", code))
    cases = copy / "tests" / "rules" / "cases"
    (cases / "shouted-tool-name.md").write_text(CASES.replace("%CODE%", code))


def test_a_rule_is_one_file_and_its_cases(copy: Path) -> None:
    """It is found, explained and documented, and passes what is asked of every rule."""
    add_rule(copy, "TG199")
    judged = run_tests(copy, "test_library.py", "shouted-tool-name or used_once")
    explained = run(copy, "-m", "toolgauge", "explain", "TG199")
    written = run(copy, "scripts/_generate_docs.py")
    page = copy / "docs" / "rules" / "TG199-shouted-tool-name.md"

    assert 0 == judged.returncode, judged.stdout
    assert 0 == explained.returncode, explained.stderr
    assert "A tool name is written in capitals." in explained.stdout
    assert 0 == written.returncode, written.stderr
    assert "Write the name in lower case." in page.read_text()


def test_a_code_that_is_taken_is_reported_with_the_next_free_one(copy: Path) -> None:
    """One for each family."""
    add_rule(copy, "TG103")
    judged = run_tests(copy, "test_library.py", "a_code_is_used_once")
    highest = {rule.code[:3]: int(rule.code[2:]) for rule in rules().values()}
    free = ", ".join(f"TG{code + 1}" for code in highest.values())

    assert 1 == judged.returncode
    assert "'TG103': ['overlong-tool-name', 'shouted-tool-name']" in judged.stdout
    assert f"next free: {free}" in judged.stdout


def test_a_target_is_one_file_of_less_than_60_lines(copy: Path) -> None:
    """It is found, checked against and documented, and passes the ledger."""
    assert TARGET.count("\n") < 60
    (copy / "src" / "toolgauge" / "rules" / "targets" / "acme.toml").write_text(TARGET)
    tools = copy / "tools.json"
    schema = {"type": "object", "properties": {}}
    tools.write_text(json.dumps([{"name": name, "inputSchema": schema} for name in "aBc"]))
    checked = run(
        copy, "-m", "toolgauge", "check", str(tools), "--target", "acme", "--format", "json"
    )
    judged = run_tests(copy, "test_targets_ledger.py", "acme")
    written = run(copy, "scripts/_generate_docs.py")
    page = copy / "docs" / "targets" / "acme.md"
    report = json.loads(checked.stdout)

    assert 1 == checked.returncode, checked.stderr
    assert {("too-many-tools", ""), ("malformed-tool-name", "/name")} <= {
        (each["name"], each["path"]) for each in report["findings"]
    }
    assert 0 == judged.returncode, judged.stdout
    assert 0 == written.returncode, written.stderr
    assert "`acme/base-openai-name`" in page.read_text()
    assert "duplicate-names" not in page.read_text()
