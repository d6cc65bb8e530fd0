"""A module that prints what a terminal obeys while it is imported."""

from __future__ import annotations

from toolgauge import Tool

print("said \x9b31m \u202e\x85")  # noqa: T201 - the fault itself
tools = [Tool(name="t", description="d")]
