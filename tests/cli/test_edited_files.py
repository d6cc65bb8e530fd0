"""Restore maps and locks that somebody edited: one error with its place, or the same result."""

# ruff: noqa: PT017 - thousands of documents, each of which may or may not raise

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.specimens import GOOD
from tests.cli.test_lower import OPTIONAL
from toolgauge.changes import InvalidLock, OtherLockVersion, dump_lock, lock_of, read_lock
from toolgauge.contract import InvalidTool, ToolgaugeError, to_pointer
from toolgauge.lowering import InvalidMap, lower, restorer_from_map
from toolgauge.rules import targets
from toolgauge.upstream import files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Run
    from toolgauge.lowering import Restorer

VALUES: list[Any] = [None, True, -1.5, "", "#/x", [], [None], {}, {"x": 1}]
"""Each type of JSON, some of them twice."""

TREE: dict[str, Any] = {
    "name": "plant",
    "inputSchema": {
        "type": "object",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            }
        },
        "properties": {
            "tree": {"$ref": "#/$defs/node"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "free": {},
            "size": {"enum": [1, 2, None]},
            "né": {"type": "string"},
            "either": {
                "anyOf": [
                    {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
                    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}},
                ]
            },
        },
        "required": ["labels"],
    },
}
CALLS: list[Any] = [
    {},
    {"q": "x", "tags": None},
    {
        "tree": {"kids": None},
        "labels": [{"key": "a", "value": "b"}],
        "free": "[1]",
        "size": "2",
        "n_": "x",
        "either": {"a": None, "b": None},
    },
    {"labels": 5, "free": None, "size": "9", "either": None},
]


def whole_map() -> dict[str, Any]:
    """Make a map that has marks of every kind."""
    lowered = lower([OPTIONAL, TREE], targets()["openai-strict"])
    found: dict[str, Any] = json.loads(json.dumps(lowered.to_map()))
    return found


def edits(document: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Give each place with the document that has another value there, or none."""
    places: list[tuple[str | int, ...]] = []

    def walk(value: Any, path: tuple[str | int, ...]) -> None:
        places.append(path)
        if isinstance(value, dict | list):
            for key, each in value.items() if isinstance(value, dict) else enumerate(value):
                walk(each, (*path, key))

    walk(document, ())
    every = [(path, value) for path in places for value in (*VALUES, ...) if path or value != ...]
    # Some of each place, and of each value: all of them take minutes.
    for path, value in every[::7]:
        yield path, changed(document, path, value)


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Give a copy with another value in one place; without it for ``...``."""
    if not path:
        return value
    copy = deepcopy(document)
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return copy


def results(restorer: Restorer, names: list[str]) -> list[Any]:
    """Restore some calls of each tool."""
    return [restorer.restore_report(name, call) for name in names for call in CALLS]


@pytest.mark.parametrize("has_fingerprint", [True, False])
def test_a_map_with_any_other_value_anywhere_is_an_error_or_gives_the_same(
    *, has_fingerprint: bool
) -> None:
    """With its fingerprint nothing else is read out of it; without, nothing breaks later."""
    document = whole_map()
    if not has_fingerprint:
        del document["fingerprint"]
    names = list(document["tools"])
    expected = results(restorer_from_map(document), names)
    errors = 0
    for path, edited in edits(document):
        try:
            restorer = restorer_from_map(edited)
        except InvalidMap as error:
            errors += 1
            assert 1 == len(str(error).splitlines()), path
            # The place that is named is in the same step; what leads there may be elsewhere in it.
            near = min(len(path), len(error.path), 4)
            assert error.path == ("fingerprint",) or path[:near] == error.path[:near], path
            continue
        if not has_fingerprint:
            for name in edited["tools"]:
                results(restorer, [name])
        else:
            known = [each for each in names if each in edited["tools"]]
            assert known == names, path
            assert expected == results(restorer, names), path
    assert errors > 100


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), True),
        (("version",), 2),
        (("target",), 5),
        (("tools",), []),
        (("tools", "search"), 1),
        (("tools", "search", "name"), None),
        (("tools", "search", "steps"), {}),
        (("tools", "search", "steps", 0, "pass"), "close"),
        (("tools", "search", "steps", 0, "schema", "properties"), 5),
        (("tools", "search", "steps", 0, "schema", "$ref"), "#/nowhere"),
        (("tools", "search", "steps", 0, "marks", "/nowhere"), {"optional": [], "kept": []}),
        (("tools", "search", "steps", 0, "marks", "", "optional"), [5]),
        (("tools", "search", "steps", 0, "marks", "", "either"), "yes"),
        (("fingerprint",), "sha256:0"),
        (("fingerprint",), None),
    ],
)
def test_the_error_names_the_file_and_the_place(
    path: tuple[str | int, ...], value: Any, run: Run, tmp_path: Path
) -> None:
    """As a JSON Pointer, in one line, with exit code 3; also in the document of ``lower``."""
    document = changed(whole_map(), path, value)
    for within, whole in (((), document), (("map",), {"losses": [], "map": document})):
        file = tmp_path / "calls.map.json"
        file.write_text(json.dumps(whole))
        ended = run("restore", "--map", str(file))

        assert (3, "") == (ended.code, ended.out)
        assert 1 == len(ended.err.splitlines())
        assert f"{file}: not a restore map at {to_pointer((*within, *path))}: " in ended.err


