"""``toolgauge audit``: did recorded calls keep their contracts?"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolgauge.cli import audit_options as given
from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.running import FINDINGS, GOOD, TERMINATED, Format, finish
from toolgauge.cli.text import say_json, say_text, terminal, warn
from toolgauge.cli.words import to_source
from toolgauge.cli.writing import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from toolgauge.audit import Audit, Contracts, Input, Progress, RowReader, RowTools
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
        _need_pyarrow()
        from toolgauge.audit import Job, PartFormat
        from toolgauge.audit import audit as run_audit

        names = calls or []
        if not names:
            raise WrongUsage("name the recorded calls: files, folders, or - for stdin")
        _hold_together(output, report, resume=resume, overwrite=overwrite)
        map_units = _engine(engine, address, workers)
        row_tools = _row_tools(dialect, tools_field, tools_by_id, drops_padding=drop_null_padding)
        is_needed = row_tools is None
        contracts = asyncio.run(
            _contracts(
                ctx.obj,
                tools,
                connect_timeout,
                header,
                env,
                formats=assert_formats,
                dialect=dialect,
                is_needed=is_needed,
            )
        )
        with ExitStack() as stack:
            stack.enter_context(_terminable(output))
            inputs = _inputs(names, stack)
            job = Job(
                contracts=contracts,
                rows=_rows(inputs, row_shape, tool_field, arguments_field, dialect),
                row_tools=row_tools,
                columns=tuple(columns or ()),
                time=time_field,
                output=output,
                part_format=None if records is None else PartFormat(records.value),
                keep_all=keep_all,
                max_line_bytes=max_line_bytes,
            )
            tell = stack.enter_context(_progress())
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


def _need_pyarrow() -> None:
    """Say what to install, before anything else goes wrong.

    Raises:
        WrongUsage: If pyarrow is not there.
    """
    if find_spec("pyarrow") is None:
        raise WrongUsage("audit needs pyarrow: pip install 'toolgauge[audit]'")


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
    if report is not None and not Path(report).absolute().parent.is_dir():
        raise WrongUsage(f"{report} cannot be written: there is no such folder")


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
    library = {given.Engine.RAY: "ray", given.Engine.DASK: "distributed"}[engine]
    if find_spec(library) is None:
        raise WrongUsage(
            f"--engine {engine} needs {library}: pip install 'toolgauge[audit,{engine}]'"
        )
    if engine is given.Engine.RAY:
        from toolgauge.audit.engines.ray import ray_engine

        return ray_engine(address, workers)
    from toolgauge.audit.engines.dask import dask_engine

    return dask_engine(address, workers)


async def _contracts(
    command: tuple[str, ...] | None,
    tools: str | None,
    connect_timeout: float,
    header: list[str] | None,
    env: list[str] | None,
    *,
    formats: bool,
    dialect: str | None,
    is_needed: bool,
) -> Contracts:
    """Read the tools, and let go of where they came from.

    Raises:
        WrongUsage: If no tools are named.
    """
    from toolgauge.audit import Contracts

    if tools is None and command is None:
        if not is_needed:
            return Contracts(formats=formats)
        raise WrongUsage("name the tools: --tools SOURCE, or -- COMMAND ARG... at the end")
    source = to_source([] if tools is None else [tools], command)
    bounds = options.bounds_of(connect_timeout)
    async with opened(source, bounds, header, env) as upstream:
        tell_problems(upstream.problems)
        found = Contracts(upstream.tools, formats=formats, bounds=bounds, dialect=dialect)
        if not found.names:
            raise WrongUsage(f"{upstream.label} holds no tools to hold calls against")
        return found


def _inputs(names: list[str], stack: ExitStack) -> list[Input]:
    """Find the files; standard input is copied into one.

    Raises:
        WrongUsage: If standard input is named beside files.
    """
    from toolgauge.audit import find_inputs, spool

    if "-" not in names:
        return find_inputs(names)
    if len(names) > 1:
        raise WrongUsage("- (stdin) cannot be audited together with files")
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolgauge-"))
    return [spool(sys.stdin.buffer, folder)]


def _row_tools(
    dialect: str | None,
    field: str | None,
    by_id: list[str] | None,
    *,
    drops_padding: bool,
) -> RowTools | None:
    """Find where rows bring their own tools; ``None`` where they do not.

    Raises:
        WrongUsage: If there is no such dialect.
    """
    from toolgauge.audit import DIALECTS, RowTools, find_inputs
    from toolgauge.audit import tools_by_id as read_tools

    if dialect is not None and dialect not in DIALECTS:
        raise WrongUsage(f"--dialect {dialect!r} is not known; there are: {', '.join(DIALECTS)}")
    if dialect is None and field is None and by_id is None and not drops_padding:
        return None
    key = field or (DIALECTS[dialect].tools_key if dialect is not None else "tools")
    held = read_tools(find_inputs(by_id), key) if by_id else None
    # With tools beside, the name may be one of theirs.
    is_needed = field is not None and held is None
    return RowTools(key, dialect, held, drops_padding=drops_padding, is_needed=is_needed)


def _rows(
    inputs: list[Input],
    shape: str | None,
    tool: str | None,
    arguments: str | None,
    dialect: str | None,
) -> RowReader:
    """Find how the rows are read, from the user's words or from the first row.

    Raises:
        WrongUsage: If there is no such shape.
    """
    from toolgauge.audit import SHAPES, RowReader
    from toolgauge.audit.rows import sniff_inputs

    if shape is not None and shape not in SHAPES:
        raise WrongUsage(f"--shape {shape!r} is not known; there are: {', '.join(SHAPES)}")
    keys = sniff_inputs(inputs, tool, arguments) if shape in {None, "direct"} else None
    return RowReader(shape=shape, tool=tool, arguments=arguments, keys=keys, dialect=dialect)


@contextmanager
def _terminable(output: str | None) -> Iterator[None]:
    """Turn SIGTERM and Ctrl-C into an orderly end, and say how to go on."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise typer.Exit(TERMINATED)

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (KeyboardInterrupt, typer.Exit):
        if output is None:
            warn("stopped; with --output FOLDER a stopped run can go on")
        else:
            warn(f"stopped; what is finished is in {output}: run the same command again to go on")
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """Show one bar on a terminal, whatever engine does the work."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("auditing"),
        BarColumn(),
        TextColumn("{task.fields[rows]:,} rows, {task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(),
    )
    # Drawn when there is something new, and by no thread: workers start at once in a
    # process that has none.
    bar = Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    with bar:
        task = bar.add_task("audit", total=None, rows=0, speed=0.0)
        begun = time.monotonic()
        first: list[int] = []

        def tell(progress: Progress) -> None:
            first.append(progress.rows)
            passed = time.monotonic() - begun
            # Rows of an earlier run that is gone on with say nothing about speed.
            speed = (progress.rows - first[0]) / passed if passed > 0 else 0.0
            bar.update(
                task,
                total=progress.weight,
                completed=progress.done_weight,
                rows=progress.rows,
                speed=speed,
                refresh=True,
            )

        yield tell


def _write(found: Audit, shape: Format) -> None:
    """Print the summary."""
    if shape is Format.JSON:
        say_json({**found.tally.to_json(), "output": found.output})
        return
    from toolgauge.cli.reports.audited import to_text

    width, color = terminal(sys.stdout, _PIPED_WIDTH)
    say_text(to_text(found, width=width, color=color))
