"""Tools in an attribute of a Python module."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.contract import InvalidTool
from toolgauge.contract.reading import as_definition, describes_tool, is_json
from toolgauge.standard.frameworks import is_framework_tool
from toolgauge.upstream.entries import Upstream, foreign_entries, kind_of, read_entries, screen
from toolgauge.upstream.errors import (
    SourceError,
    SourceNotFound,
    SourceNotTools,
    SourceUnreadable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract.results import HandleCall
    from toolgauge.upstream.source import ModuleSource

_JSON = (list, str, int, float, type(None))


def load_attribute(source: ModuleSource) -> object:
    """Import the module and follow the attribute's dots.

    The working directory can be imported from, as with ``python -m``. What the
    module prints meanwhile goes to stderr, because stdout may be a document that a
    program reads.

    Raises:
        SourceNotFound: There is no such module or attribute.
        SourceUnreadable: The module raises while it is imported or read.
    """
    with contextlib.redirect_stdout(sys.stderr):
        found: object = _import(source)
        for step in source.attribute.split("."):
            found = _attribute(source, found, step)
    return found


_SERVERS = frozenset({("mcp", "MCPServer"), ("mcp", "Server"), ("fastmcp", "FastMCP")})
"""Package and class of the servers that are spoken to in memory."""


def is_server(found: object) -> bool:
    """Tell a server object of the official SDK or of FastMCP, without importing either.

    An instance can only exist where its library has been imported already.
    """
    return any(
        (cls.__module__.split(".")[0], cls.__name__) in _SERVERS for cls in type(found).__mro__
    )


def provide(source: ModuleSource, found: object) -> Upstream:
    """Read an attribute as tools: a list, a provider, an object with ``.tools``, one tool.

    Raises:
        SourceNotTools: It is none of these.
        SourceUnreadable: It raises while it is read.
    """
    with _telling(source, "reading it"):
        if is_framework_tool(found) or (not isinstance(found, Mapping) and describes_tool(found)):
            return _screened(source, [found])
        if not isinstance(found, (Mapping, list, tuple)) and hasattr(found, "tools"):
            handle_call = getattr(found, "handle_call", None)
            tools = found.tools
            if isinstance(tools, Mapping) and all(map(is_framework_tool, tools.values())):
                tools = list(tools.values())  # pydantic-ai's toolsets keep theirs by name
            return _screened(source, tools, handle_call if callable(handle_call) else None)
        if not _can_provide(found):
            reason = f"is {kind_of(found)}, not a list or a provider of tools"
            raise SourceNotTools(source.label, reason)
        if isinstance(found, Mapping):
            try:
                return _from_document(source, found)
            except LookupError as error:
                raise SourceNotTools(source.label, f"holds no tools but {error.args[0]}") from error
        return _screened(source, found)


def _can_provide(found: object) -> bool:
    """Tell a list of tools, or a function that returns one, from anything else."""
    if isinstance(found, (str, bytes, type)):
        return False
    return callable(found) or isinstance(found, Iterable)


def _screened(
    source: ModuleSource, tools: object, handle_call: HandleCall | None = None
) -> Upstream:
    """Report bad entries of a plain list; a provider's are known when it is asked."""
    if not isinstance(tools, (list, tuple)):
        return Upstream(label=source.label, tools=tools, handle_call=handle_call)
    if any(isinstance(each, Mapping) for each in tools):
        with contextlib.suppress(LookupError):
            return _from_document(source, list(tools), handle_call)
    kept, problems = screen(tools)
    return Upstream(label=source.label, tools=kept, handle_call=handle_call, problems=problems)


def _from_document(
    source: ModuleSource, document: object, handle_call: HandleCall | None = None
) -> Upstream:
    """Keep the definitions as they are, unless objects of Python code are among them."""
    if isinstance(document, list):
        document = [_as_json(each) for each in document]
    entries = read_entries(document)
    kept, problems = screen(entry.wire for entry in entries)
    is_whole = all(_is_json(each.wire) for each in entries)
    return Upstream(
        label=source.label,
        tools=kept,
        handle_call=handle_call,
        problems=(*problems, *foreign_entries(document)),
        entries=tuple(entries) if is_whole else (),
    )


def _as_json(entry: object) -> object:
    """Turn the objects in a mapping into JSON; what cannot be is told when it is read."""
    if not isinstance(entry, Mapping):
        return entry
    try:
        return as_definition(entry)
    except InvalidTool:
        return entry


def _is_json(wire: object) -> bool:
    return is_json(wire) if isinstance(wire, Mapping) else isinstance(wire, _JSON)


def _import(source: ModuleSource) -> object:
    """Import the module, with the working directory on the path."""
    with contextlib.suppress(OSError):  # the working directory may be gone
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
    with _telling(source, "its import"):
        try:
            return importlib.import_module(source.module)
        except ModuleNotFoundError as error:
            if error.name and (source.module + ".").startswith(error.name + "."):
                raise SourceNotFound(source.label, f"there is no module {error.name!r}") from error
            reason = f"its import fails: there is no module {error.name!r}"
            raise SourceUnreadable(source.label, reason) from error


def _attribute(source: ModuleSource, found: object, name: str) -> object:
    """Take one step; a property and a module's ``__getattr__`` are code as well."""
    with _telling(source, f"reading its attribute {name!r}"):
        try:
            return getattr(found, name)
        except AttributeError as error:
            raise SourceNotFound(source.label, f"there is no attribute {name!r}") from error


@contextlib.contextmanager
def _telling(source: ModuleSource, doing: str) -> Iterator[None]:
    """Tell whatever the user's own code raises, without our traceback; Ctrl-C passes."""
    try:
        yield
    except (SourceError, KeyboardInterrupt):
        raise
    except BaseException as error:
        reason = f"{doing} raises {type(error).__name__}: {str(error)[:200]}"
        raise SourceUnreadable(source.label, reason) from error
