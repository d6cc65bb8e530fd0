"""``toolgauge audit``: did recorded calls conform to their contracts?"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolgauge.cli.audit_options import LOCAL, AuditOptions
from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import is_folder, write_files
from toolgauge.cli.options import AssertFormats, Format, OutputFormat
from toolgauge.cli.output import say_json, say_text, terminal, warn
from toolgauge.cli.progress import rows_audited
from toolgauge.cli.running import FINDINGS, GOOD, TERMINATED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from toolgauge.auditing import Audit
    from toolgauge.auditing.engines import MakeEngine, MapUnits

_PIPED_WIDTH = 100


def audit(
    *,
    given: AuditOptions,
    shape: OutputFormat = Format.TEXT,
    assert_formats: AssertFormats = False,
    connection: Connection,
) -> int:
    """Hold recorded calls against their contracts, and say which broke which, where.

    Each call gets one verdict. The exit code is 1 when one of them is a failure.
    With a folder, each failure is a record with its file and line; a run that
    was stopped goes on when the same command is given again.
    """
    _require_libraries()
    from toolgauge.auditing import Job, PartFormat
    from toolgauge.auditing import audit as run_audit
    from toolgauge.auditing.files import real_name, shown_name

    _require_consistent(given)
    engine = _engine(given)
    output, report = given.output, given.report
    shown_output = None if output is None else shown_name(output)
    with ExitStack() as stack:
        by_id = given.inputs_with_tools(stack)
        row_tools = given.row_tools(by_id)
        contracts = asyncio.run(
            given.contracts(connection, formats=assert_formats, is_needed=row_tools is None)
        )
        stack.enter_context(_terminable(shown_output))
        inputs = given.inputs(stack)
        read = [given.tools or "", *(each.path for each in (*by_id, *inputs))]
        if report is not None and real_name(report) in map(real_name, read):
            raise WrongUsage(
                f"--report {report} would replace what is read; give it a file of its own"
            )
        job = Job(
            contracts=contracts,
            rows=given.rows(inputs),
            row_tools=row_tools,
            columns=tuple(given.columns or ()),
            time=given.time_field,
            output=output,
            part_format=None if given.records is None else PartFormat(given.records.value),
            keep_all=given.keep_all,
            max_line_bytes=given.max_line_bytes,
        )
        on_progress = stack.enter_context(rows_audited())
        found = run_audit(
            inputs,
            job,
            engine=engine,
            resume=given.resume,
            overwrite=given.overwrite,
            on_progress=on_progress,
        )
    if shape is Format.JSON:
        say_json({**found.tally.to_json(), "output": shown_output})
    else:
        _write(found)
    if report is not None:
        write_files((Path(report), found.to_html()))
    return FINDINGS if found.tally.failures else GOOD


COMMAND = Command(
    run=audit,
    rank=120,
    examples="""\
  toolgauge audit calls.jsonl --tools tools.json
  toolgauge audit logs/ --tools tools.json --id session --time-field ts -o audited
  zcat calls.jsonl.gz | toolgauge audit - --tools toolgauge.demo:tools --format json
  toolgauge audit possible_answer/ --dialect bfcl --tools-by-id questions/
  toolgauge audit calls.parquet -o audited -- python -m mcp_server_time
""",
)


def _require_libraries() -> None:
    """Name what to install, before any other error."""
    from toolgauge.upstream.opening import missing_for

    # Only looked for: it is large, and few audits load it.
    missing = "pyarrow" if find_spec("pyarrow") is None else missing_for("toolgauge.auditing")
    if missing is not None:
        raise WrongUsage(f"audit needs {missing}: pip install 'toolgauge[audit]'")


def _require_consistent(given: AuditOptions) -> None:
    """Reject, before any work, options that exclude each other or would fail at the end."""
    if not given.calls:
        raise WrongUsage("name the recorded calls: files, folders, or - for stdin")
    if given.resume and given.overwrite:
        raise WrongUsage("--resume keeps what the folder holds, --overwrite does not; give one")
    if given.output is None and (given.resume or given.overwrite):
        raise WrongUsage("--resume and --overwrite are about the folder of --output")
    if given.report is not None and not is_folder(Path(given.report).parent):
        raise WrongUsage(f"{given.report} cannot be written: there is no such folder")


def _engine(given: AuditOptions) -> MapUnits:
    """Build the engine; its library is loaded here and nowhere else."""
    from toolgauge.auditing.engines import clusters
    from toolgauge.upstream.opening import missing_for

    name, address, workers = given.engine, given.address, given.workers
    if name == LOCAL:
        if address is not None:
            raise WrongUsage("--address needs the --engine of a cluster, such as ray")
        from toolgauge.auditing.engines.local import local_engine

        return local_engine(workers)
    found = clusters()
    if name not in found:
        known = ", ".join((LOCAL, *found))
        raise WrongUsage(f"--engine {name!r} is not known; there are {known}")
    if address is not None and workers is not None:
        raise WrongUsage("--workers is for this machine; the cluster at --address has its own")
    entry = found[name]
    missing = missing_for(entry.module)
    if missing is not None:
        is_ours = entry.module.startswith("toolgauge.")
        hint = f": pip install 'toolgauge[audit,{name}]'" if is_ours else ""
        raise WrongUsage(f"--engine {name} needs {missing}{hint}")
    try:
        make: MakeEngine = entry.load()
    except AttributeError as error:
        raise WrongUsage(f"--engine {name}: {entry.value} is not there") from error
    return make(address, workers)


class _Stopped(BaseException):
    """SIGTERM arrived. No ``Exception``, which a unit that runs in this process could catch."""


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


def _write(found: Audit) -> None:
    """Print the summary for people."""
    from toolgauge.cli.reports.audited import to_text

    width, color = terminal(sys.stdout, _PIPED_WIDTH)
    say_text(to_text(found, width=width, color=color))
