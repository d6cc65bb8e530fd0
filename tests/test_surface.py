"""What the packages offer, and what importing them costs."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOMS = ["toolgauge", "toolgauge.contract", "toolgauge.gate", "toolgauge.serve"]
ROOMS += ["toolgauge.upstream", "toolgauge.demo", "toolgauge.rules"]
ROOMS += ["toolgauge.envelope", "toolgauge.lowering", "toolgauge.changes"]
ROOMS += ["toolgauge.standard", "toolgauge.wire", "toolgauge.agent", "toolgauge.auditing"]
MOST_NAMES = 90
"""Most public names; a further one needs a reason."""
HEAVY: tuple[str, ...] = (
    "pydantic",
    "mcp",
    "uvicorn",
    "pyarrow",
    "starlette",
    "typer",
    "rich",
    "httpx",
)
HEAVY += ("msgspec", "cattrs", "marshmallow", "anthropic", "ray", "distributed")


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_offers_is_there_and_sorted(room: str) -> None:
    """``__all__`` is the public surface."""
    module = importlib.import_module(room)

    assert sorted(module.__all__, key=lambda name: (not name.isupper(), name)) == module.__all__
    assert all(hasattr(module, name) for name in module.__all__)


def test_the_jobs_stand_at_the_top() -> None:
    """Each is the one of its own package, and can be found by a person who looks around."""
    import toolgauge

    for name, room in toolgauge._LAZY.items():
        assert getattr(importlib.import_module(f"toolgauge.{room}"), name) is getattr(
            toolgauge, name
        )
        assert name in dir(toolgauge)
    assert toolgauge.__version__[0].isdigit()


def test_each_public_name_is_in_a_guide_and_on_the_page_of_names() -> None:
    """What nobody describes is not public, and what is not public is not imported from here."""
    import toolgauge

    docs = Path(__file__).parents[1] / "docs"
    page = (docs / "api.md").read_text(encoding="utf-8")
    guides = [path.read_text(encoding="utf-8") for path in docs.glob("*.md")]
    texts = [text for text in guides if text != page]

    assert set(toolgauge.__all__) == set(re.findall(r"^### (\w+)$", page, re.MULTILINE))
    assert [] == [
        name
        for name in toolgauge.__all__
        if not any(re.search(rf"\b{name}\b", text) for text in texts)
    ]
    assert MOST_NAMES >= len(toolgauge.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    """Loading on demand does not swallow it."""
    import toolgauge

    with pytest.raises(AttributeError):
        toolgauge.nothing  # noqa: B018


@pytest.mark.parametrize(
    "room",
    [
        "toolgauge",
        "toolgauge.agent",
        "toolgauge.contract",
        "toolgauge.envelope",
        "toolgauge.gate",
        "toolgauge.lowering",
        "toolgauge.rules",
        "toolgauge.standard",
        "toolgauge.wire",
    ],
)
def test_importing_loads_no_heavy_library(room: str) -> None:
    """Each is loaded when it is first needed."""
    code = f"import sys, {room}; print([name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert "[]" == found.stdout.strip()
