"""SARIF 2.1.0, for code scanning and editors.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0. A run has a
tool with its rules; a result names a rule and a place. One result for each
flaw, however many targets object: they are in its properties.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import toolgauge
from toolgauge.cli.reports.evidence import tool_of
from toolgauge.cli.reports.pages import page_of
from toolgauge.cli.text import escaped, visible
from toolgauge.contract import dump_json, to_pointer
from toolgauge.rules import rule_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.reports.evidence import Checked, Group

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}


def render(sources: Sequence[Checked]) -> str:
    """Write one run for each source."""
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(each) for each in sources]}
    return escaped(dump_json(document).decode()) + "\n"


def _run(checked: Checked) -> dict[str, Any]:
    """Write the tool with the rules that reported, and every flaw."""
    codes = sorted({each.finding.rule for each in checked.groups})
    return {
        "tool": {
            "driver": {
                "name": "toolgauge",
                "version": toolgauge.__version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "automationDetails": {"id": f"toolgauge/{visible(checked.label)}/"},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(each, codes.index(each.finding.rule), checked) for each in checked.groups
        ],
        "properties": {
            "targets": {each.target.name: each.verdict for each in checked.report.verdicts}
        },
    }


def _rule(code: str) -> dict[str, Any]:
    """Describe a rule; its page is the help."""
    rule = rule_of(code)
    if rule is None:
        return {"id": code}
    page = page_of(rule)
    text = "\n\n".join(f"{title}\n{body}" for title, body in page.sections.items())
    marked = "\n\n".join(f"## {title}\n\n{body}" for title, body in page.sections.items())
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.summary},
        "help": {"text": text or page.summary, "markdown": marked or page.summary},
        "properties": {"name": rule.name},
    }


def _result(group: Group, rule_index: int, checked: Checked) -> dict[str, Any]:
    """Write one flaw with its place in the file and in the tool."""
    finding = group.finding
    tool = visible(tool_of(finding))
    message = visible(f"{tool}: {finding.message}")
    fix = f" Fix: {visible(finding.fix)}." if finding.fix else ""
    location: dict[str, Any] = {
        "logicalLocations": [
            {"name": tool, "fullyQualifiedName": visible(f"{tool}{finding.pointer}")}
        ]
    }
    if checked.uri is not None:
        uri = quote(os.fsencode(checked.uri))
        physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        position = checked.position(finding)
        if position is not None:
            physical["region"] = {"startLine": position.line, "startColumn": position.column}
        location["physicalLocation"] = physical
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{message} ({', '.join(group.targets)}).{fix}"},
        "locations": [location],
        "partialFingerprints": {"toolgauge/v1": _fingerprint(group)},
        "properties": {
            "targets": list(group.targets),
            "pointer": to_pointer(checked.path_in_file(finding)),
        },
    }


def _fingerprint(group: Group) -> str:
    """Name a flaw so that it is known again when lines have moved."""
    finding = group.finding
    text = "\0".join((finding.rule, finding.tool or "", finding.pointer, finding.message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
