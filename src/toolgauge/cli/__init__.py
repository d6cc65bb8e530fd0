"""The command line. One file per command, each a thin layer over the rooms."""

from __future__ import annotations

from toolgauge.cli.app import main

__all__ = ["main"]
