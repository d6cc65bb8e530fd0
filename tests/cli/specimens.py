"""Targets and tools of our own, so that these tests say nothing of real providers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.cli.reports.evidence import Checked
from toolgauge.rules import check
from toolgauge.rules._targets import target_from_toml

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
title = "Specimen {name}"
summary = "A target for tests."
groups = [{groups}]
"""

LIMIT = """
[[rules]]
id = "{target}/{rule}"
rule = "{rule}"
limits = {{{limits}}}
severity = "{severity}"
{more}
effect = "the request is refused"
sources = ["https://example.com/limits"]
read = 2026-11-01
"""

CONFLICT = 'conservative = "error"\nconflict = "A says, B not"'

ROWS = {
    "narrow": [
        ("overlong-tool-name", "error", "max_length = 8", ""),
        (
            "missing-description",
            "warning",
            "",
            'conservative = "error"\nconflict = "A says, B not"',
        ),
    ],
    "roomy": [],
    "stern": [
        ("overlong-tool-name", "error", "max_length = 8", ""),
        ("non-object-root", "error", "", ""),
        ("missing-tool-name", "error", "", ""),
        ("missing-schema", "error", "allow_missing = true", ""),
        ("too-many-tools", "error", "max = 4", ""),
    ],
    "teacher": [("undescribed-property", "advice", "", "")],
}


def toml(name: str) -> str:
    """Write one target."""
    groups = '"strict"' if name in {"narrow", "stern"} else '"clients"'
    return HEAD.format(name=name, groups=groups) + "".join(
        LIMIT.format(target=name, rule=rule, severity=severity, limits=limits, more=more)
        for rule, severity, limits, more in ROWS[name]
    )


TARGETS = {name: target_from_toml(name, toml(name)) for name in ROWS}

EVIL = "evil\x1b[2J|`<b>[red]\u202e%,:@x"
GOOD = {
    "name": "good",
    "description": "Good.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
}
TOOLS: list[Any] = [
    GOOD,
    {"name": "overlong_name", "description": "Long.", "inputSchema": {"type": "object"}},
    {"name": EVIL, "inputSchema": {"type": "array"}},
]


def checked(folder: Path | None = None, tools: Any = None, **changes: Any) -> Checked:
    """Check tools in front of the specimens; needs the fixture ``specimens``."""
    tools = TOOLS if tools is None else tools
    report = check(tools, ["all"])
    if folder is not None:
        changes |= {"places": tuple((index,) for index in range(len(tools)))}
    return Checked(report=report, label="tools.json", **changes)
