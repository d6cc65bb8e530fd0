"""Tools over HTTP: the explorer page, discovery, validation and calls.

Knows nothing of schemas: ``gate`` finds what is wrong, and this room carries it.
"""

from __future__ import annotations

from toolgauge.serve.access import AuthHook, Unauthorized, bearer_auth
from toolgauge.serve.app import build_routes, create_app, create_mount
from toolgauge.serve.contract_log import ContractLog, LogFeed
from toolgauge.serve.running import AddressInUse, run
from toolgauge.serve.settings import Settings
from toolgauge.serve.stdio import serve_stdio

build_ui_routes = build_routes
"""``build_routes`` under the name that ``mcp-embedded-ui`` gives it."""

__all__ = [
    "AddressInUse",
    "AuthHook",
    "ContractLog",
    "LogFeed",
    "Settings",
    "Unauthorized",
    "bearer_auth",
    "build_routes",
    "build_ui_routes",
    "create_app",
    "create_mount",
    "run",
    "serve_stdio",
]
