"""The official JSON-Schema-Test-Suite: fetched once, run, and compared with a kept list.

It lies in the source distribution of ``jsonschema`` on PyPI (``json/tests`` and
``json/remotes``, MIT). It is kept in the directory that ``TOOLGAUGE_CACHE``
names, else in ``.cache/toolgauge`` below the home directory.

To write the kept list of differences anew::

    python -m tests.contract.schema.official_suite --write
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import CompiledSchema
from toolgauge.contract.schema.dialects import DIALECTS, Dialect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION = "4.26.0"
DIGEST = "cc8c105d25a0bf2ea5a7bd8baa74c41d5a5e527b2d94dc7a2c1f2d15db6a34db"
"""SHA-256 over the names and contents of all files that are kept of it."""

KEPT = Path(__file__).parents[2] / "suites" / "json_schema_test_suite_differences.tsv"
BY_NAME = {dialect.name: dialect for dialect in DIALECTS}

_FOLDERS = {
    "2020-12": "draft2020-12",
    "2019-09": "draft2019-09",
    "draft-07": "draft7",
    "draft-06": "draft6",
    "draft-04": "draft4",
}
_ALL_FOLDERS = {*_FOLDERS.values(), "draft3", "draft-next", "v1"}
_REMOTE = "http://localhost:1234/"
_FETCH_TIMEOUT_S = 300


class NoRegistryError(Exception):
    """``pip`` could not fetch the source distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One schema of the suite and the values to hold against it."""

    file: str
    description: str
    schema: Any
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One value and whether the suite calls it valid."""

    __test__ = False

    description: str
    data: Any
    is_valid: bool


class Difference(NamedTuple):
    """One test in which our verdict is not the suite's: a line of the kept list."""

    draft: str
    file: str
    formats: str
    case: str
    test: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite on disk."""

    root: Path

    def cases(self, dialect: Dialect) -> Iterator[Case]:
        """Yield every case of one draft, required and optional."""
        folder = self.root / "tests" / _FOLDERS[dialect.name]
        for path in sorted(folder.rglob("*.json")):
            for case in json.loads(path.read_text("utf-8")):
                yield Case(
                    file=path.relative_to(folder).as_posix(),
                    description=case["description"],
                    schema=case["schema"],
                    tests=tuple(
                        Test(
                            description=each["description"],
                            data=each["data"],
                            is_valid=each["valid"],
                        )
                        for each in case["tests"]
                    ),
                )

    def remotes(self, dialect: Dialect) -> dict[str, Any]:
        """Give the schemas that one draft's cases refer to, by URI.

        Those of other drafts are left out, and so is the one that the drafts up
        to 7 share with 2020-12 although it is written with keywords of that: the
        engine reads every resource of a registry in one draft.
        """
        folder = self.root / "remotes"
        found: dict[str, Any] = {}
        for path in sorted(folder.rglob("*.json")):
            top = path.relative_to(folder).parts[0]
            is_foreign = top in _ALL_FOLDERS and top != _FOLDERS[dialect.name]
            is_newer = dialect.number <= 7 and path.stem == "nested-absolute-ref-to-string"
            if not is_foreign and not is_newer:
                uri = _REMOTE + path.relative_to(folder).as_posix()
                found[uri] = json.loads(path.read_text("utf-8"))
        return found


@cache
def suite() -> Suite:
    """Give the suite, fetched if it is not in the cache yet.

    Raises:
        NoRegistryError: If it has to be fetched and cannot be.
    """
    named = os.environ.get("TOOLGAUGE_CACHE")
    parent = Path(named) if named else Path.home() / ".cache" / "toolgauge"
    kept = parent / f"json-schema-test-suite-{VERSION}"
    if kept.is_dir() and _digest(kept) == DIGEST:
        return Suite(kept)
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        fresh = _fetch(Path(scratch))
        found = _digest(fresh)
        if found != DIGEST:
            raise ValueError(f"the suite is another one than the tests know: {found}")
        try:
            fresh.rename(kept)
        except OSError:
            # Another process was faster, or what lay there was damaged.
            if _digest(kept) != DIGEST:
                shutil.rmtree(kept)
                fresh.rename(kept)
    return Suite(kept)


def _fetch(scratch: Path) -> Path:
    """Download the source distribution and unpack the suite's part of it."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", "jsonschema", "--dest", str(scratch), f"jsonschema=={VERSION}"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_FETCH_TIMEOUT_S)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoRegistryError(str(error)) from error
    inside = f"jsonschema-{VERSION}/json/"
    with tarfile.open(scratch / f"jsonschema-{VERSION}.tar.gz") as archive:
        members = [
            each
            for each in archive.getmembers()
            if each.name.startswith((f"{inside}tests/", f"{inside}remotes/"))
        ]
        archive.extractall(scratch, members=members, filter="data")
    return scratch / f"jsonschema-{VERSION}" / "json"


def _digest(folder: Path) -> str:
    """Name a folder by its files."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.json"), key=lambda each: each.as_posix()):
        total.update(path.relative_to(folder).as_posix().encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def differences(suite: Suite, dialect: Dialect, *, formats: bool) -> list[Difference]:
    """Run one draft and give the tests in which our verdict is not the suite's."""
    remotes = suite.remotes(dialect)
    found: list[Difference] = []
    for case in suite.cases(dialect):
        compiled = CompiledSchema(
            case.schema, formats=formats, resources=remotes, default_dialect=dialect
        )
        found += [
            Difference(
                dialect.name,
                case.file,
                "on" if formats else "off",
                case.description,
                test.description,
                _reason(case.file, formats=formats),
            )
            for test in case.tests
            if compiled.is_valid(test.data) != test.is_valid
        ]
    return sorted(found)


def _reason(file: str, *, formats: bool) -> str:
    """Say why a difference in this file is right, ``"?"`` where nobody knows."""
    if not formats and file.startswith(("optional/format/", "optional/format-assertion")):
        return "formats are annotations while the switch is off (decision X4)"
    if formats and file == "format.json":
        return "the required part has formats as annotations; the switch asserts them"
    if file == "optional/cross-draft.json":
        return "the other draft's remote schema is not handed in; nothing is fetched"
    return "?"


def read_kept() -> list[Difference]:
    """Read the kept list of differences."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    return [Difference(*row) for row in rows]


def write_kept(lines: Iterable[Difference]) -> None:
    """Write the kept list of differences, sorted."""
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Difference._fields)
        writer.writerows(sorted(lines))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write_kept(
        line
        for dialect in DIALECTS
        for formats in (False, True)
        for line in differences(suite(), dialect, formats=formats)
    )
