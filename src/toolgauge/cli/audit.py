"""``toolgauge audit``: did recorded calls keep their contracts?"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolgauge.cli import audit_options as given
from toolgauge.cli import options
from toolgauge.cli.audit_inputs import (
    read_contracts,
    read_files,
    read_inputs,
    rows_of,
    tools_of_rows,
)
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.paths import is_folder
from toolgauge.cli.progress import rows_audited
from toolgauge.cli.running import FINDINGS, GOOD, TERMINATED, Format, finish
from toolgauge.cli.text import say_json, say_text, terminal, warn
from toolgauge.cli.writing import write_files
from toolgauge.upstream.extras import missing_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

    from toolgauge.audit import Audit
    from toolgauge.audit.engines import MapUnits

_PIPED_WIDTH = 100


EXAMPLES = """\b
Examples:
  toolgauge audit calls.jsonl --tools tools.json
  toolgauge audit logs/ --tools tools.json --id session --time-field ts -o audited
  zcat calls.jsonl.gz | toolgauge audit - --tools toolgauge.demo:tools --format json
  toolgauge audit possible_answer/ --dialect bfcl --tools-by-id questions/
  toolgauge audit calls.parquet -o audited -- python -m mcp_server_time
"""


def audit(
    ctx: typer.Context,
    *,
    calls: given.Calls = None,
    tools: given.Tools = None,
    output: given.Output = None,
    tool_field: given.ToolField = None,
    arguments_field: given.ArgumentsField = None,
    row_shape: given.ShapeName = None,
    dialect: given.DialectName = None,
    tools_field: given.ToolsField = None,
    tools_by_id: given.ToolsById = None,
    drop_null_padding: given.DropPadding = False,
    columns: given.Columns = None,
    time_field: given.TimeField = None,
    records: given.RecordsFormat = None,
    keep_all: given.KeepAll = False,
    workers: given.Workers = None,
    engine: given.EngineName = given.Engine.LOCAL,
    address: given.Address = None,
    report: given.ReportFile = None,
    resume: given.Resume = False,
    overwrite: given.Overwrite = False,
    max_line_bytes: given.MaxLine = 16 * 1024 * 1024,
    shape: options.OutputFormat = Format.TEXT,
    assert_formats: options.AssertFormats = False,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Hold recorded calls against their contracts, and say which broke which, where.

    Each call gets one verdict. The exit code is 1 when one of them is a failure.
    With a folder, each failure is a record with its file and line; a run that
    was stopped goes on when the same command is given again.
    """

    def work() -> int:
        _need_libraries()
        from toolgauge.audit import Job, PartFormat
        from toolgauge.audit import audit as run_audit

        names = calls or []
        if not names:
            raise WrongUsage("name the recorded calls: files, folders, or - for stdin")
        _hold_together(output, report, resume=resume, overwrite=overwrite)
        map_units = _engine(engine, address, workers)
        with ExitStack() as stack:
            by_id = read_files(tools_by_id or [], output, stack)
            row_tools = tools_of_rows(dialect, tools_field, by_id, drops_padding=drop_null_padding)
            contracts = asyncio.run(
                read_contracts(
                    ctx.obj,
                    tools,
                    connect_timeout,
                    header,
                    env,
                    formats=assert_formats,
                    dialect=dialect,
                    is_needed=row_tools is None,
                )
            )
            stack.enter_context(_terminable(_shown(output)))
            inputs = read_inputs(names, output, stack)
            _spare(report, [tools or "", *(each.path for each in (*by_id, *inputs))])
            job = Job(
                contracts=contracts,
                rows=rows_of(inputs, row_shape, tool_field, arguments_field, dialect),
                row_tools=row_tools,
                columns=tuple(columns or ()),
                time=time_field,
                output=output,
                part_format=None if records is None else PartFormat(records.value),
                keep_all=keep_all,
                max_line_bytes=max_line_bytes,
            )
            tell = stack.enter_context(rows_audited())
            found = run_audit(
                inputs,
                job,
                engine=map_units,
                resume=resume,
                overwrite=overwrite,
                on_progress=tell,
            )
        _write(found, shape)
        if report is not None:
            write_files((Path(report), found.to_html()))
        return FINDINGS if found.tally.failures else GOOD

    finish(work, shape)


