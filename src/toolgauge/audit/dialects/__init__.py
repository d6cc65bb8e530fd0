"""Data sets that write tools in their own way, one file each.

A dialect is a record of functions. To add one: its file, and a row in ``DIALECTS``.
"""

from __future__ import annotations

from toolgauge.audit.dialects import bfcl, xlam
from toolgauge.audit.dialects.dialect import Dialect

DIALECTS: dict[str, Dialect] = {each.DIALECT.name: each.DIALECT for each in (bfcl, xlam)}
"""Every dialect by the name that ``--dialect`` takes."""

__all__ = ["DIALECTS", "Dialect"]
