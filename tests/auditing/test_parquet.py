"""Small Parquet files that stand for much: read in little memory, or one error with its place."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.test_runs import job, run
from toolgauge.auditing import UnitsFailed, Verdict, audit, find_inputs
from toolgauge.auditing.engines.local import local_engine
from toolgauge.auditing.pages import BadPages, iter_pages, repeated_bytes
from toolgauge.auditing.row_groups import MAX_DECODED_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

CALL = '{"city": "Oslo"}'


def repeated(value: str, number: int) -> pa.Array:
    """Make a column of one value, which takes little memory."""
    indices = pa.repeat(pa.scalar(0, pa.int32()), number)
    return pa.DictionaryArray.from_arrays(indices, pa.array([value]))


def lists(column: pa.Array) -> pa.Array:
    """Make one row that holds all values of a column."""
    return pa.ListArray.from_arrays(pa.array([0, len(column)], pa.int32()), column)


def texts(number: int) -> pa.Table:
    """Make rows of one text of a megabyte, stored once."""
    text = '{"city": "' + "x" * 1_300_000 + '"}'
    return pa.table({"tool": repeated("weather", number), "arguments": repeated(text, number)})


def one_row(arguments: pa.Array) -> pa.Table:
    """Make one row with these arguments."""
    return pa.table({"tool": ["weather"], "arguments": arguments})


BOMBS: dict[str, tuple[Callable[[], pa.Table], dict[str, Any]]] = {
    "texts": (lambda: texts(4_096), {}),
    "rows": (
        lambda: pa.table(
            {
                "tool": repeated("weather", 5_000_000),
                "arguments": repeated(CALL, 5_000_000),
                "session": repeated("s" * 500, 5_000_000),
            }
        ),
        {"row_group_size": 5_000_000},
    ),
    "list of numbers": (lambda: one_row(lists(pa.repeat(pa.scalar(0), 50_000_000))), {}),
    "list of nulls": (lambda: one_row(lists(pa.nulls(50_000_000, pa.string()))), {}),
    "list of texts": (lambda: one_row(lists(repeated("x" * 1_000_000, 4_096))), {}),
    "list of objects": (
        lambda: one_row(
            lists(pa.StructArray.from_arrays([pa.nulls(30_000_000, pa.bool_())], ["a"]))
        ),
        {},
    ),
    "list of texts with one beginning": (
        lambda: one_row(lists(pa.array(["x" * 500_000 + str(n) for n in range(1_000)]))),
        {
            "use_dictionary": False,
            "column_encoding": {"arguments.list.element": "DELTA_BYTE_ARRAY"},
        },
    ),
    "one text": (
        lambda: one_row(pa.array(["x" * (MAX_DECODED_BYTES + 1)])),
        {"use_dictionary": False},
    ),
}


def peak_of(path: Path) -> tuple[int, float, str]:
    """Audit a file in a process of its own: its peak in bytes, its CPU in seconds, its words."""
    code = (
        "import time\n"
        "from tests.auditing.test_runs import job, run\n"
        "from tests.cost import peak_kib\n"
        "import pyarrow.parquet\n"
        "before, began_s = peak_kib(), time.process_time()\n"
        "try:\n"
        f"    print(dict(run({str(path)!r}, job()).tally.verdicts))\n"
        "except Exception as error:\n"
        "    print(error)\n"
        "print(peak_kib() - before, time.process_time() - began_s)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    *words, figures = done.stdout.splitlines()
    peak, cpu = figures.split()
    return int(peak) * 1024, float(cpu), "\n".join(words)


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_decodes_to_much_is_one_error_in_little_memory(
    name: str, tmp_path: Path
) -> None:
    """Whether texts, lists, rows or one page are large; the file and the bound are named."""
    make, options = BOMBS[name]
    path = tmp_path / "calls.parquet"
    pq.write_table(make(), path, compression="zstd", **options)
    peak, cpu, words = peak_of(path)

    assert path.stat().st_size < 400_000
    assert f"{path} after line" in words
    assert any(each in words for each in ("limit is", "times the size"))
    assert 1 == len(words.splitlines())
    # Far less than what it decodes to, and than what must be read of any file.
    assert peak < 256 * 1024 * 1024
    assert cpu < 30


def test_the_other_files_of_a_run_are_finished(tmp_path: Path) -> None:
    """As with a file that is damaged."""
    good, bad = tmp_path / "calls" / "a.parquet", tmp_path / "calls" / "b.parquet"
    good.parent.mkdir()
    pq.write_table(pa.table({"tool": ["weather"], "arguments": [CALL]}), good)
    pq.write_table(BOMBS["list of numbers"][0](), bad, compression="zstd")
    output = tmp_path / "out"
    with pytest.raises(UnitsFailed, match=r"1 of the work units.*b\.parquet"):
        audit(find_inputs([str(good.parent)]), job(output), engine=local_engine(1))
    assert 1 == len(list((output / "units").iterdir()))
    assert not (output / "_SUCCESS").exists()

    pq.write_table(pa.table({"tool": ["weather"], "arguments": [CALL]}), bad)
    found = audit(
        find_inputs([str(good.parent)]), job(output), engine=local_engine(1), overwrite=True
    )
    assert 2 == found.tally.verdicts[Verdict.VALID]


def test_texts_that_come_again_and_again_are_read_in_little_memory(tmp_path: Path) -> None:
    """Rows of 200 MB that are stored in a megabyte, within what any file may have."""
    path = tmp_path / "calls.parquet"
    pq.write_table(texts(150), path, compression="none")
    peak, _, words = peak_of(path)

    assert "{<Verdict.VALID: 'valid'>: 150}" == words
    assert peak < 128 * 1024 * 1024


def test_a_row_that_is_longer_than_a_line_may_be_is_a_verdict(tmp_path: Path) -> None:
    """As in a file of lines; the rows around it are judged."""
    path = tmp_path / "calls.parquet"
    long = '{"city": "' + "x" * 5_000 + '"}'
    for dictionary in (True, False):
        table = pa.table({"tool": ["weather"] * 3, "arguments": [CALL, long, CALL]})
        pq.write_table(table, path, use_dictionary=dictionary)
        found = run(path, job(max_line_bytes=5_000))

        assert {"valid": 2, "unparsable_row": 1} == dict(found.tally.verdicts)
        assert 3 == run(path, job(max_line_bytes=6_000)).tally.verdicts[Verdict.VALID]


@pytest.mark.parametrize("row_group_size", [1, 7, 1_000, 100_000])
@pytest.mark.parametrize(
    "options",
    [
        {"compression": "none"},
        {"compression": "snappy", "data_page_version": "2.0"},
        {"compression": "lz4", "data_page_size": 200},
        {"compression": "gzip", "use_dictionary": False},
        {"compression": "brotli", "dictionary_pagesize_limit": 500},
        {
            "compression": "zstd",
            "use_dictionary": False,
            "column_encoding": {"tool": "DELTA_BYTE_ARRAY", "arguments": "DELTA_LENGTH_BYTE_ARRAY"},
        },
    ],
    ids=["none", "v2", "lz4", "plain", "fallback", "delta"],
)
def test_a_file_gives_the_same_rows_however_it_is_written(
    options: dict[str, Any], row_group_size: int, tmp_path: Path
) -> None:
    """In every encoding and codec, and in row groups of any size; large texts are indices."""
    path = tmp_path / "calls.parquet"
    rows = [
        {"tool": "weather", "arguments": '{"city": "%s"}' % ("x" * (9_000 if n % 7 else n))}
        for n in range(60)
    ]
    table = pa.concat_tables(
        [pa.Table.from_pylist(rows), pa.table({"tool": [None]})], promote_options="permissive"
    )
    pq.write_table(table, path, row_group_size=row_group_size, **options)

    verdicts = run(path, job()).tally.verdicts
    assert {"valid": 60, "malformed_call": 1} == dict(verdicts)


def test_a_footer_that_says_less_than_the_pages_is_no_way_around(tmp_path: Path) -> None:
    """What pages claim is read in the pages; a file that lies about them is damaged, or bounded."""
    path = tmp_path / "calls.parquet"
    pq.write_table(one_row(lists(pa.repeat(pa.scalar(0), 50_000_000))), path, compression="zstd")
    data = path.read_bytes()
    # The number of values in the footer, as Thrift writes it: fewer than there are.
    many, few = _zigzag(50_000_000), _zigzag(2_097_153)
    start = data.index(many) + len(many)  # that of the page's own header
    path.write_bytes(data[:start] + data[start:].replace(many, few))
    assert 2_097_153 == pq.ParquetFile(path).metadata.row_group(0).column(1).num_values
    with pytest.raises(UnitsFailed, match=r"limit is|damaged"):
        run(path, job())


def _zigzag(value: int) -> bytes:
    value *= 2
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


@pytest.mark.parametrize(
    "header",
    [
        b"\x15" + b"\xff" * 20,
        b"\x1c" * 50,
        b"\x19\xf9\xff\xff\xff\x0f" * 20,
        b"\x15\x00\x15\x01\x15\x01\x00",
        b"\x00",
        b"\x15\x00\x15\x02\x15\x02\x2c\x00\x00",
        b"\x1e\x00",
    ],
    ids=["number", "structs", "lists", "negative", "empty", "no values", "type"],
)
def test_a_page_header_that_is_none_is_an_error(header: bytes) -> None:
    """Never a loop, and never deeper than a header is."""
    with pytest.raises(BadPages):
        list(iter_pages(memoryview(header), 1))


def test_pages_that_are_cut_short_end() -> None:
    """What decodes them says that they are damaged."""
    assert [] == list(iter_pages(memoryview(b"\x15\x00\x15"), 1))
    assert [] == list(iter_pages(memoryview(b"\x19\xf7\xff\xff\xff\x0f"), 1))


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_the_size_of_texts_that_repeat_a_beginning_is_known(
    version: str, compression: str, tmp_path: Path
) -> None:
    """Between what they have, and that and the page."""
    chance = random.Random(3)
    words = sorted("".join(chance.choices("ab", k=chance.randrange(40))) for _ in range(3_000))
    path = tmp_path / "calls.parquet"
    pq.write_table(
        pa.table({"l": [words[:1_000], [], None, words[1_000:]]}),
        path,
        compression=compression,
        use_dictionary=False,
        column_encoding={"l.list.element": "DELTA_BYTE_ARRAY"},
        data_page_version=version,
    )
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(0)
    data = memoryview(path.read_bytes())[chunk.data_page_offset :]
    (page,) = iter_pages(data, chunk.num_values)
    size = sum(map(len, words))

    assert page.repeats
    assert size <= repeated_bytes(page, chunk.compression) <= size + page.size
