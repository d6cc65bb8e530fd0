"""What the words on a command line name: one of four kinds of SOURCE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from toolgauge.upstream.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_MODULE = re.compile(rf"({_DOTTED}):({_DOTTED})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class FileSource:
    """A JSON file. Its format is found by looking at it, not by its name."""

    path: Path

    @property
    def label(self) -> str:
        """The file's name without its folders."""
        return self.path.name or str(self.path)


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """An attribute of a module that can be imported. Importing runs its code."""

    module: str
    attribute: str

    @property
    def label(self) -> str:
        """``package.module:attribute``, as it was given."""
        return f"{self.module}:{self.attribute}"


@dataclass(frozen=True, slots=True)
class UrlSource:
    """An MCP server that answers at a URL. The URL is kept out of ``repr``."""

    url: str = field(repr=False)

    @property
    def label(self) -> str:
        """Scheme, host, port and path: a query or userinfo may carry a token."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}"


@dataclass(frozen=True, slots=True)
class CommandSource:
    """A command that runs an MCP server over stdio. Kept out of ``repr``."""

    command: tuple[str, ...] = field(repr=False)

    @property
    def label(self) -> str:
        """The program's name alone: arguments may carry keys."""
        return re.split(r"[/\\]", self.command[0])[-1]


Source: TypeAlias = FileSource | ModuleSource | UrlSource | CommandSource


def parse_source(words: Sequence[str]) -> Source:
    """Tell which kind of SOURCE the words name. Nothing is opened yet.

    A word that names an existing file is that file, whatever else it looks
    like. Otherwise ``http://`` and ``https://`` make a URL, ``a.b:c.d`` a
    module's attribute, and everything else a file that may be missing.

    Args:
        words: One word, or ``("--", "COMMAND", "ARG", …)``.

    Raises:
        InvalidSource: No word, more than one without ``--``, no command after
            ``--``, or a URL of another scheme.

    Example:
        >>> parse_source(["toolgauge.demo:tools"])
        ModuleSource(module='toolgauge.demo', attribute='tools')
    """
    if not words or not words[0]:
        raise InvalidSource(
            "SOURCE", "is missing; give a file, module:attribute, URL or -- COMMAND"
        )
    if words[0] == "--":
        return _parse_command(words[1:])
    if len(words) > 1:
        raise InvalidSource(
            f"{words[0]!r} and {len(words) - 1} more words",
            "name no single SOURCE; to start a server, put its command after '--'",
        )
    return _parse_word(words[0])


def _parse_command(command: Sequence[str]) -> CommandSource:
    """Take everything after ``--`` as it is."""
    if not command or not command[0]:
        raise InvalidSource("--", "has no command after it; write: -- COMMAND ARG…")
    return CommandSource(tuple(command))


def _parse_word(word: str) -> Source:
    """Tell a file, a URL and a module apart."""
    path = Path(word)
    if _exists(path):
        return FileSource(path)
    if _SCHEME.match(word):
        return _parse_url(word)
    if match := _MODULE.fullmatch(word):
        return ModuleSource(match[1], match[2])
    return FileSource(path)


def _parse_url(url: str) -> UrlSource:
    """Accept http and https with a host, and say why anything else is refused."""
    scheme = url.partition("://")[0].lower()
    if scheme not in {"http", "https"}:
        raise InvalidSource(f"{scheme}://…", "is not a URL that can be opened; use http or https")
    try:
        has_host = bool(urlsplit(url).hostname)
        _ = urlsplit(url).port  # raises for a port that is not a number
    except ValueError:
        has_host = False
    if not has_host:
        raise InvalidSource(f"{scheme}://…", "has no valid host and port")
    return UrlSource(url)


def _exists(path: Path) -> bool:
    """Ask the file system; a word it cannot even look up is not a file."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