def test_a_map_of_an_earlier_version_has_no_fingerprint() -> None:
    """It is read all the same."""
    document = whole_map()
    expected = results(restorer_from_map(document), list(document["tools"]))
    del document["fingerprint"]

    assert expected == results(restorer_from_map(document), list(document["tools"]))


def test_a_document_that_holds_itself_is_no_map() -> None:
    """Nor one that nests without end."""
    loop: dict[str, Any] = {"version": 1, "target": "x"}
    loop["tools"] = loop
    with pytest.raises(InvalidMap):
        restorer_from_map(loop)


def test_a_lock_with_any_other_value_anywhere_is_an_error_or_the_same() -> None:
    """Each definition has its fingerprint, and all together have one."""
    lock = lock_of([GOOD, OPTIONAL, TREE])
    document = json.loads(dump_lock(lock))
    errors = 0
    for path, edited in edits(document):
        try:
            assert dump_lock(lock) == dump_lock(read_lock(json.dumps(edited))), path
        except (InvalidLock, OtherLockVersion, InvalidTool) as error:
            errors += 1
            assert isinstance(error, ToolgaugeError)
            assert 1 == len(str(error).splitlines())
            assert len(str(error)) < 600
    assert errors > 100


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (("tools",), [], "/tools"),
        (("tools", "search"), 5, "/tools/search"),
        (("tools", "search", "inputSchema"), 5, "/tools/search/fingerprint"),
        (("tools", "search", "fingerprint"), None, "/tools/search/fingerprint"),
        (("fingerprint",), 5, "/fingerprint"),
    ],
)
def test_diff_names_the_lock_and_the_place(
    path: tuple[str | int, ...], value: Any, pointer: str, run: Run, tmp_path: Path
) -> None:
    """In one line, with exit code 3."""
    document = changed(json.loads(dump_lock(lock_of([OPTIONAL]))), path, value)
    file = tmp_path / "a.lock"
    file.write_text(json.dumps(document))
    ended = run("diff", str(file), "toolgauge.demo:tools")

    assert (3, "") == (ended.code, ended.out)
    assert 1 == len(ended.err.splitlines())
    assert f"{file.name}: not a toolgauge lock at {pointer}: " in ended.err


def test_a_member_that_is_there_twice_is_found_in_a_moment() -> None:
    """However many others there are."""
    import time

    members = ", ".join(f'"m{n}": 1' for n in range(200_000))
    text = f'{{"version": 2, "tools": {{}}, {members}, "m199999": 1}}'
    before = time.process_time()
    with pytest.raises(InvalidLock, match="m199999"):
        read_lock(text)
    assert time.process_time() - before < 10


def test_files_past_the_bound_are_one_error(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each names its file and the bound; nothing is replaced."""
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1_000)
    file = tmp_path / "large"
    file.write_text(" " * 1_001)
    for words in (
        ("restore", "--map", str(file)),
        ("lock", "toolgauge.demo:tools", "--check", "-o", str(file)),
        ("lock", "toolgauge.demo:tools", "-o", str(file)),
    ):
        ended = run(*words)
        assert 3 == ended.code
        assert 1 == len(ended.err.splitlines())
        assert f"{file}: is larger than 1000 bytes" in ended.err
    assert 1_001 == file.stat().st_size


@pytest.mark.parametrize("word", ["restore", "lock"])
def test_a_device_without_end_is_one_error(
    word: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says no size; what is read of it is bounded."""
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1_000_000)
    words = {
        "restore": ("restore", "--map", "/dev/zero"),
        "lock": ("lock", "toolgauge.demo:tools", "--check", "-o", "/dev/zero"),
    }
    ended = run(*words[word])

    assert 3 == ended.code
    assert "/dev/zero: is larger than 1000000 bytes" in ended.err
