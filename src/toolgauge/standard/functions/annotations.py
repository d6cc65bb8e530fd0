"""What a function's annotations mean, however they are written.

Strings, ``from __future__ import annotations``, names under ``TYPE_CHECKING``,
names of the function that encloses this one.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
import typing
from typing import TYPE_CHECKING, Any

from toolgauge.standard.errors import UncallableSignature, UnresolvedAnnotation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, FunctionType

_MAX_NAMES = 100
"""How many names of one annotation are looked up in the module's source."""


NO_DEFAULT: Any = inspect.Parameter.empty
"""Marks a parameter that must be given, and a function that does not say what it returns."""


def name_of(function: object) -> str:
    """Return a function's name; a callable object has that of its class."""
    while isinstance(function, functools.partial):
        function = function.func
    found = getattr(function, "__name__", None)
    return found if isinstance(found, str) else type(function).__name__


def home_of(function: Callable[..., Any]) -> FunctionType | None:
    """Find the ``def`` behind a method, a partial, a wrapper or a callable object.

    Its module and closure are where its annotations are looked up. ``None``
    where there is none, as for a builtin.
    """
    found: Any = function
    while not inspect.isfunction(found) or hasattr(found, "__wrapped__"):
        if hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        elif isinstance(found, functools.partial):
            found = found.func
        elif inspect.ismethod(found):
            found = found.__func__
        else:
            found = getattr(type(found), "__call__", None)  # noqa: B004 - the method itself
            if not inspect.isfunction(found):
                return None
    return found


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature that a call meets, with annotations that cannot be evaluated left.

    That of a wrapper counts, not what it wraps, as far as it passes on no ``**kwargs``.

    Raises:
        ValueError: There is none, as for some builtins.
        UncallableSignature: A wrapper needs what the function that it wraps does not take.
    """
    inner = _wrapped_by(function)
    try:
        own = _own_signature(function)
    except ValueError:
        if inner is None:
            raise
        return signature_of(inner)  # a wrapper that is written in C, such as lru_cache
    kinds = {each.kind for each in own.parameters.values()}
    if inner is None or inspect.Parameter.VAR_KEYWORD not in kinds:
        return own
    found = signature_of(inner)
    for each in own.parameters.values():
        is_needed = each.default is NO_DEFAULT and each.kind not in _ANY_NUMBER
        if is_needed and (each.kind is each.POSITIONAL_ONLY or each.name not in found.parameters):
            reason = "is needed by a wrapper, and not taken by the function that it wraps"
            raise UncallableSignature(name_of(function), each.name, reason)
    return found


_ANY_NUMBER = frozenset({inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})


def _own_signature(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        from annotationlib import Format  # noqa: PLC0415 - new in Python 3.14

        return inspect.signature(
            function, follow_wrapped=False, annotation_format=Format.FORWARDREF
        )
    return inspect.signature(function, follow_wrapped=False)


def _wrapped_by(function: Any) -> Any:
    """Return what a wrapper wraps, bound as the wrapper is; ``None`` if it wraps nothing."""
    if isinstance(function, functools.partial):
        inner = _wrapped_by(function.func)
        return functools.partial(inner, *function.args, **function.keywords) if inner else None
    if inspect.ismethod(function):
        inner = _wrapped_by(function.__func__)
        return types.MethodType(inner, function.__self__) if inner else None
    if "__signature__" in getattr(function, "__dict__", ()):
        return None  # it says so itself
    if hasattr(function, "__wrapped__"):
        return function.__wrapped__
    call = getattr(type(function), "__call__", None)  # noqa: B004 - the method itself
    if inspect.isfunction(function) or not inspect.isfunction(call):
        return None
    return _wrapped_by(types.MethodType(call, function))


class Resolver:
    """Turns annotations of one function into the types that they name.

    Args:
        function: The function's name, for errors.
        home: The ``def`` that wrote the annotations.
    """

    __slots__ = ("_function", "_globals", "_home", "_locals")

    def __init__(self, function: str, home: FunctionType | None) -> None:
        self._function = function
        self._home = home
        self._globals: dict[str, Any] = home.__globals__ if home is not None else {}
        self._locals: dict[str, Any] = _enclosing(home) if home is not None else {}

    def resolve(self, parameter: str, annotation: object) -> Any:
        """Return the type, with what ``Annotated`` says of it.

        Raises:
            UnresolvedAnnotation: Something in it cannot be found.
        """
        for _ in range(_MAX_NAMES):
            try:
                return _evaluated(annotation, self._globals, self._locals)
            except NameError as error:
                if not self._find(error.name):
                    raise self._unresolved(parameter, annotation, error) from error
            except Exception as error:
                # An annotation is the user's own code.
                raise self._unresolved(parameter, annotation, error) from error
        message = f"more than {_MAX_NAMES} of its names are imported for type checkers alone"
        raise self._unresolved(parameter, annotation, NameError(message))

    def _find(self, name: str | None) -> bool:
        """Look for a name where only a type checker or a reader finds it; tell whether it is there.

        That is among the variables of the enclosing function, while that is running, and
        among the imports for type checkers.
        """
        if name is None or name in self._locals or self._home is None:
            return False
        variables = _running_variables(self._home)
        if name in variables:
            self._locals[name] = variables[name]
            return True
        try:
            self._locals[name] = typing_import(self._home.__module__, name)
        except Exception:  # noqa: BLE001 - an import runs code of others; reported as unresolved
            return False
        return True

    def _unresolved(
        self, parameter: str, annotation: object, error: Exception
    ) -> UnresolvedAnnotation:
        return UnresolvedAnnotation(
            self._function, parameter, spelled(annotation), f"{type(error).__name__}: {error}"
        )


def spelled(annotation: object) -> str:
    """Return an annotation as it is written, as far as that is known."""
    if isinstance(annotation, str):
        return annotation
    written = getattr(annotation, "__forward_arg__", None)
    if isinstance(written, str):
        return written
    return annotation.__name__ if isinstance(annotation, type) else repr(annotation)


def _evaluated(annotation: object, names: dict[str, Any], local: dict[str, Any]) -> Any:
    """Evaluate one annotation with ``typing``, including strings inside of it."""

    def carrier() -> None: ...

    carrier.__annotations__ = {"it": annotation}
    return typing.get_type_hints(carrier, names, dict(local), include_extras=True)["it"]


def _enclosing(home: FunctionType) -> dict[str, Any]:
    """Return the variables of enclosing functions that a function uses, and its type parameters."""
    found: dict[str, Any] = {each.__name__: each for each in getattr(home, "__type_params__", ())}
    for name, cell in zip(home.__code__.co_freevars, home.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # not assigned yet
    return found


def _running_variables(home: FunctionType) -> dict[str, Any]:
    """Return the variables of the function that is making this one.

    A decorator runs while they are there; a class that only an annotation names is
    in no closure.
    """
    enclosing = home.__qualname__.rpartition(".<locals>.")[0]
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - there is no other way to them
    while frame is not None and enclosing:
        if frame.f_globals is home.__globals__ and frame.f_code.co_qualname == enclosing:
            return dict(frame.f_locals)
        frame = frame.f_back
    return {}


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
