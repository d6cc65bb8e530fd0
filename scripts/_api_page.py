"""Write docs/api.md: the public names, by job, from their docstrings and signatures."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import toolgauge

if TYPE_CHECKING:
    from collections.abc import Iterator

JOBS: dict[tuple[str, str], tuple[str, ...]] = {
    ("Tools and their contract", "tools.md"): (
        "Tool",
        "CallContext",
        "CallResult",
        "current_call",
        "Bounds",
        "Issue",
        "Success",
        "Failure",
    ),
    ("Define a tool", "tools.md"): ("define_tool", "tool"),
    ("Any validator", "validators.md"): (
        "standardize",
        "resolve_json_schema",
        "disagreement",
        "Adapter",
        "Props",
        "JsonSchemas",
        "NoJsonSchema",
    ),
    ("Check tools against targets", "check.md"): (
        "check",
        "Report",
        "Finding",
        "Rule",
        "Definition",
        "Target",
        "targets",
    ),
    ("Lower tools and restore calls", "lowering.md"): (
        "lower",
        "Lowered",
        "Loss",
        "Restored",
        "Restorer",
        "restorer_from_map",
        "Pass",
    ),
    ("Compare two versions", "compare.md"): (
        "compare",
        "Changes",
        "Change",
        "lock_of",
        "read_lock",
        "dump_lock",
        "Lock",
    ),
    ("The gate", "gateway.md"): (
        "Gate",
        "Outcome",
        "Recorder",
        "SchemaRegistry",
        "Verdict",
    ),
    ("Provider formats", "wire.md"): (
        "Format",
        "detect",
        "format_of",
        "formats",
        "from_tools",
        "render_manifest",
        "WireCall",
        "WireResult",
    ),
    ("Run the calls of a model", "agent.md"): (
        "run_tools",
        "run_agent",
        "Finished",
        "TextDelta",
        "ToolAnswered",
        "ToolCalled",
    ),
    ("Serve tools", "http-api.md"): (
        "create_app",
        "create_mcp_app",
        "create_mount",
        "build_routes",
        "build_ui_routes",
        "LogFeed",
        "bearer_auth",
        "serve_stdio",
    ),
    ("Audit recorded calls", "audit.md"): (
        "audit",
        "audit_batch",
        "Audit",
        "Contracts",
        "Dialect",
        "Job",
        "RowReader",
        "find_inputs",
        "local_engine",
    ),
    ("Errors", "tools.md"): (
        "ToolgaugeError",
        "CanonicalError",
        "InvalidJson",
        "InvalidProvider",
        "InvalidTool",
        "ToolInputInvalid",
        "UnknownMessage",
        "UnknownTool",
    ),
}
"""The public names by job, with the guide that tells of them."""

MAX_WIDTH = 80
LINE = "\n    "

_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Example|Examples|Note):$")
_ITEM = re.compile(r"^ {4}(\*{0,2}\w[\w.]*)(?: \([^)]*\))?: (.*)$")


def api_page(note: str) -> str:
    """Return the page: a table of names for each job, then each name."""
    lines = [note, "# Python API", "", "These names are public: import them from `toolgauge`."]
    lines += ["[Stability](stability.md) says what that means.", ""]
    for (job, guide), names in JOBS.items():
        links = ", ".join(f"[`{name}`](#{_anchor(name)})" for name in names)
        lines.append(f"- {job} ([guide]({guide})): {links}")
    for (job, _), names in JOBS.items():
        lines += ["", f"## {job}"]
        for name in names:
            lines += ["", f"### {name}", *_entry(name)]
    return "\n".join(lines) + "\n"


def _anchor(name: str) -> str:
    """Return the anchor of a name's heading; names that differ by case are numbered."""
    names = [each for group in JOBS.values() for each in group]
    alike = [each for each in names if each.lower() == name.lower()]
    number = alike.index(name)
    return f"{name.lower()}-{number}" if number else name.lower()


def _entry(name: str) -> Iterator[str]:
    """Write one name: its signature and its docstring."""
    value = getattr(toolgauge, name)
    signature = _signature(value)
    if signature is not None:
        yield from ("", "```py", f"{name}{signature}", "```")
    yield ""
    yield from _docstring(inspect.getdoc(value) or "")


def _signature(value: object) -> str | None:
    """Return what to call it with, one parameter a line where they are many."""
    if not callable(value) or (isinstance(value, type) and issubclass(value, BaseException)):
        return None
    signature = inspect.signature(value)
    shown = [_written(each) for each in signature.parameters.values()]
    text = f"({', '.join(shown)})"
    return text if len(text) <= MAX_WIDTH else f"({''.join(f'{LINE}{each},' for each in shown)}\n)"


def _written(parameter: inspect.Parameter) -> str:
    """Write a parameter as the source does; a default that is no literal is ``...``."""
    plain = re.sub(r": '([^']*)'", r": \1", str(parameter))
    return re.sub(r"<[^>]+>", "...", plain)


def _docstring(text: str) -> Iterator[str]:
    """Turn a docstring's sections into Markdown lists and code."""
    section = ""
    for line in text.replace("``", "`").splitlines():
        heading = _SECTION.match(line)
        item = _ITEM.match(line)
        if heading:
            section = heading[1]
            yield from (f"**{section}**", "")
        elif section.startswith("Example"):
            yield line
        elif section and item:
            yield f"- `{item[1]}`: {item[2]}"
        elif section and line.startswith("    "):
            yield f"  {line.strip()}"
        else:
            yield line
