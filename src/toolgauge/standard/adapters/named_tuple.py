"""``NamedTuple``: an object by name, for that is how arguments come.

A library writes a named tuple as an array. As the input of a tool it would then be
one that nobody can call: arguments are an object. So it is checked as a dataclass
with the same fields, by the library that checks those; a named tuple inside another
type stays the array that it is.
"""

from __future__ import annotations

import copy
import dataclasses
import typing
from typing import Any

from toolgauge.contract import Failure, Result, Success
from toolgauge.standard._protocol import Adapted, JsonSchemas, Props
from toolgauge.standard._vendors import adapt as adapt_any
from toolgauge.standard._vendors import adapt_type


def adapt(obj: type[Any]) -> Adapted[Any]:
    """Wrap a class of ``NamedTuple`` or ``namedtuple``."""
    named = adapt_any(_as_dataclass(obj)).__standard_schema__
    array = adapt_type(obj)
    schemas, written = named.json_schema, array.__standard_schema__.json_schema

    def validate(value: object) -> Result[Any]:
        answer: Any = named.validate(value)
        if isinstance(answer, Failure):
            return answer
        return Success(obj(**{name: getattr(answer.value, name) for name in obj._fields}))

    both = None
    if schemas is not None and written is not None:
        both = JsonSchemas(input=schemas.input, output=written.output)
    props = Props(vendor=named.vendor, validate=validate, json_schema=both)
    return Adapted(props, source=obj, dump=array.dump)


def _as_dataclass(obj: type[Any]) -> type:
    hints = typing.get_type_hints(obj, include_extras=True)
    defaults: dict[str, Any] = obj._field_defaults
    fields: list[tuple[str, Any, Any]] = [
        (name, hints.get(name, Any), _field(name, defaults)) for name in obj._fields
    ]
    doc = obj.__doc__ or ""
    # Without a docstring of its own, a named tuple is described by its signature.
    own_doc = {} if doc.startswith(f"{obj.__name__}(") else {"__doc__": doc}
    namespace = {"__module__": obj.__module__, "__qualname__": obj.__qualname__, **own_doc}
    return dataclasses.make_dataclass(obj.__name__, fields, namespace=namespace)


def _field(name: str, defaults: dict[str, Any]) -> Any:
    if name not in defaults:
        return dataclasses.field()
    default = defaults[name]
    if isinstance(default, list | dict | set):
        # A dataclass wants its own copy of these.
        return dataclasses.field(default_factory=lambda: copy.copy(default))
    return dataclasses.field(default=default)
