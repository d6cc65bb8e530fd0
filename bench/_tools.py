"""The tools and bodies of ``bench/http.py``: one small and one large, both realistic."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

_SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 500, "description": "Text."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "language": {"type": "string", "enum": ["en", "de", "fr", "es", "ja"]},
        "include_archived": {"type": "boolean", "default": False},
    },
    "required": ["query"],
    "additionalProperties": False,
}

_IMPORT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "warehouse": {"type": "string", "minLength": 1},
        "dry_run": {"type": "boolean", "default": False},
        "orders": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1000,
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 10000},
                    "price": {"type": "number", "exclusiveMinimum": 0},
                    "currency": {"type": "string", "enum": ["EUR", "USD", "GBP", "JPY"]},
                    "priority": {"type": "string", "enum": ["low", "normal", "high"]},
                    "customer": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "integer", "minimum": 1},
                            "name": {"type": "string", "maxLength": 100},
                            "country": {"type": "string", "minLength": 2, "maxLength": 2},
                        },
                        "required": ["id", "country"],
                        "additionalProperties": False,
                    },
                    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 10},
                },
                "required": ["sku", "quantity", "price", "currency", "customer"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["warehouse", "orders"],
    "additionalProperties": False,
}


def _orders(count: int) -> list[dict[str, Any]]:
    return [
        {
            "sku": f"ABC-{1000 + number}",
            "quantity": number % 40 + 1,
            "price": 9.5 + number,
            "currency": ("EUR", "USD", "GBP", "JPY")[number % 4],
            "priority": ("low", "normal", "high")[number % 3],
            "customer": {"id": 5000 + number, "name": f"Customer No. {number}", "country": "DE"},
            "tags": ["spring", "wholesale"],
        }
        for number in range(count)
    ]


SCHEMAS = {"small": _SEARCH, "13 kB": _IMPORT}


def body(size: str, *, is_valid: bool) -> dict[str, Any]:
    """Give arguments: one value of the wrong type makes them invalid."""
    if size == "small":
        limit = 20 if is_valid else "20"
        return {"query": "quarterly revenue", "limit": limit, "language": "en"}
    orders = _orders(75)
    if not is_valid:
        orders[35]["quantity"] = "36"
    return {"warehouse": "Rotterdam 2", "dry_run": True, "orders": orders}


def tools(size: str, count: int) -> list[SimpleNamespace]:
    """Give tools as ``mcp-embedded-ui`` supports them; the asked one is the last."""
    schemas = [SCHEMAS[each] for each in SCHEMAS]
    found = [
        SimpleNamespace(
            name=f"tool_{number:03}",
            description=f"Tool number {number} of a realistic length of description.",
            inputSchema=_titled(schemas[number % 2], f"Tool {number}"),
        )
        for number in range(count - 1)
    ]
    asked = SimpleNamespace(
        name=asked_name(size), description="The tool asked for.", inputSchema=SCHEMAS[size]
    )
    return [*found, asked]


def asked_name(size: str) -> str:
    return {"small": "search_documents", "13 kB": "import_orders"}[size]


def _titled(schema: dict[str, Any], title: str) -> dict[str, Any]:
    """Copy a schema so that no two tools share one."""
    return {"title": title, **copy.deepcopy(schema)}
