"""Input and output in an object store: moto's S3 server, which speaks the real protocol."""

from __future__ import annotations

import gzip
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow.fs as pafs
import pytest
from moto.server import ThreadedMotoServer

from tests.auditing.test_runs import Stop, job, records, rows, run, stopping
from toolgauge.auditing import (
    ForeignOutput,
    MissingInput,
    PartFormat,
    UnwritableOutput,
    find_inputs,
)
from toolgauge.auditing.files import inner_name, shown_name
from toolgauge.auditing.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from toolgauge.auditing import Job

BUCKET = "calls"


class Told(logging.Handler):
    """Collects what is logged."""

    def __init__(self, records: list[logging.LogRecord]) -> None:
        super().__init__()
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self._records.append(record)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start the server; give its host and port."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    found = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    found.start()
    host, port = found.get_host_and_port()
    yield f"{host}:{port}"
    found.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, str]]:
    """Make an empty bucket; give its file system, and the options that lead to it."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    options = f"?endpoint_override={server}&scheme=http&region=us-east-1"
    making = f"s3://{BUCKET}{options}&allow_bucket_creation=true&allow_bucket_deletion=true"
    system, _ = pafs.FileSystem.from_uri(making)
    system.create_dir(BUCKET)
    yield system, options
    system.delete_dir(BUCKET)


def put(system: Any, name: str, data: bytes) -> None:
    """Write an object."""
    with system.open_output_stream(f"{BUCKET}/{name}", compression=None) as file:
        file.write(data)


def remote_job(options: str, name: str = "out", **more: Any) -> Job:
    """Make the job whose output is in the bucket."""
    return replace(job(**more), output=f"s3://{BUCKET}/{name}{options}")


def remote_records(system: Any, name: str = "out") -> list[dict[str, Any]]:
    """Give all records that the manifest of a run names."""
    with system.open_input_stream(f"{BUCKET}/{name}/manifest.json") as file:
        manifest = orjson.loads(file.read())
    found: list[dict[str, Any]] = []
    for part in manifest["parts"]:
        with system.open_input_file(f"{BUCKET}/{name}/{part['part']}") as file:
            found += map(orjson.loads, file.read().splitlines())
    return found


def listed(system: Any, name: str) -> list[str]:
    """List the objects below a name."""
    infos = system.get_file_info(pafs.FileSelector(f"{BUCKET}/{name}", recursive=True))
    return [each.path for each in infos if each.type == pafs.FileType.File]


def test_a_run_in_a_bucket_gives_what_a_run_here_gives(
    bucket: tuple[Any, str], write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Of a folder of objects; no record holds a key or an option."""
    system, options = bucket
    path = write_lines(rows())
    put(system, "in/a.jsonl", path.read_bytes())
    put(system, "in/_started", b"not a file of calls")
    expected = run(path, job(tmp_path / "out"), unit_bytes=3_000)
    address = f"s3://key:secret@{BUCKET}/in/{options}"
    found = run(address, remote_job(options), unit_bytes=3_000)

    assert expected.tally.verdicts == found.tally.verdicts
    assert [
        {**each, "file": f"s3://{BUCKET}/in/a.jsonl"} for each in records(tmp_path / "out")
    ] == (remote_records(system))
    everything = b"".join(system.open_input_stream(each).read() for each in listed(system, "out"))
    assert b"secret" not in everything
    assert b"endpoint_override" not in everything


