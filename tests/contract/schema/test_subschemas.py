"""A schema is copied with its subschemas changed, and with nothing else."""

from __future__ import annotations

from typing import Any

from toolgauge.contract.schema.subschemas import with_subschemas


def test_subschemas_are_changed_and_data_is_kept() -> None:
    """In every keyword that holds one, whatever its form; the schema given stays as it was."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"type": {"a": 1}, "b": True},
        "anyOf": [{"b": 2}, 5],
        "items": {"c": 3},
        "default": {"d": 4},
        "enum": [{"e": 5}],
    }
    changed = with_subschemas(schema, lambda each: [each])

    assert {
        "type": "object",
        "properties": {"type": [{"a": 1}], "b": [True]},
        "anyOf": [[{"b": 2}], 5],
        "items": [{"c": 3}],
        "default": {"d": 4},
        "enum": [{"e": 5}],
    } == changed
    assert {"a": 1} == schema["properties"]["type"]
    assert schema["default"] is not changed["default"]
