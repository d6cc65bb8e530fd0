"""The options of ``toolgauge audit``, and the recorded calls and tools that they name."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.connection import Connection, warn_of_problems
from toolgauge.cli.errors import WrongUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.auditing import Contracts, Input, RowReader, RowTools


LOCAL = "local"
"""The engine of this machine."""


class Records(StrEnum):
    """How records are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What is audited, and where the result goes."""

    calls: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CALLS... [-- COMMAND ARG...]",
            help="Recorded calls: JSONL (plain, gzip, zstd) or Parquet files, folders of them, "
            "URIs such as s3://bucket/calls, or - for stdin.",
        ),
    ] = None
    tools: Annotated[
        str | None,
        typer.Option(
            "--tools",
            "-t",
            metavar="SOURCE",
            help="Where the tools are: a JSON file, package.module:attribute, or a URL. "
            "A server's command goes after --.",
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write records, summary and report to a folder.",
        ),
    ] = None
    tool_field: Annotated[
        str | None, typer.Option(metavar="NAME", help="The member that names the tool.")
    ] = None
    arguments_field: Annotated[
        str | None, typer.Option(metavar="NAME", help="The member that holds the arguments.")
    ] = None
    row_shape: Annotated[
        str | None,
        typer.Option(
            "--shape",
            metavar="NAME",
            help="How rows hold their calls, such as direct, openai, openai-responses, anthropic, "
            "gemini, mcp or log; found for each row by default.",
        ),
    ] = None
    dialect: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="How a data set writes tools and calls, such as bfcl or xlam."
        ),
    ] = None
    tools_field: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The member of a row that holds its own tools; a dialect knows its own.",
        ),
    ] = None
    tools_by_id: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="Files whose rows hold the tools of the rows with the same id; repeatable.",
        ),
    ] = None
    drop_null_padding: Annotated[
        bool,
        typer.Option(
            "--drop-null-padding",
            help="Take null members that no schema declares for padding of a table.",
        ),
    ] = False
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--id", metavar="NAME", help="A member of the row to keep in its records; repeatable."
        ),
    ] = None
    time_field: Annotated[
        str | None, typer.Option(metavar="NAME", help="The member that says when; for the plot.")
    ] = None
    records: Annotated[
        Records | None,
        typer.Option(
            help="How records are written to the folder; by default as lines, and as Parquet "
            "where all calls are in Parquet files."
        ),
    ] = None
    keep_all: Annotated[
        bool, typer.Option("--all", help="Write records of valid calls too, not only of failures.")
    ] = False
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-w",
            min=1,
            max=256,
            metavar="N",
            help="Worker processes; one per core by default.",
        ),
    ] = None
    engine: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Where the work is done: local for processes of this machine, ray for a Ray "
            "cluster, or an engine that another package adds.",
        ),
    ] = LOCAL
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The cluster of --engine ray (auto, HOST:PORT), or of another one; "
            "a local one is started by default.",
        ),
    ] = None
    report: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the report, one HTML page, to a file; a folder of --output has it anyway.",
        ),
    ] = None
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with the run in the folder, also a finished one."),
    ] = False
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Throw away the run that is in the folder.")
    ] = False
    max_line_bytes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Longest line that is read.")
    ] = 16 * 1024 * 1024

    async def contracts(
        self, connection: Connection, *, formats: bool, is_needed: bool
    ) -> Contracts:
        """Read the tools, and close their source.

        Args:
            connection: How to reach the source, and a server's command.
            formats: Whether ``format`` is checked.
            is_needed: Whether no row brings its own tools.

        Raises:
            WrongUsage: If no tools are named.
        """
        from toolgauge.auditing import Contracts

        if self.tools is None and connection.command is None:
            if not is_needed:
                return Contracts(formats=formats)
            raise WrongUsage("name the tools: --tools SOURCE, or -- COMMAND ARG... at the end")
        source = connection.source([] if self.tools is None else [self.tools])
        async with connection.open(source) as opened:
            warn_of_problems(opened.problems)
            found = Contracts(
                opened.tools, formats=formats, bounds=connection.bounds(), dialect=self.dialect
            )
            if not found.names:
                raise WrongUsage(f"{opened.label} holds no tools to hold calls against")
            return found

    def inputs(self, stack: ExitStack) -> list[Input]:
        """Find the files of the calls; standard input is copied into one.

        Raises:
            WrongUsage: If standard input is named beside files.
        """
        names = self.calls or []
        if "-" not in names:
            return self._files(names, stack)
        if len(names) > 1:
            raise WrongUsage("- (stdin) cannot be audited together with files")
        return [_copied(sys.stdin.buffer, "-", stack)]

    def inputs_with_tools(self, stack: ExitStack) -> list[Input]:
        """Find the files of ``--tools-by-id``."""
        return self._files(self.tools_by_id or [], stack)

    def row_tools(self, by_id: list[Input]) -> RowTools | None:
        """Find where rows bring their own tools; ``None`` where they do not.

        Args:
            by_id: Files whose rows hold the tools of the rows with the same id.

        Raises:
            WrongUsage: If there is no such dialect.
        """
        from toolgauge.auditing import DIALECTS, RowTools, tools_by_id

        dialect, field = self.dialect, self.tools_field
        if dialect is not None and dialect not in DIALECTS:
            known = ", ".join(DIALECTS)
            raise WrongUsage(f"--dialect {dialect!r} is not known; there are: {known}")
        if dialect is None and field is None and not by_id and not self.drop_null_padding:
            return None
        key = field or (DIALECTS[dialect].tools_key if dialect is not None else "tools")
        held = tools_by_id(by_id, key) if by_id else None
        # With tools beside, the name may be one of theirs.
        is_needed = field is not None and held is None
        return RowTools(
            key, dialect, held, drops_padding=self.drop_null_padding, is_needed=is_needed
        )

    def rows(self, inputs: list[Input]) -> RowReader:
        """Find how the rows are read, from the options or from the first row.

        Raises:
            WrongUsage: If there is no such shape.
        """
        from toolgauge.auditing import SHAPES, RowReader
        from toolgauge.auditing.rows import sniff_inputs

        shape, tool, arguments = self.row_shape, self.tool_field, self.arguments_field
        if shape is not None and shape not in SHAPES:
            raise WrongUsage(f"--shape {shape!r} is not known; there are: {', '.join(SHAPES)}")
        keys = sniff_inputs(inputs, tool, arguments) if shape in {None, "direct"} else None
        return RowReader(
            shape=shape, tool=tool, arguments=arguments, keys=keys, dialect=self.dialect
        )

    def _files(self, names: Sequence[str], stack: ExitStack) -> list[Input]:
        """Find files, and copy pipes and devices into some."""
        from toolgauge.auditing import find_inputs
        from toolgauge.auditing.inputs import is_stream, open_input

        found: list[Input] = []
        for name in names:
            if is_stream(name):
                with open_input(name) as stream:
                    found.append(_copied(stream, name, stack))
            else:
                found += find_inputs([name], output=self.output)
        return found


def _copied(stream: IO[bytes], name: str, stack: ExitStack) -> Input:
    """Copy a stream into a file, which is there as long as the run."""
    from toolgauge.auditing import spool

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolgauge-"))
    return spool(stream, folder, name)
