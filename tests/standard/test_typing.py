"""What type checkers make of the public API; ``tests/typing`` is checked, never run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CHECKERS = {
    "mypy": ["-m", "mypy", "tests/typing"],
    "pyright": ["-m", "pyright", "-p", "tests/typing"],
}


@pytest.mark.slow
@pytest.mark.parametrize("checker", list(CHECKERS))
def test_a_handlers_argument_has_the_type_that_input_gives(checker: str) -> None:
    """Each line that must be an error is marked, and a mark without one is an error too."""
    done = subprocess.run(
        [sys.executable, *CHECKERS[checker]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )

    assert 0 == done.returncode, done.stdout + done.stderr
