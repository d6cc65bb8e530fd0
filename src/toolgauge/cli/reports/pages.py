"""The page of a rule: its docstring, cut into sections."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.rules import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a rule says of itself.

    Attributes:
        summary: One sentence.
        sections: Heading to text: ``"Why is this bad?"``, ``"Instead"``,
            ``"Sources"``, in this order.
    """

    summary: str
    sections: Mapping[str, str]


def page_of(rule: Rule) -> Page:
    """Read the docstring of the module that holds a rule."""
    check = rule.check or rule.check_list
    module = sys.modules.get(getattr(check, "__module__", ""))
    text = (module.__doc__ if module else "") or rule.name
    lines = text.replace("``", "`").strip().splitlines()
    heading = ""
    parts: dict[str, list[str]] = {heading: []}
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and not line[0].isspace() and below[:1].isspace():
            heading = line.strip()
            parts[heading] = []
        else:
            parts[heading].append(line)
    summary = " ".join(parts.pop("")).strip()
    return Page(
        summary=summary,
        sections={name: dedent("\n".join(text)).strip() for name, text in parts.items()},
    )
