"""A validator library is added by one file and one row, for input and output alike."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from datetime import UTC, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import attrs
import pytest

from toolgauge import Failure, Gate, define_tool, tool
from toolgauge.contract import compile_schema
from toolgauge.standard import Adapter, UnknownValidator, _vendors, adapters, standardize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIBRARY = '''
class Record:
    """A validator of a third party: an object with one word."""

    def __init__(self, key):
        self.key = key


class Word:
    """A value of it."""

    def __init__(self, text):
        self.text = text
'''

ADAPTER = """
import wordlib
from toolgauge.contract import Failure, Issue, Success
from toolgauge.standard import Adapter


def claims(obj):
    return isinstance(obj, wordlib.Record)


def validate(record):
    def check(value):
        if isinstance(value.get(record.key), str):
            return Success(wordlib.Word(value[record.key]))
        return Failure((Issue(path=(record.key,), message="is no word"),))

    return check


def schema(record, direction):
    said = {"description": direction}
    return {"type": "object", **said, "required": [record.key]}


def dump(record):
    return lambda word: {record.key: word.text}


ADAPTER = Adapter(vendor="wordlib", claims=claims, validate=validate, schema=schema, dump=dump)
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Install a library that knows nothing of toolgauge."""
    (tmp_path / "wordlib.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("wordlib")
    for name in ("wordlib", "wordlib_toolgauge", f"{adapters.__name__}.wordlib"):
        sys.modules.pop(name, None)


@pytest.fixture
def by_entry_point(tmp_path: Path) -> str:
    """Add the file in another package, and its row among the entry points."""
    (tmp_path / "wordlib_toolgauge.py").write_text(ADAPTER)
    info = tmp_path / "wordlib-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wordlib\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[toolgauge.vendors]\nwordlib = wordlib_toolgauge:ADAPTER\n"
    )
    return "wordlib_toolgauge"


@pytest.fixture
def by_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Add the file in the folder of adapters, and its row in the table."""
    folder = tmp_path / "adapters"
    folder.mkdir()
    (folder / "wordlib.py").write_text(ADAPTER)
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(folder)])
    row = _vendors.Vendor(packages=("wordlib",), adapter=f"{adapters.__name__}.wordlib")
    monkeypatch.setattr(_vendors, "LIBRARIES", (*_vendors.LIBRARIES, row))
    return row.adapter


each_way = pytest.mark.parametrize("added", ["by_entry_point", "by_folder"])


@each_way
@pytest.mark.anyio
async def test_it_validates_publishes_and_dumps(
    added: str, library: Any, request: pytest.FixtureRequest
) -> None:
    """As ``input`` and as ``output``, with a schema for each direction."""
    request.getfixturevalue(added)
    made = define_tool(
        name="say",
        input=library.Record("word"),
        output=library.Record("said"),
        handler=lambda word: library.Word(word.text.upper()),
    )
    gate = Gate([made])
    good, bad = await gate.call("say", {"word": "hi"}), await gate.call("say", {"word": 1})

    assert {"said": "HI"} == good.structured
    assert ["/word"] == [each.pointer for each in bad.issues]
    assert {"type": "object", "description": "input", "required": ["word"]} == made.input_schema
    assert made.output_schema is not None
    assert ("output", ["said"]) == (
        made.output_schema["description"],
        made.output_schema["required"],
    )


@each_way
def test_it_is_loaded_when_its_object_turns_up(
    added: str, library: Any, request: pytest.FixtureRequest
) -> None:
    """And not before: other objects do not pay for it."""
    module = request.getfixturevalue(added)
    standardize({"type": "object"})

    assert module not in sys.modules
    assert isinstance(
        standardize(library.Record("w")).__standard_schema__.validate({"w": 1}), Failure
    )
    assert module in sys.modules


@each_way
def test_what_it_does_not_claim_is_unknown(
    added: str, library: Any, request: pytest.FixtureRequest
) -> None:
    """A package has more objects than validators."""
    request.getfixturevalue(added)

    with pytest.raises(UnknownValidator):
        standardize(library.Word("no validator"))


@each_way
def test_a_function_may_return_what_is_no_validator(
    added: str, library: Any, request: pytest.FixtureRequest
) -> None:
    """Its annotation promises nothing, so the adapter is not asked to make a validator of it."""
    request.getfixturevalue(added)

    def say() -> Any: ...

    say.__annotations__["return"] = library.Word
    assert tool(say).output_schema is None


def test_every_file_of_the_folder_is_in_use() -> None:
    """It holds one record, and a row of the table names it, or it needs none."""
    files = {f"{adapters.__name__}.{each.name}" for each in pkgutil.iter_modules(adapters.__path__)}
    rows = {each.adapter for each in _vendors.LIBRARIES}

    assert rows <= files
    assert {"jsonschema", "named_tuple"} == {each.rpartition(".")[2] for each in files - rows}
    for each in rows:
        assert isinstance(importlib.import_module(each).ADAPTER, Adapter)


@attrs.define
class Parcel:
    """With values that JSON has no form for."""

    label: bytes
    price: Decimal
    number: UUID
    at: time
    takes: timedelta


def test_attrs_results_conform_to_the_published_schema() -> None:
    """What writes a result is what its schema was made from."""
    parcel = Parcel(
        b"\xff1", Decimal("1.5"), UUID(int=3), time(3, tzinfo=UTC), timedelta(seconds=4)
    )
    made = define_tool(name="send", input={}, output=Parcel, handler=lambda _: parcel)
    assert made.handler is not None
    found: Any = made.handler({})

    assert made.output_schema is not None
    assert compile_schema(made.output_schema, formats=True).is_valid(found.structured)
    assert "/zE=" == found.structured["label"]


def test_the_entry_points_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the metadata of every distribution takes milliseconds; each path has its own."""
    read: list[str] = []

    def entry_points(*, group: str) -> tuple[()]:
        read.append(group)
        return ()

    monkeypatch.setattr(_vendors, "entry_points", entry_points)
    monkeypatch.setattr(sys, "path", [*sys.path, "one"])
    for _ in range(3):
        standardize({"type": "object"})
        standardize(list[int])

    assert [_vendors.GROUP] == read
    monkeypatch.setattr(sys, "path", [*sys.path, "another"])
    standardize({"type": "object"})
    assert 2 == len(read)
