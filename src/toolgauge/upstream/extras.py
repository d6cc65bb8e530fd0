"""Are the libraries there that a module of ours needs?"""

from __future__ import annotations

from importlib import import_module


def missing_for(*modules: str) -> str | None:
    """Say which library keeps modules of ours from being used, ``None`` for none.

    They are imported: a library that can be found may still be of another version, have
    lost a part, or be a folder that happens to have its name.

    Args:
        modules: Full names, ``toolgauge.serve.mcp``.

    Raises:
        ImportError: What is missing is our own.
    """
    try:
        for module in modules:
            import_module(module)
    except ImportError as error:
        if (error.name or "").split(".")[0] == __name__.split(".")[0]:
            raise
        return error.name or str(error)
    return None
