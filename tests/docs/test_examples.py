"""Examples in the README, the guides and docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import toolgauge

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = [
    each.name
    for each in pkgutil.walk_packages(toolgauge.__path__, "toolgauge.")
    if not each.name.endswith("__main__")
]


def blocks(page: Path, language: str) -> list[str]:
    """Give the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_of_a_page_run(page: Path) -> None:
    """One after the other, in one namespace: a later block may use an earlier one."""
    namespace: dict[str, object] = {}
    for number, block in enumerate(blocks(page, "python")):
        # As in a file of its own: this one's __future__ import would turn annotations to text.
        code = compile(block, f"{page.name} block {number}", "exec", dont_inherit=True)
        exec(code, namespace)  # noqa: S102 - that is the test


COMMANDS = [
    pytest.param(command, output, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, (command, output) in enumerate(
        found
        for block in blocks(page, "console")
        for found in re.findall(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE)
    )
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_console_examples_print_what_the_page_says(command: str, output: str) -> None:
    """As in doctest, ``...`` stands for whatever differs from run to run."""
    words = shlex.split(command.replace("\\\n", " "))
    assert words[0] == "toolgauge"
    done = subprocess.run(
        [sys.executable, "-m", *words],
        check=False,  # some examples show findings
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        env={"COLUMNS": "100", "PATH": str(Path(sys.executable).parent), "NO_COLOR": "1"},
    )
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

    assert checker.check_output(output, done.stdout, flags), done.stdout + done.stderr


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    """Each module's doctests."""
    found = doctest.testmod(importlib.import_module(name))

    assert 0 == found.failed


def test_links_between_pages_lead_somewhere() -> None:
    """Relative links and pictures."""
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]

    assert not broken


def test_the_number_of_targets_is_the_true_one() -> None:
    """Where the README and the guides name it."""
    from toolgauge.rules import targets

    told = {
        int(number)
        for page in PAGES
        for number in re.findall(r"\b(\d+) (?:\[?targets|providers, runtimes)", page.read_text())
        if int(number) > 10
    }

    assert {len(targets())} == told
