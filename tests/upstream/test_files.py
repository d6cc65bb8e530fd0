from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolgauge.upstream import (
    FileSource,
    SourceNotFound,
    SourceNotTools,
    SourceUnreadable,
    Upstream,
    open_source,
    parse_source,
)
from toolgauge.upstream import files as files_module

pytestmark = pytest.mark.anyio

SHARED = next(
    (each / "shared" for each in Path(__file__).parents if (each / "shared" / "corpus").is_dir()),
    Path("absent"),
)
TOOLLISTS = sorted((SHARED / "corpus" / "toollists").glob("*.json"))


async def opened(path: Path) -> Upstream:
    """Open a file and give what it holds."""
    async with open_source(FileSource(path)) as upstream:
        return upstream


def written(folder: Path, document: object) -> Path:
    """Write a document to a file."""
    path = folder / "tools.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.skipif(not TOOLLISTS, reason="the corpus ../shared is absent")
async def test_every_real_tool_list_opens() -> None:
    """Each tool of each real server is there, in order, and none has a problem."""
    for path in TOOLLISTS:
        names = [tool["name"] for tool in json.loads(path.read_bytes())["tools"]]

        upstream = await opened(path)

        assert names == [tool["name"] for tool in upstream.tools], path.name
        assert () == upstream.problems, path.name
        assert upstream.handle_call is None


async def test_one_bad_tool_never_hides_the_others(tmp_path: Path) -> None:
    """Nameless entries are left out, the rest stays, and each flaw is named."""
    good = {"name": "good", "inputSchema": {"type": "object"}}
    entries: list[Any] = [
        good,
        {"inputSchema": {}},
        {"name": 5},
        None,
        {"name": "odd", "inputSchema": []},
        {"name": "flat", "outputSchema": 3, "description": [], "annotations": "no"},
        good,
        {"type": "web_search"},
    ]

    upstream = await opened(written(tmp_path, entries))

    assert ["good", "odd", "flat", "good"] == [tool["name"] for tool in upstream.tools]
    assert [
        (None, 1),
        (None, 2),
        (None, 3),
        ("odd", 4),
        ("flat", 5),
        ("flat", 5),
        ("flat", 5),
        ("good", 6),
        (None, None),  # the provider's own: no tool of the list
    ] == [(each.name, each.index) for each in upstream.problems]


async def test_a_problem_travels_as_json(tmp_path: Path) -> None:
    """A program reads the same three fields."""
    upstream = await opened(written(tmp_path, [{"name": 7, "inputSchema": {}}]))

    (wire,) = [each.to_json() for each in upstream.problems]
    assert {"name", "index", "message"} == set(wire)


async def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    """A typing error is told apart from a broken file."""
    for name in ("absent.json", "python -m server"):
        with pytest.raises(SourceNotFound):
            await opened(tmp_path / name)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"tools: []",
        b'[{"name": NaN}]',
        b"\xef\xbb\xbf[]",
        b"\xff\xfe[\x00]\x00",
        b"[" * 5_000 + b"]" * 5_000,
    ],
)
async def test_a_file_that_is_not_json_is_unreadable(tmp_path: Path, data: bytes) -> None:
    """The strict parser of the contract decides."""
    path = tmp_path / "tools.json"
    path.write_bytes(data)

    with pytest.raises(SourceUnreadable):
        await opened(path)


async def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    """What the system says is told in its words."""
    with pytest.raises(SourceUnreadable):
        await opened(tmp_path)


async def test_a_file_past_the_bound_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than the bound is ever read."""
    monkeypatch.setattr(files_module, "MAX_FILE_BYTES", 10)

    with pytest.raises(SourceUnreadable):
        await opened(written(tmp_path, {"tools": [{"name": "t"}]}))


async def test_json_without_tools_says_what_it_holds(tmp_path: Path) -> None:
    """The reason names what was found instead."""
    with pytest.raises(SourceNotTools) as caught:
        await opened(written(tmp_path, {"openapi": "3.1.0", "paths": {}}))

    assert "openapi, paths" in caught.value.reason


async def test_a_label_shows_no_folder(tmp_path: Path) -> None:
    """A page that others see does not tell where the file lies."""
    path = written(tmp_path, [])

    upstream = await opened(path)

    assert "tools.json" == upstream.label
    assert parse_source([str(path)]) == FileSource(path)


@pytest.mark.parametrize("levels", [300, 1_000, 5_000])
async def test_a_tool_that_nests_too_deep_hides_no_other(tmp_path: Path, levels: int) -> None:
    """It cannot be used, and it can still be looked at down to a bound."""
    deep = '{"properties":{"p":' * levels + "{}" + "}}" * levels
    path = tmp_path / "tools.json"
    good = '{"name": "good", "inputSchema": {}}'
    path.write_text(f'[{good}, {{"name": "deep", "inputSchema": {deep}}}]')

    upstream = await opened(path)

    assert ["good"] == [tool["name"] for tool in upstream.tools]
    assert ["good", "deep"] == [entry.raw["name"] for entry in upstream.entries]
    assert [("deep", 1)] == [(problem.name, problem.index) for problem in upstream.problems]


async def test_deep_text_that_is_not_json_is_not_json(tmp_path: Path) -> None:
    """Cutting repairs nothing."""
    path = tmp_path / "tools.json"
    for text in ("[" * 5_000, "[" * 5_000 + "]" * 4_999, "[" * 300 + "]" * 300 + ","):
        path.write_text(text)

        with pytest.raises(SourceUnreadable):
            await opened(path)
