"""What is wrong with one place in one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from toolgauge.contract.pointers import Path, to_pointer

Places: TypeAlias = "tuple[tuple[Path, str | None], ...]"
"""Of each of several issues its path and its keyword."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing that is wrong with one place in one value.

    Attributes:
        path: Keys and indices from the root of the value to the offending
            place. Empty means the value itself. ``pointer`` gives it as an
            RFC 6901 JSON Pointer. For a missing property it is the place
            where the property should be.
        message: The validator's own sentence, verbatim up to the bound on
            messages. Not public API: it may change with the validator's
            version.
        keyword: The JSON Schema keyword that failed, ``"schema"`` where the
            schema itself is at fault, ``None`` where there is none to name.
        hint: What probably happened and what to change, where that is known.
        causes: For ``anyOf`` and ``oneOf``: the issues of the branch that the
            value most likely meant. Empty where no branch stands out.
    """

    path: Path = ()
    message: str
    keyword: str | None = None
    hint: str | None = None
    causes: tuple[Issue, ...] = ()

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer, ``""`` for the value itself."""
        return to_pointer(self.path)

    def to_json(self) -> dict[str, Any]:
        """Give the issue as it travels.

        ``{"path": "/count", "message": "…", "keyword": "type"}``; ``keyword``,
        ``hint`` and ``causes`` are left out where there are none.
        """
        wire: dict[str, Any] = {"path": self.pointer, "message": self.message}
        if self.keyword is not None:
            wire["keyword"] = self.keyword
        if self.hint is not None:
            wire["hint"] = self.hint
        if self.causes:
            wire["causes"] = [cause.to_json() for cause in self.causes]
        return wire
