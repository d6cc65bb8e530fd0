"""What an audit found as one page: a file that opens from disk, without a network.

The page is built from ``ui/report`` and committed. It allows its own script and style
by their hashes and nothing else; data is text in it, never code.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_INPUTS = 50
"""Most names of files that the page lists."""

_PLACE = '<script type="application/json" id="toolgauge-config">{}</script>'
_TITLE = "<title>toolgauge</title>"
_ESCAPED = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_ESCAPES = str.maketrans(_ESCAPED)


def to_html(summary: Mapping[str, Any], inputs: Sequence[str]) -> bytes:
    """Write the page.

    Args:
        summary: What was found: ``Tally.to_json``.
        inputs: The names of the files that were read.
    """
    page = files(__name__).joinpath("report.html").read_text(encoding="utf-8")
    document = dump_json(document_of(summary, inputs)).decode()
    # Outside strings JSON has none of these characters, so each stands in one.
    data = _PLACE.replace("{}", document.translate(_ESCAPES))
    title = "<title>toolgauge audit</title>"
    return page.replace(_TITLE, title, 1).replace(_PLACE, data, 1).encode()


def document_of(summary: Mapping[str, Any], inputs: Sequence[str]) -> dict[str, Any]:
    """Give what the page draws, as JSON."""
    return {
        "version": version("toolgauge"),
        "inputs": list(inputs[:MAX_INPUTS]),
        "moreInputs": max(0, len(inputs) - MAX_INPUTS),
        **summary,
    }
