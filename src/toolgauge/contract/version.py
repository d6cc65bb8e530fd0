"""Our own version."""

from __future__ import annotations

from importlib import metadata


def own_version() -> str:
    """Return our version, ``"0"`` if we are not installed."""
    try:
        return metadata.version("toolgauge")
    except metadata.PackageNotFoundError:
        return "0"
