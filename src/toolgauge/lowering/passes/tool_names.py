"""Tool names: characters that the provider refuses, and length.

A changed name ends in six hex digits of the hash of the whole name, so that two
names never become one, whatever else is in the list.
"""

from __future__ import annotations

import hashlib
import re

from toolgauge.lowering._pass import Draft, Options, Pass

_DIGITS = 6


def lower(draft: Draft, options: Options) -> None:
    """Clean and shorten the name; ``restore`` maps calls back by the whole name."""
    longest: int = options["max_length"]
    letter = re.compile(options["letter"])
    first = re.compile(options["first"])
    name = draft.name
    if len(name) <= longest and first.fullmatch(name[0]) and all(map(letter.fullmatch, name)):
        return
    clean = "".join(each if letter.fullmatch(each) else "_" for each in name)
    if not first.fullmatch(clean[0]):
        clean = f"t_{clean}"
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    draft.name = f"{clean[: longest - _DIGITS - 1]}_{digest}"


PASS = Pass(
    name="tool-names",
    since="0.1.0",
    lower=lower,
    options={"max_length": 64, "letter": "[a-zA-Z0-9_-]", "first": "[a-zA-Z0-9_-]"},
    loses="The model reads a shorter name.",
)
