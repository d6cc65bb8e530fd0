"""Names that a module imports for type checkers alone.

Under ``from __future__ import annotations`` a parameter may be annotated with a
name that exists only under ``if TYPE_CHECKING:``. A type checker knows what it
is; so do we, by reading the module's source. What a parameter is gets decided by
the class that is found, never by how it is spelled.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from dataclasses import dataclass
from importlib.util import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Import:
    """Where a name comes from.

    Attributes:
        module: The module to import.
        attribute: What to take of it, ``None`` for the module itself.
    """

    module: str
    attribute: str | None

    def load(self) -> object:
        """Import it now: whoever publishes a schema needs the type itself.

        Raises:
            Exception: Whatever the import raises; the code is not ours.
        """
        found = importlib.import_module(self.module)
        if self.attribute is None:
            return found
        try:
            return getattr(found, self.attribute)
        except AttributeError:
            # ``from package import submodule``
            return importlib.import_module(f"{self.module}.{self.attribute}")


def find_typing_imports(module: str) -> dict[str, Import]:
    """Give what a module imports under ``if TYPE_CHECKING:``, by the name that it gets.

    Empty where the module has no source to read, such as in an interactive session.
    """
    loaded = sys.modules.get(module)
    if loaded is None:
        return {}
    try:
        tree = ast.parse(inspect.getsource(loaded))
    except (OSError, TypeError, SyntaxError):
        return {}
    package = getattr(loaded, "__package__", None) or module.rpartition(".")[0]
    return {
        name: found
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and _is_type_checking(block.test)
        for name, found in _imports(block.body, package)
    }


def _is_type_checking(test: ast.expr) -> bool:
    """Tell ``TYPE_CHECKING`` and ``typing.TYPE_CHECKING``."""
    name = test.id if isinstance(test, ast.Name) else getattr(test, "attr", None)
    return name == "TYPE_CHECKING"


def _imports(body: list[ast.stmt], package: str) -> Iterator[tuple[str, Import]]:
    for statement in body:
        if isinstance(statement, ast.Import):
            for each in statement.names:
                if each.asname:
                    yield each.asname, Import(each.name, None)
                else:
                    root = each.name.partition(".")[0]
                    yield root, Import(root, None)
        elif isinstance(statement, ast.ImportFrom):
            try:
                module = resolve_name("." * statement.level + (statement.module or ""), package)
            except ImportError:
                continue  # beyond the top of the package
            for each in statement.names:
                yield each.asname or each.name, Import(module, each.name)
