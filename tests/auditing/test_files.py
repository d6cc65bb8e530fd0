"""Files of this machine, without the library that reads those of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolgauge.auditing.files import LocalFiles, find_files

if TYPE_CHECKING:
    from pathlib import Path


def names(path: Path, *, is_deep: bool) -> list[str]:
    """List the files of a folder by their way in it."""
    entries = LocalFiles().under(str(path), is_deep=is_deep)
    return sorted(each.path.removeprefix(f"{path}/") for each in entries)


def test_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    """A name that nobody has, one below a file, and a folder that is not there."""
    files = LocalFiles()
    (tmp_path / "file").write_bytes(b"12345")

    assert files.look(str(tmp_path / "none")) is None
    assert files.look(str(tmp_path / "file" / "below")) is None
    assert [] == list(files.under(str(tmp_path / "none")))
    found = files.look(str(tmp_path / "file"))
    assert found is not None
    assert ("file", 5) == (found.kind, found.size)
    assert found.stamp == str((tmp_path / "file").stat().st_mtime_ns)


def test_links_are_followed_but_not_in_a_circle(tmp_path: Path) -> None:
    """A link to a folder shows its files once more; a link to nothing shows none."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "calls").write_bytes(b"")
    (tmp_path / "top").write_bytes(b"")
    (tmp_path / "again").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "back").symlink_to(tmp_path)
    (tmp_path / "nothing").symlink_to(tmp_path / "gone")

    assert ["top"] == names(tmp_path, is_deep=False)
    assert ["a/b/calls", "again/b/calls", "top"] == names(tmp_path, is_deep=True)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    """What was begun and not ended leaves nothing behind."""
    files, path = find_files(str(tmp_path / "new" / "file"))

    def half() -> None:
        with files.write(path) as file:
            file.write(b"half")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it is the one above
        half()
    assert [] == names(tmp_path, is_deep=True)

    with files.write(path) as file:
        file.write(b"whole")
        assert files.look(path) is None
    with files.read(path) as file:
        assert b"whole" == file.read()
    files.remove(path)
    assert [] == names(tmp_path, is_deep=True)
