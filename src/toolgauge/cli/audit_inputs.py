"""From the words of ``toolgauge audit`` to what is audited: calls, and the tools they hold to."""

from __future__ import annotations

import sys
import tempfile
from typing import IO, TYPE_CHECKING

from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.words import to_source

if TYPE_CHECKING:
    from contextlib import ExitStack

    from toolgauge.audit import Contracts, Input, RowReader, RowTools


async def read_contracts(
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


def read_inputs(names: list[str], output: str | None, stack: ExitStack) -> list[Input]:
    """Find the files; standard input is copied into one.

    Raises:
        WrongUsage: If standard input is named beside files.
    """
    if "-" not in names:
        return read_files(names, output, stack)
    if len(names) > 1:
        raise WrongUsage("- (stdin) cannot be audited together with files")
    return [_copied(sys.stdin.buffer, "-", stack)]


def read_files(names: list[str], output: str | None, stack: ExitStack) -> list[Input]:
    """Find the files, and copy pipes and devices into some."""
    from toolgauge.audit import find_inputs
    from toolgauge.audit.inputs import is_stream, open_input

    found: list[Input] = []
    for name in names:
        if is_stream(name):
            with open_input(name) as stream:
                found.append(_copied(stream, name, stack))
        else:
            found += find_inputs([name], output=output)
    return found


def _copied(stream: IO[bytes], name: str, stack: ExitStack) -> Input:
    """Copy a stream into a file, which is there as long as the run."""
    from toolgauge.audit import spool

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolgauge-"))
    return spool(stream, folder, name)


def tools_of_rows(
    dialect: str | None,
    field: str | None,
    by_id: list[Input],
    *,
    drops_padding: bool,
) -> RowTools | None:
    """Find where rows bring their own tools; ``None`` where they do not.

    Args:
        dialect: How a data set writes tools.
        field: The member of a row that holds them.
        by_id: Files whose rows hold the tools of the rows with the same id.
        drops_padding: Whether null members that no schema declares are left out.

    Raises:
        WrongUsage: If there is no such dialect.
    """
    from toolgauge.audit import DIALECTS, RowTools
    from toolgauge.audit import tools_by_id as read_tools

    if dialect is not None and dialect not in DIALECTS:
        raise WrongUsage(f"--dialect {dialect!r} is not known; there are: {', '.join(DIALECTS)}")
    if dialect is None and field is None and not by_id and not drops_padding:
        return None
    key = field or (DIALECTS[dialect].tools_key if dialect is not None else "tools")
    held = read_tools(by_id, key) if by_id else None
    # With tools beside, the name may be one of theirs.
    is_needed = field is not None and held is None
    return RowTools(key, dialect, held, drops_padding=drops_padding, is_needed=is_needed)


def rows_of(
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
