"""How deep the tests go: short by default, deep under ``scripts/test --long``."""

from __future__ import annotations

import os

import pytest

IS_LONG = os.environ.get("TOOLGAUGE_LONG") == "1"
"""Whether this is the long run, which a release and a schedule make."""

long_run = pytest.mark.skipif(not IS_LONG, reason="takes long: scripts/test --long")