def test_a_stopped_run_goes_on_in_the_bucket(
    bucket: tuple[Any, str], write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Parts of attempts that nobody noted are taken away; the manifest decides."""
    system, options = bucket
    path = write_lines(rows())
    expected = run(path, job(tmp_path / "whole"), unit_bytes=3_000)
    with pytest.raises(Stop):
        run(path, remote_job(options), unit_bytes=3_000, engine=stopping(2))
    begun = [each for each in listed(system, "out") if "/parts/" in each]
    found = run(path, remote_job(options), unit_bytes=3_000)
    parts = [each for each in listed(system, "out") if "/parts/" in each]

    # The third unit was written, and its note was not.
    assert 3 == len(begun)
    assert len(found.reports) == len(parts)
    assert 2 == len(set(begun) & set(parts))
    assert expected.tally.to_json() == found.tally.to_json()
    assert records(tmp_path / "whole") == remote_records(system)
    with pytest.raises(ForeignOutput, match="finished"):
        run(path, remote_job(options), unit_bytes=3_000)
    assert (
        run(path, remote_job(options), unit_bytes=3_000, overwrite=True).tally.to_json()
        == found.tally.to_json()
    )


def test_the_endpoint_may_come_from_the_environment(
    bucket: tuple[Any, str],
    server: str,
    write_lines: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``AWS_ENDPOINT_URL``, as other programs read it."""
    system, _ = bucket
    put(system, "calls.jsonl", write_lines(rows()).read_bytes())
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    found = run(f"s3://{BUCKET}/calls.jsonl", remote_job("", part_format=PartFormat.PARQUET))

    assert found.tally.rows
    assert any(each.endswith(".parquet") for each in listed(system, "out/parts"))


@pytest.mark.parametrize("name", ["calls.jsonl", "calls.jsonl.gz"])
def test_an_object_is_read_in_few_requests(
    name: str, bucket: tuple[Any, str], write_lines: Callable[..., Path]
) -> None:
    """A request takes as long as some megabytes of it."""
    system, options = bucket
    plain = write_lines(rows(4_000) * 10).read_bytes()
    data = gzip.compress(plain, 0) if name.endswith(".gz") else plain
    put(system, name, data)
    told: list[logging.LogRecord] = []
    log, handler = logging.getLogger("werkzeug"), Told(told)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        found = run(f"s3://{BUCKET}/{name}{options}", job())
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.ERROR)
    gets = [each for each in told if f"GET /{BUCKET}/{name} " in each.getMessage()]

    assert sum(each != b"" for each in plain.splitlines()) == found.tally.rows
    # Its first bytes, then twice over a plain one (its lines are counted first).
    assert len(data) > 2_097_152
    assert 3 <= len(gets) <= 8


def test_what_is_not_there_is_one_sentence_without_keys(bucket: tuple[Any, str]) -> None:
    """An object, and a kind of store."""
    _, options = bucket
    with pytest.raises(MissingInput, match="no such file") as caught:
        find_inputs([f"s3://key:secret@{BUCKET}/nothing.jsonl{options}"])
    assert "secret" not in str(caught.value)
    with pytest.raises(MissingInput, match=r"Unrecognized|unrecognized"):
        find_inputs(["pigeon://loft/calls.jsonl"])
    with pytest.raises(UnwritableOutput, match="pigeon"):
        Store("pigeon://loft/out")


def test_a_bucket_that_is_not_there_cannot_be_written(
    bucket: tuple[Any, str], write_lines: Callable[..., Path]
) -> None:
    """One sentence that names it."""
    _, options = bucket
    with pytest.raises(UnwritableOutput, match="s3://calls-of-nobody/out cannot be written"):
        Store(f"s3://calls-of-nobody/out{options}").write("run.json", b"{}")


def test_an_object_that_was_not_written_to_its_end_is_not_there(bucket: tuple[Any, str]) -> None:
    """Whatever stopped it."""
    _, options = bucket
    store = Store(f"s3://{BUCKET}/out{options}")

    def write_half() -> None:
        with store.open("parts/part") as file:
            file.write(b"half")
            raise Stop

    with pytest.raises(Stop):
        write_half()
    assert not store.has("parts/part")
    assert [] == store.names("parts")


def test_names_of_places_keep_their_options_and_hide_their_keys() -> None:
    """A folder's options are those of its files; nobody sees a key."""
    folder = "s3://key:se%2Fcret@bucket/in/?region=eu"

    assert "s3://key:se%2Fcret@bucket/in/a.jsonl?region=eu" == inner_name(folder, "a.jsonl")
    assert "s3://bucket/in/a.jsonl" == shown_name(inner_name(folder, "a.jsonl"))
    assert "a@b?c" == shown_name("a@b?c")
    assert "in/a@b" == inner_name("in/", "a@b")
