"""What lowering could not keep: losses and refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.contract import to_pointer

if TYPE_CHECKING:
    from toolgauge.contract import Path

RESTORE, GATE, NOTHING = "restore", "gate", ""
"""Who makes good for a loss."""

WIDER, NARROWER, RESHAPED, HIDDEN = "wider", "narrower", "reshaped", "hidden"
"""Kinds of loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One thing that the provider no longer enforces or the model no longer sees.

    Attributes:
        tool: The tool's name, as given.
        path: Keys and indices into the input schema as it was given. A place
            below ``$defs`` stands for every place that refers to it.
        what: What was lost, one clause.
        kind: ``"wider"``: the model may send what the tool refuses.
            ``"narrower"``: the model can no longer send something that the tool
            takes. ``"reshaped"``: it is sent in another shape. ``"hidden"``:
            the model is not told something; what may be sent is the same.
        made_good_by: ``"restore"``, ``"gate"`` (validation of the restored call
            against the original schema refuses it), ``""`` for nobody.
    """

    tool: str
    path: Path
    what: str
    kind: str
    made_good_by: str

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer."""
        return to_pointer(self.path)

    def to_json(self) -> dict[str, Any]:
        """Give the loss as ``lower --format json`` prints it."""
        return {
            "tool": self.tool,
            "path": self.pointer,
            "what": self.what,
            "kind": self.kind,
            "made_good_by": self.made_good_by,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A tool that cannot be made acceptable.

    Attributes:
        tool: The tool's name, or ``"#3"`` for its place where it has none.
        reason: Why, with the place.
        fix: The smallest change that a person could make.
    """

    tool: str
    reason: str
    fix: str

    def to_json(self) -> dict[str, Any]:
        """Give the refusal as ``lower --format json`` prints it."""
        return {"tool": self.tool, "reason": self.reason, "fix": self.fix}
