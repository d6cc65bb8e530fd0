"""Extension points: each file of a folder defines one record under an agreed name."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def records_in(package: str, name: str) -> list[Any]:
    """Return the record of every module in a package, in the order of the files' names.

    Args:
        package: The package. Adding a file to it adds its record.
        name: The constant that each module defines, such as ``"RULE"``.
    """
    folder = importlib.import_module(package).__path__
    return [
        getattr(importlib.import_module(f"{package}.{each.name}"), name)
        for each in pkgutil.iter_modules(folder)
    ]
