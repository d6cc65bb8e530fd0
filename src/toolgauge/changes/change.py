"""What changed, and whom it breaks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from toolgauge.contract import Path, to_pointer

Severity: TypeAlias = Literal["breaking", "unproven", "compatible", "notice"]
"""``breaking``: some caller is hurt, and the witness shows how. ``unproven``: neither
that nor the opposite is shown; treat it like ``breaking``. ``compatible``: proven
to hurt nobody. ``notice``: admits the same values, but models read it."""

Kind: TypeAlias = Literal[
    "tool-removed",
    "tool-renamed",
    "tool-added",
    "input-narrowed",
    "input-widened",
    "input-rewritten",
    "input-unproven",
    "output-widened",
    "output-narrowed",
    "output-rewritten",
    "output-unproven",
    "output-schema-added",
    "output-schema-removed",
    "description-changed",
    "title-changed",
    "annotations-changed",
    "metadata-changed",
    "input-text-changed",
    "output-text-changed",
]

Verdict: TypeAlias = Literal["breaking", "unproven", "compatible", "notice", "unchanged"]

SEVERITIES: Final[tuple[Severity, ...]] = ("breaking", "unproven", "compatible", "notice")
"""The worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two contracts.

    Attributes:
        kind: What happened, for programs.
        severity: Whom it hurts.
        tool: The tool's old name, or its new one where it is added; ``""``
            for a comparison of single schemas.
        path: The smallest place that differs, from the root of the tool's
            definition (of the schema, for single schemas). Where several places
            differ, one that the witness runs into.
        places: Every place that differs in this schema, up to a bound.
        message: What happened, for people. Not public API.
        has_witness: Whether ``witness`` holds a value: ``None`` is one, too.
        witness: For a narrowed input: arguments that the old schema admits and
            the new one refuses; for a widened output: a result that the new
            schema admits and the old one refuses. For compatible changes the
            other way round. Asked of the engine before it is given.
        fix: What to do, ``None`` where there is nothing to do.
    """

    kind: Kind
    severity: Severity
    tool: str = ""
    path: Path = ()
    places: tuple[Path, ...] = ()
    message: str
    has_witness: bool = False
    witness: Any = None
    fix: str | None = None

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer, ``""`` for the root."""
        return to_pointer(self.path)

    def to_json(self) -> dict[str, Any]:
        """Give the change as it travels.

        ``{"kind": "input-narrowed", "severity": "breaking", "tool": "search",
        "path": "/inputSchema/required", "message": "…", "witness": {}}``; what
        there is none of is left out.
        """
        wire: dict[str, Any] = {"kind": self.kind, "severity": self.severity}
        if self.tool:
            wire["tool"] = self.tool
        wire |= {"path": self.pointer, "message": self.message}
        if len(self.places) > 1:
            wire["places"] = [to_pointer(each) for each in self.places]
        if self.has_witness:
            wire["witness"] = self.witness
        if self.fix is not None:
            wire["fix"] = self.fix
        return wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything that differs between two contracts, the worst first.

    Attributes:
        changes: Sorted by severity, then tool, place and kind.
    """

    changes: tuple[Change, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst severity, ``"unchanged"`` where nothing differs."""
        return self.changes[0].severity if self.changes else "unchanged"

    def to_json(self) -> dict[str, Any]:
        """Give the comparison as it travels: verdict, a count of each severity, changes."""
        counts = Counter(each.severity for each in self.changes)
        return {
            "verdict": self.verdict,
            "counts": {each: counts[each] for each in SEVERITIES},
            "changes": [each.to_json() for each in self.changes],
        }


def in_order(changes: list[Change]) -> Changes:
    """Sort changes, the worst first, then as the tools' names and places sort."""

    def order(each: Change) -> tuple[int, str, str, str]:
        return SEVERITIES.index(each.severity), each.tool, each.pointer, each.kind

    return Changes(changes=tuple(sorted(changes, key=order)))