def _need_libraries() -> None:
    """Say what to install, before anything else goes wrong.

    Raises:
        WrongUsage: If a library is not there.
    """
    # Only looked for: it is large, and few audits load it.
    missing = "pyarrow" if find_spec("pyarrow") is None else missing_for("toolgauge.audit")
    if missing is not None:
        raise WrongUsage(f"audit needs {missing}: pip install 'toolgauge[audit]'")


def _hold_together(
    output: str | None, report: str | None, *, resume: bool, overwrite: bool
) -> None:
    """Refuse, before any work, options that cannot go together or would fail at the end.

    Raises:
        WrongUsage: If there are some.
    """
    if resume and overwrite:
        raise WrongUsage("--resume keeps what the folder holds, --overwrite does not; give one")
    if output is None and (resume or overwrite):
        raise WrongUsage("--resume and --overwrite are about the folder of --output")
    if report is not None and not is_folder(Path(report).parent):
        raise WrongUsage(f"{report} cannot be written: there is no such folder")


def _spare(report: str | None, read: Iterable[str]) -> None:
    """Refuse a report in the place of what is read.

    Raises:
        WrongUsage: If it would replace one of these files.
    """
    from toolgauge.audit.places import real_name

    if report is not None and real_name(report) in map(real_name, read):
        raise WrongUsage(f"--report {report} would replace what is read; give it a file of its own")


def _engine(engine: given.Engine, address: str | None, workers: int | None) -> MapUnits:
    """Make the engine; its library is loaded here and nowhere else.

    Raises:
        WrongUsage: If it is not installed, or an address is of no use to it.
    """
    if engine is given.Engine.LOCAL:
        if address is not None:
            raise WrongUsage("--address needs --engine ray or --engine dask")
        from toolgauge.audit.engines.local import local_engine

        return local_engine(workers)
    if address is not None and workers is not None:
        raise WrongUsage("--workers is for this machine; the cluster at --address has its own")
    missing = missing_for(f"toolgauge.audit.engines.{engine}")
    if missing is not None:
        raise WrongUsage(
            f"--engine {engine} needs {missing}: pip install 'toolgauge[audit,{engine}]'"
        )
    if engine is given.Engine.RAY:
        from toolgauge.audit.engines.ray import ray_engine

        return ray_engine(address, workers)
    from toolgauge.audit.engines.dask import dask_engine

    return dask_engine(address, workers)


class _Stopped(BaseException):
    """SIGTERM arrived. No ``Exception``: a unit that runs in this process is no place to end."""


@contextmanager
def _terminable(output: str | None) -> Iterator[None]:
    """Turn SIGTERM and Ctrl-C into an orderly end, and say how to go on."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Stopped

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (KeyboardInterrupt, _Stopped) as error:
        if output is None:
            warn("stopped; with --output FOLDER a stopped run can go on")
        else:
            warn(f"stopped; what is finished is in {output}: run the same command again to go on")
        if isinstance(error, _Stopped):
            raise typer.Exit(TERMINATED) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)


def _shown(output: str | None) -> str | None:
    """Name the folder of the output for people."""
    from toolgauge.audit.places import shown_name

    return None if output is None else shown_name(output)


def _write(found: Audit, shape: Format) -> None:
    """Print the summary."""
    if shape is Format.JSON:
        say_json({**found.tally.to_json(), "output": _shown(found.output)})
        return
    from toolgauge.cli.reports.audited import to_text

    width, color = terminal(sys.stdout, _PIPED_WIDTH)
    say_text(to_text(found, width=width, color=color))
