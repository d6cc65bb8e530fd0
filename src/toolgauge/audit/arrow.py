"""pyarrow, loaded when something of it is first used.

Loading it takes as long as auditing 100,000 rows, in each worker process, and only
Parquet, zstd and object stores need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["pa", "pafs", "pc", "pq"]

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.fs as pafs
    import pyarrow.parquet as pq
else:

    class _Later:
        """Stands for a module until an attribute of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    pa = _Later("pyarrow")
    pc = _Later("pyarrow.compute")
    pafs = _Later("pyarrow.fs")
    pq = _Later("pyarrow.parquet")
