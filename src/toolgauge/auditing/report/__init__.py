"""What an audit found as one page: a file that opens from disk, without a network.

The page is built from ``ui/report`` and committed. It allows its own script and style
by their hashes and nothing else; data is text in it, never code.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_INPUTS = 50
"""Most names of files that the page lists."""

_PLACE = b'<script type="application/json" id="toolgauge-config">{}</script>'
_TITLE = b"<title>toolgauge</title>"
_ESCAPED = {each.encode(): f"\\u{ord(each):04x}".encode() for each in "<>&\u2028\u2029"}


def to_html(summary: bytes, inputs: Sequence[str]) -> bytes:
    """Write the page.

    Args:
        summary: What was found: ``Tally.to_bytes``.
        inputs: The names of the files that were read.
    """
    page = files(__name__).joinpath("report.html").read_bytes()
    about = {
        "version": version("toolgauge"),
        "inputs": list(inputs[:MAX_INPUTS]),
        "moreInputs": max(0, len(inputs) - MAX_INPUTS),
    }
    # One object out of two.
    document = dump_json(about)[:-1] + b"," + summary[1:]
    # Outside strings JSON has none of these characters, so each stands in one.
    for character, escape in _ESCAPED.items():
        document = document.replace(character, escape)
    data = _PLACE.replace(b"{}", document)
    return page.replace(_TITLE, b"<title>toolgauge audit</title>", 1).replace(_PLACE, data, 1)
