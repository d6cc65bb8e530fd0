"""Reading what an option holds: JSON arguments, headers, environment variables."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolgauge.cli.errors import WrongUsage
from toolgauge.contract import DEFAULT_BOUNDS, InvalidJson, parse_json
from toolgauge.upstream import SourceUnreadable
from toolgauge.upstream.files import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
"""RFC 9110 section 5.6.2 for the name; a value holds no line break."""


def read_arguments(given: str) -> Any:
    """Read the arguments of a call: JSON text, ``-`` for stdin, ``@FILE``.

    Raises:
        InvalidJson: They are not one JSON document; the reason names the place.
        WrongUsage: The file cannot be read, or is larger than a call may be.
    """
    if given == "-":
        return _parsed(sys.stdin.buffer.read(DEFAULT_BOUNDS.max_body_bytes + 1), "stdin")
    if given.startswith("@"):
        return _parsed(_read_file(Path(given[1:])), f"file {given[1:]}")
    return _parsed(given.encode("utf-8", "surrogatepass"), "ARGS")


def read_headers(given: Iterable[str]) -> dict[str, str]:
    """Read ``NAME: VALUE`` headers. No message repeats a value: it may be a token.

    Raises:
        WrongUsage: One of them is not a header.
    """
    headers: dict[str, str] = {}
    for number, line in enumerate(given, start=1):
        match = _HEADER.fullmatch(line)
        if match is None or not match[2].isascii():
            raise WrongUsage(f"--header number {number} is not of the form 'NAME: VALUE'")
        headers[match[1]] = match[2].strip()
    return headers


def read_env(given: Iterable[str]) -> dict[str, str]:
    """Read ``NAME=VALUE``, or ``NAME`` for one of our own variables to hand on.

    Raises:
        WrongUsage: There is no name, or no such variable.
    """
    variables: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not name or "\0" in each:
            raise WrongUsage("--env needs NAME=VALUE, or the NAME of a variable to hand on")
        if not sign and name not in os.environ:
            raise WrongUsage(f"--env {name}: there is no such variable to hand on")
        variables[name] = value if sign else os.environ[name]
    return variables


def _read_file(path: Path) -> bytes:
    """Read a file, and no more of it than a call may have.

    Raises:
        WrongUsage: The file cannot be read, or is larger.
    """
    try:
        return read_bounded(path, DEFAULT_BOUNDS.max_body_bytes, f"@{path}")
    except SourceUnreadable as error:
        raise WrongUsage(f"{error} of arguments") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no path"
        raise WrongUsage(f"@{path} cannot be read: {reason}") from error


def _parsed(data: bytes, where: str) -> Any:
    """Parse strictly, and say where the text came from."""
    if len(data) > DEFAULT_BOUNDS.max_body_bytes:
        raise WrongUsage(f"{where}: more than {DEFAULT_BOUNDS.max_body_bytes} bytes of arguments")
    try:
        return parse_json(data)
    except InvalidJson as error:
        raise InvalidJson(f"{where}: {error.reason}") from None
