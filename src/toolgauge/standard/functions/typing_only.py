"""Names that a module imports for type checkers alone.

Under ``from __future__ import annotations`` a parameter may be annotated with a
name that exists only under ``if TYPE_CHECKING:``. A type checker knows what it
is; so do we, by reading the module's source. What a parameter is gets decided by
the class that is found, never by how it is spelled.
"""

from __future__ import annotations

import ast
import inspect
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def typing_import(module: str, name: str) -> object:
    """Import a name that a module imports under ``if TYPE_CHECKING:``.

    Raises:
        LookupError: The module does not, or has no source to read, such as in an
            interactive session.
        Exception: Any exception that the import raises; the code is not ours.
    """
    for statement in _statements(module):
        for alias in statement.names:
            if name == (alias.asname or alias.name.partition(".")[0]):
                statement.names = [alias]
                return _run(statement, module)[name]
    raise LookupError(name)


def _statements(module: str) -> Iterator[ast.Import | ast.ImportFrom]:
    loaded = sys.modules.get(module)
    try:
        tree = ast.parse(inspect.getsource(loaded) if loaded is not None else "")
    except (OSError, TypeError, SyntaxError):
        return
    for block in ast.walk(tree):
        if isinstance(block, ast.If) and _is_type_checking(block.test):
            for each in block.body:
                if isinstance(each, ast.Import | ast.ImportFrom):
                    yield each


def _is_type_checking(test: ast.expr) -> bool:
    """Recognize ``TYPE_CHECKING`` and ``typing.TYPE_CHECKING``."""
    name = test.id if isinstance(test, ast.Name) else getattr(test, "attr", None)
    return name == "TYPE_CHECKING"


def _run(statement: ast.stmt, module: str) -> dict[str, Any]:
    """Run an import as the module itself would, so that Python resolves relative ones."""
    package = getattr(sys.modules[module], "__package__", None) or module.rpartition(".")[0]
    names: dict[str, Any] = {"__name__": module, "__package__": package}
    exec(compile(ast.Module([statement], []), f"<imports of {module}>", "exec"), names)  # noqa: S102 - an import statement of a module that is loaded
    return names
