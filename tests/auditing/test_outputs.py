"""The folder of a run: whose it is, what is removed from it, and who may write to it."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from tests.auditing.test_runs import Stop, job, rows, run, stopping
from toolgauge.auditing import ForeignOutput, UnwritableOutput
from toolgauge.auditing.engines.local import local_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from toolgauge.auditing.engines import Outcome, Work
    from toolgauge.auditing.units import WorkUnit


def test_two_runs_never_write_to_one_folder_at_once(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """The second is refused while the first is at work, whatever it may do, and let in after."""
    path, other = write_lines(rows()), write_lines(rows(9), "other.jsonl")
    output = tmp_path / "out"
    (tmp_path / "link").symlink_to(output)
    refused: list[bool] = []

    def second(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        for number, outcome in enumerate(local_engine(1)(work, units)):
            yield outcome
            for given, folder in ((path, output), (other, output), (other, tmp_path / "link")):
                with pytest.raises(ForeignOutput, match="in use"):
                    run(given, job(folder), overwrite=bool(number))
                refused.append(True)

    found = run(path, job(output), engine=second, unit_bytes=20_000)
    assert 6 <= len(refused)
    assert (
        found.tally.to_json()
        == run(path, job(output), unit_bytes=20_000, resume=True).tally.to_json()
    )
    run(other, job(output), overwrite=True)


def test_a_stopped_run_leaves_nothing_half_written(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Also what workers had begun that were ended with it."""
    output = tmp_path / "out"

    def stop(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        yield from local_engine(1)(work, list(units)[:1])
        (output / "parts" / ".tmp-part-00001.jsonl-0123abcd").touch()  # of a worker that was ended
        raise Stop

    with pytest.raises(Stop):
        run(write_lines(rows()), job(output), engine=stop, unit_bytes=3_000)
    assert ["part-00000.jsonl"] == [each.name for each in (output / "parts").iterdir()]


def test_a_disk_without_locks_keeps_nobody_out(
    write_lines: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network disks have none."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    run(write_lines(rows(9)), job(tmp_path / "out"))

    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_the_folder_of_another_run_is_refused(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Other input, a finished run, or somebody's files; only a run is ever overwritten."""
    path, other = write_lines(rows()), write_lines(rows(9), "other.jsonl")
    output = tmp_path / "out"
    run(path, job(output))
    with pytest.raises(ForeignOutput, match="finished"):
        run(path, job(output))
    with pytest.raises(ForeignOutput, match="another run"):
        run(other, job(output), resume=True)

    assert 400 > run(path, job(output), resume=True).tally.rows
    assert 9 > run(other, job(output), overwrite=True).tally.rows
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    for overwrite in (False, True):
        with pytest.raises(ForeignOutput, match="not of an audit"):
            run(path, job(mine), overwrite=overwrite)
    assert "years of work" == (mine / "thesis.txt").read_text()


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("parts/calls.jsonl", '{"tool": "weather"}'),
        ("parts/part-00000.jsonl", '{"tool": "weather"}'),
        ("units/00000.json", "{}"),
        ("deep/below/thesis.txt", "years of work"),
        ("parts/.tmp-thesis", "years of work"),
        ("run.json", '{"name": "a project of another kind"}'),
        ("run.json", "no JSON"),
    ],
)
def test_somebody_s_files_are_found_and_left_however_deep(
    name: str, text: str, overwrite: bool, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Also where they are called as ours are: only a run that names itself is ever cleared."""
    theirs = [tmp_path / "out" / name, tmp_path / "out" / "parts" / "mine.txt"]
    for each in theirs:
        each.parent.mkdir(parents=True, exist_ok=True)
        each.write_text(text)
    with pytest.raises(ForeignOutput, match="not of an audit"):
        run(write_lines(rows(9)), job(tmp_path / "out"), overwrite=overwrite)

    assert [text, text] == [each.read_text() for each in theirs]


def test_what_somebody_put_beside_the_files_of_a_run_stays(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Whether the run ends or is thrown away; what a killed run had begun goes."""
    path, output = write_lines(rows(9)), tmp_path / "out"
    run(path, job(output))
    theirs = [output / each for each in ("notes", "parts/thesis.txt", "units/1.json")]
    begun = [
        output / "parts" / ".tmp-part-00001.jsonl-0123abcd",
        output / "units" / ".tmp-00001.json-0123abcd",
        output / ".tmp-summary.json-0123abcd",
    ]
    for each in (*theirs, *begun):
        each.write_text("x")
    run(path, job(output, keep_all=True), overwrite=True)

    assert all(each.exists() for each in theirs)
    assert not any(each.exists() for each in begun)


def test_a_run_that_was_killed_before_it_named_itself_may_be_begun_again(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """All that it left is a file that it had not written to its end."""
    output = tmp_path / "out"
    output.mkdir()
    (output / ".tmp-run.json-0123abcd").write_text("{")
    run(write_lines(rows(9)), job(output))

    assert [".tmp"] != [each.name[:4] for each in output.iterdir() if each.name.startswith(".")]


@pytest.mark.parametrize("as_uri", [False, True])
@pytest.mark.parametrize("options", [{"overwrite": True}, {"resume": True}])
def test_a_run_never_removes_what_it_is_to_read(
    as_uri: bool, options: dict[str, bool], write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Its own records, by their name, by that of a link, or with their folder."""
    output = tmp_path / "out"
    run(write_lines(rows()), job(output))
    kept = output / "parts" / "part-00000.jsonl"
    (tmp_path / "link.jsonl").symlink_to(kept)
    (tmp_path / "again").symlink_to(output)
    before = kept.read_bytes()
    for name in ("out/parts/part-00000.jsonl", "out", "link.jsonl", "again/parts"):
        named = (tmp_path / name).as_uri() if as_uri else tmp_path / name
        for folder in ("out", "again"):
            with pytest.raises(ForeignOutput, match="would lose"):
                run(str(named), job(tmp_path / folder), **options)

    assert before == kept.read_bytes()


def test_a_run_of_another_version_is_another_run(
    write_lines: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its finished units may say something else."""
    path, output = write_lines(rows()), tmp_path / "out"
    with pytest.raises(Stop):
        run(path, job(output), unit_bytes=3_000, engine=stopping(2))
    monkeypatch.setattr("toolgauge.auditing.audits.version", lambda _: "999")
    with pytest.raises(ForeignOutput, match="version"):
        run(path, job(output), unit_bytes=3_000)


def test_output_that_cannot_be_written_is_one_sentence(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UnwritableOutput, match="out"):
        run(write_lines(rows()), job(tmp_path / "out" / "inner"))
