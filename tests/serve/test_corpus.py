"""Tools of real servers: served, listed, shown, and each schema compiled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.serve.tools import client

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "toollists"
FILES = sorted(CORPUS.glob("*.json"))

needs_corpus = pytest.mark.skipif(not FILES, reason="the corpus lies beside the project, not in it")


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_real_tool_list_is_served_whole(path: Path) -> None:
    """Every tool is listed in order, shown with its own schema, and validates."""
    tools: list[Any] = json.loads(path.read_text())["tools"]
    served = client(tools)
    listed = served.get("/tools").json()

    assert [tool["name"] for tool in tools] == [each["name"] for each in listed]
    for tool in tools:
        url = f"/tools/{quote(tool['name'], safe='')}"
        answer = served.post(f"{url}/validate", json={}).json()

        assert tool["inputSchema"] == served.get(url).json()["inputSchema"]
        assert "schema" not in [each["keyword"] for each in answer.get("errors", [])], tool["name"]
