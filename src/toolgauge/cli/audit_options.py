"""The options of ``toolgauge audit``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Records(StrEnum):
    """How records are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"


class Engine(StrEnum):
    """Where units run."""

    LOCAL = "local"
    RAY = "ray"
    DASK = "dask"


Calls = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CALLS... [-- COMMAND ARG...]",
        help="Recorded calls: JSONL (plain, gzip, zstd) or Parquet files, folders of them, "
        "URIs such as s3://bucket/calls, or - for stdin.",
        show_default=False,
    ),
]
Tools = Annotated[
    str | None,
    typer.Option(
        "--tools",
        "-t",
        metavar="SOURCE",
        help="Where the tools are: a JSON file, package.module:attribute, or a URL. "
        "A server's command goes after --.",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="Write records, summary and report to a folder."
    ),
]
ToolField = Annotated[
    str | None, typer.Option("--tool-field", metavar="NAME", help="The member that names the tool.")
]
ArgumentsField = Annotated[
    str | None,
    typer.Option("--arguments-field", metavar="NAME", help="The member that holds the arguments."),
]
ShapeName = Annotated[
    str | None,
    typer.Option(
        "--shape",
        metavar="NAME",
        help="How rows hold their calls, such as direct, openai, openai-responses, anthropic, "
        "gemini, mcp or log; found for each row by default.",
        show_default=False,
    ),
]
DialectName = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="How a data set writes tools and calls, such as bfcl or xlam.",
        show_default=False,
    ),
]
ToolsField = Annotated[
    str | None,
    typer.Option(
        "--tools-field",
        metavar="NAME",
        help="The member of a row that holds its own tools; a dialect knows its own.",
    ),
]
ToolsById = Annotated[
    list[str] | None,
    typer.Option(
        "--tools-by-id",
        metavar="PATH",
        help="Files whose rows hold the tools of the rows with the same id; repeatable.",
    ),
]
DropPadding = Annotated[
    bool,
    typer.Option(
        "--drop-null-padding",
        help="Take null members that no schema declares for padding of a table.",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--id", metavar="NAME", help="A member of the row to keep in its records; repeatable."
    ),
]
TimeField = Annotated[
    str | None,
    typer.Option("--time-field", metavar="NAME", help="The member that says when; for the plot."),
]
RecordsFormat = Annotated[
    Records | None,
    typer.Option(
        "--records",
        help="How records are written to the folder; by default as lines, and as Parquet "
        "where all calls are in Parquet files.",
        show_default=False,
    ),
]
KeepAll = Annotated[
    bool, typer.Option("--all", help="Write records of valid calls too, not only of failures.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        max=256,
        metavar="N",
        help="Worker processes; one per core by default.",
        show_default=False,
    ),
]
EngineName = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="Where the work is done: processes of this machine, or a Ray or Dask cluster.",
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="ADDRESS",
        help="The cluster of --engine ray (auto, HOST:PORT) or dask (tcp://HOST:PORT); "
        "a local one is started by default.",
        show_default=False,
    ),
]
ReportFile = Annotated[
    str | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write the report, one HTML page, to a file; a folder of --output has it anyway.",
        show_default=False,
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the run in the folder, also a finished one.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Throw away the run that is in the folder.")
]
MaxLine = Annotated[
    int,
    typer.Option("--max-line-bytes", min=1, metavar="N", help="Longest line that is read."),
]
