"""The state of a run in its output folder: what is finished, and what it belongs to."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.errors import ForeignOutput, UnwritableOutput
from toolgauge.auditing.files import TEMPORARY, real_name
from toolgauge.auditing.job import Report
from toolgauge.auditing.tally import Tally
from toolgauge.auditing.units import WorkUnit
from toolgauge.contract import InvalidJson, dump_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolgauge.auditing.inputs import Input
    from toolgauge.auditing.store import Store

SUCCESS = "_SUCCESS"
MANIFEST = "manifest.json"
SUMMARY = "summary.json"
REPORT = "report.html"
PARTS = "parts"
_UNITS = "units"
_RUN = "run.json"
_MAX_DEPTH = 40

_MEMBERS = {"key", "toolgauge", "inputs"}
"""What every version has written into its ``run.json``."""

_NAMES = {
    "": "|".join(map(re.escape, (SUCCESS, MANIFEST, SUMMARY, REPORT, _RUN))),
    PARTS: r"part-\d{5,}(?:-[0-9a-f]{8})?\.(?:jsonl|parquet)",
    _UNITS: r"\d{5,}\.json",
}
_OURS = {
    folder: re.compile(rf"(?P<begun>{re.escape(TEMPORARY)})?(?:{names})(?(begun)-[0-9a-f]{{8}})")
    for folder, names in _NAMES.items()
}
"""What a run writes into each folder. It removes and replaces nothing else."""


class Run:
    """One run's folder.

    Args:
        store: The folder.
        identity: Everything that the result depends on, the size of units too, as JSON.
    """

    def __init__(self, store: Store, identity: dict[str, Any]) -> None:
        self.folder: str = store.folder
        self._store = store
        self._key = hashlib.sha256(dump_json(identity)).hexdigest()
        self._identity = identity

    @contextmanager
    def begun(
        self, inputs: Iterable[Input], *, resume: bool, overwrite: bool
    ) -> Iterator[dict[int, Report]]:
        """Take the folder until the block ends, and give the reports of units that are finished.

        Args:
            inputs: The files that will be read.
            resume: Whether a finished run is shown again.
            overwrite: Whether another run is thrown away.

        Raises:
            ForeignOutput: If it holds something that is not this run, or an input, or
                another run is at work in it.
            UnwritableOutput: If it cannot be written.
        """
        with self._store.held():
            finished = self._begin(inputs, resume=resume, overwrite=overwrite)
            try:
                yield finished
            finally:
                with suppress(UnwritableOutput):
                    self._sweep()

    def _begin(
        self, inputs: Iterable[Input], *, resume: bool, overwrite: bool
    ) -> dict[int, Report]:
        self._spare(inputs)
        known = self._known()
        if known is None and not all(map(_is_begun, self._store.all_names())):
            raise ForeignOutput(
                self._store.folder, "holds files that are not of an audit; name an empty folder"
            )
        if known is not None and known != self._key and not overwrite:
            raise ForeignOutput(
                self._store.folder,
                "holds another run (other input, tools, options or version); "
                "name an empty folder, or use --overwrite",
            )
        is_done = self._store.has(SUCCESS)
        if known == self._key and is_done and not (resume or overwrite):
            raise ForeignOutput(
                self._store.folder,
                "holds this run, finished; use --resume to show it again, or --overwrite",
            )
        self._sweep()
        if known == self._key and not overwrite:
            return self._finished()
        self._clear()
        self._store.write(_RUN, dump_json({"key": self._key, **self._identity}) + b"\n")
        return {}

    def _spare(self, inputs: Iterable[Input]) -> None:
        """Refuse a folder where the run would remove or replace what it is to read."""
        ours = {self._store.real_name(folder): names for folder, names in _OURS.items()}
        for each in inputs:
            folder, name = os.path.split(real_name(each.path))
            if folder in ours and ours[folder].fullmatch(name):
                reason = f"would lose {each.name}, which is to be audited; name another folder"
                raise ForeignOutput(self._store.folder, reason)

    def _clear(self) -> None:
        """Remove what a run writes, and nothing else; the mark of success first."""
        for name in (SUCCESS, MANIFEST, SUMMARY, REPORT, *self._names(_UNITS), *self._names(PARTS)):
            self._store.remove(name)

    def _sweep(self) -> None:
        """Remove what somebody began to write who was killed."""
        for name in chain.from_iterable(map(self._names, _OURS)):
            if _is_begun(name):
                self._store.remove(name)

    def _names(self, folder: str) -> Iterator[str]:
        """List what runs have written into a folder, by the way to it."""
        names = filter(_OURS[folder].fullmatch, self._store.names(folder))
        return (f"{folder}/{name}".lstrip("/") for name in names)

    def _known(self) -> str | None:
        """Give the key of the run that the folder holds; somebody else's file is none."""
        if not self._store.has(_RUN):
            return None
        try:
            found = parse_json(self._store.read(_RUN))
        except InvalidJson:
            return None
        is_ours = isinstance(found, dict) and found.keys() >= _MEMBERS
        return str(found["key"]) if is_ours else None

    def _finished(self) -> dict[int, Report]:
        reports: dict[int, Report] = {}
        for name in self._names(_UNITS):
            try:
                wire = parse_json(self._store.read(name), max_depth=_MAX_DEPTH)
                report = _report(wire)
            except (InvalidJson, KeyError, TypeError):
                continue  # not one of ours, or damaged: the unit is simply done again
            if report.part is None or self._store.has(report.part):
                reports[report.unit.number] = report
        return reports

    def finish_unit(self, report: Report) -> None:
        """Note that a unit is finished. Its part is in place already.

        Raises:
            UnwritableOutput: If that cannot be written.
        """
        self._store.write(f"{_UNITS}/{report.unit.number:05d}.json", dump_json(_wire(report)))

    def close(self, reports: Sequence[Report], summary: bytes, page: bytes) -> None:
        """Write manifest, summary and report, and close the run.

        Args:
            reports: What became of each unit.
            summary: The numbers of all of them, as JSON.
            page: The report as HTML.

        Raises:
            UnwritableOutput: If that cannot be written.
        """
        kept = {report.part for report in reports}
        for name in self._names(PARTS):
            # Parts of attempts that nobody noted as finished.
            if name not in kept:
                self._store.remove(name)
        manifest = {
            "key": self._key,
            **self._identity,
            "parts": [
                {
                    "part": report.part,
                    "records": report.records,
                    "rows": report.tally.rows,
                    **_named(report.unit),
                }
                for report in sorted(reports, key=lambda each: each.unit.number)
            ],
        }
        self._store.write(MANIFEST, dump_json(manifest) + b"\n")
        self._store.write(SUMMARY, summary + b"\n")
        self._store.write(REPORT, page)
        self._store.write(SUCCESS, b"")


def _is_begun(name: str) -> bool:
    """Tell whether a file is one of ours that a killed run has not written to its end."""
    folder, _, own = name.rpartition("/")
    found = _OURS[folder].fullmatch(own) if folder in _OURS else None
    return found is not None and found["begun"] is not None


def _named(unit: WorkUnit) -> dict[str, Any]:
    """Give a unit as JSON, without where its file lies just now."""
    wire = asdict(unit)
    del wire["path"]
    return wire


def _wire(report: Report) -> dict[str, Any]:
    return {
        "unit": _named(report.unit),
        "part": report.part,
        "records": report.records,
        "tally": report.tally.to_wire(),
    }


def _report(wire: dict[str, Any]) -> Report:
    unit = wire["unit"]
    return Report(
        # Where its file lies is of no interest any more.
        unit=WorkUnit(path=unit["file"], **unit),
        part=wire["part"],
        records=wire["records"],
        tally=Tally.from_wire(wire["tally"]),
    )
