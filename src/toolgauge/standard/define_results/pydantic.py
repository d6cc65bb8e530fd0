"""Results of pydantic's models, and of every type that it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pydantic
from pydantic.errors import PydanticUserError

from toolgauge.standard.adapters.pydantic.typed_dicts import with_typed_dicts
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Callable


def dump_of(declared: Any) -> Callable[[Any], Any]:
    """Write results as the declared type says, in JSON mode and under its aliases.

    What is no value of that type is written as it is: a contract on results is held
    elsewhere.

    Raises:
        Unconvertible: pydantic does not know the type.
    """
    adapter = declared if isinstance(declared, pydantic.TypeAdapter) else _adapter(declared)

    def dump(value: Any) -> Any:
        return adapter.dump_python(value, mode="json", by_alias=True, warnings=False)

    return dump


def _adapter(declared: Any) -> pydantic.TypeAdapter[Any]:
    try:
        return pydantic.TypeAdapter(with_typed_dicts(declared))
    except PydanticUserError as error:
        raise Unconvertible("pydantic", (), str(error.message).partition("\n")[0]) from error
