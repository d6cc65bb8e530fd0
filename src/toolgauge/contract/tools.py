"""The tool: what it promises, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract.results import Annotations, Handler, Validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool's contract, and optionally the code behind it.

    Attributes:
        name: What models call it by.
        description: What models read of it, ``""`` where there is none.
        input_schema: JSON Schema of the arguments as parsed JSON. ``{}`` where
            the tool gives none. Anything that is not a JSON object or boolean
            is kept as it is, so that it can be shown and reported.
        output_schema: JSON Schema of ``structuredContent``, ``None`` for none.
        annotations: MCP annotations, empty for none.
        extra: Further members of the definition that travel with it unread:
            ``title``, ``icons``, ``execution``, ``_meta``, vendors' own.
        handler: The code to run, ``None`` where a ``handle_call`` runs it.
        validate: A validator's own check, made after the schema's; the handler
            gets its value. ``None`` where the schema says everything.
    """

    name: str
    description: str = ""
    input_schema: Any = field(default_factory=dict)
    output_schema: Any = None
    annotations: Annotations = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    handler: Handler | None = None
    validate: Validate | None = None

    def with_name(self, name: str) -> Tool:
        """Give the same tool under another name."""
        return replace(self, name=name)

    def to_summary(self) -> dict[str, Any]:
        """Give the tool as ``GET /tools`` lists it.

        ``{"name": "…", "description": "…", "annotations": {…}}``;
        ``annotations`` is left out where there are none, and nothing else is
        ever added (decision D10).
        """
        wire: dict[str, Any] = {"name": self.name, "description": self.description}
        if self.annotations:
            wire["annotations"] = dict(self.annotations)
        return wire

    def to_detail(self) -> dict[str, Any]:
        """Give the tool whole, as MCP writes it: ``inputSchema`` in camelCase."""
        wire = self.to_summary()
        wire["inputSchema"] = self.input_schema
        if self.output_schema is not None:
            wire["outputSchema"] = self.output_schema
        for key, value in self.extra.items():
            wire.setdefault(key, value)
        return wire
